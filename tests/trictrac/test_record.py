"""Records of Trictrac: they read back as written, and anything against the rules is refused with its line."""

import itertools
import json
import random
import re

import pytest

import tablier
from tablier._core import trictrac
from tablier._core.trictrac import NO_CLAIM, SchoolStep, Stage
from tablier.games.trictrac.honest import answer
from tablier.games.trictrac.record import Record, RecordError, replay

# Written by hand from rules.md; the comments say why. A man on Black's field f stands on White's 25 - f.
BY_HAND = """
[Game "trictrac"]
[Option first_throw "draw"]
[White "a player"]
[Black "another \\"player\\""]

draw 6-6, again
draw 2-5, Black begins
1. Black 2-5: 1-3 1-6
2. White 6-6: 1-7 1-7
3. Black 4-4: 1-5 1-5
4. White 5-1: 1-6 7-8
5. Black 6-6: 8 hit_big x2 | 1-7 1-7 | score 0/0 0/8
6. White 2-1: 7-8 6-8
unfinished
"""
# 5: White has single men on 6, 7 and 8, Black's 19, 18 and 17. By twelve Black's 6 reaches 18 over 12, and their 5
#    reaches 17 over 11: two ways on the big table, 4 each on a doublet.

A_GAME = """[Game "trictrac"]
[Option holes_to_win "3"]

draw 2-4, Black begins
1. Black 2-4: 1-7
2. White 4-6: 1-11
3. Black 1-2: 1-2 7-9
4. White 6-4: 1-11
5. Black 1-1: 1-2 9-10
6. White 3-2: 1-6
7. Black 3-1: 1-4 10-11
8. White 3-5: 4 hit_big x2 | 1-9 | score 0/4 0/0
9. Black 4-6: 4-8 2-8
10. White 1-6: 9-10 1-7
11. Black 2-6: 4 hit_small x1 | 1-3 1-7 | score 0/4 0/4
12. White 6-6: 10 hit_small x1, hit_big x1 | 1 hole | hold | 7-19 | Black 6 false_small x1 | score 1/2 0/6
13. Black 3-5: 14 hit_small x3, hit_big x1 | 2 holes bredouille | leave | score 1/0 2/0
setting 2, Black begins
14. Black 4-2: 1-7
15. White 2-3: 1-3 1-4
16. Black 3-1: 1-4 1-2
17. White 6-6: 3-9 4-10
18. Black 5-3: 2 hit_big x1 | 1-6 2-5 | score 1/0 2/2
19. White 5-5: 12 hit_small x2 | 2 holes bredouille | score 3/0 2/0
White wins, stake 1
"""

OPTIONS = [
    {},
    {"holes_to_win": 40},
    {"holes_to_win": 40, "last_throw_carries_over": True, "explicit_roll": True},
    {"holes_to_win": 40, "last_throw_carries_over": True, "schools": True},
    {"holes_to_win": 40, "bearing_off": "by_default_only", "swap_colours_on_exit": True},
    {"first_throw": "fresh_roll", "stake_rule": "double"},
    {"first_throw": "white", "stake_rule": "quadruple"},
    {"first_throw": "fresh_roll", "explicit_roll": True, "utility": "win"},
    {"first_throw": "white", "explicit_roll": True, "encoding": "markov"},
    {"pile_de_misere": True, "bearing_off": "by_default_only"},
    {"jan_de_rencontre": True, "margot_la_fendue": True, "mezeas_next_throw_only": True},
    {"schools": True},
    {"schools": True, "fill_school": "double", "explicit_roll": True, "holes_to_win": 20},
]


def choose(state, rng):
    """Chooses at random, but rarely leaves and mostly declares the truth: else schools end a game in two throws."""
    legal = state.legal_actions()
    now = trictrac.parts(state)
    if now.school and rng.random() < 0.9:
        return answer(state) if now.school == SchoolStep.DECLARE else NO_CLAIM
    if now.stage == Stage.HOLD_OR_GO and rng.random() < 0.8:
        return rng.choice(legal[1:])
    if now.school == SchoolStep.DECLARE:
        return rng.choice(legal[:8])
    return rng.choice([*legal[:3], *legal[-2:]]) if now.school else rng.choice(legal)


