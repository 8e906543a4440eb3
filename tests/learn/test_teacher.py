"""A teacher: a trained network that plays for a learner, and whose values are the learner's bootstrap."""

import pytest
import safetensors.numpy
from killing import train, train_killed

from tablier.learn.runs.checkpoint import folder_of, steps_of
from tablier.learn.runs.files import RunError

SETTINGS = {"game": "pig", "options": "win_score=20", "net": "core", "games": 16, "moves": 8, "tensorboard": False}
LEARNER = SETTINGS | {"steps": 8, "checkpoint_every": 2, "width": 32, "blocks": 2}


@pytest.fixture
def teacher(tmp_path):
    train(tmp_path / "teacher", "td", SETTINGS | {"steps": 2, "width": 16})
    return tmp_path / "teacher" / "best.safetensors"


def last(run):
    return folder_of(run, steps_of(run)[-1])


def test_the_teacher_plays_every_step(teacher, tmp_path):
    train(tmp_path / "run", "td", LEARNER | {"teacher": str(teacher)})
    saved = safetensors.numpy.load_file(last(tmp_path / "run") / "training.safetensors")
    assert saved["acting"].tobytes() == teacher.read_bytes()


def test_the_learner_learns_other_values_than_without_a_teacher(teacher, tmp_path):
    train(tmp_path / "taught", "td", LEARNER | {"teacher": str(teacher)})
    train(tmp_path / "alone", "td", LEARNER)
    taught, alone = (last(tmp_path / name) / "weights.safetensors" for name in ("taught", "alone"))
    assert taught.read_bytes() != alone.read_bytes()


def test_a_run_with_a_teacher_that_is_killed_ends_with_the_same_weights(teacher, tmp_path):
    settings = LEARNER | {"teacher": str(teacher)}
    train(tmp_path / "whole", "td", settings)
    assert train_killed(tmp_path / "killed", "td", settings, seed=1, most=2) == 2
    ends = [last(tmp_path / name) / "weights.safetensors" for name in ("whole", "killed")]
    assert ends[0].read_bytes() == ends[1].read_bytes()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"game": "tic_tac_toe", "options": ""}, "tic_tac_toe"),
        ({"net": "mlp"}, "only a core network"),
        ({"teacher": "none.safetensors"}, "none.safetensors"),
    ],
    ids=["another game", "mlp", "missing"],
)
def test_a_teacher_that_cannot_play_is_refused_before_anything_is_written(teacher, tmp_path, changes, why):
    with pytest.raises(RunError, match=why):
        train(tmp_path / "run", "td", LEARNER | {"teacher": str(teacher)} | changes)
    assert not (tmp_path / "run").exists()
