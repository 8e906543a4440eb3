"""Typed moves and player strings that are nearly right. Each is read, or refused with a ValueError that says why."""

from changing import changed, said
from hypothesis import given
from hypothesis import strategies as st
from known_games import kept_states, states_of_play
from wrong_positions import TYPED

import tablier
from tablier.games import home_of
from tablier.players import PLAYERS, make_player, settings_of

GAMES = {name: tablier.load_game(name) for name in tablier.registered_games()}


STRINGS = [
    "random", "greedy", "heuristic:seed=3", "level:n=3", "mcts:sims=20,seed=7", "gumbel:sims=8", "champion",
    "expectimax:plies=1", "policy:net=nowhere.onnx", "mcts:sims=10,net=nowhere.safetensors,c_puct=2", "human",
    f"policy:net={'x' * 300}",
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


KEYWORDS = ["power", "pass", "go", "hold", "nothing", "correct", "fill", "off", "bar", "roll", "2", "3"]
WORDS = [
    "13/10", "8/5*", "bar/22", "6/off", "13/7(2)", "1-5", "1/7", "1:3", "13", "0", "#1", "#999", "4", "12", "24",
    "25/1", ",", "(2)", "a1", "7-13", "-", *KEYWORDS,
]  # fmt: skip
PLAYED = [
    *GAMES.values(),
    tablier.load_game("backgammon", start="hyper"),
    tablier.load_game("trictrac", schools=True),
    tablier.load_game("trictrac", explicit_roll=True),
]
STATES = [state for game in PLAYED for seed in range(3) for state in states_of_play(game, 60, seed)] + kept_states(100)
DECISIONS = [state for state in STATES if state.current_player() >= 0]


@st.composite
def typed_moves(draw):
    """Draws a decision and what a player might type: legal moves, some of them changed, or words of any kind."""
    state = draw(st.sampled_from(DECISIONS))
    legal = [state.action_to_string(action) for action in state.legal_actions()]
    word = st.sampled_from(WORDS + " ".join(legal).split())
    return state, draw(st.sampled_from(legal) | changed(legal) | word | st.lists(word, max_size=4).map(" ".join))


def read_or_refused(state, text):
    """Reads a typed move; raises ValueError if it is read as an action that is not legal."""
    try:
        found = home_of(state.get_game()).read(state, text)
    except ValueError as error:
        said(error)
    else:
        state.child(found)


def test_keywords_at_every_decision():
    for state in DECISIONS:
        for words in (*KEYWORDS, "1/2 " * 5):
            read_or_refused(state, words)


def test_typed_moves_that_are_rare():
    for position, text in TYPED:
        read_or_refused(position.state(), text)


@given(typed_moves())
def test_typed_moves(typed):
    read_or_refused(*typed)
