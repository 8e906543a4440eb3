"""Ranks the candidates of each decision of a game and measures what the choice cost.

Examples:
    >>> import tablier
    >>> game = tablier.load_game("tic_tac_toe")
    >>> corner, edge, centre = 0, 1, 4
    >>> for decision in mistakes(decisions(game, [corner, edge, centre])):
    ...     print(decision.index, decision.opinion.text, decision.best.text, f"{decision.cost:.0%}")
    1 o(0,1) o(1,1) 50%
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tablier._core import Game, State
from tablier._core import search as _search
from tablier.candidate import Candidate, cost
from tablier.games import home_of
from tablier.messages import MessageError, reason_of
from tablier.players import PLAYERS, Chooser, Player, make_player
from tablier.short_repr import short_repr

__all__ = [
    "Decision",
    "candidates",
    "decisions",
    "default_analyst",
    "is_judged",
    "make_analyst",
    "mistakes",
    "steady_analyst",
]

EVERY = 1_000_000
"""A limit above the number of legal actions of any decision, so that no action is pruned."""
TUTOR = 100
"""Milliseconds that a champion takes for a decision when someone waits for its opinion."""
NO_LIMIT = 10**9
"""A time limit in milliseconds that is none."""
SHORT = 9
"""Games without dice are solved exactly if they last at most this many actions."""

SAMPLE, STEPS = 8, 2_000_000
"""Random games to estimate the length of a game, and the playout steps that a tree search may use for one decision."""
WITHOUT_OPINIONS = ("human", "policy", "random")
"""Players that value all actions equally, so no decision would count as a mistake."""


@dataclass(frozen=True)
class Decision:
    """A decision of a game with the analyst's verdict."""

    index: int
    """Index into the game's actions, counted from 0, dice included."""
    player: int
    """The seat that decided."""
    played: int
    """The action that was played, exactly as passed in."""
    opinions: tuple[Candidate, ...]
    """All legal actions, best first."""
    cost: float
    """How much better the best action is: in win probability if known, otherwise in value. Never negative."""
    win_chance: float | None
    """Win probability of seat 0 before the decision, assuming the best action is played; None if unknown."""
    opinion: Candidate
    """The candidate for the played action, or for the listed action that leads to the same position."""

    __repr__ = short_repr

    @property
    def best(self) -> Candidate:
        """The action the analyst would have played."""
        return self.opinions[0]


def default_analyst(game: Game, seconds: float = math.inf) -> str:
    """Returns the player string of the default analyst for interactive use.

    It is the champion, limited to `TUTOR` milliseconds, if the game has one. Otherwise it is `steady_analyst`,
    except that a tree search has a time limit, because rollouts of long games are slow.

    Args:
        game: the game to analyse.
        seconds: time limit per decision, from 0.001.
    """

    def ms(most: int) -> int:
        return max(1, int(min(most, 1000 * seconds)))

    if home_of(game).champion():
        return f"champion:ms={ms(TUTOR)}"
    if exact := _exact_analyst(game):
        return exact if seconds == math.inf else f"{exact},ms={ms(NO_LIMIT)}"
    return f"mcts:sims=20000,c=4,ms={ms(300)}"


def steady_analyst(game: Game) -> str:
    """Returns the player string of the default analyst without a time limit, so that results are reproducible.

    Costs are differences between values, so the analyst must search all actions equally deeply: two full plies by the
    champion or the heuristic, to the end if the game is short, otherwise a tree search that spreads its simulations
    widely. The longer the game, the fewer simulations the tree search gets.
    """
    if home_of(game).champion():
        return "champion:plies=2"
    if exact := _exact_analyst(game):
        return exact
    sample = game.random_playouts(SAMPLE, seed=0)
    length = (sample.decisions + sample.rolls) / SAMPLE
    return f"mcts:sims={int(max(200, min(20_000, STEPS / max(1, length))))},c=4"


def _exact_analyst(game: Game) -> str:
    if _search.has_heuristic(game):
        return f"expectimax:plies=2,keep={EVERY}"
    if not game.max_chance_outcomes() and 0 < game.max_game_length() <= SHORT:
        return f"expectimax:plies=8,keep={EVERY}"
    return ""


def make_analyst(game: Game, analyst: Chooser | str | None = None) -> Player:
    """Creates the player that analyses a game.

    Args:
        game: the game to analyse.
        analyst: a player string or a player; None means `steady_analyst(game)`.

    Raises:
        MessageError (a ValueError): the player values all actions equally or has no method `explain`.
    """
    for name in WITHOUT_OPINIONS:
        if analyst.partition(":")[0] == name if isinstance(analyst, str) else type(analyst) is PLAYERS[name]:
            raise MessageError.of("analyst.without_opinions", player=name)
    player = make_player(steady_analyst(game) if analyst is None else analyst, game)
    if not isinstance(player, Player):
        raise MessageError.of("analyst.without_reasons", player=type(player).__name__)
    return player


