import copy
import io
import pickle

import pytest

import tablier
from tablier.players import PLAYERS, make_player


def play(game, players, dice_seed):
    import random

    rng = random.Random(dice_seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        else:
            state.apply_action(players[state.current_player()].choose(state))
    return state.returns()


QUICK = {
    "random": "random",
    "greedy": "greedy",
    "heuristic": "heuristic",
    "expectimax": "expectimax:plies=1",
    "deep": "expectimax:plies=2,keep=2",
    "mcts": "mcts:sims=8",
    "rollouts": "mcts:sims=8,eval=rollout,rollouts=2",
    "points": "mcts:sims=8,eval=points",
    "uniform": "mcts:sims=8,eval=uniform,c=2.5",
    "gumbel": "gumbel:sims=8",
    "hot": "mcts:sims=8,temperature=1",
    "champion": "champion:plies=2",
    "level": "level:n=1",
}
"""One string for each kind of player, except the human, the one that needs a network (tests/learn) and the one that is
another program (tests/backgammon)."""


def test_every_player_is_tried_here():
    assert {text.partition(":")[0] for text in QUICK.values()} == set(PLAYERS) - {"human", "policy", "gnubg"}


GAMES = {
    "heuristic": ("trictrac",),
    "level": ("trictrac",),
    "champion": ("pig", "tic_tac_toe", "trictrac", "trictrac_a_ecrire"),
}
"""Where the players play that do not play every game."""
REFUSALS = {"heuristic": "no heuristic", "level": "no (levels|champion)"}


def applies(name, game):
    return name not in GAMES or game in GAMES[name]


@pytest.mark.parametrize("game", ["tic_tac_toe", "pig", "trictrac", "trictrac_a_ecrire"])
@pytest.mark.parametrize("name", QUICK)
def test_every_player_plays_every_game(name, game):
    if not applies(name, game):
        with pytest.raises(ValueError, match=f"the game {game} has {REFUSALS[name]}"):
            make_player(QUICK[name], tablier.load_game(game))
        return
    options = {"pig": {"win_score": 20}, "trictrac": {"holes_to_win": 1}, "trictrac_a_ecrire": {"marques": 2}}
    game = tablier.load_game(game, **options.get(game, {}))
    play(game, [make_player(QUICK[name], game, seed=1), make_player("random", game, seed=2)], 3)


@pytest.mark.parametrize("name", [name for name in QUICK if name not in GAMES])
def test_every_player_plays_a_game_in_python(name, race):
    play(race, [make_player(QUICK[name], race, seed=1), make_player("random", race, seed=2)], 3)


@pytest.mark.parametrize("name", QUICK)
def test_the_same_seed_plays_the_same_game(name):
    game = tablier.load_game("trictrac", holes_to_win=2)
    one, two = ([make_player(QUICK[name], game, seed=5), make_player("random", game)] for _ in range(2))
    assert play(game, one, 1) == play(game, two, 1)


@pytest.mark.parametrize(
    ("name", "game"), [(n, g) for n in QUICK for g in ("tic_tac_toe", "pig", "trictrac") if applies(n, g)]
)
def test_opinions_are_about_all_legal_actions_and_the_best_is_first(name, game):
    game = tablier.load_game(game)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(13)  # 3 and 2
    player = make_player(QUICK[name], game, seed=1)
    opinions = player.explain(state)
    assert sorted(opinion.action for opinion in opinions) == state.legal_actions()
    assert all(opinion.text == state.action_to_string(opinion.action) for opinion in opinions)
    for opinion in opinions:
        assert opinion.win_chance is None or 0 <= opinion.win_chance <= 1
        assert opinion.prior is None or 0 <= opinion.prior <= 1
    if name in ("greedy", "heuristic", "expectimax", "champion", "level"):
        assert [o.value for o in opinions] == sorted((o.value for o in opinions), reverse=True)
    if opinions[0].visits is not None:
        assert sum(opinion.visits for opinion in opinions) == 8
    if name not in ("random", "hot", "greedy"):
        assert opinions[0].action == make_player(QUICK[name], game, seed=1).choose(state)


@pytest.mark.parametrize("name", ["mcts", "gumbel", "expectimax", "heuristic", "champion", "level"])
def test_trictrac_is_searched_for_the_victory(name):
    """Whatever the caller's utility, the chance to win is always available."""
    game = tablier.load_game("trictrac", utility="score")
    state = game.new_initial_state().child(13)
    assert all(opinion.win_chance is not None for opinion in make_player(QUICK[name], game).explain(state))
    assert all(opinion.points is not None for opinion in make_player(QUICK[name], game).explain(state))


def test_a_person_types_numbers_or_texts_until_one_is_legal(tic_tac_toe, monkeypatch, capsys):
    lines = iter(["9", "hello", "", "4"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines))
    state = tic_tac_toe.new_initial_state()
    assert make_player("human", tic_tac_toe).choose(state) == 4
    assert capsys.readouterr().err.count("is not one of the actions above") == 3
    lines = iter([state.action_to_string(7)])
    assert make_player("human", tic_tac_toe).choose(state) == 7


def test_a_person_who_leaves(tic_tac_toe, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    with pytest.raises(ValueError, match="the input ended"):
        make_player("human", tic_tac_toe).choose(tic_tac_toe.new_initial_state())


def test_a_person_keeps_his_reasons_to_himself(tic_tac_toe):
    state = tic_tac_toe.new_initial_state()
    opinions = make_player("human", tic_tac_toe).explain(state)
    assert [opinion.action for opinion in opinions] == state.legal_actions()


def test_greedy_wins_at_once_where_it_can(tic_tac_toe):
    state = tic_tac_toe.new_initial_state()
    for square in (0, 3, 1, 4):
        state.apply_action(square)
    assert make_player("greedy", tic_tac_toe).choose(state) == 2


@pytest.mark.parametrize("utility", ["score", "win"])
def test_greedy_beats_random_at_trictrac(utility):
    game = tablier.load_game("trictrac", utility=utility)
    wins = 0
    for i in range(60):
        seat = i % 2
        players = [make_player("random", game, seed=i)] * 2
        players[seat] = make_player("greedy", game, seed=i)
        returns = play(game, players, i)
        wins += returns[seat] > returns[1 - seat]
    assert wins >= 55


@pytest.mark.parametrize(
    ("description", "error", "words"),
    [
        ("genius", ValueError, "no player is called 'genius'; choose one of champion, expectimax, gnubg, greedy"),
        ("random:depth=3", ValueError, "no setting 'depth'"),
        ("random:seed=x", ValueError, "must be a whole number, not 'x'"),
        (7, TypeError, "a string or an object with a method choose"),
    ],
)
def test_a_description_that_means_no_player(pig, description, error, words):
    with pytest.raises(error, match=words):
        make_player(description, pig)


@pytest.mark.parametrize("name", ["champion", "level:n=3", "greedy", "heuristic", "expectimax:plies=1", "mcts:sims=8"])
def test_a_player_that_searches_says_that_it_cannot_be_pickled(name):
    player = make_player(name, tablier.load_game("trictrac"))
    for copied in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="Player cannot be pickled or copied; call make_player"):
            copied(player)


def test_an_object_with_the_method_is_a_player(pig):
    class First:
        def choose(self, state):
            return state.legal_actions()[0]

    first = First()
    assert make_player(first, pig) is first
