"""The player `champion`: exact where the game is solved, otherwise a search that always has an answer in time."""

import math
import random
import shutil
from dataclasses import replace

import numpy as np
import pytest
from playing import random_states

import tablier
from tablier.analysis import default_analyst, make_policy, roll_out_candidates, steady_analyst
from tablier.evaluators import ExpectimaxEvaluator, make_evaluator
from tablier.games import home_of
from tablier.games.champion import Champion
from tablier.games.trictrac.home import TrictracHome
from tablier.players import default_opponent, make_player
from tablier.players.champion import NetworkPlayer
from tablier.players.deepening import EVERY, MOST_ROLLED, ROLLED, DeepeningSearch, Stage, fixed
from tablier.search import ExpectimaxConfig


def decisions(game, count, seed=1):
    found = [state for state in random_states(game, seed) if len(state.legal_actions()) > 3]
    return random.Random(seed).sample(found, count)


@pytest.fixture(scope="module")
def trictrac():
    return tablier.load_game("trictrac")


@pytest.fixture(scope="module")
def searched(trictrac):
    return make_evaluator(trictrac, net=str(home_of(trictrac).champion().network))


# --- exact games ------------------------------------------------------------------------------------------------------


def test_pig_is_played_exactly():
    """The first player wins 53.06% (Neller and Presser), and holds at the totals that examples/pig_exact.py prints."""
    game = tablier.load_game("pig")
    best = make_player("champion", game).explain(game.new_initial_state())[0]
    assert (best.text, best.solved) == ("roll", True)
    assert best.win_chance == pytest.approx(0.5306, abs=5e-5)


def test_values_at_pig_agree_with_each_other():
    """Rolling is worth the mean of the six faces, holding the opponent's loss, whatever the goal."""
    for goal in (1, 7, 30, 100):
        game = tablier.load_game("pig", win_score=goal)
        player = make_player("champion", game)
        for state in decisions_of_pig(game):
            value = {one.action: one.value for one in player.explain(state)}
            rolled = state.child(0)
            faces = [_value(player, rolled.child(face), state.current_player()) for face in range(6)]
            assert value[0] == pytest.approx(np.mean(faces), abs=1e-9)
            assert value[1] == pytest.approx(_value(player, state.child(1), state.current_player()), abs=1e-9)


