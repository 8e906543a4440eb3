"""Runs whose files are pipes, huge or unreadable: the server skips those files and serves everything else."""

import contextlib
import json
import os

import pytest
from serving import API, HERE, PROXY, sent_by, server

from tablier.messages import MessageError
from tablier.web.service.runs import Runs

CONFIG = '{"algorithm": "td", "game": "pig"}'
ROW = '{"step": 1, "seconds": 60, "loss": 0.5}\n'


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "runs"


def add_run(folder, name, config=CONFIG, metrics=ROW):
    run = folder / name
    run.mkdir(parents=True)
    if config is not None:
        (run / "config.json").write_text(config)
    if metrics is not None:
        (run / "metrics.jsonl").write_text(metrics)
    return run


@contextlib.contextmanager
def pipe(path):
    """Creates a pipe, and at the end releases a reader that waits for it, so that a failing test ends too."""
    os.mkfifo(path)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # nobody waits
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
@pytest.mark.parametrize("is_written_to", [False, True])
def test_a_pipe_in_place_of_metrics_blocks_nothing(tmp_path, folder, is_written_to):
    add_run(folder, "good")
    metrics = add_run(folder, "pipe", metrics=None) / "metrics.jsonl"
    with server(tmp_path) as client, pipe(metrics), contextlib.ExitStack() as stack:
        if is_written_to:  # the pipe has something to read, but no end
            end = os.open(metrics, os.O_RDWR | os.O_NONBLOCK)
            stack.callback(os.close, end)
            os.write(end, ROW.encode())
        curve = client.get(f"{API}/runs/pipe/metrics", params={"names": "loss"})
        assert curve.json() == {"steps": [], "loss": []}
        curve = client.get(f"{API}/runs/good/metrics", params={"names": "loss"})
        assert curve.json() == {"steps": [1], "loss": [0.5]}
        assert [(run["name"], run["steps"]) for run in client.get(f"{API}/runs").json()] == [("good", 1), ("pipe", 0)]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe_is_neither_a_run_nor_a_network(folder):
    with pipe(add_run(folder, "a", config=None) / "config.json"), pipe(add_run(folder, "b") / "best.onnx"):
        runs = Runs(folder)
        assert [run["name"] for run in runs.listed()[0]] == ["b"]
        assert runs.networks("pig") == []
        with pytest.raises(MessageError, match="no network called 'b'"):
            runs.network("b")


def test_a_config_that_is_too_large_is_not_read(folder):
    add_run(folder, "large", config=CONFIG + " " * 500_000)
    (add_run(folder, "too_large", config=CONFIG + " " * 2_000_000) / "best.onnx").touch()
    listed, _ = Runs(folder).listed()
    assert [(run["name"], run["algorithm"]) for run in listed] == [("large", "td"), ("too_large", "")]
    assert [run["steps"] for run in listed] == [1, 1]
    assert Runs(folder).networks("pig") == []


def test_a_line_of_metrics_that_is_too_long_is_skipped(folder):
    long, too_long, cut_off = (json.dumps({"step": n, "seconds": n, "loss": n}) for n in (2, 3, 5))
    lines = [ROW, long + " " * 50_000 + "\n", too_long + " " * 200_000 + "\n", ROW.replace("1", "4"), cut_off]
    add_run(folder, "run", metrics="".join(lines))
    assert Runs(folder).metrics("run", ["loss"]) == {"steps": [1, 2, 4], "loss": [0.5, 2, 0.5]}


def test_a_network_that_is_too_large_is_not_offered(folder):
    network = add_run(folder, "run") / "best.onnx"
    runs = Runs(folder)
    network.write_bytes(b"network")
    assert runs.networks("pig") == [("run", "td")]
    assert runs.network("run") == network
    os.truncate(network, 1_000_000_000)
    assert runs.networks("pig") == []
    with pytest.raises(MessageError, match="no network called 'run'"):
        runs.network("run")


@pytest.mark.parametrize("name", ["config.json", "metrics.jsonl", "best.onnx", "best.safetensors"])
def test_a_file_that_cannot_be_looked_at_hides_no_other_run(folder, name):
    (add_run(folder, "good") / "best.onnx").touch()
    bad = add_run(folder, "bad")
    (bad / name).unlink(missing_ok=True)
    (bad / name).symlink_to("x" * 300)  # no file name is this long, so every use of it is an error
    runs = Runs(folder)
    assert "good" in [run["name"] for run in runs.listed()[0]]
    assert runs.networks("pig") == [("good", "td")]
    assert runs.size("good") == len(ROW)
    assert runs.size("bad") in (0, len(ROW))


