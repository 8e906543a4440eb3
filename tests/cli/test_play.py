"""`tablier play`, driven by typed input."""

import re

import pytest
from terminal import Terminal, plain, tablier

import tablier as package
from tablier import records
from tablier._core import trictrac
from tablier.cli import main
from tablier.cli.terminal.ongoing_game import OngoingGame
from tablier.players import make_player


def lines_of_a_whole_game(seed, options, against, words=()):
    """Returns the input of a player who always takes the first play, with extra commands on the way, and the game."""
    game = package.load_game("trictrac", **options)
    table = OngoingGame(game, [None, make_player(against, game, seed=seed + 1)], seed)
    typed, asked = [], list(words)
    while not table.state.is_terminal():
        state = table.state
        if state.is_chance_node():
            table.play(table.throw())
            continue
        player, legal = table.players[state.current_player()], state.legal_actions()
        if player is not None:
            table.play(player.choose(state))
        elif len(legal) == 1:
            table.play(legal[0])
        else:
            moves = [action for action in legal if action != 1]
            typed += [*(asked.pop(0) if asked else []), state.action_to_string(moves[0])]
            table.play(moves[0])
    return typed, table


def test_a_whole_game_then_replay_and_analyze(tmp_path):
    saved = tmp_path / "game.txt"
    words = [["help", "moves", "hint", "why"], [], ["undo", "1"], ["board"], [], ["why"], [], ["why 2"]]
    typed, table = lines_of_a_whole_game(11, {"holes_to_win": 2}, "heuristic", words)
    typed[typed.index("undo") + 1] = "#1"  # the move `lines_of_a_whole_game` plays too
    run = tablier(
        *("play", "--seed", "11", "--against", "heuristic", "--options", "holes_to_win=2"),
        typed="\n".join([*typed, "why", f"save {saved}", ""]) + "\n",
    )
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    assert "Back to your last decision. The dice stay the same" in run.stdout
    assert re.search(r"move +win chance\n  \S+.* \d\d\.\d%", run.stdout), "the hint"
    assert re.search(r"(White|Black) \d+: [A-Z].*\.\n", run.stdout), "why, jan by jan"
    assert "wins the game" in run.stdout
    game, actions = records.load(saved.read_text())
    assert game == table.game
    assert list(actions) == table.actions, "the same dice and the same moves, for all the talk between"

    replayed = tablier("replay", str(saved))
    assert replayed.returncode == 0
    moves = sum(not state.is_chance_node() for state in table.states[:-1])
    ends_on_dice = table.states[-2].is_chance_node()
    assert replayed.stdout.count("+-------------------++") == 2 * (1 + moves + ends_on_dice)
    assert "wins the game" in replayed.stdout

    judged = tablier("analyze", str(saved), "--top", "3")
    assert judged.returncode == 0
    assert "White (human): " in judged.stdout
    assert "Black (heuristic): " in judged.stdout
    assert judged.stdout.count("which costs") == 3


def test_the_dice_stay_the_same_after_undo():
    run = tablier("play", "--seed", "3", "--against", "heuristic", typed="1\nundo\n2\nquit\n")
    first, _, second = run.stdout.partition("Back to your last decision")
    assert (
        re.findall(r"(?:White|Black) throws \d and \d", first)[:2]
        == re.findall(r"(?:White|Black) throws \d and \d", second)[:2]
    )
    assert len(re.findall(r"throws", second)) == 2


def test_dice_of_a_record_stay_after_undo():
    game = package.load_game("pig")
    table = OngoingGame(game, [None, None], seed=99, actions=[0, 3, 0, 4, 1])
    assert table.undo()
    assert table.undo()
    assert table.actions == [0, 3]
    table.play(0)
    assert table.throw() == 4, "whatever the seed says"


MISTAKES = [
    ("1-9", "that is not a legal move with 5 and 1; `moves` lists the legal ones"),
    ("1-6", "that plays one number; add where the other one goes"),
    ("2-3 1-6", "you have no man on field 2"),
    ("99", "a single number picks a move listed by `moves`, 1 to 2"),
    ("leave", "you can leave only after winning a hole with your own throw"),
    ("hold", "there is no choice between holding and leaving now"),
    ("pass", "you can play this throw, so you must"),
    ("power", "the corner cannot be taken by power"),
    ("x-y", "'x-y' is not a move"),
    ("", "type a move by its fields"),
    ("save", "save needs a file name"),
    ("undo", "you have no decision to undo"),
    ("undo x", "`undo` takes a number of 1 or more, not 'x'"),
    ("undo 0", "`undo` takes a number of 1 or more, not '0'"),
    ("undo 2", "you have no decision to undo"),
    ("why", "no points have been marked yet"),
    ("save /nonexistent/folder/game.txt", "/nonexistent/folder/game.txt: No such file or directory"),
    ("save ~nosuchuser/game.txt", "~nosuchuser/game.txt: Could not determine home directory."),
    (f"save {'x' * 300}", ": File name too long"),
]
"""What is typed at the first throw, 5 and 1, and the reply."""