def decisions_of_pig(game):
    states = random_states(game, 3)
    return states[:: max(1, len(states) // 10)]


def _value(player, state, seat):
    if state.is_terminal():
        return state.returns()[seat]
    best = player.explain(state)[0].value
    return best if state.current_player() == seat else -best


def test_pig_to_more_points_than_the_table_has_no_champion():
    game = tablier.load_game("pig", win_score=101)
    with pytest.raises(ValueError, match="the game pig has no champion with these options"):
        make_player("champion", game)
    assert default_opponent(game).startswith("gumbel")
    assert "champion" not in default_analyst(game) + steady_analyst(game)


def test_nobody_beats_the_champion_at_tic_tac_toe():
    game = tablier.load_game("tic_tac_toe")
    player = make_player("champion", game)

    def worst(state, seat):
        """Returns the champion's worst result against every line of play."""
        if state.is_terminal():
            return state.returns()[seat]
        if state.current_player() == seat:
            return worst(state.child(player.choose(state)), seat)
        return min(worst(state.child(action), seat) for action in state.legal_actions())

    assert (worst(game.new_initial_state(), 0), worst(game.new_initial_state(), 1)) == (0, 0)


@pytest.mark.parametrize("options", [{}, {"schools": True}, {"encoding": "bounded", "marques": 2}], ids=str)
def test_the_scored_game_has_a_champion(options):
    game = tablier.load_game("trictrac_a_ecrire", **options)
    assert default_opponent(game) == "champion"
    player = make_player("champion:plies=1", game)
    state = game.new_initial_state()
    draw = random.Random(2)
    for _ in range(200):
        chance = state.is_chance_node()
        state.apply_action(draw.choice(state.legal_actions()) if chance else player.choose(state))
    assert not state.is_terminal()
    with pytest.raises(ValueError, match="trictrac_a_ecrire has no levels"):
        make_player("level:n=1", game)


def test_three_players_have_no_champion():
    game = tablier.load_game("trictrac_a_ecrire", players=3, marques=3)
    for player in ("champion", "level:n=1"):
        with pytest.raises(ValueError, match="trictrac_a_ecrire has no champion"):
            make_player(player, game)
    assert default_opponent(game) == "gumbel:sims=400"


# --- the search -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("plies", [1, 2])
def test_full_stages_are_a_full_expectimax(trictrac, searched, plies):
    evaluator, game = searched
    config = ExpectimaxConfig(plies, EVERY, objective=game.objective)
    search = ExpectimaxEvaluator(game.game, evaluator, config)
    for state in decisions(trictrac, 5):
        search.look(game.row(state))
        expected = {action: game.worth(value, state.current_player()) for action, value, _ in search.ranking()}
        found = DeepeningSearch(evaluator, game, fixed(plies, 1)).ranking(state)
        assert dict(found) == pytest.approx(expected, abs=1e-3)


def test_a_third_ply_is_that_of_expectimax_where_it_keeps_everything(trictrac, searched):
    evaluator, game = searched
    state = next(state for state in random_states(trictrac, 1) if 3 < len(state.legal_actions()) < 8)
    stages = (Stage(1, EVERY), Stage(2, EVERY), Stage(3, EVERY, EVERY))
    config = ExpectimaxConfig(3, EVERY, objective=game.objective)
    search = ExpectimaxEvaluator(game.game, evaluator, config)
    search.look(game.row(state))
    expected = {action: game.worth(value, state.current_player()) for action, value, _ in search.ranking()}
    assert dict(DeepeningSearch(evaluator, game, stages).ranking(state)) == pytest.approx(expected, abs=1e-3)


def test_actions_far_behind_are_not_searched_deeper(trictrac, searched):
    """They keep the distance from the best action that they have at one ply."""
    evaluator, game = searched
    for state in decisions(trictrac, 5):
        first = dict(DeepeningSearch(evaluator, game, fixed(1, 1)).ranking(state))
        top = max(first.values())
        for near in (0.0, 1.0):
            looked: list[int] = []
            search = DeepeningSearch(evaluator, game, fixed(2, 1), near=near)
            look = search._look
            search._look = lambda b, p, some, *rest, look=look, looked=looked: (
                looked.extend(one.action for one in some) or look(b, p, some, *rest)
            )
            found = dict(search.ranking(state))
            close = {action for action, value in first.items() if top - value <= near}
            assert set(looked) == (close if len(close) > 1 else set())
            assert set(found) == set(first)
            assert max(found, key=lambda action: found[action]) in close


def test_two_plies_search_every_action(trictrac):
    """An analyst compares all actions, so they must be searched equally deeply."""
    champion = home_of(trictrac).champion()
    everything = NetworkPlayer(trictrac, replace(champion, near=math.inf), 1e18, 2)
    for state in decisions(trictrac, 4):
        assert NetworkPlayer(trictrac, champion, 1e18, 2).ranking(state) == everything.ranking(state)


def test_the_best_comes_first_and_values_fall(trictrac):
    for player in (make_player(text, trictrac) for text in ("champion:plies=3,keep=2", "champion:ms=15")):
        for state in decisions(trictrac, 6):
            ranked = player.explain(state)
            assert sorted(one.action for one in ranked) == state.legal_actions()
            assert [one.value for one in ranked] == sorted((one.value for one in ranked), reverse=True)
            assert all(0 < one.win_chance < 1 and one.points is not None for one in ranked)


def test_a_fixed_depth_is_deterministic(trictrac):
    one, two = (make_player("champion:plies=3", trictrac) for _ in range(2))
    for state in decisions(trictrac, 5):
        assert one.explain(state) == two.explain(state)


def test_close_actions_are_rolled_out(trictrac):
    """The order of the actions that were rolled out is that of `roll_out_candidates` on the same dice."""
    champion = home_of(trictrac).champion()
    policy = make_policy(trictrac, f"expectimax:plies=1,net={champion.network}")
    player, settings = make_player("champion:plies=2,games=24", trictrac), replace(ROLLED, games=24)
    rolled = 0
    for state in decisions(trictrac, 12):
        order = [one.action for one in player.explain(state)]
        assert order == [one.action for one in player.explain(state)]
        if order[0] != make_player("champion:plies=2", trictrac).choose(state):
            found = roll_out_candidates(state, policy, settings, order[:MOST_ROLLED])
            rolled += found[0].action == order[0]
    assert rolled > 0


@pytest.mark.parametrize("ms", [1, 20, 150])
def test_every_time_limit_gives_a_legal_answer(trictrac, ms):
    player = make_player(f"champion:ms={ms}", trictrac)
    for state in decisions(trictrac, 4):
        assert player.choose(state) in state.legal_actions()


def test_no_time_means_one_ply(trictrac, monkeypatch):
    """A limit below what one ply needs gives the answer of one ply."""
    champion = home_of(trictrac).champion()
    hurried = NetworkPlayer(trictrac, champion, 1e-9)
    for state in decisions(trictrac, 4):
        assert hurried.ranking(state) == NetworkPlayer(trictrac, champion, 1e18, 1).ranking(state)


def test_a_stage_that_is_cut_short_keeps_the_answer_before(trictrac, searched, monkeypatch):
    """If only one action was searched more deeply, there is nothing to compare it with."""
    evaluator, game = searched
    state = decisions(trictrac, 1)[0]
    search = DeepeningSearch(evaluator, game, (Stage(1, EVERY), Stage(2, EVERY), Stage(3, 5)))
    look, looks = DeepeningSearch._look, []

    def cut(self, before, player, actions, number, end):
        looks.append(number)
        return looks.count(2) < 2 and look(self, before, player, actions, number, end)

    monkeypatch.setattr(DeepeningSearch, "_look", cut)
    found = search.ranking(state)
    monkeypatch.undo()
    assert 2 in looks
    assert found == DeepeningSearch(evaluator, game, fixed(2, 1)).ranking(state)


def test_games_with_any_options_have_it():
    """Schools add actions and other options change the sizes; the champion plays under all of them."""
    for options in ({"schools": True}, {"explicit_roll": True}, {"utility": "win"}, {"holes_to_win": 100}):
        game = tablier.load_game("trictrac", **options)
        for state in decisions(game, 2):
            assert make_player("champion:plies=2", game).choose(state) in state.legal_actions()


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("champion:ms=0", "'ms' of 'champion' must be from 1 to 1000000000, not 0"),
        ("champion:ms=-5", "must be from 1 to 1000000000, not -5"),
        ("champion:ms=fast", "must be a whole number, not 'fast'"),
        ("champion:plies=9", "must be from 0 to 8, not 9"),
        ("champion:net=x", "no setting 'net'; its settings are ms, plies, keep, games"),
    ],
)
def test_wrong_settings(trictrac, text, words):
    with pytest.raises(ValueError, match=words):
        make_player(text, trictrac)


