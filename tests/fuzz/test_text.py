"""Text that people send: records, ids of positions, moves and player strings that are nearly right.

Each is read, or refused with a ValueError that says why. What is read can be written and read again.
"""

import base64
import random
import string
from pathlib import Path

from changing import changed, said, spliced, spliced_json
from hypothesis import given
from hypothesis import strategies as st

import tablier
from tablier import records
from tablier.backgammon import Position as BackgammonPosition
from tablier.backgammon import load_match
from tablier.games import home_of
from tablier.players import PLAYERS, make_player, settings_of
from tablier.trictrac import Position

TESTS = Path(__file__).parent.parent
GAMES = {name: tablier.load_game(name) for name in tablier.registered_games()}


def random_actions(game, count=60):
    """Returns the first actions of a random game."""
    state, draw, actions = game.new_initial_state(), random.Random(1), []
    while len(actions) < count and not state.is_terminal():
        actions.append(draw.choice(state.legal_actions()))
        state.apply_action(actions[-1])
    return actions


MATCHES = [path.read_text() for path in sorted((TESTS / "backgammon/games").iterdir())]
RECORDS = [
    records.dump(game, random_actions(game), {"date": "2026-11-17"}, as_json=as_json)
    for game in (*GAMES.values(), tablier.load_game("trictrac", schools=True, explicit_roll=True))
    for as_json in (False, True)
]


def test_the_records_that_are_changed_can_be_read():
    for text in RECORDS:
        records.load_header(text)
    for text in MATCHES:
        assert len(load_match(text)) == 2


@given(changed(RECORDS) | spliced(RECORDS) | spliced_json([text for text in RECORDS if text.startswith("{")]))
def test_records(text):
    try:
        game, actions, header = records.load_header(text)
    except ValueError as error:
        return said(error)
    again = records.load_header(records.dump(game, actions, header))
    assert (again[0], again[1]) == (game, actions)
    return None


@given(changed(MATCHES) | spliced(MATCHES))
def test_records_of_matches(text):
    try:
        load_match(text)
    except ValueError as error:
        said(error)


@given(changed([text.encode() for text in RECORDS]))
def test_records_as_bytes(data):
    try:
        records.load(data)
    except ValueError as error:
        said(error)


def some_states(name, count):
    """Returns states of a random game, the first after the first action."""
    state, found = GAMES[name].new_initial_state(), []
    for action in random_actions(GAMES[name], count):
        state = state.child(action)
        found.append(state)
    return found


TRICTRAC_IDS = [Position.of(state).id() for state in some_states("trictrac", 30)]
BACKGAMMON_IDS = ["4HPwATDgc/ABMA:cIkKAAAAAAAE", "4HNwABj4HHwABA:UYkKAAAAAAAE", "sGfwATDgc/ABMA"]
BACKGAMMON_IDS += ["XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10"]
LETTERS = string.ascii_letters + string.digits + "+/=:-"


@given(changed(TRICTRAC_IDS, LETTERS))
def test_ids_of_trictrac(text):
    try:
        position = Position.from_id(text)
        state = position.state(GAMES["trictrac"])
    except ValueError as error:
        return said(error)
    assert GAMES["trictrac"].deserialize(state.serialize()) == state
    return None


@st.composite
def nearly_xgids(draw):
    """Draws an XGID whose letters and fields are of the right kind, but may not go together."""
    letters = [draw(st.sampled_from("------abcABCbBoO")) for _ in range(draw(st.sampled_from([26, 26, 26, 25])))]
    numbers = ["0", "0", "1", "-1", "2", "3", "5", "11", "31", "00", "70", "D", "x", "", "-7"]
    fields = draw(st.lists(st.sampled_from(numbers), min_size=9, max_size=draw(st.sampled_from([9, 9, 9, 10]))))
    if draw(st.booleans()):
        fields[2:4] = draw(st.sampled_from(["1", "-1"])), draw(st.sampled_from(["00", "31", "66"]))
    return ":".join(["XGID=" + "".join(letters), *fields])


