"""Every position of docs/rules-decisions.md plays and scores as stated there."""

import json

import pytest
from doc_examples import code_blocks

from tablier.trictrac import plays, score_throw

CASES = [json.loads(line) for block in code_blocks("rules-decisions.md", "json") for line in block.splitlines()]


def board_of(case):
    board = [0] * 24
    for side, sign in (("own", 1), ("theirs", -1)):
        for item in case[side].split():
            field, count = map(int, item.split(":"))
            board[field - 1] = sign * count
    return board


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['own']}, {case['dice']}")
def test_a_decision_is_kept(case):
    board, options = board_of(case), case.get("options", {})
    score = score_throw(board, case["dice"], **options)
    assert [score.player_points, score.opponent_points] == case["points"]
    assert score.ways() == case["jans"]
    if "legal" in case:
        after = [
            " ".join(f"{f}:{n}" for f, n in enumerate(play.board, 1) if n > 0)
            for play in plays(board, case["dice"], **options)
        ]
        assert sorted(after) == case["legal"]


def test_there_are_decisions():
    assert len(CASES) >= 20
