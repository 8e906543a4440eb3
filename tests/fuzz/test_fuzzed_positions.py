"""Positions and their ids that are nearly right.

Each is read, or refused with a ValueError that says why. What is read can be written and read again.
"""

import base64
import dataclasses
import string

import pytest
from changing import changed, said
from hypothesis import given
from hypothesis import strategies as st
from known_games import states_of_play
from wrong_positions import WRONG_IDS, WRONG_POSITIONS

import tablier
from tablier.backgammon import Position as BackgammonPosition
from tablier.games import home_of
from tablier.messages import MessageError
from tablier.trictrac import Position

GAMES = {name: tablier.load_game(name) for name in tablier.registered_games()}
TRICTRAC_IDS = [Position.of(state).id() for state in states_of_play(GAMES["trictrac"], 30)]
BACKGAMMON_IDS = ["4HPwATDgc/ABMA:cIkKAAAAAAAE", "4HNwABj4HHwABA:UYkKAAAAAAAE", "sGfwATDgc/ABMA"]
BACKGAMMON_IDS += ["XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10"]
ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
LETTERS = ALPHABET + "=:-"


@st.composite
def nearly_trictrac_ids(draw):
    """Draws an id with fifteen men of each player, more or less, and scores that may not go together."""
    bits = ""
    for count in draw(st.sampled_from([(15, 15), (15, 15), (15, 14), (20, 10)])):
        fields = draw(st.lists(st.integers(0, 11), min_size=count, max_size=count))
        bits += "".join("1" * fields.count(field) + "0" for field in range(24))
    bits = bits[:77]
    for size, likely in ((1, 0), (3, 0), (3, 0), (3, 0), *((4, 0), (4, 0), (1, 1), (1, 1)) * 2, (1, 0)):
        bits += f"{draw(st.just(likely) | st.integers(0, 2**size - 1)):0{size}b}"
    return "".join(ALPHABET[int(bits[i : i + 6], 2)] for i in range(0, len(bits), 6))


@given(changed(TRICTRAC_IDS, LETTERS) | nearly_trictrac_ids())
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
    for written in (position.id(), position.xgid()) if not position.opening else [position.id()]:
        assert BackgammonPosition.from_id(written, men) == position
    return None


def bits_changed(text):
    """Yields all texts that differ from an id in one bit of a letter."""
    for place, letter in enumerate(text):
        if letter in ALPHABET:
            for bit in range(6):
                yield text[:place] + ALPHABET[ALPHABET.index(letter) ^ 1 << bit] + text[place + 1 :]


def test_ids_with_one_bit_changed():
    for name, ids in (("trictrac", TRICTRAC_IDS[::10]), ("backgammon", BACKGAMMON_IDS[:3])):
        for text in (changed_id for known in ids for changed_id in bits_changed(known)):
            try:
                state = home_of(GAMES[name]).read_position(text)
            except MessageError as error:
                told_in_every_language(error)
            else:
                assert GAMES[name].deserialize(state.serialize()) == state


def test_wrong_positions():
    for fields in WRONG_POSITIONS:
        with pytest.raises(MessageError, match="."):
            BackgammonPosition(**fields)
    with pytest.raises(MessageError, match="."):
        BackgammonPosition(dice=(1, 1), moves_left=2).id()


def told_in_every_language(error):
    """Checks that a refusal says why, and that a reason of the engine is among the messages."""
    said(error)
    assert not isinstance(error.params.get("reason"), str)


@given(st.sampled_from(sorted(GAMES)), changed(TRICTRAC_IDS + BACKGAMMON_IDS, LETTERS) | nearly_trictrac_ids())
def test_ids_of_any_game(name, text):
    try:
        home_of(GAMES[name]).read_position(text)
    except MessageError as error:
        told_in_every_language(error)


def test_wrong_ids():
    for (name, options), texts in WRONG_IDS.items():
        home = home_of(tablier.load_game(name, **dict.fromkeys(options, True)))
        for text in texts:
            with pytest.raises(MessageError) as error:
                home.read_position(text)
            told_in_every_language(error.value)


STATES = [
    state
    for name in ("trictrac", "trictrac_a_ecrire", "backgammon")
    for options in ({}, {"start": "hyper"} if name == "backgammon" else {"schools": True})
    for seed in range(3)
    for state in states_of_play(tablier.load_game(name, **options), 60, seed)
]
VALUES = [
    *(None, "x", "Move", "RollDice", "claim", True, -1, 0, 1, 2, 4, 6, 12, 99, 10**30, 1.5, (), (0, 0), (1, 0), (0, 2)),
    *((3, 1), (6, 6), (12, 0), (0, 99), (True, False), (1, "x"), (0, 0, 0), (0,) * 24, (1.5,) * 24, (16, *[0] * 23)),
]


@st.composite
def changes(draw, thing):
    """Draws the way to a field of a data object, or of one within it, and another value."""
    way = []
    while dataclasses.is_dataclass(thing):
        way.append(draw(st.sampled_from([field.name for field in dataclasses.fields(thing)])))
        thing = getattr(thing, way[-1])
    return way[: draw(st.integers(1, len(way)))], draw(st.sampled_from(VALUES))


def with_change(thing, way, value):
    """Returns a copy with another value; an earlier change may have cut the way short."""
    if not dataclasses.is_dataclass(thing):
        return value
    name, *further = way
    return dataclasses.replace(thing, **{name: with_change(getattr(thing, name), further, value) if further else value})


@st.composite
def nearly_positions(draw):
    """Draws a position of a game and up to three changes of it."""
    state = draw(st.sampled_from(STATES))
    kind = BackgammonPosition if state.get_game().name == "backgammon" else Position
    position = kind.of(state)
    return state, position, draw(st.lists(changes(position), max_size=3))


@given(nearly_positions(), st.sampled_from(sorted(GAMES)), st.integers(-1, 7), st.booleans())
def test_positions(drawn, other, die, in_its_game):
    state, position, changed_fields = drawn
    game = state.get_game() if in_its_game else GAMES[other]
    try:
        for way, value in changed_fields:
            position = with_change(position, way, value)
        found = position.state(game)
    except ValueError as error:
        return said(error)
    assert type(position).of(found).state(game) == found
    assert game.deserialize(found.serialize()) == found
    for ask in (position.id, lambda: position.throw(die, 3, game), position.state):
        try:
            ask()
        except ValueError as error:
            said(error)
    return None
