"""A real cluster of two nodes on this machine: a node is killed and another joins, the driver is killed and resumed.

Another one is reached through Ray Client. `make cluster` runs it. All nodes listen on the loopback interface, and only
processes started here are ended.
"""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
import ray
from ray.cluster_utils import Cluster
from test_streams import arrays, same

from tablier.cluster import connect
from tablier.learn import open_run, run_training
from tablier.learn.data.place import Spread
from tablier.learn.runs.checkpoint import steps_of
from tablier.learn.runs.run import metrics

TD = {"game": "trictrac", "options": "holes_to_win=1", "games": 64, "moves": 16, "width": 16, "net": "core"}
TD |= {"tensorboard": False, "checkpoint_every": 5, "steps": 60}
NODE = {"num_cpus": 1, "object_store_memory": 200 * 2**20, "node_ip_address": "127.0.0.1"}


@pytest.fixture
def cluster():
    found = Cluster(initialize_head=True, head_node_args={**NODE, "num_cpus": 0, "include_dashboard": False})
    try:
        yield found
    finally:
        ray.shutdown()
        found.shutdown()


def train(folder, spread, resume=False, **settings):
    with open_run(folder, "td", settings if resume else {**TD, **settings}, resume, spread) as run:
        return run_training(run, show=False)


def balanced(folder):
    rows = [row for row in metrics(folder) if "produced" in row]
    return rows and all(row["produced"] == row["games"] + row["lost"] for row in rows)


def until(condition):
    while not condition():
        time.sleep(0.1)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.fixture
def client():
    """Starts a cluster of one node, and returns its address for Ray Client and the environment to reach it with."""
    port = free_port()
    secret = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    environment = os.environ | secret | {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
    with tempfile.TemporaryDirectory(prefix="ray-") as folder:  # paths of sockets must be short
        words = [Path(sys.executable).with_name("ray"), "start", "--head", "--block", "--node-ip-address=127.0.0.1"]
        words += [f"--port={free_port()}", f"--ray-client-server-port={port}", f"--temp-dir={folder}"]
        words += ["--num-cpus=1", "--include-dashboard=false", "--object-store-memory=200000000"]
        head = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until(lambda: head.poll() is not None or answers(port))
            assert head.poll() is None
            yield f"ray://127.0.0.1:{port}", environment
        finally:
            head.terminate()  # it ends its own processes
            head.wait()


def answers(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def test_a_run_through_ray_client_equals_that_of_one_machine(client, tmp_path):
    address, environment = client
    settings = TD | {"steps": 10}
    words = [sys.executable, "-m", "tablier", "train", "td", "--run", str(tmp_path / "run"), "--cluster", address]
    words += [word for name, value in settings.items() for word in (f"--{name}", str(value))]
    words += ["--synchronous", "--minutes", "0", "--eval_every", "0", "--lr_half_life", "0", "--td_lambda", "0.8"]
    assert subprocess.run(words, env=environment, check=False).returncode == 0
    assert balanced(tmp_path / "run")
    train(tmp_path / "alone", None, steps=10)
    assert same(arrays(tmp_path / "run", 10), arrays(tmp_path / "alone", 10))


def test_both_nodes_play(cluster, tmp_path):
    nodes = [cluster.add_node(**NODE) for _ in range(2)]
    with connect(cluster.address, 2) as pool:
        pool.wait_for_all()
        train(tmp_path / "run", Spread(pool))
        assert len({tally.node for tally in pool.tallies}) == len(nodes)
        assert all(tally.games > 0 for tally in pool.tallies)
        produced = sum(tally.games for tally in pool.tallies)
    assert balanced(tmp_path / "run")
    assert metrics(tmp_path / "run")[-1]["produced"] == produced


@pytest.mark.parametrize("synchronous", [True, False])
def test_a_node_is_killed_in_mid_run_and_another_joins(cluster, synchronous, tmp_path):
    nodes = [cluster.add_node(**NODE) for _ in range(2)]
    told = []
    with connect(cluster.address, 2, tell=told.append) as pool:
        pool.wait_for_all()

        class Changing:
            """The pool; a node dies after step 15, and another joins after step 30."""

            steps = 0

            def __getattr__(self, name):
                return getattr(pool, name)

            def rows(self):
                self.steps += 1
                if self.steps == 15:
                    cluster.remove_node(nodes[0], allow_graceful=False)
                if self.steps == 30:
                    cluster.add_node(**NODE)
                return pool.rows()

        train(tmp_path / "run", Spread(Changing(), synchronous))
        assert pool.deaths >= 1
        pool.wait_for_all()
        assert len({tally.node for tally in pool.tallies if tally.state == "ready"}) == 2
        assert metrics(tmp_path / "run")[-1]["produced"] == sum(tally.games for tally in pool.tallies)
    assert any(message.key == "cluster.died" for message in told)
    assert balanced(tmp_path / "run")
    if synchronous:
        train(tmp_path / "alone", None)
        assert same(arrays(tmp_path / "run", 60), arrays(tmp_path / "alone", 60))


def test_the_driver_is_killed_and_resumed_on_another_number_of_workers(cluster, tmp_path):
    for _ in range(2):
        cluster.add_node(**NODE)
    folder = tmp_path / "run"
    words = [sys.executable, "-m", "tablier", "train", "td", "--run", str(folder), "--cluster", cluster.address]
    settings = [word for name, value in (TD | {"steps": 10**6}).items() for word in (f"--{name}", str(value))]
    options = ["--synchronous", "--minutes", "0", "--eval_every", "0", "--lr_half_life", "0"]
    driver = subprocess.Popen([*words, *settings, *options, "--workers", "2"])
    try:
        until(lambda: folder.exists() and len(steps_of(folder)) >= 3)
    finally:
        os.kill(driver.pid, signal.SIGKILL)
        driver.wait()
    reached = steps_of(folder)[-1]
    acknowledged = len(metrics(folder))
    last = reached + 20
    resumed = [*words, "--resume", "--synchronous", "--workers", "1", "--steps", str(last)]
    assert subprocess.run(resumed, check=False).returncode == 0
    rows = metrics(folder)
    assert [row["step"] for row in rows] == list(range(1, last + 1))
    assert len(rows) >= acknowledged
    assert balanced(folder)
    config = json.loads((folder / "config.json").read_text())
    kept = {name: value for name, value in config.items() if name not in ("tablier", "algorithm", "imported")}
    train(tmp_path / "alone", None, **kept)
    assert same(arrays(folder, last), arrays(tmp_path / "alone", last))
