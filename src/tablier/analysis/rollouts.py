"""Rollouts: a position is played to the end many times, or for some decisions, and the results are averaged.

`tablier.evaluators.rollout_table` plays the games; this module chooses the policy and decides when to stop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tablier._core import Game, State
from tablier.evaluators import NativeEvaluator, RolloutEvaluator, UniformEvaluator, make_evaluator
from tablier.evaluators.rollout_table import Policy, Rollout, RolloutSettings, RolloutTable
from tablier.messages import MessageError
from tablier.players import PLAYERS, settings_of
from tablier.players.strings import parse

DEFAULT = RolloutSettings()

POLICIES = {"heuristic": frozenset[str](), "expectimax": frozenset({"plies", "eval", "net", "by"})}
"""Player strings that can be a policy, and their settings. `plies` can only be 1."""


def make_policy(game: Game, policy: str = "") -> Policy:
    """Creates a policy from a player string that looks one ply ahead.

    Args:
        game: the game to play.
        policy: `heuristic`, or `expectimax:plies=1` with an evaluator (`eval`) or a core network (`net`); empty for the
            game's heuristic.

    Raises:
        MessageError (a ValueError): the player looks further ahead or does not evaluate afterstates in C++.
    """
    name, settings = parse(policy or "heuristic", {name: settings_of(name) for name in PLAYERS})
    plies = settings_of(name)["plies"].default if name == "expectimax" else 1
    if name not in POLICIES or not settings.keys() <= POLICIES[name] or settings.get("plies", plies) != 1:
        raise MessageError.of("rollout.policy", policy=policy)
    kind = "heuristic" if name == "heuristic" else str(settings.get("eval", ""))
    evaluator, searched = make_evaluator(game, kind, str(settings.get("net", "")), by=str(settings.get("by", "")))
    if not isinstance(evaluator, NativeEvaluator) or isinstance(evaluator, RolloutEvaluator | UniformEvaluator):
        raise MessageError.of("rollout.policy", policy=policy)
    return Policy(policy or "heuristic", evaluator, searched)


def roll_out(
    state: State,
    policy: Policy | str = "",
    settings: RolloutSettings = DEFAULT,
    progress: Callable[[int], None] = lambda _: None,
) -> Rollout:
    """Rolls out a position.

    Args:
        state: the position; before a throw, the result is that of seat 0.
        policy: plays both sides.
        settings: how the games are played.
        progress: called with the number of games played so far.

    Raises:
        MessageError (a ValueError): the game is over, or the policy cannot play it.

    Examples:
        >>> import tablier
        >>> start = tablier.load_game("trictrac", holes_to_win=1).new_initial_state()
        >>> found = roll_out(start, settings=RolloutSettings(games=36, seed=1))
        >>> found.games, found.error < found.plain_error
        (36, True)
    """
    table = RolloutTable(state, _policy(state, policy), [None], settings)
    for first in range(0, settings.games, settings.portion):
        table.play([0], first)
        progress(table.games)
    return table.results()[0]


def roll_out_candidates(
    state: State,
    policy: Policy | str = "",
    settings: RolloutSettings = DEFAULT,
    actions: Sequence[int] | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> list[Rollout]:
    """Rolls out the actions of a decision on the same dice, and stops early when the best one is clear.

    Args:
        state: a decision.
        policy: plays both sides after the action.
        settings: how the games are played, and when candidates are dropped.
        actions: the actions to compare; None means all.
        progress: called with the number of games played so far.

    Returns:
        The actions, best first. Those that were dropped have fewer games.

    Raises:
        MessageError (a ValueError): no player is to decide, an action is illegal, or the policy cannot play the game.
    """
    if state.current_player() < 0:
        raise MessageError.of("game.over" if state.is_terminal() else "decision.dice")
    table = RolloutTable(state, _policy(state, policy), state.legal_actions() if actions is None else actions, settings)
    while table.go_on():
        progress(table.games)
    return table.ranking()


def _policy(state: State, policy: Policy | str) -> Policy:
    return make_policy(state.get_game(), policy) if isinstance(policy, str) else policy
