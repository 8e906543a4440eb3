"""`tablier play --load`: a saved game resumes as if it had never been interrupted."""

import re

import pytest
from terminal import tablier

import tablier as package
from tablier import records
from tablier.cli import main

THROWS = r"(?:White|Black) throws \d and \d"


def test_a_loaded_game_is_the_unbroken_one(tmp_path):
    """Seat, opponent and dice come from the record, so reloading cannot bring better luck."""
    begun = ("play", "--seed", "7", "--seat", "black", "--against", "greedy")
    unbroken = tablier(*begun, typed="1\n1\n1\n1\n").stdout
    saved = tmp_path / "game.txt"
    left = tablier(*begun, typed=f"1\n1\nsave {saved}\n").stdout
    assert '[Seed "7"]' in saved.read_text()
    for _ in range(2):
        gone_on = tablier("play", "--load", str(saved), typed="1\n1\n")
        assert gone_on.stdout.startswith("Trictrac: White (greedy), Black (you). Seed 7.")
        before, after = (re.findall(THROWS, text) for text in (left, gone_on.stdout))
        assert after
        assert re.findall(THROWS, unbroken) == before + after


def test_what_the_command_line_says_goes_first(tmp_path):
    saved = tmp_path / "game.txt"
    tablier("play", "--seed", "7", "--seat", "black", "--against", "greedy", typed=f"1\nsave {saved}\n")

    def first_line(*arguments):
        run = tablier("play", "--load", str(saved), *arguments, typed="")
        assert run.returncode == 0, run.stderr
        return run.stdout.partition(" `help`")[0]

    assert first_line("--against", "heuristic") == "Trictrac: White (heuristic), Black (you). Seed 7."
    assert first_line("--seat", "white") == "Trictrac: White (you), Black (greedy). Seed 7."
    assert first_line("--seat", "both") == "Trictrac: White (you), Black (you). Seed 7."
    assert first_line("--against", "human") == "Trictrac: White (you), Black (you). Seed 7."
    assert first_line("--seed", "8") == "Trictrac: White (greedy), Black (you). Seed 8."


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ({"White": "heuristic", "Black": "greedy", "Seed": "3"}, "White (you), Black (greedy). Seed 3."),
        ({"White": "vous", "Black": "random", "Seed": "3"}, "White (you), Black (random). Seed 3."),
        ({"White": "you", "Black": "vous", "Seed": "3"}, "White (you), Black (you). Seed 3."),
        ({"Seed": "3"}, "White (you), Black (champion). Seed 3."),
    ],
)
def test_who_sits_where(header, line, tmp_path):
    saved = tmp_path / "game.txt"
    saved.write_text(records.dump(package.load_game("trictrac"), [13], header))
    assert tablier("play", "--load", str(saved)).stdout.startswith(f"Trictrac: {line}")


def test_other_games_are_gone_on_with_too(tmp_path):
    saved = tmp_path / "pig.json"
    tablier("play", "--game", "pig", "--seat", "1", "--against", "greedy", "--seed", "2", typed=f"save {saved}\n")
    assert records.load_header(saved.read_text())[2]["Player0"] == "greedy"
    run = tablier("play", "--load", str(saved))
    assert run.stdout.startswith("Pig: Player 1 (greedy), Player 2 (you). Seed 2.")


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ({"Black": "Bob"}, "the record's Black 'Bob' is not a valid player: no player is called 'Bob'"),
        ({"Black": "gumbel:net=/nonexistent"}, "the record's Black 'gumbel:net=/nonexistent' is not a valid player: "),
        ({"Seed": "many"}, "the record's Seed must be a whole number from 0 to 9007199254740992, not 'many'"),
    ],
)
def test_a_header_that_does_not_serve_is_told_in_a_line(header, words, tmp_path, capsys):
    saved = tmp_path / "game.txt"
    saved.write_text(records.dump(package.load_game("trictrac"), [13], header))
    assert main(["play", "--load", str(saved)]) == 2
    out, errors = capsys.readouterr()
    assert out == ""
    assert errors.startswith(f"tablier: {words}")
    assert errors.endswith(f"; --{'seed' if 'Seed' in header else 'against'} overrides it\n")
    assert errors.count("\n") == 1


def test_another_game_of_the_same_length_is_not_the_saved_one(tmp_path):
    saved = tmp_path / "game.json"
    words = ("play", "--game", "tic_tac_toe", "--seat", "both")
    assert "it was not saved." in tablier(*words, typed=f"0\n1\nsave {saved}\nundo\n2\nquit\n").stdout
    assert "it was not saved." not in tablier(*words, typed=f"0\n1\nsave {tmp_path / 'other.json'}\nquit\n").stdout
