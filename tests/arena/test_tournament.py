"""Tournaments: failing players lose, files survive anything, and results do not depend on workers."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import tablier
from tablier.arena import (
    ArenaFile,
    Entrant,
    GameResult,
    LocalWorkers,
    SequentialTest,
    Setup,
    StoredGame,
    gauntlet,
    in_this_process,
    round_robin,
    run_test,
    run_tournament,
)
from tablier.cli import main
from tablier.imports import import_games
from tablier.messages import MessageError
from tablier.players import PLAYERS

BAD = str(Path(__file__).parent / "bad_players.py")
PIG = Setup("pig", tablier.load_game("pig", win_score=30).options())


def entrants(*names):
    return [Entrant(name, name) for name in names]


@pytest.fixture
def bad_players(monkeypatch):
    monkeypatch.setattr("tablier.imports._read", [])
    known = dict(PLAYERS)
    import_games([BAD])
    yield
    PLAYERS.clear()
    PLAYERS.update(known)


def played(path, names, games=4, setup=PIG, executor=in_this_process, **more):
    with ArenaFile.create(path, setup) as file:
        run_tournament(file, round_robin(entrants(*names)), games, executor, **more)
        return list(file.games())


def facts(games):
    """Returns what does not depend on the clock."""
    return [(game.first, game.second, replace(game.result, seconds=(0.0, 0.0))) for game in games]


def test_a_round_robin_plays_all_pairs_and_a_gauntlet_those_of_one():
    names = entrants("b", "a", "c")
    assert [(x.name, y.name) for x, y in round_robin(names)] == [("a", "b"), ("b", "c"), ("a", "c")]
    assert [(x.name, y.name) for x, y in gauntlet(names[2], names)] == [("b", "c"), ("a", "c")]


def test_results_do_not_depend_on_workers_or_batches(tmp_path):
    names = ("random", "greedy")
    one = played(tmp_path / "1", names, 9, batch=2)
    two = played(tmp_path / "2", names, 9, executor=LocalWorkers(2), batch=4)
    assert facts(one) == facts(two)
    assert len(one) == 9


def test_more_games_keep_those_there_are(tmp_path):
    first = played(tmp_path / "a", ("random", "greedy"), 4)
    with ArenaFile.resume(tmp_path / "a", PIG) as file:
        run_tournament(file, round_robin(entrants("greedy", "random", "mcts:sims=2")), 6, in_this_process)
        games = list(file.games())
    assert len(games) == 18
    assert first == [game for game in games if "mcts:sims=2" not in (game.first, game.second)][:4]


@pytest.mark.parametrize(
    ("name", "reason", "detail"),
    [
        ("raises", "crashed", "RuntimeError: out of ideas"),
        ("cheats", "illegal", "1000000"),
        ("breaks", "crashed", "OSError: no file"),
        ("exits", "crashed", "SystemExit: 0"),
        ("scrawls", "crashed", r"RuntimeError: \udcff\x00\x1b[31m"),
        ("mute", "crashed", "<Untold>"),
        ("shapeless", "illegal", "<Nothing>"),
        ("large", "illegal", "<int>"),
    ],
)
def test_a_player_that_fails_loses_and_the_tournament_goes_on(name, reason, detail, tmp_path, bad_players):
    games = played(tmp_path / "a", (name, "random"), 2)
    assert [(game.result.reason, game.result.detail) for game in games] == [(reason, detail)] * 2
    for game in games:
        one = game.result
        assert (game.first, game.second)[one.failed] == name
        assert (one.score, one.margin) == (float(game.first != name), None)


def test_an_answer_is_looked_at_once(tmp_path, bad_players):
    assert {game.result.failed for game in played(tmp_path / "a", ("wavers", "random"), 2)} == {None}


def test_ctrl_c_while_a_player_decides_stops_the_tournament(tmp_path, bad_players):
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a script's background jobs ignore Ctrl-C
    try:
        with pytest.raises(KeyboardInterrupt):
            played(tmp_path / "a", ("interrupts", "random"), 2)
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_player_cannot_move_on_the_real_board(tmp_path, bad_players):
    games = played(tmp_path / "a", ("meddles", "random"), 2)
    assert [game.result.failed for game in games] == [None, None]


def test_a_game_without_progress_is_a_draw(tmp_path, bad_players, monkeypatch):
    monkeypatch.setattr("tablier.arena.jobs.LONGEST", 100)
    (game,) = played(tmp_path / "a", ("holds", "holds:seed=2"), 1)
    assert (game.result.score, game.result.reason, game.result.failed) == (0.5, "endless", None)


def test_workers_outlive_players_that_die_or_never_answer(tmp_path, bad_players):
    """The limit is long enough for any honest decision on a busy machine."""
    setup = replace(PIG, limit=5.0)
    games = played(tmp_path / "a", ("dies", "random"), 2, setup, LocalWorkers(1))
    games += played(tmp_path / "b", ("sleeps", "random"), 1, setup, LocalWorkers(1))
    reasons = [(game.result.reason, (game.first, game.second)[game.result.failed]) for game in games]
    assert reasons == [("died", "dies")] * 2 + [("slow", "sleeps")]
    assert games[0].result.detail == "3"


@pytest.mark.parametrize(
    ("name", "reason", "detail"),
    [("exits", "crashed", "SystemExit: 0"), ("interrupts", "crashed", "KeyboardInterrupt:")],
)
def test_players_that_end_their_process_lose(name, reason, detail, tmp_path, bad_players):
    games = played(tmp_path / "a", (name, "random"), 2, executor=LocalWorkers(1))
    told = [(one.reason, one.detail, name) for one in (game.result for game in games)]
    assert told == [(reason, detail, (game.first, game.second)[game.result.failed]) for game in games]


def test_a_sequential_test_does_not_depend_on_workers(tmp_path):
    test = SequentialTest(0.5, 0.7)
    (pairing,) = round_robin(entrants("greedy", "random"))
    found = []
    for number, executor in enumerate((in_this_process, LocalWorkers(2))):
        with ArenaFile.create(tmp_path / str(number), PIG) as file:
            found.append(run_test(file, pairing, "greedy", test, 400, executor))
            assert run_test(file, pairing, "greedy", test, 400, in_this_process) == found[-1], "nothing more is played"
    assert found[0] == found[1]
    assert found[0].accepted is not None


# --- the file -------------------------------------------------------------------------------------------------------


def a_file(tmp_path, setup=PIG):
    path = tmp_path / "arena.sqlite"
    played(path, ("random", "greedy"), 2, setup)
    return path


def refused(path, code, setup=None):
    with pytest.raises(MessageError) as error, ArenaFile.resume(path, setup) as file:
        list(file.games())
    assert error.value.code == code


def test_other_files_are_refused_and_left_alone(tmp_path):
    for name, content in (("text", b"not a database"), ("long", b"x" * 5000)):
        path = tmp_path / name
        path.write_bytes(content)
        refused(path, "arena.file.damaged")
        assert path.read_bytes() == content
    other = tmp_path / "other"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE games (id)")
    refused(other, "arena.file.other")
    with pytest.raises(MessageError, match="there is no tournament file"):
        ArenaFile.read(tmp_path / "missing")


def test_a_file_of_a_later_version_is_refused(tmp_path):
    path = a_file(tmp_path)
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    refused(path, "arena.file.version")


@pytest.mark.parametrize("where", [0.3, 0.6, 0.9])
def test_a_damaged_file_is_refused(where, tmp_path):
    path = tmp_path / "arena.sqlite"
    played(path, ("random", "greedy", "mcts:sims=1"), 40)
    content = bytearray(path.read_bytes())
    begin = int(len(content) * where)
    content[begin : begin + 4096] = os.urandom(4096)
    path.write_bytes(content)
    with pytest.raises(MessageError, match="damaged|cannot be used"), ArenaFile.read(path) as file:
        list(file.games())


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "tic_tac_toe", "options": {}}, "arena.file.game"),
        ({"options": {"win_score": 50}}, "arena.file.options"),
        ({"seed": 4}, "arena.file.seed"),
        ({"limit": 4.0}, "arena.file.limit"),
        ({"judge": "mcts"}, "arena.file.judge"),
    ],
)
def test_a_file_of_another_setup_is_refused(change, code, tmp_path):
    refused(a_file(tmp_path), code, replace(PIG, **change))


def test_only_one_process_plays_but_others_can_read(tmp_path):
    path = a_file(tmp_path)
    with ArenaFile.resume(path) as file:
        refused(path, "arena.file.in_use")
        with ArenaFile.read(path) as reader:
            assert list(reader.games()) == list(file.games())
    with ArenaFile.resume(path):
        pass


def test_a_changed_network_is_another_player(tmp_path):
    with ArenaFile.create(tmp_path / "a", PIG) as file:
        file.enter([Entrant("net.onnx", "net.onnx", "1111")])
        with pytest.raises(MessageError, match="has changed"):
            file.enter([Entrant("net.onnx", "net.onnx", "2222")])


def test_a_name_that_no_file_takes_is_told(tmp_path):
    """As with a network file whose name is not UTF-8."""
    with ArenaFile.create(tmp_path / "a", PIG) as file, pytest.raises(MessageError) as error:
        file.enter([Entrant("caf\udce9.onnx", "random")])
    assert error.value.code == "arena.file.characters"
    assert "rename it" in str(error.value)


def test_a_file_left_empty_by_a_killed_process_is_used(tmp_path):
    (tmp_path / "a").touch()
    refused(tmp_path / "a", "arena.file.empty")
    with ArenaFile.resume(tmp_path / "a", PIG) as file:
        assert list(file.games()) == []


def test_a_stored_game_is_never_replaced(tmp_path):
    path = a_file(tmp_path)
    with ArenaFile.resume(path) as file:
        before = list(file.games())
        file.add([StoredGame(before[0].first, before[0].second, GameResult(0, 0.5))])
        assert list(file.games()) == before


KILLED = """if True:
    import sys
    from tablier.cli import main
    if __name__ == "__main__":
        sys.exit(main(sys.argv[1:]))
