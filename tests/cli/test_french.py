"""Every command that narrates games speaks French with --lang fr or under a French locale."""

import re

import pytest
from terminal import plain, tablier

from tablier import records
from tablier.cli import main

MISTAKES = {
    "1-9": "ce coup n'est pas permis avec 5 et 1 ; `coups` affiche les coups permis",
    "1-6": "un seul nombre est joué",
    "2-3 1-6": "vous n'avez pas de dame sur la flèche 2",
    "passe": "ce coup peut se jouer : vous devez le jouer",
    "puissance": "ce coup ne permet pas de prendre le coin par puissance",
    "x-y": "« x-y » n'est pas un coup",
    "": "tapez un coup par ses flèches",
    "annuler x": "`annuler` attend un nombre supérieur ou égal à 1, et non « x »",
}


def test_a_wrong_move_is_told_in_french():
    run = tablier("play", "--seed", "7", "--lang", "fr", typed="".join(f"{text}\n" for text in MISTAKES))
    answers = [given.splitlines()[1] for given in plain(run.stdout).split("Blanc 5-1 >")[1:]]
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
        return plain(run.stdout)

    told = french("simulate", "--seed", "5", "--options", "holes_to_win=2", "--players", "greedy")
    assert "Tirage : Blanc" in told
    assert re.search(r"gagne, \d trous? à \d\. Retours : ", told)
    assert "20 parties de Trictrac : random, random\n" in french("simulate", "--games", "20")
    judged = french("analyze", game_file)
    assert re.search(r"Trictrac : \d+ décisions à plusieurs choix, analyse par champion", judged)
    assert re.search(r"coup \d+, (Blanc|Noir) a joué .*, ce qui coûte \d", judged)
    assert "C'est à Blanc de jeter les dés, avec " in french("analyze", "//4AAAH//AAAAAABgG", "--player", "heuristic")
    assert re.match(r"Trictrac, .*: \d+ étapes\n", french("replay", game_file, "--to", "2"))
    assert "Graine 7" in french("play", "--seed", "7", "--against", "random")


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("pig", ("Cochon", "Une course avec un seul dé.", "0 lance le dé, 1 garde.")),
        ("tic_tac_toe", ("Morpion", "une grille de 3 sur 3", "3 * ligne + colonne")),
        ("trictrac", ("Trictrac", "Douze points font un trou", "La partie se gagne en 12 trous.", "c1 et c2")),
    ],
)
def test_the_rules_and_the_numbers_of_actions(game, words):
    shown = plain(tablier("games", game, "--lang", "fr").stdout)
    assert [one for one in words if one not in shown] == []
    assert not re.search(r"Actions: |chance node|points wins", shown)


def test_the_table_of_a_hint():
    run = tablier("play", "--game", "pig", "--lang", "fr", "--seed", "2", "--against", "greedy", typed="conseil\n")
    assert re.search(r"coup +chances de gain\n", run.stdout)


def test_numbers_are_written_as_in_french(tmp_path, capsys, monkeypatch, game_file):
    monkeypatch.chdir(tmp_path)
    short = ["--options", "holes_to_win=1", "--games", "4"]
    commands = {
        "analyze": [game_file, "--player", "heuristic"],
        "simulate": ["--games", "5"],
        "match": ["heuristic", "greedy", *short, "--processes", "1", "--judge", "heuristic"],
        "arena": ["test.sqlite", "random", "greedy", *short, "--workers", "1", "--sprt", "0.5,0.6"],
        "ladder": ["test.sqlite"],
    }
    for name, arguments in commands.items():
        main([name, *arguments, "--lang", "fr"])
        shown = capsys.readouterr().out
        assert re.search(r"\d,\d\xa0%", shown), name
        assert not re.search(r"\d\.\d|\d%", shown), name


def test_one_is_not_many(tmp_path, capsys):
    path = tmp_path / "game.json"
    path.write_text('{"game": "tic_tac_toe", "options": {}, "actions": [4]}')
    assert main(["analyze", str(path)]) == 0
    assert capsys.readouterr().out.startswith("Tic-tac-toe: 1 decision with a choice, rated by ")
    assert main(["replay", str(path)]) == 0
    assert capsys.readouterr().out.startswith("Tic-tac-toe: 1 step\n")
    assert records.load(path.read_text())[1] == (4,)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["play", "--game", "chess"], "jeu inconnu : « chess »"),
        (["play", "--seat", "rouge"], "white, blanc, black, noir, both, et non « rouge »"),
        (["play", "--load", "/nonexistent"], "impossible de lire /nonexistent"),
        (["replay", __file__], "un fichier de partie commence par [Game"),
        (["analyze", "/" * 17 + "A"], "l'identifiant s'arrête au milieu du tablier"),
        (["simulate", "--players", "random,random,random"], "trictrac a 2 joueurs ; --players en nomme 3"),
        (["simulate", "--games", "5", "--save", "x"], "--save n'enregistre qu'une partie"),
        (["simulate", "--options", "a=1,a=2"], "l'option « a » est donnée deux fois"),
    ],
)
def test_mistakes_are_told_in_french(arguments, words, capsys):
    assert main([*arguments, "--lang", "fr"]) == 2
    out, errors = capsys.readouterr()
    assert out == ""
    assert words in plain(errors)
