"""`tablier analyze`: what a strong player thinks of a position or of a whole game."""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablier.cli.arguments import add_game, add_json, add_lang, count, new_parser, read_record

if TYPE_CHECKING:
    from tablier._core import Game, State
    from tablier.analysis import Decision
    from tablier.cli.terminal.screen import Screen

EXAMPLE = """A game is walked through, and what was played is compared with the best: the cost is in chance to win.
An id of 18 characters (Position.id() writes it) is a position of Trictrac.

example:
  tablier analyze game.txt
  tablier analyze game.txt --player gumbel:sims=2000 --top 5 --json
  tablier analyze //4AAAH//AAAAADPgG"""
CANDIDATES = 3
"""Of a mistake so many better moves are shown."""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "analyze", "judge a recorded game, or a position by its id", EXAMPLE)
    parser.add_argument("subject", metavar="FILE|ID", help="a record, or a position's id")
    parser.add_argument("--player", metavar="PLAYER", help="who judges (default: one that suits the game)")
    parser.add_argument("--top", type=count, default=10, metavar="N", help="mistakes or moves to show (default 10)")
    parser.add_argument("--least", type=_cost, default=0.01, metavar="COST", help="smallest mistake (default 0.01)")
    add_game(parser, default=None)
    add_lang(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def _cost(text: str) -> float:
    try:
        cost = float(text)
    except ValueError:
        cost = -1.0
    if not 0 <= cost < float("inf"):
        raise argparse.ArgumentTypeError(f"a number from 0 on, not {text!r}")
    return cost


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from tablier.cli.terminal.screen import Screen
    from tablier.cli.terminal.tellers import language

    args.lang = language(args.lang)
    if re.fullmatch("[A-Za-z0-9+/]{18}", args.subject) and not Path(args.subject).exists():
        return _position(args, Screen())
    if args.game or args.options:
        raise ValueError("a record names its game and options; --game and --options go with a position's id")
    return _record(args, Screen())


# --- a position -------------------------------------------------------------------------------------------------------


def _position(args: argparse.Namespace, screen: Screen) -> int:
    from tablier import trictrac
    from tablier.analysis import candidates, make_analyst
    from tablier.cli.arguments import game_of
    from tablier.cli.terminal.opinions import as_row, show_opinions
    from tablier.cli.terminal.phrases import phrase
    from tablier.cli.terminal.tellers import make_teller
    from tablier.games.trictrac.schools import NAMES

    args.game = args.game or "trictrac"
    game = game_of(args)
    if game.name != "trictrac":
        raise ValueError(f"an id is a position of trictrac, not of {game.name}")
    state = trictrac.Position.from_id(args.subject).state(game)
    if state.is_terminal():
        raise ValueError("the game is over in this position")
    analyst = make_analyst(game, args.player)
    player = trictrac.Position.of(state).player
    if not args.json:
        for line in make_teller(game, args.lang).board(state, player, None, screen.colour):
            screen.line(*line)
    if state.is_chance_node():
        return _throws(args, state, analyst, screen)
    opinions = candidates(state, analyst)[: args.top]
    if args.json:
        row = {"id": args.subject, "player": player, "opinions": [as_row(opinion) for opinion in opinions]}
        print(json.dumps(row))
    else:
        dice = trictrac.Position.of(state).dice
        screen.line(phrase(args.lang, "has thrown", NAMES[args.lang][player], *dice))
        show_opinions(screen, opinions, args.lang)
    return 0


def _throws(args: argparse.Namespace, state: State, analyst: Any, screen: Screen) -> int:
    """Before the dice: the best move of each throw, and what the position is worth on average."""
    from tablier._core import trictrac
    from tablier.analysis import candidates
    from tablier.cli.terminal.opinions import as_row
    from tablier.cli.terminal.phrases import phrase
    from tablier.games.trictrac.schools import NAMES
    from tablier.trictrac import Position

    rows: list[dict[str, Any]] = []
    mover = Position.of(state).player
    for outcome in state.legal_actions():
        after = state.child(outcome)
        a, b = trictrac.throw(outcome)
        if a < b or after.is_chance_node():
            continue
        row: dict[str, Any] = {"dice": [a, b], "weight": 1 if a == b else 2}
        if after.is_terminal():
            row |= {"text": "wins", "win_chance": 1.0}
        else:
            row |= as_row(candidates(after, analyst)[0]) | {"player": after.current_player()}
        rows.append(row)
    known = [row for row in rows if "win_chance" in row and row.get("player", mover) == mover]
    total = sum(row["weight"] for row in known)
    mean = sum(row["weight"] * row["win_chance"] for row in known) / total if known else None
    if args.json:
        print(json.dumps({"id": args.subject, "player": mover, "win_chance": mean, "throws": rows}))
        return 0
    who = NAMES[args.lang][mover]
    told = phrase(args.lang, "to throw", who) if mean is None else ""
    screen.line(told or phrase(args.lang, "to throw and wins", who, f"{mean:.1%}"))
    table = [[phrase(args.lang, key) for key in ("throw", "best move", "chance")]]
    for row in sorted(rows, key=lambda row: -row.get("win_chance", 0)):
        worth = f"{row['win_chance']:.1%}" if "win_chance" in row else f"{row['value']:+.2f}"
        text = row["text"] if "action" in row else phrase(args.lang, "wins it")
        table.append([f"{row['dice'][0]} {row['dice'][1]}", text, worth])
    screen.table(table, right=(2,))
    return 0


# --- a game -----------------------------------------------------------------------------------------------------------


def _record(args: argparse.Namespace, screen: Screen) -> int:
    from tablier import records
    from tablier.analysis import decisions, mistakes, steady_analyst
    from tablier.cli.terminal.screen import progress

    game, actions, header = read_record(args.subject)
    analyst = args.player or steady_analyst(game)
    judged: list[Decision] = []
    with progress(len(actions), "action") as done:
        last = 0
        for decision in decisions(game, actions, analyst):
            judged.append(decision)
            done(decision.index + 1 - last)
            last = decision.index + 1
    worst = mistakes(judged, args.least)
    left_out = sayings(game, actions)
    numbers = throw_numbers(game, actions)
    totals: dict[int, list[float]] = defaultdict(list)
    for decision in judged:
        totals[decision.player].append(decision.cost)
    if args.json:
        print(
            json.dumps(
                _as_json(game, header, analyst, judged, worst[: args.top], numbers, args.top) | {"left_out": left_out}
            )
        )
        return 0
    from tablier.cli.terminal.phrases import counted, phrase
    from tablier.cli.terminal.tellers import make_teller

    lang, unit = args.lang, _unit(judged)
    teller = make_teller(game, lang)
    screen.text(phrase(lang, "judged", game.title, counted(lang, len(judged), "decision"), analyst), "bold")
    for player, costs in sorted(totals.items()):
        told = header.get(records.seat_keys(game)[player])
        name = teller.seat(player) + (f" ({told})" if told else "")
        bad = counted(lang, sum(cost >= args.least for cost in costs), "mistake")
        lost = unit(sum(costs) / len(costs))
        screen.text(phrase(lang, "of one", name, counted(lang, len(costs), "decision"), bad, lost))
    if left_out:
        screen.text(phrase(lang, "left out", left_out))
    if not worst:
        screen.line(phrase(lang, "no mistakes"))
    for place, decision in enumerate(worst[: args.top], 1):
        key, number = ("at throw", numbers[decision.index]) if numbers else ("at step", decision.index + 1)
        screen.line(
            (f"{place:>3}. ", "dim"),
            (phrase(lang, key, number, teller.seat(decision.player)), "bold"),
            phrase(lang, "costs", decision.opinion.text, _worth(decision.opinion)),
            (unit(decision.cost), "red"),
        )
        others = [one for one in decision.opinions if one is not decision.opinion][:CANDIDATES]
        better = [f"{one.text} ({_worth(one)})" for one in others if _above(one, decision)]
        screen.text(phrase(lang, "better", ", ".join(better)), hanging="     ")
    return 0


def _above(one: Any, decision: Decision) -> bool:
    """Whether an opinion is better than that of the played action."""
    played = decision.opinion
    if one is decision.best or one.win_chance is None or played.win_chance is None:
        return one is decision.best or one.value > played.value
    return bool(one.win_chance > played.win_chance)


def throw_numbers(game: Game, actions: tuple[int, ...]) -> list[int]:
    """Of each action of Trictrac the number of its throw, as in the record; nothing for other games."""
    from tablier._core import trictrac
    from tablier.games.trictrac.record import GAMES

    if game.name not in GAMES:
        return []
    state, throws, result = game.new_initial_state(), 0, []
    for action in actions:
        was = state
        state = state.child(action)
        dice = trictrac.parts(state).dice != (0, 0)
        begun = was.is_chance_node() or (
            trictrac.parts(was).stage >= trictrac.Stage.HOLD_OR_GO
            and state.current_player() >= 0
            and dice
            and _reset(state)
        )
        throws += bool(dice and begun)
        result.append(throws)
    return result


def sayings(game: Game, actions: tuple[int, ...]) -> int:
    """How often it was marked or claimed in schools: that is right or wrong, and nothing to weigh."""
    from tablier.games import home_of

    home, state, said = home_of(game), game.new_initial_state(), 0
    for action in actions:
        said += not home.is_judged(state)
        state.apply_action(action)
    return said


def _reset(state: State) -> bool:
    """Whether the men went back with the dice left on the board (option last_throw_carries_over)."""
    from tablier._core import trictrac
    from tablier.trictrac import START

    parts = trictrac.parts(state)
    return sum(parts.throws) <= 1 and parts.board == START


def _unit(judged: list[Decision]) -> Any:
    """How costs are written: as chances where they are some."""
    chances = all(decision.best.win_chance is not None for decision in judged)
    return (lambda cost: f"{cost:.1%}") if chances else (lambda cost: f"{cost:.2f}")


def _worth(opinion: Any) -> str:
    return f"{opinion.win_chance:.1%}" if opinion.win_chance is not None else f"{opinion.value:+.2f}"


def _as_json(
    game: Game,
    header: dict[str, str],
    analyst: str,
    judged: list[Decision],
    worst: list[Decision],
    numbers: list[int],
    top: int,
) -> dict[str, Any]:
    from tablier.cli.terminal.opinions import as_row

    def row(decision: Decision) -> dict[str, Any]:
        return {
            "index": decision.index,
            "throw": numbers[decision.index] if numbers else None,
            "player": decision.player,
            "played": decision.played,
            "text": decision.opinion.text,
            "cost": decision.cost,
            "win_chance": decision.win_chance,
            "opinions": [as_row(opinion) for opinion in decision.opinions[:top]],
        }

    return {
        "game": game.name,
        "options": game.options(),
        "header": header,
        "analyst": analyst,
        "decisions": [row(decision) for decision in judged],
        "mistakes": [decision.index for decision in worst],
    }
