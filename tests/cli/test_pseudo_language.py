"""A third language needs only files: in a made-up one, everything the commands print comes from the catalogue."""

import os

import pytest
from pseudo import CODE, plain_words, write_catalogue
from terminal import tablier

GAMES = {
    "ordinary": ["--game", "trictrac", "--options", "holes_to_win=2"],
    "schools": ["--game", "trictrac", "--options", "holes_to_win=2,schools=true"],
    "scored": ["--game", "trictrac_a_ecrire", "--options", "marques=2"],
    "pig": ["--game", "pig", "--options", "win_score=20"],
    "tic_tac_toe": ["--game", "tic_tac_toe"],
}
TYPED = ["help", "rules", "moves", "hint", "undo", "why", "zz-zz", "save", "0", "1", "hold", "why", "undo"]
NOTATION = {
    "random",
    "greedy",
    "heuristic",
    "xxx",
    "ooo",
    "xx",
    "oo",
    "ox",
    "xo",
    "xox",
    "oxo",
    "xxo",
    "oox",
    "xoo",
    "oxx",
}
"""Players and rows of tic-tac-toe, which read the same in every language."""


@pytest.fixture(scope="module")
def speaking(tmp_path_factory):
    """Runs a command in the made-up language and checks that all its output comes from the catalogue."""
    folder = tmp_path_factory.mktemp("messages")
    write_catalogue(folder)

    def run(*arguments, typed=(), allowed=(), code=0):
        lines = "".join(f"{line}\n" for line in typed)
        env = {"TABLIER_MESSAGES": os.fspath(folder)}
        done = tablier(*arguments, "--lang", CODE, typed=lines, env=env)
        assert done.returncode == code, done.stderr
        shown = (done.stdout + done.stderr).replace("tablier: ", "")
        for line in typed:
            shown = shown.replace(f" > {line}\n", " > \n")
        for word in sorted((*allowed, *typed), key=len, reverse=True):
            shown = shown.replace(word, "") if word else shown
        assert [word for word in plain_words(shown) if word not in NOTATION] == []
        assert "⟦" in shown
        return done

    return run


@pytest.fixture(scope="module", params=GAMES)
def game_file(request, tmp_path_factory, speaking):
    """The file of a game that `simulate` printed and saved."""
    path = tmp_path_factory.mktemp("games") / f"{request.param}.json"
    arguments = GAMES[request.param]
    speaking(*("simulate", *arguments, "--players", "greedy", "--seed", "3", "--save", str(path)), allowed=[str(path)])
    return path


@pytest.mark.parametrize("name", GAMES)
def test_playing(name, speaking):
    speaking("play", *GAMES[name], "--against", "greedy", "--seed", "7", typed=TYPED)


def test_replaying(game_file, speaking):
    speaking("replay", str(game_file))


def test_analyzing(game_file, speaking):
    """The judge of luck rolls games out if the game has no better one, which takes long in the scored game."""
    judge = "expectimax:plies=1,eval=" + ("points" if game_file.stem == "scored" else "rollout")
    luck = ["--luck", judge] if game_file.stem == "scored" else []
    speaking("analyze", str(game_file), "--player", "greedy", "--least", "0", *luck, allowed=[judge])


@pytest.mark.parametrize("name", GAMES)
def test_simulating_many(name, speaking):
    speaking("simulate", *GAMES[name], "--games", "3")


def test_a_position(speaking):
    speaking("analyze", "//4AAAH//AAAAAABgG", "--player", "heuristic")


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (["play", "--game", "chess"], ["chess", "backgammon", "pig", "tic_tac_toe", "trictrac_a_ecrire", "trictrac"]),
        (["play", "--seat", "red"], ["white", "blanc", "black", "noir", "both", "red"]),
        (["play", "--options", "holes_to_win=0"], ["holes_to_win", "trictrac"]),
        (["play", "--options", "a=1,a=2"], []),
        (["play", "--load", "/dev/null"], ["/dev/null"]),
        (
            ["play", "--against", "genius"],
            ["genius", "human", "policy", "gumbel", "expectimax", "mcts", "champion", "level", "gnubg"],
        ),
        (["replay", "/dev/null"], ["/dev/null"]),
        (["analyze", "/" * 17 + "A"], []),
        (["simulate", "--players", "greedy,human"], []),
        (["simulate", "--games", "2", "--save", "x"], []),
    ],
)
def test_mistakes(arguments, allowed, speaking):
    speaking(*arguments, allowed=allowed, code=2)