"""


def test_a_tournament_killed_at_any_moment_resumes(tmp_path):
    """Every acknowledged game is still there, and the finished tournament is that of one which was never killed."""
    arguments = ["arena", "a.sqlite", "random", "greedy", "--game", "pig", "--games", "30", "--workers", "1"]
    path = tmp_path / "a.sqlite"
    seen = []
    for least in (1, 12):
        process = subprocess.Popen([sys.executable, "-c", KILLED, *arguments, "--batch", "2"], cwd=tmp_path)
        try:
            while process.poll() is None and len(stored(path)) < least:
                time.sleep(0.01)
            acknowledged = stored(path)
            process.send_signal(signal.SIGKILL)
        finally:
            process.kill()
            process.wait()
        after = stored(path)
        assert after[: len(acknowledged)] == acknowledged
        assert set(seen) <= set(after)
        seen = after
    assert subprocess.run([sys.executable, "-c", KILLED, *arguments], cwd=tmp_path).returncode == 0
    whole = played(tmp_path / "b", ("random", "greedy"), 30, Setup("pig", tablier.load_game("pig").options()))
    assert [row[:3] for row in stored(path)] == [
        (game.result.number, game.result.score, game.result.margin) for game in whole
    ]


def stored(path):
    if not path.exists() or not path.stat().st_size:
        return []
    db = sqlite3.connect(path, timeout=60)
    try:
        return db.execute("SELECT number, score, margin, first_seconds FROM games ORDER BY number").fetchall()
    except sqlite3.OperationalError:  # the schema is not written yet
        return []
    finally:
        db.close()


COLUMNS = """
    players.name players.fingerprint setup.key setup.value
    games.first games.second games.number games.score games.margin games.luck games.points_luck games.first_decisions
    games.second_decisions games.first_seconds games.second_seconds games.failed games.reason games.detail
