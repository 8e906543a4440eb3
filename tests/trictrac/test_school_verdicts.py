"""The verdicts on schools shown to players, compared with the points that the engine marks."""

import random
import re

import pytest

import tablier
from tablier._core import trictrac
from tablier._core.trictrac import CORRECT, DECLARE, NO_CLAIM, SchoolStep
from tablier.games.trictrac.honest import answer, is_judged
from tablier.games.trictrac.schools import marked, verdicts
from tablier.games.trictrac.telling import tell
from tablier.messages import render
from tablier.players import make_player


def play(rules, seed):
    """Yields (state, action, next state) of a game whose players often mark and claim wrongly."""
    game, rng = tablier.load_game("trictrac", schools=True, **rules), random.Random(seed)
    state, player = game.new_initial_state(), make_player("heuristic", game)
    while not state.is_terminal():
        action = rng.choice(state.legal_actions())
        if not is_judged(state):
            near = [answer(state) + step for step in (0, 0, 0, -1, 1, 2)] + [NO_CLAIM, CORRECT]
            action = next(one for one in rng.sample(near, len(near)) if one in state.legal_actions())
        elif state.is_player_node() and rng.random() < 0.8:
            action = player.choose(state)
        after = state.child(action)
        yield state, action, after
        state = after


def mark(points, holes, run, player, amount):
    """Marks points by docs/rules.md, 10."""
    if not amount:
        return
    run[player] = run[player] or points[player] == 0
    run[1 - player] = run[1 - player] and points[1 - player] == 0
    points[player] += amount
    while points[player] >= 12:
        holes[player] += 2 if run[player] else 1
        points[player] -= 12
        points[1 - player], run[1 - player], run[player] = 0, False, True


def score_by_verdicts(state, action):
    """Computes the score after the claims of a throw from the declarations and the verdicts."""
    parts = trictrac.parts(state)
    mover = parts.player
    points, holes, run = list(parts.points_before), list(parts.holes_before), list(parts.points_run_before)
    found = {verdict.claimant: verdict for verdict in verdicts(state, action)}
    for player, declared in ((mover, parts.declared[0]), (1 - mover, parts.declared[1])):
        against = found.get(1 - player)
        mark(points, holes, run, player, against.keeps if against else declared)
    for claimant in (1 - mover, mover):
        if verdict := found.get(claimant):
            right = verdict.kind in ("right", "neglected")
            mark(points, holes, run, claimant if right else 1 - claimant, verdict.school)
    return tuple(points), tuple(holes)


@pytest.mark.parametrize("fill_school", ["single", "double"])
def test_what_is_told_is_what_is_marked(fill_school):
    kinds = set()
    for seed in range(15):
        for state, action, after in play({"fill_school": fill_school}, seed):
            parts, now = trictrac.parts(state), trictrac.parts(after)
            if (
                parts.school != SchoolStep.CLAIM_AGAINST_OTHER
                or after.is_terminal()
                or now.failed
                or now.throws == (0, 0)
            ):
                continue
            kinds |= {verdict.kind for verdict in verdicts(state, action)}
            assert score_by_verdicts(state, action) == (now.points, now.holes)
    assert kinds == {"right", "neglected", "too_much", "too_little", "corrected", "nothing_wrong"}


@pytest.mark.parametrize(
    ("declared", "claim", "english", "french"),
    [
        (
            4,
            trictrac.claim(4),
            "Black is right: White marked 4 points instead of 0. White keeps 0, and Black marks 4 for the school.",
            "Noir a raison",
        ),
        (
            4,
            trictrac.claim(8),
            "Black claims too much: White marked 4 points instead of 0. White marks 4 for the false school.",
            "Noir réclame trop",
        ),
        (
            4,
            trictrac.claim(2),
            "Black claims too little: White marked 4 points instead of 0, and a school must be claimed in full.",
            "se réclame en entier",
        ),
        (
            0,
            trictrac.claim(2),
            "Black is wrong: White was right to mark 0 points, and marks 2 for the false school.",
            "Noir a tort",
        ),
        (4, CORRECT, "The marking is corrected: White marks 0.", "Blanc marque 0."),
        (0, CORRECT, "White was right to mark 0 points: there is nothing to correct.", "rien à rectifier"),
        (4, NO_CLAIM, None, None),
    ],
)
def test_the_end_of_a_claim_is_told(declared, claim, english, french):
    game = tablier.load_game("trictrac", schools=True, first_throw="white")
    state, steps = game.new_initial_state().child(13), []
    for choose in (trictrac.declaration(declared), None, DECLARE, claim, NO_CLAIM):
        action = state.legal_actions()[-1] if choose is None else choose
        steps.append((state, action))
        state = state.child(action)
    told, said = (render(tell(*steps[-1], state), lang) for lang in ("en", "fr"))
    lines = [render(line, "en") for line in marked(steps)]
    if english is None:
        assert (told, said) == ("White claims nothing.", "Blanc ne réclame rien.")
        assert lines == ["White marked 4; 0 were due."]
    else:
        assert told.startswith(f"White claims nothing. {english}")
        assert french in said
        assert lines[0].startswith("White marked 4; 0 were due." if declared else english)
        assert lines[-1].startswith(english)


def test_holes_are_told_where_players_mark_themselves():
    told = [render(tell(state, action, after), "en") for seed in range(10) for state, action, after in play({}, seed)]
    assert any("marks" in text and "wins 1 hole." in text for text in told)
    assert any(re.search(r" is back to \d+ holes?\.", text) for text in told), "a school took one back"
