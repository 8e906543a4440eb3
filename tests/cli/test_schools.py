"""`tablier play`: schools, driven by typed input, and the rules shown at the prompt."""

import random
import re

import pytest
from terminal import plain, tablier

import tablier as package
from tablier.games import home_of


def test_schools_are_played_by_marking():
    typed = "4\nmoves\n1\n3\n\n2\nwhy\nquit\n"
    run = tablier("play", "--seed", "7", "--options", "schools=true", "--against", "heuristic", typed=typed)
    assert run.returncode == 0
    assert "White 5-1, how many points do you mark > 4\nWhite marks 4." in run.stdout
    assert "White, after Black's 1-2, how many points do you mark > " in run.stdout
    assert "worth" not in run.stdout.partition("why")[0], "the throw does not say what it is worth"


def test_the_end_of_a_school_is_told(tmp_path):
    saved = tmp_path / "game.txt"
    typed = f"4\n1\n0\n0\n0\n0\nwhy\nsave {saved}\n"
    arguments = ("play", "--seed", "7", "--options", "schools=true", "--against", "heuristic")
    run = tablier(*arguments, typed=typed)
    asks = "White 5-1: Black marked 0. Points missed or overmarked (Enter: none) > 0\n"
    outcome = "Black is right: White marked 4 points instead of 0. White keeps 0, and Black marks 4 for the school."
    assert f"{asks}White claims nothing. {outcome}\n" in run.stdout, "0 is nothing"
    why = "  White threw 5 and 1; fields in White's numbering:\n    White marked 4; 0 were due.\n"
    assert f"{why}    {outcome}\n" in run.stdout
    judged = tablier("analyze", str(saved), "--player", "heuristic").stdout
    assert "not rated: 9 decisions with a single right answer" in judged
    french = plain(tablier(*arguments, "--lang", "fr", typed=typed).stdout)
    assert "Blanc 5-1 : Noir a marqué 0. Points omis ou marqués en trop (Entrée : aucun) > 0" in french
    assert "Noir a raison : Blanc a marqué 4 points au lieu de 0." in french


def test_schools_claims_are_typed_as_numbers():
    game = package.load_game("trictrac", schools=True, first_throw="white")
    home, state = home_of(game), game.new_initial_state().child(13)
    assert state.action_to_string(home.read(state, "4")) == "declare 4"
    assert state.action_to_string(home.read(state, "")) == "declare 0"
    assert state.action_to_string(home.read(state, "declare 6")) == "declare 6"
    with pytest.raises(ValueError, match="points must be even"):
        home.read(state, "3")
    rng = random.Random(1)
    while "claim nothing" not in [state.action_to_string(action) for action in state.legal_actions()]:
        state.apply_action(rng.choice(state.legal_actions()))
    texts = {
        "2": "claim 2",
        "0": "claim nothing",
        "nothing": "claim nothing",
        "": "claim nothing",
        "correct": "correct it",
        "rien": "claim nothing",
    }
    for text, action in texts.items():
        assert state.action_to_string(home.read(state, text)) == action
    with pytest.raises(ValueError, match="is not a number of points"):
        home.read(state, "gibberish")


@pytest.mark.parametrize(
    ("lang", "short", "title"),
    [
        ("en", "Twelve points make a hole", "How to play Trictrac"),
        ("fr", "Douze points font un trou", "Comment jouer au trictrac"),
    ],
)
def test_the_rules_are_told_at_the_prompt(lang, short, title):
    """The installed package comes without docs/."""
    arguments = ("play", "--seed", "7", "--lang", lang, "--options", "holes_to_win=3")
    run = tablier(*arguments, typed="help\nrules\n", env={"COLUMNS": "72"})
    helped, rules = (text.splitlines() for text in run.stdout.split("5-1 > ")[1:3])
    said = " ".join(line.strip() for line in helped[:20])
    assert short in said
    assert re.search(r"\b3 holes win the game|\bgagne en 3 trous\b", said)
    assert "bredouille" in said
    assert "`tablier serve`" in said
    assert rules[2].strip() == title
    assert len(rules) > 60
    assert all(len(line) < 72 for line in helped + rules), "broken between words where the screen ends"


def test_rules_of_another_game():
    run = tablier("play", "--game", "pig", "--seed", "7", typed="rules\n")
    assert "A race with one die." in run.stdout


def test_a_hint_about_marking_is_told_in_the_language():
    words = ("play", "--options", "schools=true", "--seed", "7", "--against", "heuristic", "--lang")
    assert re.search(r"^  mark (\d+ points|nothing)$", tablier(*words, "en", typed="hint\nquit\n").stdout, re.MULTILINE)
    assert re.search(
        r"^  (marquer \d+ points|ne rien marquer)$", tablier(*words, "fr", typed="hint\nquit\n").stdout, re.MULTILINE
    )
