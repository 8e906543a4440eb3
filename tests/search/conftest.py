"""A small referee, made once for the tests that read or continue it."""

import make_referee
import pytest

from tablier import models

SMALL = ["--games", "36", "--portion", "18", "--decisions", "2", "--seed", "1", "--threads", "1"]
POLICY = f"expectimax:plies=1,net={models.network('trictrac')},by=win"
FIRST = ["--policy", POLICY, "--judges", "greedy", "--count", "10", *SMALL]


@pytest.fixture(scope="session")
def small_referee(tmp_path_factory):
    """The file of a referee, and the arguments that made it."""
    path = tmp_path_factory.mktemp("referee") / "small.npz"
    assert make_referee.main([str(path), *FIRST]) == 0
    return path, FIRST
