"""Follows docs/adding-a-game.md to the letter: a user's game with a picture and French messages."""

import subprocess
import sys

import pytest
from doc_examples import DOCS, code_blocks

SHOWN = """
import coin_race_home, tablier
from tablier.games import home_of
from tablier.messages import render
game = tablier.load_game("coin_race", goal=4)
state = game.new_initial_state()
home = home_of(game)
print(render(home.title, "fr"), "|", render(home.action(state, 2), "en"), "|", render(home.describe(state), "fr"))
print(state.svg().count("data-action"), state._repr_svg_() == state.svg())
"""


@pytest.fixture
def folder(tmp_path):
    """Writes the page's files where it says they go."""
    game, _, home = code_blocks("adding-a-game.md", "python")[:3]
    english, french = code_blocks("adding-a-game.md", "json")
    (tmp_path / "messages").mkdir()
    for name, text in {
        "coin_race.py": game,
        "coin_race_home.py": home,
        "messages/en.json": english,
        "messages/fr.json": french,
    }.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def run(folder, *command, typed=""):
    done = subprocess.run([sys.executable, *command], cwd=folder, input=typed, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_drawn_and_speaks_french(folder):
    title, picture = run(folder, "-c", SHOWN).splitlines()
    assert title == "Course à la pièce | stake 3 steps | Le joueur 1 a fait 0 pas, le joueur 2 en a fait 0."
    assert picture == "3 True"


def test_it_is_played_in_french(folder):
    lines = (DOCS / "adding-a-game.md").read_text().splitlines()
    command = next(line.split()[1:] for line in lines if line.startswith("tablier play"))
    shown = run(folder, "-m", "tablier", *command, "--seed", "1", typed="0\nquitter\n")
    assert "Course à la pièce" in shown
    assert "miser 1 pas" in shown
    assert "\n   Le joueur 1 a fait 0 pas, le joueur 2 en a fait 0.\n" in shown


def test_its_rules_are_explained_in_french(folder):
    shown = run(folder, "-m", "tablier", "games", "coin_race", "--lang", "fr", "--import", "coin_race_home.py")
    text = " ".join(shown.split())  # lines may wrap anywhere
    assert text.startswith("coin_race : Course à la pièce, 2 joueurs")
    assert text.endswith("Face vous fait avancer d'autant, pile reculer d'un pas.")
