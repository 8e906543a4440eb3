"""A small run of the server benchmark: it finds every move again, and would notice a lost one."""

import asyncio
import json

import pytest
from serving import Process

from tablier.bench import web
from tablier.cli import main


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(web, "GAMES", [(2, setup) for _, setup in web.GAMES])
    monkeypatch.setattr(web, "THINKS", (0.01, 0.05))


def test_a_small_run(few):
    for seconds in (1.5, 6, 24, 96):  # until a request of each kind is answered, even on a slow machine
        try:
            play, look = web.measure(seconds=seconds)
            break
        except ValueError as error:
            if "measure for longer" not in str(error):
                raise
    assert play.what == "web, 10 games at once: an action, its dice and the view"
    assert "none lost, no error" in play.note
    assert play.rate > 0
    assert look.rate > 0


def test_a_run_without_an_answer_is_told(few):
    with pytest.raises(ValueError, match="no answer in 1e-09 seconds: .*; measure for longer"):
        web.measure(seconds=1e-9)


def test_a_lost_move_would_be_noticed(few, tmp_path):
    with Process(tmp_path) as process:
        port = process.client.base_url.port
        for seconds in (0.5, 2, 8, 32):  # until a move is made, even on a slow machine
            seen, found, _ = asyncio.run(web._everything(port, seconds))
            assert seen.problems == []
            if any(seen.moves.values()):
                break
        table = next(table for table, moves in seen.moves.items() if moves)
        seen.moves[table].append((10_000, 1))
        assert asyncio.run(web.check(port, seen)) == found
        assert seen.problems == [f"{table}: lost (10000, 1)"]


def test_the_number_of_games_can_be_chosen():
    every = [json.dumps(setup) for _, setup in web.GAMES]
    assert len(web.tables()) == 500
    for games in (1, 3, 100, 500, 800):
        chosen = [json.dumps(setup) for setup in web.tables(games)]
        assert len(chosen) == games
        if games >= 100:
            parts = [chosen.count(one) / games for one in every]
            assert parts == pytest.approx([count / 500 for count, _ in web.GAMES], abs=0.01)


@pytest.mark.parametrize("args", [["web", "--games", "0"], ["web", "--games", "801"], ["core", "--games", "5"]])
def test_games_that_cannot_be(args, capsys):
    assert main(["bench", *args]) == 2
    assert "--games is for tablier bench web, and must be from 1 to 800" in capsys.readouterr().err
