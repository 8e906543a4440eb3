"""All commands that tell games speak French: with --lang fr, or by a French locale."""

import re

import pytest
from terminal import tablier

from tablier import records
from tablier.cli import main

MISTAKES = {
    "1-9": "ce coup n'est pas permis par 5 et 1 ; `coups` donne la liste",
    "1-6": "c'est un seul nombre",
    "2-3 1-6": "vous n'avez pas de dame à la case 2",
    "passe": "on peut jouer, donc on le doit",
    "puissance": "ce coup ne permet pas de prendre son coin par puissance",
    "x-y": "« x-y » n'est pas un coup",
    "": "un coup se dit par des cases",
    "annuler x": "`annuler` demande un nombre à partir de 1, non « x »",
}


def test_a_wrong_move_is_told_in_french():
    run = tablier("play", "--seed", "7", "--lang", "fr", typed="".join(f"{text}\n" for text in MISTAKES))
    answers = [given.splitlines()[1] for given in run.stdout.split("Blanc 5-1 >")[1:]]
    for answer, given in zip(MISTAKES.values(), answers, strict=True):
        assert given.startswith(f"  {answer}")


@pytest.fixture(scope="module")
def game_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("records") / "partie.txt"
    tablier("simulate", "--seed", "5", "--options", "holes_to_win=2", "--players", "greedy", "--save", str(path))
    return str(path)


@pytest.mark.parametrize("surroundings", ["option", "locale"])
def test_every_command_that_tells_games(surroundings, game_file):
    def french(*arguments):
        if surroundings == "option":
            run = tablier(*arguments, "--lang", "fr")
        else:
            run = tablier(*arguments, env={"LC_ALL": "fr_FR.UTF-8"})
        assert run.returncode == 0, run.stderr
        assert not re.search(r"White|Black|throws|decisions|mistake|Returns|played|wins", run.stdout)
        return run.stdout

    told = french("simulate", "--seed", "5", "--options", "holes_to_win=2", "--players", "greedy")
    assert "On tire : Blanc" in told
    assert re.search(r"gagne, \d trous? à \d\. Retours : ", told)
    assert "20 parties de Trictrac : random, random\n" in french("simulate", "--games", "20")
    judged = french("analyze", game_file)
    assert re.search(r"Trictrac : \d+ décisions avec un choix, au jugement de expectimax", judged)
    assert re.search(r"coup \d+, (Blanc|Noir) a joué .*, ce qui coûte \d", judged)
    assert "Blanc va jeter les dés, et gagne " in french("analyze", "//4AAAH//AAAAAABgG", "--player", "heuristic")
    assert re.match(r"Trictrac, .*: \d+ étapes\n", french("replay", game_file, "--to", "2"))
    assert "Graine 7" in french("play", "--seed", "7", "--against", "random")


def test_the_table_of_a_hint():
    run = tablier("play", "--game", "pig", "--lang", "fr", "--seed", "2", "--against", "greedy", typed="conseil\n")
    assert re.search(r"coup +gagne +visites +a priori\n", run.stdout)


def test_one_is_not_many(tmp_path, capsys):
    path = tmp_path / "game.json"
    path.write_text('{"game": "tic_tac_toe", "options": {}, "actions": [4]}')
    assert main(["analyze", str(path)]) == 0
    assert capsys.readouterr().out.startswith("Tic-tac-toe: 1 decision with a choice, judged by ")
    assert main(["replay", str(path)]) == 0
    assert capsys.readouterr().out.startswith("Tic-tac-toe: 1 step\n")
    assert records.load(path.read_text())[1] == (4,)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["play", "--game", "chess"], "aucun jeu ne s'appelle « chess »"),
        (["play", "--seat", "rouge"], "--seat est l'un de 0, 1, white, blanc, black, noir, both, non « rouge »"),
        (["play", "--load", "/nonexistent"], "/nonexistent ne peut être lu"),
        (["replay", __file__], "une partie écrite commence par [Game"),
        (["analyze", "/" * 17 + "A"], "l'identifiant s'interrompt au milieu du tablier"),
        (["simulate", "--players", "random,random,random"], "trictrac a 2 joueurs ; --players en nomme 3"),
        (["simulate", "--games", "5", "--save", "x"], "--save garde une seule partie"),
        (["simulate", "--options", "a=1,a=2"], "l'option « a » est donnée deux fois"),
    ],
)
def test_mistakes_are_told_in_french(arguments, words, capsys):
    assert main([*arguments, "--lang", "fr"]) == 2
    out, errors = capsys.readouterr()
    assert out == ""
    assert words in errors
