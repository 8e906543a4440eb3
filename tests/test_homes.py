"""A game from outside the tree brings its own picture, messages and move input, and is played in French."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

GAME = """
from pathlib import Path

import tablier
from race import Race
from tablier.games import Home
from tablier.messages import Message, MessageError, accepted


class RaceHome(Home):
    folder = Path(__file__).parent
    key = "outside"
    lists_choices = False

    def action(self, state, action):
        if state.is_chance_node():
            return Message("outside.die", face=action + 1)
        return Message("outside.keep" if action == 0 else "outside.discard")

    def svg(self, state, lang="en", **settings):
        return "<svg xmlns='http://www.w3.org/2000/svg' data-action='0'/>"

    def prompt(self, state):
        return Message("outside.prompt", who=self.side(state.current_player()))

    def read(self, state, typed):
        for action, key in enumerate(("outside.typed.keep", "outside.typed.discard")):
            if typed.lower() in accepted(key):
                return action
        raise MessageError.of("outside.unknown", typed=typed)


class Outside(Race):
    name = "outside"
{attribute}


{registered}
"""
WAYS = {
    "argument": ("", "tablier.register(Outside, home=RaceHome)"),
    "attribute": ("    home = RaceHome", "tablier.register(Outside)"),
}
WORDS = {
    "outside.title.outside": ("Race", "Course"),
    "outside.side.0": ("Left", "Gauche"),
    "outside.side.1": ("Right", "Droite"),
    "outside.die": ("the die shows {face}", "le dé montre {face}"),
    "outside.keep": ("keep the roll", "garder le jet"),
    "outside.discard": ("discard the roll", "rejeter le jet"),
    "outside.typed.keep": (["keep"], ["garder"]),
    "outside.typed.discard": (["discard"], ["rejeter"]),
    "outside.prompt": ("{Who}, keep or discard", "{Who}, garder ou rejeter"),
    "outside.unknown": ("nobody can {typed} a roll", "on ne peut {typed} un jet"),
}
DRAWN = """
import outside, tablier
from tablier.games import home_of
from tablier.messages import everywhere

game = tablier.load_game("outside")
print(everywhere(home_of(game).title), game.new_initial_state().svg().count("data-action"))
"""


@pytest.fixture(params=WAYS)
def folder(request, tmp_path):
    """Writes the game's file, its messages, and the rules it inherits."""
    attribute, registered = WAYS[request.param]
    text = GAME.replace("{attribute}", attribute).replace("{registered}", registered)
    (tmp_path / "outside.py").write_text(text)
    shutil.copy(Path(__file__).parent / "race.py", tmp_path)
    (tmp_path / "messages").mkdir()
    for place, lang in enumerate(("en", "fr")):
        told = {key: entry[place] for key, entry in WORDS.items()}
        (tmp_path / "messages" / f"{lang}.json").write_text(json.dumps(told))
    return tmp_path


def run(folder, *command, typed=""):
    done = subprocess.run([sys.executable, *command], cwd=folder, input=typed, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_has_a_title_and_a_picture(folder):
    assert run(folder, "-c", DRAWN) == "{'en': 'Race', 'fr': 'Course'} 1\n"


def test_it_is_played_in_french(folder):
    command = ("-m", "tablier", "play", "--import", "outside.py", "--game", "outside", "--against", "random")
    typed = "jouer\ngarder\nkeep\nquitter\n"
    shown = run(folder, *command, "--seed", "1", "--lang", "fr", typed=typed)
    assert shown.startswith("Course\N{NO-BREAK SPACE}: Gauche (vous), Droite (random). Graine 1.")
    assert "Le dé montre " in shown
    assert "Gauche, garder ou rejeter > jouer\n  on ne peut jouer un jet\n" in shown
    assert shown.count("Gauche\N{NO-BREAK SPACE}: garder le jet.") == 2, "typed in either language"
