"""`tablier analyze`: evaluates a position, or every decision of a recorded game."""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablier.cli.arguments import (
    add_game,
    add_json,
    add_lang,
    count,
    game_of,
    given_path,
    new_parser,
    read_record,
    writable,
    writing,
)
from tablier.messages import Message, MessageError, Number, Text, language, listed, say
from tablier.registry import DEFAULT_GAME

if TYPE_CHECKING:
    from tablier._core import Game, State
    from tablier.analysis import Decision, ErrorRating, GameLuck
    from tablier.candidate import Candidate
    from tablier.cli.terminal.screen import Screen
    from tablier.games import Home
    from tablier.players import Player

EXAMPLE = """Compares each decision of a game with the best one; the cost of a mistake is the win probability lost.
A position of Trictrac is given by its id of 18 characters, as returned by Position.id().

example:
  tablier analyze game.txt
  tablier analyze game.txt --player gumbel:sims=2000 --top 5 --json
  tablier analyze game.txt --annotate rated.txt
  tablier analyze //4AAAH//AAAAADPgG"""
CANDIDATES = 3
"""Number of better moves shown for a mistake."""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "analyze", "analyze a recorded game or a position", EXAMPLE)
    parser.add_argument("subject", type=given_path, metavar="FILE|ID", help="game record or position id")
    parser.add_argument("--player", metavar="PLAYER", help="player that analyzes (default: depends on the game)")
    parser.add_argument(
        "--top", type=count, default=10, metavar="N", help="number of mistakes or moves to show (default 10)"
    )
    parser.add_argument(
        "--least", type=_cost, default=0.01, metavar="COST", help="smallest cost of a mistake (default 0.01)"
    )
    parser.add_argument("--luck", metavar="PLAYER", help="player that measures luck (default: depends on the game)")
    parser.add_argument(
        "--annotate", type=given_path, metavar="FILE", help="write the record with ratings and luck in its header"
    )
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
        raise argparse.ArgumentTypeError(f"must be a number of at least 0, not {text!r}")
    return cost


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from tablier.cli.terminal.screen import Screen
    from tablier.games import home_of

    screen = Screen(language(args.lang))
    if not Path(args.subject).exists():
        named = argparse.Namespace(game=args.game or DEFAULT_GAME, options=args.options)
        home = home_of(game_of(named))
        state = home.read_position(args.subject)
        if state is not None:
            return _position(args, home, state, screen)
        if args.game or args.options:
            raise MessageError.of("terminal.wrong.no_position", text=args.subject, game=home.game.name)
    if args.game or args.options:
        raise MessageError.of("terminal.wrong.record_and_game")
    return _record(args, screen)


# --- a position -------------------------------------------------------------------------------------------------------


def _position(args: argparse.Namespace, home: Home, state: State, screen: Screen) -> int:
    from tablier.analysis import candidates, make_analyst
    from tablier.cli.terminal.opinions import as_row, show_opinions

    if state.is_terminal():
        raise MessageError.of("terminal.wrong.position_over")
    analyst = make_analyst(home.game, args.player)
    player = _mover(state)
    if not args.json:
        for line in home.board(state, player, screen.lang, None, screen.colour):
            screen.line(*line)
    if state.is_chance_node():
        return _throws(args, home, state, analyst, screen)
    opinions = candidates(state, analyst)[: args.top]
    if args.json:
        row = {"id": args.subject, "player": player, "opinions": [as_row(opinion) for opinion in opinions]}
        print(json.dumps(row))
    else:
        screen.text(home.thrown(state))
        show_opinions(screen, state, opinions)
    return 0


def _mover(state: State) -> int:
    """Returns the player who decides; before the dice, the one who most often decides next."""
    after = [state.child(outcome).current_player() for outcome in state.legal_actions()]
    deciding = [player for player in after if player >= 0]
    if not state.is_chance_node() or not deciding:
        return max(0, state.current_player())
    return max(deciding, key=deciding.count)


def _throws(args: argparse.Namespace, home: Home, state: State, analyst: Player, screen: Screen) -> int:
    """Analyzes a position before the dice: the best move for each throw, and the average win probability."""
    from tablier.analysis import candidates
    from tablier.cli.terminal.opinions import as_row

    rows: list[tuple[int, dict[str, Any]]] = []
    mover = _mover(state)
    for outcome, facts in home.throws(state):
        after = state.child(outcome)
        if after.is_terminal():
            rows.append((outcome, facts | {"text": "wins", "win_chance": 1.0}))
        elif not after.is_chance_node():
            best = as_row(candidates(after, analyst)[0])
            rows.append((outcome, facts | best | {"player": after.current_player()}))
    known = [row for _, row in rows if "win_chance" in row and row.get("player", mover) == mover]
    total = sum(row["weight"] for row in known)
    mean = sum(row["weight"] * row["win_chance"] for row in known) / total if known else None
    if args.json:
        found = {"id": args.subject, "player": mover, "win_chance": mean, "throws": [row for _, row in rows]}
        print(json.dumps(found))
        return 0
    who = home.side(mover)
    if mean is None:
        screen.say("terminal.analyze.to_throw", who=who)
    else:
        screen.say("terminal.analyze.to_throw_and_wins", who=who, chance=Number(mean, ".1%"))
    table: list[list[Text]] = [[Message(f"terminal.column.{column}") for column in ("dice", "best", "win")]]
    for outcome, row in sorted(rows, key=lambda item: -item[1].get("win_chance", 0)):
        worth = Number(row["win_chance"], ".1%") if "win_chance" in row else Number(row["value"], "+.2f")
        best_move = home.action(state.child(outcome), row["action"]) if "action" in row else Message("terminal.wins")
        table.append([home.action(state, outcome), best_move, worth])
    screen.table(table, right=(2,))
    return 0