@st.composite
def nearly_gnubg_ids(draw):
    """Draws a position id of some men and a match id of some fields."""
    men = draw(st.lists(st.sampled_from([0, 0, 0, 1, 2, 3, 5, 15]), min_size=48, max_size=52))
    sizes = [4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1, draw(st.sampled_from([5, 5, 4]))]
    numbers = [draw(st.sampled_from([0, 0, 1, 2, 3, 2**size - 1])) % 2**size for size in sizes]
    bits = ["".join("1" * count + "0" for count in men)[:80].ljust(80, "0")]
    bits.append("".join(f"{number:0{size}b}"[::-1] for number, size in zip(numbers, sizes, strict=True)).ljust(72, "0"))
    octets = [bytes(int(part[i : i + 8][::-1], 2) for i in range(0, len(part), 8)) for part in bits]
    words = [base64.b64encode(part).decode().rstrip("=") for part in octets]
    return ":".join(words[: draw(st.integers(1, 2))])


@given(changed(BACKGAMMON_IDS, LETTERS) | nearly_xgids() | nearly_gnubg_ids(), st.sampled_from([3, 15]))
def test_ids_of_backgammon(text, men):
    try:
        position = BackgammonPosition.from_id(text, men)
        state = position.state(GAMES["backgammon"])
    except ValueError as error:
        return said(error)
    assert GAMES["backgammon"].deserialize(state.serialize()) == state
    assert BackgammonPosition.from_id(position.xgid(), men).board == position.board
    return None


@given(st.sampled_from(sorted(GAMES)), changed(TRICTRAC_IDS + BACKGAMMON_IDS, LETTERS))
def test_ids_of_any_game(name, text):
    try:
        home_of(GAMES[name]).read_position(text)
    except ValueError as error:
        said(error)


STRINGS = [
    "random", "greedy", "heuristic:seed=3", "level:n=3", "mcts:sims=20,seed=7", "gumbel:sims=8", "champion",
    "expectimax:plies=1", "policy:net=nowhere.onnx", "mcts:sims=10,net=nowhere.safetensors,c_puct=2", "human",
]  # fmt: skip


@st.composite
def player_strings(draw):
    """Draws a known string that is changed, or a known kind with any value of any setting."""
    if draw(st.booleans()):
        return draw(changed(STRINGS))
    name = draw(st.sampled_from(sorted(set(PLAYERS) - {"gnubg"})))
    known = st.sampled_from([*settings_of(name), "sims", "net", ""])
    value = st.sampled_from(["", "0", "-1", "1e9", "nan", "inf", "true", "1e-400", "0x10", "\uff11"]) | st.text(
        max_size=6
    )
    pairs = draw(st.lists(st.tuples(known, value), max_size=3))
    return f"{name}:" + ",".join(f"{key}={given}" for key, given in pairs)


@given(player_strings(), st.sampled_from(sorted(GAMES)))
def test_player_strings(text, name):
    try:
        make_player(text, GAMES[name])
    except ValueError as error:
        said(error)


WORDS = [
    "13/10",
    "8/5*",
    "bar/22",
    "bar",
    "off",
    "6/off",
    "13/7(2)",
    "1-5",
    "1/7",
    "12",
    "1:3",
    "13",
    "0",
    "pass",
    "go",
]
WORDS += [
    "hold",
    "power",
    "nothing",
    "correct",
    "fill",
    "#1",
    "#999",
    "4",
    "12",
    "roll",
    "24",
    "25/1",
    ",",
    "(2)",
    "a1",
]
TYPED = changed(["13/10 8/5", "6-5", "1 2", "go", "pass", "4", "bar/22*", "8/3(2)"])
TYPED |= st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
PLAYED = [
    *GAMES.values(),
    tablier.load_game("trictrac", schools=True),
    tablier.load_game("trictrac", explicit_roll=True),
]
DECISIONS = []
for game in PLAYED:
    state = game.new_initial_state()
    for action in random_actions(game):
        DECISIONS += [state] * (state.current_player() >= 0)
        state = state.child(action)


@given(TYPED, st.sampled_from(DECISIONS))
def test_typed_moves(text, state):
    try:
        found = home_of(state.get_game()).read(state, text)
    except ValueError as error:
        return said(error)
    state.child(found)  # raises ValueError if the action is not legal
    return None