def test_what_cannot_be_done_is_told_in_a_line():
    run = tablier("play", "--seed", "7", typed="".join(f"{text}\n" for text, _ in MISTAKES))
    assert run.returncode == 0
    answers = run.stdout.split("White 5-1 >")[1:]
    assert len(answers) == len(MISTAKES)
    for (text, answer), given in zip(MISTAKES, answers, strict=True):
        typed, *lines = given.splitlines()
        assert typed.strip() == text
        assert answer in lines[0]


def test_undo_goes_back_by_as_many_decisions_as_one_says():
    run = tablier("play", "--seed", "7", "--against", "heuristic", typed="1\n1\n1\nundo 9\nundo 3\nmoves\n")
    assert "only 3 of your decisions can be undone, not 9\n" in run.stdout
    assert "Took back your last 3 decisions. The dice stay the same" in run.stdout
    assert run.stdout.splitlines()[-5].startswith("White 5-1 > moves"), "the first throw again"


def test_why_beyond_the_first_points_says_so():
    """Takes the first play until points are first marked, so that there is one throw to explain."""
    table = lines_of_a_whole_game(11, {"holes_to_win": 2}, "heuristic")[1]
    typed = []
    for index, state in enumerate(table.states[:-1]):
        if state.current_player() == 0 and len(state.legal_actions()) > 1:
            if any(any(trictrac.parts(one).points) for one in table.states[: index + 1]):
                break
            typed.append(state.action_to_string(table.actions[index]))
    run = tablier(
        *("play", "--seed", "11", "--against", "heuristic", "--options", "holes_to_win=2"),
        typed="\n".join([*typed, "why x", "why 99", "why 1"]) + "\n",
    )
    complaints, explained = run.stdout.partition(" > why x\n")[2].split(" > why 1\n")
    assert complaints.startswith("  `why` takes a number of 1 or more, not 'x'\n")
    assert re.search(r"why 99\n  no earlier throw scored points; `why \d` shows the first that did\n", complaints)
    assert re.match(r"  (White|Black) threw \d and \d; ", explained)


@pytest.mark.parametrize("typed", ["quit\n", ""])
def test_a_game_that_is_left_is_not_told_how_it_could_be_saved(typed):
    run = tablier("play", "--seed", "7", "--against", "random", typed=typed)
    assert run.stdout.endswith("The game is not over, and it was not saved.\n")


def test_a_file_that_exists_is_not_overwritten(tmp_path):
    there = tmp_path / "there.txt"
    there.write_text("dear diary")
    mine = tmp_path / "mine.txt"
    typed = f"save {there}\nsave {mine}\n1\nsave {mine}\nquit\n"
    run = tablier("play", "--seed", "7", "--against", "random", typed=typed)
    assert f"{there} already exists" in run.stdout
    assert there.read_text() == "dear diary"
    assert len(records.load(mine.read_text())[1]) > 3, "its own file it may write again"
    assert "Goodbye." in run.stdout


def test_a_saved_game_goes_on(tmp_path):
    saved = tmp_path / "game.json"
    tablier("play", "--seed", "7", "--against", "heuristic", typed=f"1\n1\nsave {saved}\nquit\n")
    before = records.load(saved.read_text())[1]
    run = tablier(
        "play", "--load", str(saved), "--against", "heuristic", "--seed", "1", typed=f"undo\n2\nsave {saved}2\n"
    )
    assert run.returncode == 0, run.stderr
    after = records.load((tmp_path / "game.json2").read_text())[1]
    assert before[:3] == after[:3]
    assert run.stdout.count("Back to your last decision") == 1


def test_black_sees_the_board_from_his_side():
    run = tablier("play", "--seed", "7", "--seat", "black", "--against", "heuristic", typed="quit\n")
    talons = re.findall(r"([xo]) \|$", run.stdout, re.MULTILINE)
    assert (talons[0], talons[-1]) == ("x", "o"), "White's talon lies above, at 24"
    assert "In your numbering: 24-19 24-23." in run.stdout


