import json
import subprocess
import sys

import pytest

from tablier.cli import main
from tablier.testing import signature


def test_games_lists_every_game_with_its_options(capsys):
    assert main(["games"]) == 0
    out = capsys.readouterr().out
    assert "pig: Pig, 2 players" in out
    assert "win_score = 100: points needed to win (an integer from 1 to 1000000)" in out
    assert "tic_tac_toe" in out


def test_games_as_json(capsys):
    assert main(["games", "--json", "pig"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["state_bytes"] == 40
    assert row["options"][0]["default"] == 100


def test_a_users_mistake_is_one_line(capsys):
    assert main(["games", "chess"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("tablier: no game is called 'chess'; registered: ")
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["fly"], ["bench", "--loud"]])
def test_wrong_usage_exits_with_2(arguments):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2


@pytest.mark.parametrize("command", ["bench", "games", "playthrough"])
def test_help_shows_an_example(command, capsys):
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    assert f"example:\n  tablier {command}" in capsys.readouterr().out


def test_the_signature_is_printed(capsys):
    assert main(["bench", "--signature"]) == 0
    assert capsys.readouterr().out == "".join(f"{number}  {name}\n" for name, number in signature().items())


def test_the_module_runs_too():
    out = subprocess.check_output([sys.executable, "-m", "tablier", "playthrough", "pig", "--seed", "5"], text=True)
    assert out.startswith("game: tablier.load_game('pig', win_score=100")
    assert "player 0 has won" in out or "player 1 has won" in out


def test_a_bench_table_is_readable_and_json(monkeypatch, capsys):
    """Runs the real benchmark, with intervals too short to be meaningful."""
    from tablier.bench import core, timing

    monkeypatch.setattr(core, "COMPARED", dict.fromkeys(core.COMPARED, 20))
    monkeypatch.setattr(core, "rates", lambda jobs: timing.rates(jobs, rounds=1, seconds=0.001))
    measured = core.measure()
    monkeypatch.setattr(core, "measure", lambda progress: measured)
    assert main(["bench"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["what", "per", "second", "compared", "with", "times", "as", "fast"]
    assert any(line.startswith("pig: random playouts") and "MCTSBot rollouts" in line for line in lines)
    assert any(line.startswith("import tablier") and line.endswith(" ms") for line in lines)
    assert main(["bench", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert {"what", "unit", "rate", "rivals", "note", "ratio"} == set(rows[0])
    assert all(row["rate"] > 0 for row in rows)
