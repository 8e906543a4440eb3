"""A cluster on this machine: results equal those of one process, and what goes wrong is one clear line."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import ray
from test_streams import TD, arrays, same, train

import tablier
from tablier.arena import ArenaFile, Entrant, Setup, in_this_process, play_match, round_robin, run_tournament
from tablier.cli import main
from tablier.cluster import Pool
from tablier.cluster.arenas import MatchPlaces, TournamentPlaces
from tablier.cluster.connection import start_local
from tablier.cluster.worker import my_facts
from tablier.imports import imported_games
from tablier.learn.data.place import Spread
from tablier.learn.runs.run import metrics
from tablier.messages import MessageError
from tablier.registry import load_game

pytestmark = pytest.mark.slow
RACE = Path(__file__).parent.parent / "race.py"


@pytest.fixture(scope="module")
def pool():
    start_local(3)  # the third CPU is for pools that tests create themselves
    found = Pool(2)
    found.wait_for_all()
    yield found
    found.close()
    ray.shutdown()


@pytest.fixture
def another(pool):
    """Returns a function that creates a pool of one worker."""
    made = []

    def create(*args, **kwargs):
        made.append(Pool(1, *args, **kwargs))
        made[-1].wait_until_ready()
        return made[-1]

    yield create
    for one in made:
        one.close()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_local_cluster_listens_on_the_loopback_interface_only(pool):
    tables = [Path("/proc/net", name).read_text().splitlines()[1:] for name in ("tcp", "tcp6")]
    rows = [line.split() for table in tables for line in table]
    address = {row[9]: row[1].partition(":")[0] for row in rows if row[3] == "0A"}  # those that listen, by inode
    parents = {}
    for one in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents[one.parent.name] = one.read_text().rpartition(")")[2].split()[1]
    ours = {str(os.getpid())}
    while more := {child for child, parent in parents.items() if parent in ours} - ours:
        ours |= more
    found = set()
    for process in ours:
        with contextlib.suppress(OSError):
            links = [str(one.readlink()) for one in Path("/proc", process, "fd").iterdir()]
            found |= {address[link[8:-1]] for link in links if link[8:-1] in address}
    assert found
    assert all(one.endswith("0100007F") for one in found)  # 127.0.0.1


def test_imported_files_are_sent_to_the_workers(another, tmp_path):
    file = tmp_path / "my_race.py"
    file.write_text(RACE.read_text() + "\nimport tablier\ntablier.register(Race)\n")
    created = another([str(file)])
    assert "race" in created.submit(tablier.registered_games).result()
    (copy,) = created.submit(imported_games).result()
    assert Path(copy).exists()
    created.close()
    assert not Path(copy).exists()


def test_a_game_that_workers_cannot_import_is_one_line(another, tmp_path):
    file = tmp_path / "broken.py"
    file.write_text("import nowhere")
    with pytest.raises(MessageError, match="the workers cannot start: .*broken.py cannot be imported: No module named"):
        another([str(file)])


@pytest.mark.parametrize(
    ("place", "told"),
    [(0, "the workers cannot start: .*tablier 0.*not other"), (2, "has rules .*this machine has other")],
)
def test_a_worker_with_other_software_is_refused(another, place, told, monkeypatch):
    facts = list(my_facts())
    facts[place] = "other"
    monkeypatch.setattr("tablier.cluster.pool.my_facts", lambda: tuple(facts))
    with pytest.raises(MessageError, match=told):
        another()


@pytest.mark.parametrize("judge", [None, ""])
def test_a_match_equals_that_of_one_process(pool, judge):
    game = load_game("trictrac", holes_to_win=1)
    settings = {"games": 24, "seed": 3, "judge": judge}
    here = play_match(game, "heuristic", "greedy", **settings)
    there = play_match(game, "heuristic", "greedy", **settings, pool=MatchPlaces(pool))
    assert vars(here) | {"seconds": 0} == vars(there) | {"seconds": 0}


def test_the_network_of_a_player_travels_with_the_match(pool, tmp_path, monkeypatch):
    train(tmp_path / "run", None)
    monkeypatch.chdir(tmp_path)  # the workers are elsewhere, so they cannot read this relative path
    game, player = load_game("tic_tac_toe"), "expectimax:plies=1,net=run/best.safetensors"
    here = play_match(game, player, "random", 10, openings=10)
    there = play_match(game, player, "random", 10, openings=10, pool=MatchPlaces(pool))
    assert vars(here) | {"seconds": 0} == vars(there) | {"seconds": 0}


def test_networks_of_players_are_removed_after_the_work(pool, tmp_path):
    (tmp_path / "net.onnx").write_bytes(b"network")
    player = MatchPlaces(pool).submit(str, f"policy:net={tmp_path}/net.onnx").result()
    path = Path(player.removeprefix("policy:net="))
    assert path.parent.name.startswith("tablier-")
    assert not path.parent.exists()


def test_a_tournament_equals_that_of_one_process(pool, tmp_path):
    games = []
    for executor in (in_this_process, TournamentPlaces(pool)):
        setup = Setup("pig", load_game("pig").options(), seed=1)
        with ArenaFile.create(tmp_path / f"{len(games)}.sqlite", setup) as file:
            run_tournament(file, round_robin([Entrant(n, n) for n in ("random", "greedy")]), 40, executor)
            games.append([(one.first, one.second, vars(one.result) | {"seconds": 0}) for one in file.games()])
    assert games[0] == games[1]


def test_a_synchronous_run_equals_that_of_one_machine(pool, tmp_path):
    train(tmp_path / "here", None)
    train(tmp_path / "there", Spread(pool, synchronous=True))
    assert same(arrays(tmp_path / "here"), arrays(tmp_path / "there"))


def test_a_killed_worker_is_replaced_and_no_game_is_missing(pool, tmp_path):
    before, deaths = sum(tally.games for tally in pool.tallies), pool.deaths
    train(tmp_path / "run", Spread(Kills(pool, after=8), synchronous=True))
    train(tmp_path / "here", None)
    assert pool.deaths == deaths + 1
    rows = metrics(tmp_path / "run")
    assert all(row["produced"] == row["games"] + row["lost"] for row in rows)
    assert rows[-1]["produced"] == sum(tally.games for tally in pool.tallies) - before
    assert same(arrays(tmp_path / "run"), arrays(tmp_path / "here"))


class Kills:
    """A place that kills the process of one of its workers after some calls."""

    def __init__(self, pool, after):
        self._pool, self._left = pool, after

    def __getattr__(self, name):
        return getattr(self._pool, name)

    def submit(self, work, /, *args):
        self._left -= 1
        if self._left == 0:
            os.kill(next(one.pid for one in self._pool.tallies if one.state == "ready"), signal.SIGKILL)
        return self._pool.submit(work, *args)


def test_work_that_kills_every_worker_fails_with_one_line(pool):
    with pytest.raises(MessageError, match="3 workers died one after the other during the same work"):
        pool.submit(os.abort).result()
    assert pool.submit(len, "abc").result() == 3


def test_an_error_of_the_work_is_raised_here(pool):
    with pytest.raises(ZeroDivisionError):
        pool.submit(divmod, 1, 0).result()


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("nonsense", "nonsense is not the address of a cluster; use local, auto, ray://HOST:PORT or HOST:PORT"),
        ("ray://127.0.0.1:0", "ray://127.0.0.1:0 is not the address of a cluster"),
        ("127.0.0.1:{port}", "cannot be reached: connection refused; check the address and that Ray runs there"),
        ("ray://127.0.0.1:{port}", "cannot be reached: connection refused; check the address and that Ray runs there"),
    ],
)
def test_a_wrong_address_is_one_line(address, told, capsys, tmp_path):
    for command in (
        ["match", "random", "random", "--game", "pig"],
        ["train", "td", "--run", str(tmp_path / "run")],
        ["doctor"],
    ):
        assert main([*command, "--cluster", address.format(port=free_port())]) == 2
        error = capsys.readouterr().err
        assert told in error
        assert error.count("\n") == 1
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--workers", "2"], "--workers only works with --cluster"),
        (["--synchronous"], "--synchronous only works with --cluster"),
        (["--staleness", "3"], "--staleness only works with --cluster"),
    ],
)
def test_options_of_a_cluster_need_one(words, told, capsys, tmp_path):
    assert main(["train", "td", "--run", str(tmp_path / "run"), *words]) == 2
    assert told in capsys.readouterr().err


def test_zero_workers_are_refused(capsys):
    with pytest.raises(SystemExit):
        main(["match", "random", "random", "--cluster", "local", "--workers", "0"])
    assert "must be an integer from 1" in capsys.readouterr().err


def test_without_the_option_nothing_imports_ray(tmp_path):
    code = "import sys; from tablier.cli import main; main(sys.argv[1:]); print('ray' in sys.modules)"
    words = ["train", "td", "--run", str(tmp_path / "run")]
    words += [word for name, value in (TD | {"steps": 1}).items() for word in (f"--{name}", str(value))]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


def test_metrics_of_workers_are_beside_those_of_the_run(pool, tmp_path):
    train(tmp_path / "run", Spread(pool))
    rows = [json.loads(line) for line in (tmp_path / "run" / "workers.jsonl").read_text().splitlines()]
    assert {row["step"] for row in rows} == {4, 8, 12}
    assert {"worker", "node", "pid", "done", "games", "busy", "received", "state"} <= set(rows[0])
