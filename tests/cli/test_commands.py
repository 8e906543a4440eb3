"""The output of the other commands."""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys

import pytest
from stand_ins import stand_in
from terminal import Terminal

import tablier as package
from tablier import records
from tablier.cli import main, make_parser
from tablier.games import home_of
from tablier.trictrac import Position, Record


def subcommands():
    (action,) = (a for a in make_parser()._actions if isinstance(a, argparse._SubParsersAction))
    return action.choices


@pytest.fixture(scope="module")
def game_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("records") / "game.txt"
    arguments = [
        "simulate",
        "--seed",
        "5",
        "--options",
        "holes_to_win=2",
        "--save",
        str(path),
        "--players",
        "heuristic",
    ]
    assert main(arguments) == 0
    return path


# --- simulate ---------------------------------------------------------------------------------------------------------


def simulated(capsys, *arguments):
    assert main(["simulate", "--json", *arguments]) == 0
    found = json.loads(capsys.readouterr().out)
    return {key: value for key, value in found.items() if "second" not in key}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--games", "500"],
        ["--games", "5", "--players", "greedy,random"],
        ["--games", "50", "--game", "tic_tac_toe", "--players", "mcts:sims=5,c=2,random"],
        ["--game", "pig"],
    ],
)
def test_the_same_seed_gives_the_same_totals(arguments, capsys):
    one, two, other = (simulated(capsys, *arguments, "--seed", seed) for seed in ("3", "3", "4"))
    assert one == two
    assert {**one, "seed": 4} != other


def test_totals_add_up(capsys):
    found = simulated(capsys, "--games", "300", "--game", "tic_tac_toe")
    assert sum(found["wins"]) + found["draws"] == 300
    assert found["mean_returns"][0] == pytest.approx((found["wins"][0] - found["wins"][1]) / 300)
    assert found["rolls"] == 0
    assert 5 * 300 <= found["decisions"] <= 9 * 300


def test_portions_do_not_repeat_games(monkeypatch, capsys):
    from tablier.cli.commands import simulate

    monkeypatch.setattr(simulate, "PORTION", 100)
    found = simulated(capsys, "--games", "200", "--game", "pig")
    halves = [simulated(capsys, "--games", "100", "--game", "pig", "--seed", "0")]
    assert found["decisions"] != 2 * halves[0]["decisions"]


def test_random_games_are_played_by_the_core(monkeypatch, capsys):
    """Playing action by action in Python would take a hundred times as long."""
    monkeypatch.setattr("tablier.arena.match.play_game", None)
    monkeypatch.setattr("tablier.players.random.RandomPlayer.choose", None)
    assert simulated(capsys, "--games", "10000")["games"] == 10_000


