"""Commands about runs: bad arguments and bad files end in a one-line message."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from tablier.cli import main
from tablier.cli.arguments import split_players
from tablier.learn.algorithms.td import PRESETS

WORDS = "--game tic_tac_toe --steps 2 --minutes 0 --games 4 --moves 4 --width 8 --tensorboard false --eval_every 0"


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("learning") / "runs"
    assert main(["train", "td", "--run", str(folder / "one"), *WORDS.split()]) == 0
    return folder


@pytest.fixture
def runs(trained, tmp_path):
    return shutil.copytree(trained, tmp_path / "runs")


def told(capsys, words):
    """Returns the error message of a command called with bad arguments."""
    capsys.readouterr()
    try:
        code = main(words)
    except SystemExit as end:  # raised by argparse
        code = end.code
    out, error = capsys.readouterr()
    assert (code, out) == (2, "")
    assert error.count("\n") == 1 or error.startswith("usage: ")
    return error


@pytest.mark.parametrize("seed", ["9" * 400, "-" + "9" * 400, "1e400", "9" * 5000])
def test_a_seed_far_out_of_range_is_refused(seed, tmp_path, capsys):
    assert "seed" in told(capsys, ["train", "td", f"--seed={seed}", "--run", str(tmp_path / "run")])
    assert not (tmp_path / "run").exists()
    assert "seed" in told(capsys, ["eval", str(tmp_path), f"--seed={seed}"])


@pytest.mark.parametrize("player", ["{x}", "{0}", "{", "expectimax:plies=1", "{0.__class__}"])
def test_a_player_without_a_place_for_the_network_is_refused(runs, player, capsys):
    words = ["eval", str(runs / "one"), "--games", "2", "--opponents", "random", "--player", player]
    assert "has no placeholder {}" in told(capsys, words)


def test_braces_that_are_not_the_place_are_left_alone(runs, capsys):
    words = ["eval", str(runs / "one"), "--games", "2", "--opponents", "random", "--player", "{x}:net={}"]
    assert "{x}" in told(capsys, words)


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("expectimax:plies=1,net=a.onnx,greedy", ["expectimax:plies=1,net=a.onnx", "greedy"]),
        ("greedy,expectimax:plies=1,net=a:b.onnx", ["greedy", "expectimax:plies=1,net=a:b.onnx"]),
        ("random,nobody:sims=1,step-3", ["random", "nobody:sims=1", "step-3"]),
        ("", []),
        (",", []),
    ],
)
def test_lists_of_players_whose_settings_have_commas(text, players):
    assert split_players(text) == players


def test_an_opponent_may_have_settings(runs, capsys):
    opponents = f"expectimax:plies=1,net={runs / 'one/best.onnx'},random"
    words = ["eval", str(runs / "one"), "--games", "2", "--processes", "1", "--last", "--opponents", opponents]
    assert main(words) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3
    words = ["train", "td", "--run", str(runs / "one"), "--resume", "--strength", "2", "--opponents", opponents]
    assert main(words) == 0
    assert "random " in capsys.readouterr().out


def test_nobody_is_no_opponent(runs, capsys):
    assert "no opponent given" in told(capsys, ["eval", str(runs / "one"), "--opponents", ""])
    words = ["train", "td", "--run", str(runs / "two"), "--strength", "2", "--opponents", ","]
    assert "--opponents is empty" in told(capsys, words)
    assert not (runs / "two").exists()


def test_a_preset_is_not_for_a_run_that_goes_on(runs, capsys):
    words = ["train", "td", "--run", str(runs / "one"), "--resume", "--preset", "quick"]
    assert "--preset is only for new runs" in told(capsys, words)


LINES = [
    b'{"step": 3, "seconds": Infinity}',
    b'{"step": Infinity, "seconds": 1}',
    b'{"step": 3, "seconds": 1, "loss": NaN}',
    b'{"step": 3, "seconds": 1, "loss": "low"}',
    b'{"step": 3, "seconds": 1, "loss": [1]}',
    b'{"step": "3", "seconds": 1}',
    b'{"step": 3}',
    b'{"seconds": 3}',
    b"3",
    b"[" * 100_000,
    b'{"step": 3, "seconds": 1, "loss": 1' + b"0" * 400 + b"}",
    b'{"step": 3, "seconds": 1, "\\ud800": 1}',
    b"\xff\x00",
]


@pytest.mark.parametrize("line", LINES)
def test_damaged_metrics_are_left_out_of_a_list(runs, line, capsys):
    shutil.copytree(runs / "one", runs / "two")
    with (runs / "two/metrics.jsonl").open("ab") as file:
        file.write(line + b"\n")
    capsys.readouterr()
    assert main(["runs", str(runs)]) == 0
    out, error = capsys.readouterr()
    assert error == f"{runs}/two/metrics.jsonl: 1 damaged lines are left out, first line 3\n"
    one, two = out.splitlines()
    assert one.removeprefix(f"{runs}/one") == two.removeprefix(f"{runs}/two")
    assert main(["runs", str(runs), "--json"]) == 0
    out, error = capsys.readouterr()
    assert [run["last"]["step"] for run in json.loads(out)] == [2, 2]
    assert "first line 3" in error


@pytest.mark.parametrize("value", [10**400, -(10**400), "x" * 1000, [10**400]])
def test_a_setting_that_cannot_be_hides_no_other_run(runs, value, capsys):
    shutil.copytree(runs / "one", runs / "two")
    path = runs / "one" / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "lr": value}))
    for words in (["eval", str(path.parent)], ["train", "td", "--resume", "--run", str(path.parent)]):
        error = told(capsys, words)
        assert "config.json: lr must be" in error
        assert len(error) < len(str(path)) + 200
    assert main(["runs", str(runs)]) == 0
    out, error = capsys.readouterr()
    assert out.startswith(f"{runs / 'two'}: td")
    assert "config.json: lr must be" in error


def test_metrics_may_be_large(runs, capsys):
    with (runs / "one/metrics.jsonl").open("ab") as file:
        file.write(b'{"step": 3, "seconds": 1, "loss": 1e30, "spread": null}\n')
    assert main(["runs", str(runs)]) == 0
    assert "loss" in capsys.readouterr().out


def test_settings_are_those_that_a_run_would_have(capsys):
    assert main(["train", "td", "--settings", "--json", "--preset", "quick", "--lr", "0.125"]) == 0
    quick = json.loads(capsys.readouterr().out)
    assert (quick["minutes"], quick["lr"]) == (PRESETS["quick"]["minutes"], 0.125)
    assert main(["train", "td", "--settings"]) == 0
    assert f"  --minutes {PRESETS['default']['minutes']!r}: " in capsys.readouterr().out
    assert "unknown setting '--foo'" in told(capsys, ["train", "td", "--settings", "--foo", "3"])
    assert "--json only works with --settings" in told(capsys, ["train", "td", "--json"])


def test_a_finished_run_that_is_gone_on_with_says_so(runs, capsys):
    assert main(["train", "td", "--run", str(runs / "one"), "--resume"]) == 0
    assert "already complete" in capsys.readouterr().out
    assert main(["train", "td", "--run", str(runs / "one"), "--resume", "--steps", "3"]) == 0
    assert "already complete" not in capsys.readouterr().out


def test_a_run_has_at_least_one_step(tmp_path, capsys):
    words = ["train", "td", "--run", str(tmp_path / "run"), *WORDS.split(), "--minutes", "1e-9"]
    assert main([*words, "--strength", "2", "--opponents", "random"]) == 0
    assert "step 1 after" in capsys.readouterr().out


def test_an_opponent_is_looked_at_before_the_training(tmp_path, capsys):
    words = ["train", "td", "--run", str(tmp_path / "run"), *WORDS.split(), "--strength", "2", "--opponents", "gredy"]
    assert "no player is called 'gredy'" in told(capsys, words)
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit the address space")
def test_a_network_larger_than_the_memory_is_told_in_one_line(tmp_path):
    words = "train alphazero --game tic_tac_toe --width 8192 --blocks 64 --steps 1 --run run"
    limited = ["bash", "-c", f"ulimit -v 6000000; exec {sys.executable} -m tablier {words}"]
    run = subprocess.run(limited, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "LC_ALL": "C.UTF-8"})
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr == "tablier: there is not enough memory; choose smaller settings\n"
    assert list(tmp_path.iterdir()) == []


def test_other_errors_of_libraries_are_not_hidden(monkeypatch):
    def fail(*_):
        raise RuntimeError("the kernel is missing")

    monkeypatch.setattr("tablier.cli._run", fail)
    with pytest.raises(RuntimeError, match="the kernel is missing"):
        main(["games"])


def test_a_run_is_not_put_where_a_file_is(tmp_path, capsys):
    (tmp_path / "file").write_text("x")
    for place in ("file", "file/run"):
        assert "there is a file" in told(capsys, ["train", "td", "--run", str(tmp_path / place)])


@pytest.mark.parametrize("command", ["eval", "runs"])
def test_a_picture_that_cannot_be_written_is_told_first(runs, command, capsys, monkeypatch):
    monkeypatch.setattr("tablier.learn.strength.play_match", None)  # nothing is played
    words = [command, str(runs / "one"), "--plot", str(runs / "none" / "x.png")]
    assert "cannot be written: the folder does not exist" in told(capsys, words)


@pytest.mark.parametrize("command", ["eval", "runs"])
@pytest.mark.parametrize("name", ["curve", "curve.xyz", "curve."])
def test_a_picture_of_an_unknown_format_is_refused_first(runs, command, name, capsys, monkeypatch):
    monkeypatch.setattr("tablier.learn.strength.play_match", None)  # nothing is played
    words = [command, str(runs / "one"), "--plot", str(runs / name)]
    assert "its name must end in one of .png, .svg, .pdf" in told(capsys, words)
    assert not list(runs.glob("curve*"))


def test_a_plot_is_written_where_the_message_says(runs, capsys):
    picture = runs / "curve.PNG"
    picture.write_text("an older plot")
    assert main(["runs", str(runs), "--plot", str(picture)]) == 0
    assert capsys.readouterr().err.endswith(f"plot written to {picture}\n")
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_metric_that_no_run_has_is_refused(runs, tmp_path, capsys):
    assert "unknown metric 'foo'; choose from" in told(capsys, ["runs", str(runs), "--metric", "foo"])
    picture = tmp_path / "loss.png"
    capsys.readouterr()
    assert main(["runs", str(runs), "--json", "--plot", str(picture)]) == 0
    assert json.loads(capsys.readouterr().out)[0]["algorithm"] == "td"
    assert picture.exists()


def test_the_json_of_matches_names_no_file_that_is_gone(runs, capsys):
    capsys.readouterr()
    assert main(["eval", str(runs / "one"), "--last", "--games", "2", "--opponents", "random", "--json"]) == 0
    match = json.loads(capsys.readouterr().out)[0]["match"]
    assert (match["first"], match["second"]) == ("step-2", "random")