def candidates(state: State, analyst: Chooser | str | None = None) -> tuple[Candidate, ...]:
    """Ranks the legal actions of a decision, best first.

    Args:
        state: a state in which a player is to move.
        analyst: a player string or a player; None means `steady_analyst`.

    Raises:
        MessageError (a ValueError): the game is over, the dice are to be rolled, or the analyst cannot rank actions.

    Examples:
        >>> import tablier
        >>> state = tablier.load_game("tic_tac_toe").new_initial_state()
        >>> for action in (0, 3, 1, 4):
        ...     state.apply_action(action)
        >>> best = candidates(state)[0]
        >>> best.text, best.win_chance
        ('x(0,2)', 1.0)
    """
    if state.current_player() < 0:
        raise MessageError.of("game.over" if state.is_terminal() else "decision.dice")
    return tuple(make_analyst(state.get_game(), analyst).explain(state))


def decisions(
    game: Game, actions: Iterable[int], analyst: Chooser | str | None = None, start: State | None = None
) -> Iterator[Decision]:
    """Analyses every decision that offered a choice, in game order.

    Decisions with one correct answer, such as marking points under Trictrac's option `schools`, are left out.

    Args:
        game: the game that was played.
        actions: all actions from the start, chance outcomes included.
        analyst: a player string or a player; None means `steady_analyst(game)`.
        start: the state before the first action; None means the initial state.

    Returns:
        An iterator that analyses each decision when it is asked for.

    Raises:
        MessageError (a ValueError): an action is illegal, or the analyst cannot rank actions. All actions are checked
            before the analysis starts; the error gives the index of the illegal one.
    """
    begin = game.new_initial_state() if start is None else start.clone()
    checked = _checked(begin, actions)
    return _judged(begin, checked, make_analyst(game, analyst))


def mistakes(judged: Iterable[Decision], least: float = 0.01) -> list[Decision]:
    """Returns the decisions that were mistakes, worst first.

    Args:
        judged: decisions, as `decisions` yields them.
        least: smallest cost of a mistake, in the unit of `Decision.cost`.
    """
    return sorted((one for one in judged if one.cost >= least), key=lambda one: (-one.cost, one.index))


def replayed(game: Game, actions: Iterable[int], start: State | None = None) -> tuple[list[tuple[State, int]], State]:
    """Replays a game.

    Args:
        game: the game that was played.
        actions: all actions from the start, chance outcomes included.
        start: the state before the first action; None means the initial state.

    Returns:
        The state before each action with the action, and the final state.

    Raises:
        MessageError (a ValueError): an action is illegal.
    """
    state = game.new_initial_state() if start is None else start.clone()
    steps = []
    for action in _checked(state, actions):
        steps.append((state, action))
        state = state.child(action)
    return steps, state


def _checked(begin: State, actions: Iterable[int]) -> list[int]:
    state, result = begin.clone(), []
    for index, action in enumerate(actions):
        try:
            state.apply_action(action)
        except (ValueError, TypeError, OverflowError) as error:
            raise MessageError.of("record.action", number=index, reason=reason_of(error)) from None
        result.append(int(action))
    return result


def _judged(begin: State, actions: list[int], analyst: Player) -> Iterator[Decision]:
    state = begin.clone()
    for index, action in enumerate(actions):
        player = state.current_player()
        if is_judged(state):
            opinions = tuple(analyst.explain(state))
            opinion = _of(action, opinions, state)
            chance = _chance_of_seat_0(opinions[0].win_chance, player, state.num_players())
            yield Decision(index, player, action, opinions, cost(opinion, opinions), chance, opinion)
        state.apply_action(action)


def is_judged(state: State) -> bool:
    """Returns whether a player has to choose between several actions and no rule prescribes the answer."""
    is_choice = state.current_player() >= 0 and len(state.legal_actions()) > 1
    return is_choice and home_of(state.get_game()).is_judged(state)


def _of(action: int, opinions: tuple[Candidate, ...], state: State) -> Candidate:
    """Finds the candidate for an action. A move can have several encodings, of which only one is listed."""
    for opinion in opinions:
        if opinion.action == action:
            return opinion
    after = state.child(action)
    for opinion in opinions:
        if state.child(opinion.action) == after:
            return opinion
    raise MessageError.of("analyst.no_opinion", action=action, text=state.action_to_string(action))


def _chance_of_seat_0(chance: float | None, player: int, players: int) -> float | None:
    if chance is None or player == 0:
        return chance
    return 1 - chance if players == 2 else None