def test_one_game_is_told_and_saved(game_file, capsys):
    game, actions = records.load(game_file.read_text())
    assert game.options()["holes_to_win"] == 2
    assert main(["simulate", "--seed", "5", "--options", "holes_to_win=2", "--players", "heuristic"]) == 0
    out = capsys.readouterr().out
    assert out.count(". ") >= len(actions)
    assert "wins the game" in out
    assert main(["simulate", "--seed", "5", "--options", "holes_to_win=2", "--players", "heuristic", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["actions"] == list(actions)


def test_a_game_is_saved_before_it_is_told(tmp_path):
    """`| head` cuts off the output but not the saved file."""
    saved = tmp_path / "game.txt"
    command = f"{sys.executable} -m tablier simulate --seed 5 --players heuristic --save {saved} | head -1"
    assert subprocess.run(["bash", "-c", command], capture_output=True, text=True).stderr == ""
    assert records.load(saved.read_text())[0] == package.load_game("trictrac")


# --- analyze and replay -----------------------------------------------------------------------------------------------


def test_analyze_as_json(game_file, capsys):
    assert main(["analyze", str(game_file), "--json", "--player", "heuristic", "--top", "2"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["analyst"] == "heuristic"
    assert max(decision["cost"] for decision in found["decisions"]) == 0, "the heuristic agrees with itself"
    assert found["mistakes"] == []
    assert all(len(decision["opinions"]) <= 2 for decision in found["decisions"])


@pytest.mark.parametrize("player", ["random", "random:seed=3", "human", "policy:net=x"])
def test_who_has_no_opinions_does_not_judge(player, game_file, capsys):
    for subject in (str(game_file), "//4AAAH//AAAAAABgG"):
        assert main(["analyze", subject, "--player", player]) == 2
        out, errors = capsys.readouterr()
        assert out == ""
        words = "cannot rate moves; choose champion, heuristic, expectimax, mcts or gumbel"
        assert errors == f"tablier: {player.partition(':')[0]} {words}\n"


def test_a_game_is_judged_alike_every_time(tmp_path, capsys):
    """The analysis depends on the record alone: even a slow machine gives the same numbers."""
    path = tmp_path / "pig.json"
    assert main(["simulate", "--game", "pig", "--options", "win_score=20", "--save", str(path)]) == 0
    capsys.readouterr()
    found = []
    for _ in range(2):
        assert main(["analyze", str(path), "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1]
    assert ",ms=" not in found[0]["analyst"]


def test_mistakes_are_ranked(game_file, capsys):
    assert main(["analyze", str(game_file), "--json", "--least", "0.001"]) == 0
    found = json.loads(capsys.readouterr().out)
    costs = {decision["index"]: decision["cost"] for decision in found["decisions"]}
    ranked = [costs[index] for index in found["mistakes"]]
    assert ranked == sorted(ranked, reverse=True)
    assert main(["analyze", str(game_file), "--least", "0.001"]) == 0
    assert f"which costs {ranked[0]:.1%}" in capsys.readouterr().out


def test_throws_are_numbered_as_in_the_record():
    for options in ({}, {"first_throw": "fresh_roll"}, {"last_throw_carries_over": True, "holes_to_win": 60}):
        game = package.load_game("trictrac", **options)
        rng, state, actions = random.Random(8), game.new_initial_state(), []
        while not state.is_terminal():
            actions.append(rng.choice(state.legal_actions()))
            state.apply_action(actions[-1])
        text = Record.from_actions(game, actions).text()
        last = re.findall(r"^(\d+)\. ", text, re.MULTILINE)[-1]
        assert home_of(game).moves_in_record(actions)[-1] == int(last)


def test_a_position_by_its_id(capsys):
    position = Position.of(package.load_game("trictrac", first_throw="white").new_initial_state().child(23))
    analyze = ["analyze", position.id(), "--player", "expectimax:plies=2"]
    assert main(analyze) == 0
    out = capsys.readouterr().out
    assert "White threw 4 and 6; fields in White's numbering:" in out
    assert re.search(r"move +win chance\n  1-5 1-7 ", out)
    assert main([*analyze, "--json", "--top", "1"]) == 0
    (best,) = json.loads(capsys.readouterr().out)["opinions"]
    assert best["text"] == "1-5 1-7"


def test_a_position_before_the_dice(capsys):
    assert main(["analyze", "//4AAAH//AAAAAABgG", "--player", "heuristic", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["throws"]) == 21
    assert sum(row["weight"] for row in found["throws"]) == 36
    mean = sum(row["weight"] * row["win_chance"] for row in found["throws"]) / 36
    assert found["win_chance"] == pytest.approx(mean)


def test_replay_shows_a_part(game_file, capsys):
    assert main(["replay", str(game_file), "--from", "2", "--to", "4"]) == 0
    out = capsys.readouterr().out
    assert re.findall(r"^ +(\d+)\. ", out, re.MULTILINE) == ["2", "3", "4"]
    assert main(["replay", str(game_file), "--from", "4", "--to", "2"]) == 2
    assert "--from and --to must be in that range" in capsys.readouterr().err


def test_replay_as_json(game_file, capsys):
    assert main(["replay", str(game_file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    _, actions = records.load(game_file.read_text())
    assert [step["action"] for step in found["steps"]] == [None, *actions]
    assert any(step["why"] for step in found["steps"])
    assert found["header"]["White"] == "heuristic"


def test_replay_in_a_terminal(game_file):
    screen = Terminal("replay", str(game_file))
    screen.until("0 of ")
    for typed, step in (("\n", 1), ("\n", 2), ("b\n", 1), ("9\n", 9)):
        screen.typed(typed)
        screen.until(f"\n{step} of ")
    screen.typed("99999\n")
    screen.until("a number: go to that step")
    screen.typed("q\n")
    assert screen.code() == 0


# --- games and doctor -------------------------------------------------------------------------------------------------


def test_games_as_json(capsys):
    assert main(["games", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert {"pig", "tic_tac_toe", "trictrac", "trictrac_a_ecrire"} <= set(rows)
    assert rows["trictrac"]["actions"] == 514
    assert rows["trictrac"]["chance_outcomes"] == 36
    assert rows["tic_tac_toe"]["max_game_length"] == 9
    assert {option["name"] for option in rows["trictrac"]["options"]} == set(package.load_game("trictrac").options())


def test_doctor(capsys):
    assert main(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["core_works"]
    names = {(finding["area"], finding["name"].split(" ")[0]): finding for finding in found["findings"]}
    assert names["core", "trictrac"]["ok"]
    assert names["extra", "play"]["found"].startswith("rich ")
    assert all(finding["remedy"] for finding in found["findings"] if not finding["ok"])
    assert main(["doctor"]) == 0
    assert capsys.readouterr().out.endswith("The core works.\n")


def test_doctor_names_what_is_missing(monkeypatch, capsys):
    import importlib.metadata

    from tablier.cli.commands import doctor

    asked = importlib.metadata.version

    def version(name):
        if name == "rich":
            raise importlib.metadata.PackageNotFoundError(name)
        return "0.1" if name == "tqdm" else asked(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    monkeypatch.setattr(shutil, "which", lambda program: None)
    play = next(finding for finding in doctor.extras() if finding.name.startswith("play"))
    assert not play.ok
    assert "no rich>=13" in play.found
    assert "no tqdm>=4.66" in play.found, "too old is missing, too"
    assert play.remedy == "pip install 'tablier[play]'"
    assert [tool.ok for tool in doctor.tools()] == [False, False]
    assert main(["doctor"]) == 0, "the core works all the same"
    assert "apt install chromium" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("script", "version"),
    [
        (r"printf '\377 g++\n'", r", \xff g++"),
        (r"printf 'g++ \033[31mred\n'", r", g++ \x1b[31mred"),
        ("printf '%05000d' 0", f", {'0' * 200}"),
        ("printf '\n \n g++ 12\nmore\n'", ", g++ 12"),
        ("exit 0", ""),
    ],
    ids=["bytes", "escapes", "long", "later", "nothing"],
)
@pytest.mark.skipif(sys.platform == "win32", reason="the compiler is a shell script")
def test_doctor_shows_what_a_compiler_says_in_a_short_line(tmp_path, monkeypatch, capsys, script, version):
    compiler = stand_in(tmp_path / "c++", script)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert main(["doctor", "--json"]) == 0
    tools = {finding["name"]: finding for finding in json.loads(capsys.readouterr().out)["findings"]}
    assert tools["C++ compiler"]["found"] == f"{compiler}{version}"


def test_doctor_fails_when_the_core_does(monkeypatch, capsys):
    monkeypatch.setattr(package, "load_game", lambda name: 1 / 0)
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "missing  pig: ZeroDivisionError" in out
    assert "The core does not work." in out


def test_a_match_without_dice_has_openings(capsys):
    def played(*more):
        words = ["match", "expectimax:plies=8", "expectimax:plies=8", "--game", "tic_tac_toe", "--games", "20"]
        assert main([*words, "--processes", "1", "--json", *more]) == 0
        return json.loads(capsys.readouterr().out)

    assert played("--openings", "0")["draws"] == 20  # the same game every time
    score = played()
    assert 0 < score["wins"] < 20  # some openings lose for whoever gets them
    assert score["rate"] == 0.5  # both players get each opening