def test_a_link_to_a_file_elsewhere_is_followed(tmp_path, folder):
    (tmp_path / "elsewhere.jsonl").write_text(ROW)
    (add_run(folder, "run", metrics=None) / "metrics.jsonl").symlink_to(tmp_path / "elsewhere.jsonl")
    assert Runs(folder).metrics("run", ["loss"]) == {"steps": [1], "loss": [0.5]}


def test_steps_are_the_steps_whatever_columns_are_wanted(folder):
    add_run(folder, "good")
    assert Runs(folder).metrics("good", ["steps", "loss"]) == {"steps": [1], "loss": [0.5]}


# --- metrics that grow ------------------------------------------------------------------------------------------------

MANY = "".join(json.dumps({"step": n, "seconds": n, f"m{n % 3}": n}) + "\n" for n in range(2_000))
"""More than what shows whether a file is still the same (`EDGE`)."""
LONG = json.dumps({"step": 8, "seconds": 8, "long": 8})


def line(step, name="loss", end="\n"):
    return json.dumps({"step": step, "seconds": 60 * step, name: 1}) + end


CHANGES = {
    "new lines": [("a", line(2)), ("a", line(3, "eval"))],
    "a line in two parts": [("a", line(2, "eval")[:20]), ("a", line(2, "eval")[20:])],
    "a cut-off line that stays": [("a", line(2, end="")), ("a", "")],
    "a whole line without its end": [("a", line(2, "eval", end="")), ("a", "\n")],
    "a cut-off line that becomes damaged": [("a", line(2, end="")), ("a", "}\n"), ("a", line(3))],
    "a damaged line": [("a", "{nonsense\n"), ("a", line(2, "eval"))],
    "a line that becomes too long": [("a", LONG + " " * 90_000), ("a", " " * 20_000 + "\n"), ("a", line(9))],
    "a line that stays short enough": [("a", LONG), ("a", " " * 90_000 + "\n")],
    "no more lines": [("a", "")],
    "a shorter file": [("w", line(1, "eval")), ("w", "")],
    "a file cut off at the end of a line": [("w", MANY[: MANY.rfind("\n", 0, 50_000) + 1]), ("a", line(5))],
    "a longer file": [("w", line(1, "eval") + MANY)],
    "other lines of the same length": [("w", MANY.replace('"m1"', '"x1"'))],
    "another file": [("replace", MANY + line(2, "eval")), ("replace", MANY)],
    "a file that is away for a while": [("unlink", ""), ("w", line(1)), ("a", line(2, "eval"))],
}


def changed(path, how, text):
    if how == "unlink":
        path.unlink()
    elif how == "replace":
        path.with_name("new").write_text(text)
        path.with_name("new").replace(path)
    else:
        with path.open(how) as file:
            file.write(text)


@pytest.mark.parametrize("changes", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("begun", ["", ROW, MANY, MANY + line(2, "cut", end="")])
def test_a_list_is_the_same_as_if_nothing_had_been_read_before(folder, begun, changes):
    path = add_run(folder, "run", metrics=begun) / "metrics.jsonl"
    runs = Runs(folder)
    for how, text in (("a", ""), *changes):
        changed(path, how, text)
        assert runs.listed()[0] == Runs(folder).listed()[0]


def test_a_list_reads_only_what_was_added(folder):
    path = add_run(folder, "run", metrics=MANY) / "metrics.jsonl"
    runs = Runs(folder)
    added = line(2, "eval")
    assert [runs.listed()[1] for _ in range(2)] == [len(MANY), 0]
    changed(path, "a", added + "{")
    assert [runs.listed()[1] for _ in range(2)] == [len(added) + 1, 1]
    assert runs.listed()[0][0]["metrics"] == ["eval", "m0", "m1", "m2"]
    changed(path, "replace", MANY)
    assert runs.listed()[1] == len(MANY)


def test_a_list_that_reads_nothing_costs_as_little_as_any_request(tmp_path, folder):
    add_run(folder, "run", metrics=MANY * 20)
    with server(tmp_path, PROXY, work=0.0, work_burst=50.0) as client:
        client.get(f"{API}/runs")
        answers = [client.get(f"{API}/runs", headers=sent_by(HERE)) for _ in range(20)]
        assert [answer.status_code for answer in answers] == [200] * 20


def test_runs_that_are_gone_and_names_without_end_are_not_remembered(folder):
    metrics = "".join(line(n, "x" * 500 + str(n)) for n in range(100))
    add_run(folder, "names", metrics=metrics)
    add_run(folder, "run")
    runs = Runs(folder)
    assert [runs.listed()[1] for _ in range(2)] == [len(metrics) + len(ROW), len(metrics)]
    assert len(runs.listed()[0][0]["metrics"]) == 100
    assert list(runs._summaries) == ["run"]
    (folder / "run" / "config.json").unlink()
    runs.listed()
    assert not runs._summaries