"""


@pytest.mark.parametrize("value", [b"\xff\0", "words", 7, float("inf")])
@pytest.mark.parametrize("place", COLUMNS.split())
def test_a_value_that_cannot_be_is_told_in_one_line(place, value, tmp_path, capsys):
    table, _, column = place.partition(".")
    path = tmp_path / "t.sqlite"
    played(path, ["random", "greedy"])
    where = "rowid = 1" if table == "players" else "number = 0" if table == "games" else "key = 'seed'"
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (value,))
    db.close()
    for words in (["ladder", str(path)], ["arena", str(path), "--games", "4", "--workers", "1"]):
        code = main(words)
        error = capsys.readouterr().err
        assert (code, error.count("\n")) in ((0, 0), (2, 1))
        if isinstance(value, bytes):
            assert error.startswith(f"tablier: {path} is damaged: ")


# --- the commands ---------------------------------------------------------------------------------------------------


def test_the_commands(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments = ["--game", "trictrac", "--options", "holes_to_win=1", "--workers", "1"]
    assert main(["arena", "a.sqlite", "random", "greedy", "heuristic", *arguments, "--games", "6"]) == 0
    assert "a.sqlite now contains 18 games." in capsys.readouterr().out
    assert main(["arena", "a.sqlite", "--games", "4", "--workers", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"file": "a.sqlite", "games": 18, "failures": []}
    assert main(["ladder", "a.sqlite", "--csv", "a.csv", "--plot", "a.svg"]) == 0
    assert "random is 0" in capsys.readouterr().out
    assert (tmp_path / "a.csv").read_text().startswith("player,rating,rating_low,rating_high,ahead")
    assert (tmp_path / "a.svg").read_text().count("<circle") == 3
    assert main(["ladder", "a.sqlite", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["anchor"] == "random"
    assert [row["player"] for row in found["players"]][-1] == "random"
    assert all(row["adjusted"] is not None and row["adjusted_points"] is not None for row in found["players"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["a.sqlite", "random"], "at least two players, not 1"),
        (["a.sqlite", "random", "genius"], "no player is called 'genius'"),
        (
            ["a.sqlite", "random", "greedy", "--options", "players=3", "--game", "trictrac_a_ecrire"],
            "needs a two-player game",
        ),
        (["a.sqlite", "random", "greedy", "human", "--game", "pig"], "only computer players"),
        (["a.sqlite", "random", "."], "neither a training run nor a checkpoint"),
        (
            ["a.sqlite", "random", "greedy", "heuristic", "--sprt", "0.5,0.6"],
            "--sprt compares exactly two players, not 3",
        ),
    ],
)
def test_mistakes_are_told_in_one_line_and_write_nothing(arguments, words, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["arena", *arguments]) == 2
    assert words in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_run_and_its_checkpoints_play(tmp_path):
    from tablier.cli.entrants import find_entrant

    run = Path(__file__).parent.parent / "formats" / "v0.2" / "runs" / "td-pig"
    game = tablier.load_game("pig")
    best = find_entrant(str(run), game, tmp_path)
    first = find_entrant(str(sorted((run / "checkpoints").iterdir())[0]), game, tmp_path)
    assert best.plays == f"expectimax:plies=1,net={run / 'best.onnx'}"
    assert first.fingerprint not in ("", best.fingerprint)
    with ArenaFile.create(tmp_path / "a", Setup("pig", game.options())) as file:
        run_tournament(file, gauntlet(Entrant("random", "random"), [best, first]), 2, in_this_process)
        games = list(file.games())
    assert [game.result.failed for game in games] == [None] * 4
