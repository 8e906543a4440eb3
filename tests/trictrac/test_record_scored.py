"""Records of scored games, of three players, and of fillings made after a claim."""

import random

import careful
import pytest

import tablier
from tablier.games.trictrac.record import Record, RecordError, replay


@pytest.mark.parametrize(
    "options",
    [
        {"marques": 2},
        {"marques": 4, "refait_consolation": "linear", "next_marque_first": "winner", "bets": False},
        {"marques": 2, "first_throw": "white", "explicit_roll": True, "last_throw_carries_over": True, "final_tail": 5},
        {"marques": 3, "players": 3},
        {"marques": 2, "schools": True},
        {"marques": 3, "players": 3, "schools": True, "fill_school": "double"},
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_a_scored_game_is_written_and_read_back(options, seed):
    game = tablier.load_game("trictrac_a_ecrire", **options)
    actions, (*_, state) = careful.play(game, random.Random(seed), leaver=0.5)
    record = Record.from_actions(game, actions)
    text = record.text()
    assert text.endswith(f"tokens {' '.join(str(int(tokens)) for tokens in state.returns())}\n")
    assert text.count(" wins\n") == options["marques"]
    assert replay(text).final_state() == state
    assert Record.from_json(record.json()).final_state() == state
    swapped = text.replace("White wins", "Black wins", 1) if "White wins" in text else text.replace("Black", "White", 1)
    with pytest.raises(RecordError):
        replay(swapped)


def test_three_players_are_told_with_their_seats():
    game = tablier.load_game("trictrac_a_ecrire", players=3, marques=3)
    text = Record.from_actions(game, careful.play(game, random.Random(2), leaver=0.5)[0]).text()
    assert [line for line in text.splitlines() if "is White" in line] == [
        "marqué 1, player 0 is White, player 1 is Black",
        "marqué 2, player 1 is White, player 2 is Black",
        "marqué 3, player 2 is White, player 0 is Black",
    ]
    with pytest.raises(RecordError, match="the rules require"):
        replay(text.replace("player 1 is White", "player 2 is White"))


def games_with_neglected_fillings():
    game = tablier.load_game("trictrac", schools=True, holes_to_win=40)
    for seed in range(8):
        record = Record.from_actions(game, careful.play(game, random.Random(seed))[0])
        if "has it filled" in record.text():
            yield record


def test_a_filling_made_after_all_is_written_and_read_back():
    """The claimant decides right after their claim; the mover's second move follows all claims."""
    for record in games_with_neglected_fillings():
        assert replay(record.text()) == Record.from_json(record.json()) == record
        line = next(line for line in record.text().splitlines() if "has it filled" in line)
        mover, other = ("White", "Black") if " White " in line.partition(":")[0] else ("Black", "White")
        fields = line.partition(": ")[2].split(" | ")
        decided = fields.index(f"{other} has it filled")
        assert fields[decided - 1] == f"{other} corrects" or fields[decided - 1].startswith(f"{other} claims ")
        assert fields[decided + 1].startswith(("claims", "corrects"))
        assert "-" in fields[decided + 2]
        assert mover not in "".join(fields)


def test_a_decision_that_was_not_open_is_refused():
    record = next(games_with_neglected_fillings())
    for change in (("has it filled", "fills it"), ("has it filled", "claims 4"), (" has it filled | ", " | ")):
        with pytest.raises(RecordError):
            replay(record.text().replace(*change, 1))
    stands = record.text().replace("has it filled", "lets it stand", 1)
    with pytest.raises(RecordError):  # because a second move follows in the record
        replay(stands)


def test_a_record_may_stop_before_the_filling():
    record = next(games_with_neglected_fillings())
    at = record.actions.index(643)
    for end in range(at - 3, at + 4):
        cut = Record.from_actions(tablier.load_game(record.game, **record.options), record.actions[:end])
        assert replay(cut.text()) == Record.from_json(cut.json()) == cut
