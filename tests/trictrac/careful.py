"""Players who know the rules of schools and sometimes err: they mostly mark what is due and claim what is true.

Random players declare anything from 0 to 126, so their games end after a few throws. These games last, and reach
everything that can be claimed and settled.
"""

from drawn import CLAIM, FORCE_CORRECT, GO, HAVE_IT_FILLED, MARK_THEIR_POINTS, PASS, mover_board, parts

from tablier._core import trictrac
from tablier._core.trictrac import SchoolStep


def true_school(facts):
    """Returns the points that the right claim is worth to the player who may claim (rules.md, 13)."""
    whose = facts.school == SchoolStep.CLAIM_AGAINST_OTHER
    due, declared = facts.due[whose], facts.declared[whose]
    if whose or not facts.failed:
        return abs(due - declared)
    entitled = due - facts.fill_due
    return declared - entitled if declared > entitled else due - declared


def towards_a_full_jan(board):
    """Rates how close the small or the big jan is to being full; missing men and men beyond it count against it."""
    return max(
        -sum(max(0, 2 - max(0, men)) for men in board[first : first + 6])
        - 2 * sum(max(0, men) for men in board[first + 6 :])
        for first in (0, 6)
    )


def choose(rng, state, leaver=0.1):
    """Chooses an action at any node, chance nodes included."""
    facts, legal = parts(state), state.legal_actions()
    if state.is_chance_node() or legal == [0]:
        return rng.choice(legal)
    if facts.school == SchoolStep.DECLARE:
        due = facts.due[facts.stage == MARK_THEIR_POINTS]
        return trictrac.declaration(max(0, due + rng.choice((0, 0, 0, 0, 0, 0, 0, 2, -2, 4, -4))))
    if facts.school == SchoolStep.DECIDE_FILLING:
        return rng.choice((PASS, HAVE_IT_FILLED))
    if facts.school:
        truth = true_school(facts)
        right = trictrac.claim(truth) if truth else PASS
        wrong = CLAIM + max(0, truth // 2 - 1 + rng.choice((-1, 1, 2)))
        return rng.choice((right,) * 7 + (FORCE_CORRECT, PASS, wrong))
    if legal[0] == GO:
        if rng.random() < leaver:
            return GO
        legal = legal[1:]
    if rng.random() < (0.4 if facts.fill_due else 0.05):  # now and then neglect a filling or play an odd move
        return rng.choice(legal)
    values = {action: towards_a_full_jan(after(state, action)) for action in legal}
    best = max(values.values())
    return rng.choice([action for action in legal if values[action] == best])


def after(state, action):
    """Returns the mover's board after a move."""
    board = mover_board(state)
    for start, end in trictrac.moves(state, action):
        board[start - 1] -= 1
        if end != 25:
            board[end - 1] += 1
    return board


def play(game, rng, leaver=0.1):
    """Plays one game; returns its actions, and the state before each of them plus the final one."""
    state, actions, states = game.new_initial_state(), [], []
    while not state.is_terminal():
        states.append(state.clone())
        actions.append(choose(rng, state, leaver))
        state.apply_action(actions[-1])
    return actions, [*states, state]
