"""Backgammon in the terminal: a game comes from match text, a doublet is typed, and the game is saved for others."""

import subprocess
import sys

from tablier.backgammon import load_match

RECORD = """ 0 point match

 Game 1
 human : 0                      random : 0
  1) 31: 8/5 6/5                 62: 24/18 13/11
  2) 33:
"""


def play(folder, *lines, lang="en"):
    (folder / "game.mat").write_text(RECORD)
    command = [sys.executable, "-m", "tablier", "play", "--load", "game.mat", "--seed", "5", "--lang", lang]
    typed = "\n".join([*lines, ""])
    done = subprocess.run(command, cwd=folder, input=typed, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_whole_doublet_is_typed_and_the_game_saved(tmp_path):
    shown = play(tmp_path, "24/21(2) 13/10(2)", "save again.mat", "save again.sgf", "quit")
    assert "White 3-3, four moves (all at once, or two and two) > 24/21(2) 13/10(2)" in shown
    assert "White plays 24/21(2), the first half of the doublet." in shown
    assert "White plays 13/10(2)." in shown
    (mat,), (sgf,) = (load_match((tmp_path / f"again.{form}").read_text()) for form in ("mat", "sgf"))
    assert mat.actions == sgf.actions
    assert mat.header["White"] == "human"
    assert len(mat.actions) > 7


def test_half_a_doublet_leaves_the_other_half(tmp_path):
    shown = play(tmp_path, "24/21(2)", "hello", "annuler", "quitter", lang="fr")
    assert "Blanc joue 24/21(2), la première moitié du doublet." in shown
    assert "Blanc 3-3, les deux derniers coups > hello" in shown
    assert "pas un coup ; tapez 13/7" in shown.replace("\N{NO-BREAK SPACE}", " ").replace(
        "\N{NARROW NO-BREAK SPACE}", " "
    )