def broken(monkeypatch, path):
    monkeypatch.setattr(TrictracHome, "champion", lambda self: Champion(network=path))


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda data: data[: len(data) // 2], "cannot be used: the header is damaged"),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "the checksum is wrong, so the file is damaged"),
        (lambda data: b"", "is not a Tablier network|cannot be used"),
        (lambda data: b"\0" * 4096, "is not a Tablier network|cannot be used"),
    ],
)
def test_a_damaged_network_is_refused(trictrac, tmp_path, monkeypatch, damage, words):
    path = tmp_path / "net.safetensors"
    path.write_bytes(damage(home_of(trictrac).champion().network.read_bytes()))
    broken(monkeypatch, path)
    with pytest.raises(ValueError, match=words):
        make_player("champion", trictrac)


def test_a_foreign_network_is_refused(trictrac, tmp_path, monkeypatch):
    """A network of another game, or no file at all."""
    scored = tablier.load_game("trictrac_a_ecrire")
    path = shutil.copy(home_of(trictrac).champion().network, tmp_path / "net.safetensors")
    broken(monkeypatch, path)
    with pytest.raises(ValueError, match="was made for game = 'trictrac', not 'trictrac_a_ecrire'"):
        make_player("champion", scored)
    broken(monkeypatch, tmp_path / "missing.safetensors")
    with pytest.raises(ValueError, match="there is no network file"):
        make_player("champion", trictrac)


# --- defaults ---------------------------------------------------------------------------------------------------------


def test_it_is_the_default_opponent_and_analyst(trictrac):
    assert default_opponent(trictrac) == "champion"
    assert (default_analyst(trictrac), steady_analyst(trictrac)) == ("champion:ms=100", "champion:plies=2")
    assert default_analyst(trictrac, 0.02) == "champion:ms=20"
    assert default_analyst(trictrac, 0.0001) == "champion:ms=1"