def play(seed, **options):
    rng = random.Random(seed)
    game = tablier.load_game("trictrac", **options)
    state, actions = game.new_initial_state(), []
    while not state.is_terminal():
        actions.append(choose(state, rng))
        state.apply_action(actions[-1])
    return game, actions, state


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_record_reads_back(options):
    for seed in range(5):
        game, actions, state = play(seed, **options)
        record = Record.from_actions(game, actions, {"White": 'a "b" \\', "date": "1776"})
        assert record.final_state() == state
        assert Record.parse(record.text()) == Record.from_json(record.json()) == record
        cut = Record.from_actions(game, actions[: seed * len(actions) // 5 + seed])
        assert replay(cut.text()) == Record.from_json(cut.json()) == cut


def test_every_option_is_recorded_at_least_once():
    assert set().union(*OPTIONS) == set(tablier.load_game("trictrac").options())


def test_a_record_may_stop_at_every_action():
    for options in OPTIONS:
        game, actions, _ = play(1, **options)
        for end in range(min(len(actions), 30)):
            record = Record.from_actions(game, actions[:end])
            assert Record.parse(record.text()) == record


def test_the_walk_passes_every_kind_of_field():
    games = [play(seed, **options) for options in OPTIONS for seed in range(4)]
    written = "".join(Record.from_actions(game, actions).text() for game, actions, _ in games)
    for words in ["-off", "pass", "leave", "hold", "bredouille", "setting 2", "Black 1 hole", "corrects"]:
        assert words in written, words
    for words in ["claims nothing", "White claims 2", "declares 4", "helpless x2", "exit x1", "corner x1", "margot"]:
        assert words in written, words


def mark(points, run, holes, i, x):
    """Marks points as rules.md, 10 says, step by step."""
    j = 1 - i
    if points[i] == 0:
        run[i] = True
    if points[j] > 0:
        run[j] = False
    points[i] += x
    while points[i] >= 12:
        holes[i] += 2 if run[i] else 1
        points[i] -= 12
        points[j], run[j], run[i] = 0, False, True


def test_what_is_written_adds_up():
    """Points follow from the jans by the tariff (rules.md, 9), holes and score from the points (section 10)."""
    ordinary = [options for options in OPTIONS if "schools" not in options]
    for options, seed in itertools.product(ordinary, range(3)):
        game, actions, _ = play(seed, **options)
        points, run, holes = [0, 0], [False, False], [0, 0]
        for line in json.loads(Record.from_actions(game, actions).json())["throws"]:
            for event in line.get("events", []):
                if "points" in event:
                    player = ["White", "Black"].index(event["player"])
                    doublet = line["dice"][0] == line["dice"][1]
                    values = {jan: trictrac.tariff()[jan] for jan in event["jans"]}
                    assert sum(values[jan][doublet] * ways for jan, ways in event["jans"].items()) == event["points"]
                    assert all(value[2] == (event["player"] != line["player"]) for value in values.values())
                    before = holes[player]
                    mark(points, run, holes, player, event["points"])
                    won = holes[player] - before
                elif "holes" in event:
                    assert event["holes"] == won
                elif event.get("choice") == "leave":
                    points, run = [0, 0], [False, False]
                elif "score" in event:
                    assert event["score"] == [[holes[0], points[0]], [holes[1], points[1]]]


def test_a_record_written_by_hand():
    record = replay(BY_HAND)
    assert record.options == {}
    assert record.header == {"White": "a player", "Black": 'another "player"'}
    assert trictrac.parts(record.final_state()).points == (0, 8)
    assert len(list(record.states())) == len(record.actions) + 1
    spelled_otherwise = BY_HAND.replace("7-8 6-8", "6-8   7-8")
    assert replay(spelled_otherwise).final_state() == record.final_state()


def test_a_finished_game():
    record = Record.parse(A_GAME.replace("\n", "\r\n"))
    assert record.text() == A_GAME
    assert record.final_state().is_terminal()
    assert Record.parse(A_GAME.encode()) == record
    assert hash(Record.parse(A_GAME)) == hash(record)


def test_every_legal_spelling_of_a_move_is_written_and_read():
    rng = random.Random(5)
    game = tablier.load_game("trictrac")
    for _ in range(3):
        state, actions = game.new_initial_state(), []
        while not state.is_terminal():
            action = rng.choice(state.legal_actions())
            if not state.is_chance_node() and action > 1 and rng.random() < 0.3:
                spelled = []
                for other in range(2, 514):
                    try:
                        spelled += [other] if state.child(other) == state.child(action) else []
                    except ValueError:
                        continue
                action = rng.choice(spelled)
            actions.append(action)
            state.apply_action(action)
        record = Record.from_actions(game, actions)
        again = Record.parse(record.text())
        assert again.final_state() == Record.from_json(record.json()).final_state() == state
        assert all(a == b for a, b in zip(again.states(), record.states(), strict=True))


def mutations(text):
    """Yields the text with one number or word changed, dropped or repeated."""
    for token in re.finditer(r"[A-Za-z_]+|[0-9]+|\.\.\.", text[text.index("\n\n") :]):
        start, end = token.start() + text.index("\n\n"), token.end() + text.index("\n\n")
        word = token.group()
        if word.isdigit():
            others = [str(int(word) + 1), str(int(word) + 2), str(max(0, int(word) - 2)), "0", "99", word * 2]
        else:
            others = [{"White": "Black", "Black": "White", "hold": "leave", "leave": "hold"}.get(word, "hit_small")]
        for other in {*others, ""} - {word}:
            yield text[:start] + other + text[end:]


def plain(text):
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def test_no_word_of_a_record_can_be_changed():
    final = replay(A_GAME).final_state()
    for changed in mutations(A_GAME):
        try:
            record = replay(changed)
        except RecordError:
            continue
        assert record.final_state() == final


@pytest.mark.parametrize("options", [OPTIONS[3], OPTIONS[11]], ids=str)
def test_with_schools_a_changed_record_is_refused_or_tells_another_game(options):
    """Declarations and claims are free, so another amount can be valid; but everything written is checked."""
    game, actions, _ = play(3, **options)
    text = Record.from_actions(game, actions[:40]).text()
    refused = accepted = 0
    for changed in mutations(text):
        try:
            record = replay(changed)
        except RecordError:
            refused += 1
        else:
            accepted += 1
            assert plain(record.text()) == plain(changed)
    assert refused > 10 * accepted


def test_no_line_can_be_left_out_or_doubled():
    lines = A_GAME.splitlines(keepends=True)
    for i, line in enumerate(lines):
        if not line.strip():
            continue
        for changed in ("".join(lines[:i] + lines[i + 1 :]), "".join(lines[: i + 1] + lines[i:])):
            with pytest.raises(RecordError):
                replay(changed)


def test_no_end_can_be_cut_off():
    for end in range(0, len(A_GAME) - 1, 3):
        with pytest.raises(RecordError):
            replay(A_GAME[:end])


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("trictrac", "backgammon", 1, "only records of trictrac"),
        ("[Game", "[Option", 1, r"starts with \[Game"),
        ("holes_to_win", "holes", 2, "no option 'holes'; accepted: holes_to_win"),
        ('"3"]', '"0"]', 2, "holes_to_win"),
        ('"3"]', '"3"] x', 2, "a header line looks like"),
        ('"3"]', '"3"]\n[Option holes_to_win "3"]', 3, "given twice"),
        ('"3"]', '"3"]\n[Option fill_school "double"]', 3, "fill_school has no effect without schools"),
        ('"3"]', '"3"]\n[White "\x07"]', 3, "printable"),
        (
            "2-4, Black",
            "2-4, White",
            4,
            "expected a throw such as 'draw 1-2, Black begins' here, not 'draw 2-4, White begins'",
        ),
        ("1. Black 2-4", "1. Black 4-2", 5, "the rules require '1. Black 2-4' here, not '1. Black 4-2'"),
        ("2. White 4-6", "2. White 4-7", 6, "such as '2. White 1-2' here, not '2. White 4-7'"),
        ("2. White 4-6: 1-11", "2. White 4-6", 6, "the line ends too early"),
        ("1-2 7-9", "1-2 8-10", 7, "this is not a legal choice; the legal choices are: 1-2 1-3; 1-4; 1-2 7-9; "),
        ("4 hit_big x2", "6 hit_big x3", 12, "the rules require '4 hit_big x2' here, not '6 hit_big x3'"),
        ("| 1 hole", "| 2 holes bredouille", 16, "the rules require '1 hole' here, not '2 holes bredouille'"),
        ("| hold ", "", 16, r"legal choices are: leave; hold \| "),
        (" | Black 6 false_small x1", "", 16, "the rules require 'Black 6 false_small x1' here, not 'score 1/2 0/6'"),
        ("score 1/0 2/0", "score 1/0 1/0", 17, "the rules require 'score 1/0 2/0' here"),
        ("leave |", "leave | 1-4 1-6 |", 17, "the rules require 'score 1/0 2/0' here, not '1-4 1-6'"),
        ("setting 2", "setting 3", 18, "the rules require 'setting 2, Black begins' here"),
        ("stake 1\n", "stake 2\n", 25, "the rules require 'White wins, stake 1' here"),
        ("stake 1\n", "stake 1\n20. Black 1-1: 1-2 1-2\n", 26, "nothing may follow"),
        ("White wins, stake 1\n", "", 25, "the record ends too early: the rules require 'White wins, stake 1' here"),
    ],
)
def test_the_first_wrong_line_is_named_with_the_reason(old, new, line, words):
    assert A_GAME.count(old) >= 1
    with pytest.raises(RecordError, match=words) as caught:
        replay(A_GAME.replace(old, new, 1))
    assert caught.value.line == line
    assert isinstance(caught.value, ValueError)