def test_hold_and_leave():
    """Tries seeds until the player gets to choose, then types both answers."""
    game = package.load_game("trictrac", holes_to_win=3)
    for seed in range(200):
        typed, table = lines_of_a_whole_game(seed, {"holes_to_win": 3}, "random")
        choices = [
            (index, state)
            for index, state in enumerate(table.states)
            if state.current_player() == 0 and 1 in state.legal_actions() and len(state.legal_actions()) > 1
        ]
        if choices:
            break
    index, _ = choices[0]
    before = sum(state.current_player() == 0 and len(state.legal_actions()) > 1 for state in table.states[:index])
    run = tablier(
        *("play", "--seed", str(seed), "--against", "random", "--options", "holes_to_win=3"),
        typed="\n".join([*typed[:before], "moves", "hold", "leave"]) + "\n",
    )
    assert game.options()["holes_to_win"] == 3
    assert ", hold or leave > hold\n  you hold; now type your move" in run.stdout
    assert "leave  new setting: points are cleared, you throw first" in run.stdout
    assert "White leaves: a new setting." in run.stdout


def test_pig_to_the_end(tmp_path):
    saved = tmp_path / "pig.json"
    typed = "roll\nhold\n" * 200
    run = tablier(
        "play", "--game", "pig", "--options", "win_score=30", "--against", "greedy", "--seed", "2", typed=typed
    )
    assert run.returncode == 0
    assert re.search(r"Player [12] wins\.", run.stdout)
    typed = f"r\nh\nhint\nfly\nwhy\nsave {saved}\n"
    run = tablier("play", "--game", "pig", "--against", "greedy", "--seed", "2", typed=typed)
    assert "'fly' is not one of the choices" in run.stdout
    assert "this game has no points to explain" in run.stdout
    assert records.load(saved.read_text())[0] == package.load_game("pig")
    assert "rated by champion" in tablier("analyze", str(saved)).stdout


def test_two_people_at_tic_tac_toe(tmp_path):
    saved = tmp_path / "game.json"
    run = tablier(
        "play", "--game", "tic_tac_toe", "--seat", "both", typed=f"4\n1\nx(0,0)\n8\n6\n2\n3\nsave {saved}\n\n"
    )
    assert "Cross wins." in run.stdout
    assert records.load(saved.read_text())[1] == (4, 1, 0, 8, 6, 2, 3)


def test_french():
    run = tablier(
        "play",
        "--seed",
        "7",
        "--against",
        "heuristic",
        typed="aide\nconseil\n1\nannuler\nquitter\n",
        env={"LC_ALL": "fr_FR.UTF-8"},
    )
    assert "Tirage : Blanc 5, Noir 1. Blanc commence et joue ces dés." in plain(run.stdout)
    assert "Retour à votre dernière décision." in run.stdout
    assert "La partie n'est pas terminée" in plain(run.stdout)
    assert "White" not in run.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--game", "chess"], "no game is called 'chess'"),
        (["--against", "genius"], "no player is called 'genius'"),
        (["--seat", "red"], "--seat must be one of 0, 1, white, blanc, black, noir, both, not 'red'"),
        (["--options", "holes_to_win"], "an option is written key=value"),
        (["--options", "holes_to_win=x"], "holes_to_win"),
        (["--load", "/nonexistent"], "/nonexistent cannot be read: no such file or directory"),
        (["--load", __file__], "a record starts with [Game"),
        (["--load", __file__, "--game", "pig"], "remove --game and --options"),
    ],
)
def test_mistakes_are_one_line(arguments, words, capsys):
    assert main(["play", *arguments]) == 2
    out, errors = capsys.readouterr()
    assert out == ""
    assert errors.startswith("tablier: ")
    assert errors.count("\n") == 1
    assert words in errors


def test_in_a_terminal_with_colours_and_control_c(tmp_path):
    screen = Terminal("play", "--seed", "7", "--against", "heuristic")
    shown = screen.until("White 5-1 > ")
    assert "\x1b[" in shown
    assert "●" in shown
    screen.typed("1 1\n")
    screen.until("White 4-2 > ")
    screen.idle()
    screen.typed("\x03")
    screen.until("Save the game? Type a file name, or press Enter to skip > ")
    screen.typed(f"{tmp_path / 'game.txt'}\n")
    screen.until("resumes it")
    assert screen.code() == 130
    assert len(records.load((tmp_path / "game.txt").read_text())[1]) == 5


def test_control_c_while_the_other_thinks(tmp_path):
    screen = Terminal("play", "--seed", "7", "--against", "mcts:ms=600000,memory=64")
    screen.until("White 5-1 > ")
    screen.typed("1\n")
    screen.until("Black throws 1 and 2.")
    screen.typed("\x03")
    screen.until("Save the game?")
    screen.typed("\n")
    assert screen.code() == 130


def test_no_colours_when_nobody_wants_them():
    screen = Terminal("play", "--seed", "7", env={"NO_COLOR": "1"})
    shown = screen.until("White 5-1 > ")
    assert "●" not in shown
    assert not re.search(r"\x1b\[[0-9;]*m", shown)
    screen.idle()
    screen.typed("\x04")
    screen.until("Save the game?")
    screen.typed("\n")
    screen.until("The game is not over, and it was not saved.")
    assert screen.code() == 0
