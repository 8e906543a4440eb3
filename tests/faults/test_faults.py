"""Kills, torn writes, full disks and damaged files: a few of those that `make faults` tries by the hundred."""

import random

import pytest
from damage import files_below, spoil_run, spoil_tables, spoil_tournament
from tables import Tables
from tournaments import Tournament
from training import SETTINGS, Training
from workshop import FAIL, FULL, KILL, TEAR, Workshop


@pytest.fixture(scope="module")
def workshop(tmp_path_factory):
    with Workshop(tmp_path_factory.mktemp("logs")) as found:
        yield found


@pytest.mark.parametrize("algorithm", SETTINGS)
@pytest.mark.slow
def test_a_run_ends_with_the_same_weights_whatever_happens(algorithm, workshop, tmp_path):
    training = Training(workshop, algorithm, tmp_path / algorithm)
    draw = random.Random(algorithm)
    faults = [(draw.randint(1, training.operations), how) for how in draw.sample((KILL, TEAR, FULL, FAIL), 2)]
    assert training.disturb("run", faults) > 0
    file = draw.choice(files_below(training.whole))
    assert spoil_run(training, file, tmp_path / "spoilt", draw) in ("resumed", "refused")


def test_a_tournament_keeps_its_games(workshop, tmp_path):
    tournament = Tournament(workshop, tmp_path / "arena")
    draw = random.Random(1)
    for number in range(2):
        faults = [(draw.randint(1, tournament.operations), how) for how in (KILL, TEAR, FULL, FAIL)]
        assert tournament.disturb(f"{number}", faults) > 0
        assert spoil_tournament(workshop, tournament.path, tmp_path / "spoilt", draw) in ("resumed", "refused")


def test_a_server_keeps_the_moves_that_it_answered(workshop, tmp_path):
    tables = Tables(workshop, tmp_path / "tables")
    assert tables.disturb("early", [(5, KILL), (12, TEAR)]) == 2
    assert tables.disturb("late", [(30, KILL), (25, FULL), (20, FAIL)]) == 3
    assert tables.acknowledged > 5


def test_a_server_answers_on_a_damaged_file(workshop, tmp_path):
    whole, table = Tables(workshop, tmp_path / "tables").store("stored")
    draw = random.Random(1)
    for _ in range(3):
        assert spoil_tables(workshop, whole, table, tmp_path / "spoilt", draw) in ("resumed", "refused")