HEAD = '[Game "trictrac"]\n'


@pytest.mark.parametrize(
    "text",
    [
        *["", "\n", "\0", "\ud800", "[", "[[[[", HEAD, HEAD + "draw", HEAD + "draw 1-1, again", HEAD + ":|:|:|"],
        *[b"\xff\xfe\x00", bytes(range(256)), None, 7, HEAD + "x" * 999_000, HEAD * 30_000, "\n" * 20_001],
        *["x" * 1_000_001, '[Game "' + "\\" * 900_000, HEAD + '[A "' + "a" * 501 + '"]', HEAD + '[Option "x"]'],
        *[HEAD + "draw 1-2, Black begins\n1. Black 1-2: " + "|" * 900_000, HEAD + "draw 9-9, again\n" * 19_000],
        HEAD + "draw 1-1, again\n" * 19_000,
        HEAD + f'[Option holes_to_win "{"9" * 5000}"]',
        HEAD + '[Option schools "yes"]',
        HEAD + "draw \u0661-\u0662, Black begins",
        HEAD + "draw 1-2, Black begins\n1. Black 1-2: 25-26 0-0",
    ],
    ids=lambda text: repr(text)[:40],
)
def test_hostile_text(text):
    with pytest.raises(RecordError):
        replay(text)


GOOD = {"format": "tablier-record", "version": 1, "game": "trictrac", "options": {}, "header": {}, "throws": []}
END = [{"unfinished": None}]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "pgn"}, "format"),
        *[({"version": version}, "version 1 can be read") for version in (2, 0, True, 1.0, "1", None)],
        ({"game": "pig"}, "'pig'"),
        ({"game": ["trictrac"]}, "only records of trictrac"),
        ({"options": []}, "options"),
        ({"options": {"name": 1}}, "name"),
        ({"options": {"holes_to_win": 10**4000}}, "holes_to_win"),
        ({"options": {"holes_to_win": True}}, "holes_to_win"),
        ({"options": {"holes_to_win": [3]}}, "holes_to_win"),
        ({"options": {"a\ud800": 3}}, "printable"),
        ({"options": {"first_throw": "\ud800"}}, "printable"),
        ({"header": {"White": 3}}, "printable"),
        ({"header": {"Game": "x"}}, "other than Game and Option"),
        ({"header": {"White": "\ud800"}}, "printable"),
        ({"header": "White"}, "header"),
        ({"throws": {}}, "throws must be a list"),
        ({"more": 1}, "keys"),
        ({"throws": []}, "ends too early"),
        ({"throws": [3]}, "entry 1, '3': a throw must be an object"),
        ({"throws": [{"events": 3}]}, "entry 1"),
        ({"throws": [{"draw": [1.0, 1], "begins": None}, *END]}, "entry 1"),
        ({"throws": [{"draw": [True, 1], "begins": None}, *END]}, "entry 1"),
        ({"throws": [{"draw": [1, 1], "begins": None}, *END, *END]}, "entry 3.*nothing may follow"),
        ({"throws": [{"draw": [1, 1], "begins": None, "events": [None]}, *END]}, "entry 1.*must end before 'null'"),
        ({"throws": [{}] * 20_001}, "at most"),
    ],
    ids=lambda x: str(x)[:40],
)
def test_hostile_json(change, words):
    assert Record.from_json(json.dumps(GOOD | {"throws": END})).actions == ()
    with pytest.raises(RecordError, match=words):
        Record.from_json(json.dumps(GOOD | change))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "[" * 100_000,
        '{"a":' * 100_000,
        "9" * 5000,
        '{"a": 1, "a": 1}',
        b"\xff",
        None,
        " " * 5_000_000,
    ],
    ids=lambda text: repr(text)[:40],
)
def test_what_is_no_json(text):
    with pytest.raises(RecordError):
        Record.from_json(text)


def test_json_is_checked_as_the_text_is():
    good = json.loads(Record.parse(A_GAME).json())
    rng = random.Random(1)
    for _ in range(300):
        changed = json.loads(json.dumps(good))
        node = rng.choice(changed["throws"])
        while True:
            key = rng.choice(list(node)) if isinstance(node, dict) else rng.randrange(len(node))
            if not isinstance(node[key], list | dict) or not node[key]:
                break
            node = node[key]
        node[key] = node[key] + 1 if isinstance(node[key], int) else "zzz"
        with pytest.raises(RecordError) as caught:
            Record.from_json(json.dumps(changed))
        assert caught.value.line is not None


@pytest.mark.parametrize("actions", [[36], [-1], [1, 1000], ["a"], [1.5], [None], [1, 1]])
def test_actions_that_are_not_legal(actions):
    with pytest.raises(RecordError, match=f"action {len(actions)}: "):
        Record.from_actions(tablier.load_game("trictrac"), actions)


def test_only_trictrac_is_recorded():
    with pytest.raises(RecordError, match="'pig'"):
        Record.from_actions(tablier.load_game("pig"), [])
