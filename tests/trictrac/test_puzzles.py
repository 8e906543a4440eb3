"""The puzzles: every answer is the engine's or the referee's, and the tool makes the same file again."""

import base64
import importlib.util
import json
import random
from pathlib import Path

import pytest

from tablier._core import trictrac
from tablier.analysis.referee import Referee
from tablier.games import home_of
from tablier.games.trictrac import puzzles
from tablier.games.trictrac.lessons.drawn import board
from tablier.messages import languages, render
from tablier.registry import load_game
from tablier.trictrac import score_throw

GAME = load_game("trictrac")
HOME = home_of(GAME)
ROWS = puzzles.raw()
SETS = {one.name: one.puzzles for one in HOME.puzzles()}
ROOT = Path(__file__).parents[2]
VECTORS = {
    one["id"]: one for one in map(json.loads, Path(__file__).with_name("vectors.jsonl").read_text().splitlines())
}


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("make_puzzles", ROOT / "tools" / "make_puzzles.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def referee():
    found = Referee.read(HOME.referee())
    return {base64.b64encode(case.state.serialize()).decode(): case for case in found.cases}


def test_there_are_puzzles_of_every_kind_and_level():
    assert list(SETS) == ["count", "play", "leave", "book"]
    for name, found in SETS.items():
        levels = [puzzle.level for puzzle in found]
        assert set(levels) == {1, 2, 3}, name
        assert levels == sorted(levels), name
    names = [puzzle.name for found in SETS.values() for puzzle in found]
    assert len(names) == len(set(names)) > 200


@pytest.mark.parametrize("kind", ["count", "book"])
def test_throws_are_counted_by_the_engine(kind):
    for row, puzzle in zip(ROWS[kind], SETS[kind], strict=True):
        one = puzzle.exercise()
        score = score_throw(board(row["board"]), row["dice"])
        assert one.right == {score.player_points}
        assert sum(jan["points"] for jan in one.thrown["jans"] if jan["player"] == 0) == score.player_points
        assert score.player_points in one.options


def test_book_positions_are_those_of_the_books():
    for row in ROWS["book"]:
        printed = VECTORS[row["id"]]
        assert (board(row["board"]), row["dice"]) == (printed["board"], printed["dice"])
        year = row["source"].partition("(")[2].partition(")")[0]
        assert year in printed["source"], row["source"]
        assert printed["source"].startswith(row["source"].partition(",")[0])
        wanted = printed["expect"].get("player_points")
        assert wanted in (None, score_throw(board(row["board"]), row["dice"]).player_points)


def test_plays_and_choices_are_as_the_referee_rolled_them_out(referee):
    for kind in ("play", "leave"):
        for row, puzzle in zip(ROWS[kind], SETS[kind], strict=True):
            one, case = puzzle.exercise(), referee[row["state"]]
            best = min(case.losses, key=lambda action: case.losses[action][0])
            if kind == "play":
                assert set(one.losses) == set(one.state.legal_actions())
                assert one.right == {best}
            else:
                assert one.right == {int(best == trictrac.LEAVE)}
                assert case.losses[one.actions[0]][0] == min(
                    loss for action, (loss, _) in case.losses.items() if action != trictrac.LEAVE
                )
            worst = min(loss for answer, loss in one.losses.items() if answer not in one.right)
            assert worst >= 0.03


def test_the_same_seed_makes_the_same_puzzles(tool):
    made = tool.select(tool.throws_to_count(1), tool.EACH["count"], random.Random(1))
    assert made == ROWS["count"]


def test_every_puzzle_can_be_asked_in_every_language():
    for found in SETS.values():
        for puzzle in found:
            one = puzzle.exercise()
            for lang in languages():
                assert render(one.ask, lang)


def test_the_scored_game_has_none():
    assert not home_of(load_game("trictrac_a_ecrire")).puzzles()