# --- a game -----------------------------------------------------------------------------------------------------------


def _record(args: argparse.Namespace, screen: Screen) -> int:
    from tablier.analysis import decisions, error_ratings, luck_of_game, make_judge, mistakes, steady_analyst
    from tablier.cli.terminal.ratings import annotated, luck_row, rating_row
    from tablier.cli.terminal.screen import progress
    from tablier.games import home_of
    from tablier.records import dump

    game, actions, header = read_record(args.subject)
    analyst = args.player or steady_analyst(game)
    target = writable(args.annotate) if args.annotate else None
    judge = make_judge(game, args.luck) if game.max_chance_outcomes() else None
    judged: list[Decision] = []
    with progress(len(actions), say(screen.lang, "terminal.unit.action")) as done:
        last = 0
        for decision in decisions(game, actions, analyst):
            judged.append(decision)
            done(decision.index + 1 - last)
            last = decision.index + 1
    home, worst = home_of(game), mistakes(judged, args.least)
    left_out = _not_judged(home, actions)
    numbers = home.moves_in_record(actions)
    ratings = error_ratings(game, judged, actions)
    luck = luck_of_game(game, actions, judge) if judge else None
    if target:
        with writing(target):
            target.write_text(dump(game, actions, annotated(home, header, analyst, ratings, luck)), encoding="utf-8")
    if args.json:
        found = _as_json(game, header, analyst, judged, worst[: args.top], numbers, args.top)
        found |= {"ratings": [rating_row(one) for one in ratings], "luck": luck_row(luck) if luck else None}
        print(json.dumps(found | {"left_out": left_out}))
        return 0
    decided = Message("count.decisions", n=len(judged))
    screen.text(Message("terminal.analyze.judged", title=home.title, decisions=decided, player=analyst), "bold")
    unit = _unit(judged)
    _show_players(screen, home, header, judged, args.least, unit, ratings, luck)
    if luck:
        screen.text(Message("luck.by", judge=luck.judge), indent="  ")
    if left_out:
        screen.text(Message("terminal.analyze.left_out", n=left_out), indent="  ")
    if not worst:
        screen.say("terminal.analyze.no_mistakes")
    states = _states(game, actions)
    for place, decision in enumerate(worst[: args.top], 1):
        number, key = (numbers[decision.index], "move") if numbers else (decision.index + 1, "step")
        at = Message(f"terminal.analyze.{key}", number=number, who=home.side(decision.player))
        _show_mistake(screen, home, place, at, states[decision.index], decision, unit)
    return 0


def _show_players(
    screen: Screen,
    home: Home,
    header: dict[str, str],
    judged: list[Decision],
    least: float,
    unit: str,
    ratings: list[ErrorRating],
    luck: GameLuck | None,
) -> None:
    """Shows for each player the number of decisions and mistakes, the error rating and the luck."""
    from tablier.cli.terminal.ratings import luck_text, rating_text
    from tablier.cli.terminal.seating import player_name

    costs_of: dict[int, list[float]] = defaultdict(list)
    for decision in judged:
        costs_of[decision.player].append(decision.cost)
    for player, costs in sorted(costs_of.items()):
        who, told = home.side(player), header.get(home.seat_keys()[player])
        if told:
            who = Message("terminal.seat", side=who, player=player_name(told))
        bad = Message("terminal.mistakes", n=sum(cost >= least for cost in costs))
        decided, lost = Message("count.decisions", n=len(costs)), Number(sum(costs) / len(costs), unit)
        told_of = Message("terminal.analyze.one", who=who, decisions=decided, mistakes=bad, lost=lost)
        screen.text(told_of, indent="  ")
        for line in [*rating_text(home, ratings[player]), *([luck_text(luck, player)] if luck else [])]:
            screen.text(line, indent="    ")


def _show_mistake(
    screen: Screen,
    home: Home,
    place: int,
    at: Text,
    state: State,
    decision: Decision,
    unit: str,
) -> None:
    from tablier.cli.terminal.opinions import worth

    def shown(opinion: Candidate) -> dict[str, Text | float]:
        return {"move": home.action(state, opinion.action), "worth": worth(opinion)}

    told = Message("terminal.analyze.mistake", at=at, **shown(decision.opinion), cost=Number(decision.cost, unit))
    screen.text(told, indent=f"{place:>3}. ", hanging="     ")
    others = [one for one in decision.opinions if one is not decision.opinion][:CANDIDATES]
    better = [Message("terminal.analyze.candidate", **shown(one)) for one in others if _above(one, decision)]
    screen.text(Message("terminal.analyze.better", moves=listed(*better)), indent="     ")


def _above(one: Candidate, decision: Decision) -> bool:
    """Whether a candidate is better than the action played."""
    played = decision.opinion
    if one is decision.best or one.win_chance is None or played.win_chance is None:
        return one is decision.best or one.value > played.value
    return one.win_chance > played.win_chance


def _states(game: Game, actions: Sequence[int]) -> list[State]:
    """Returns the state before each action."""
    states = [game.new_initial_state()]
    for action in actions:
        states.append(states[-1].child(action))
    return states[:-1]


def _not_judged(home: Home, actions: Sequence[int]) -> int:
    """Counts the decisions with one correct answer, which are not evaluated."""
    states = _states(home.game, actions)
    return sum(state.current_player() >= 0 and not home.is_judged(state) for state in states)


def _unit(judged: list[Decision]) -> str:
    """Returns the format of costs: percentages if all are win probabilities, otherwise plain numbers."""
    return ".1%" if all(decision.best.win_chance is not None for decision in judged) else ".2f"


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
