"""`tablier rollout`: plays a position on many times and compares its moves by the results."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from tablier.cli.arguments import add_game, add_json, add_lang, count, game_of, new_parser
from tablier.messages import Message, MessageError, Number, Text, language, say

if TYPE_CHECKING:
    from tablier._core import State
    from tablier.analysis import Choice, Policy, Rollout, RolloutSettings
    from tablier.cli.terminal.screen import Screen
    from tablier.games import Home

EXAMPLE = """Plays the games of a position with the same dice for every move, and subtracts luck from the results. Moves
that are clearly worse are dropped early. Before a throw, the position itself is rolled out.

example:
  tablier rollout //4AAAH//AAAAADPgG
  tablier rollout //4AAAH//AAAAADPgG --policy expectimax:plies=1,net=best.safetensors --decisions 12
  tablier rollout //4AAAH//AAAAADPgG --games 5184 --json
  tablier rollout 3/4AAAH//AAAAADPgG --scores --games 144"""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "rollout", "compare the moves of a position by playing it on", EXAMPLE)
    parser.add_argument("position", metavar="ID", help="position id, as returned by Position.id()")
    parser.add_argument(
        "--policy", metavar="PLAYER", default="", help="player of one ply that plays (default heuristic)"
    )
    parser.add_argument("--games", type=count, default=1296, metavar="N", help="games per move at most (default 1296)")
    parser.add_argument(
        "--decisions", type=count, default=0, metavar="N", help="truncate games after N decisions (default: play out)"
    )
    parser.add_argument("--top", type=count, default=0, metavar="N", help="roll out only the policy's N best moves")
    parser.add_argument("--scores", action="store_true", help="compare to hold and to leave at other scores too")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the dice (default 0)")
    parser.add_argument("--threads", type=count, default=0, metavar="N", help="threads (default: all cores)")
    add_game(parser)
    add_lang(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from tablier.analysis import RolloutSettings, make_policy, roll_out, roll_out_candidates
    from tablier.cli.terminal.screen import Screen, progress
    from tablier.games import home_of

    screen = Screen(language(args.lang))
    home = home_of(game_of(args))
    state = home.read_position(args.position)
    if state is None:
        raise MessageError.of("terminal.wrong.no_position", text=args.position, game=home.game.name)
    if state.is_terminal():
        raise MessageError.of("terminal.wrong.position_over")
    policy = make_policy(home.game, args.policy)
    settings = RolloutSettings(args.games, args.decisions, args.seed, args.threads)
    if args.scores:
        return _scores(args, screen, home, state, policy, settings)
    actions = None if state.is_chance_node() else _actions(state, args.policy, args.top)
    with progress(args.games * len(actions or [0]), say(screen.lang, "terminal.unit.game")) as advance:
        done = 0

        def show(games: int) -> None:
            nonlocal done
            advance(games - done)
            done = games

        if actions is None:
            found = [roll_out(state, policy, settings, show)]
        else:
            found = roll_out_candidates(state, policy, settings, actions, show)
    if args.json:
        print(json.dumps({"id": args.position, "policy": policy.name, "rollouts": [as_row(one) for one in found]}))
    else:
        _show(screen, home, state, found, policy.name)
    return 0


def _actions(state: State, policy: str, top: int) -> list[int]:
    """Returns the legal actions, or the best ones by the policy."""
    from tablier.players import Player, make_player

    legal = state.legal_actions()
    if not top or len(legal) <= top:
        return legal
    player = make_player(policy or "heuristic", state.get_game())
    assert isinstance(player, Player)
    return [one.action for one in player.explain(state)[:top]]


def as_row(one: Rollout) -> dict[str, Any]:
    """Returns a rollout as a JSON object."""
    unit = "win_chance" if one.by_chance else "margin"
    row = {"games": one.games, unit: one.value, "error": one.error, "behind": one.behind}
    row |= {"unadjusted": one.plain, "unadjusted_error": one.plain_error}
    return ({} if one.action is None else {"action": one.action, "text": one.text}) | row


def _show(screen: Screen, home: Home, state: State, found: list[Rollout], policy: str) -> None:
    for line in home.board(state, max(0, state.current_player()), screen.lang, None, screen.colour):
        screen.line(*line)
    if not state.is_chance_node():
        screen.text(home.thrown(state))
    by_chance = found[0].by_chance
    form, signed = (".2%", "+.2%") if by_chance else (".2f", "+.2f")
    columns = ("move", "win" if by_chance else "margin", "error", "behind", "games")
    table: list[list[Text]] = [[Message(f"rollout.column.{column}") for column in columns]]
    for one in found:
        move: Text = Message("rollout.position") if one.action is None else home.action(state, one.action)
        behind: Text = Number(-one.behind, signed) if one is not found[0] else ""
        table.append([move, Number(one.value, form), Number(one.error, form), behind, Number(one.games, ",d")])
    screen.table(table, right=(1, 2, 3, 4))
    sides = {home.branch(state, one.action): one for one in reversed(found) if one.action is not None}
    if len(sides) == 2:
        lead = Number(sides[1].behind - sides[0].behind, signed)
        screen.say("rollout.sides", lead=lead, even=Number(sides[1].value, form))
    screen.say("rollout.about", policy=policy)
    screen.say("rollout.reduction", times=Number(found[0].reduction, ".1f"))


def _scores(
    args: argparse.Namespace, screen: Screen, home: Home, state: State, policy: Policy, settings: RolloutSettings
) -> int:
    """Compares both sides of a choice at this score and at others."""
    from tablier.analysis import compare_sides
    from tablier.cli.terminal.screen import progress

    found: dict[tuple[int, int], Choice] = {}
    here, others = compare_sides(state, policy, settings), home.at_other_scores(state)
    with progress(len(others), say(screen.lang, "terminal.unit.action")) as advance:
        for score, other in others:
            found[score] = compare_sides(other, policy, settings)
            advance(1)
    if args.json:
        rows = [{"score": score, "lead": one.difference, "error": one.error} for score, one in found.items()]
        row = {"lead": here.difference, "error": here.error, "sides": [as_row(side) for side in here.sides]}
        print(json.dumps({"id": args.position, "policy": policy.name, "here": row, "scores": rows}))
        return 0
    _show(screen, home, state, sorted(here.sides, key=lambda one: one.behind), policy.name)
    screen.say("rollout.by_score")
    mine, theirs = (sorted({score[i] for score in found}) for i in (0, 1))
    signed = "+.1%" if here.sides[0].by_chance else "+.1f"
    table: list[list[Text]] = [["", *(str(score) for score in theirs)]]
    for row_score in mine:
        cells = [found.get((row_score, column)) for column in theirs]
        table.append([str(row_score), *(Number(one.difference, signed) if one else "" for one in cells)])
    screen.table(table, right=tuple(range(len(theirs) + 1)))
    return 0
