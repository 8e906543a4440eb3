"""What a strong player thinks of a game that was played: of each decision the candidates, and what the choice cost.

>>> import tablier
>>> game = tablier.load_game("tic_tac_toe")
>>> corner, edge, centre = 0, 1, 4
>>> for decision in mistakes(decisions(game, [corner, edge, centre])):
...     print(decision.index, decision.opinion.text, decision.best.text, f"{decision.cost:.0%}")
1 o(0,1) o(1,1) 50%
"""

from __future__ import annotations

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
"""More actions than any decision has."""
SHORT = 9
"""A game without dice that is over after so many actions is judged exactly."""

SAMPLE, STEPS = 8, 2_000_000
"""Random games that tell how long the others are, and the steps that a tree may play for one decision."""
WITHOUT_OPINIONS = ("human", "policy", "random")
"""They give every action the same value, so nothing would be a mistake."""


@dataclass(frozen=True)
class Decision:
    """A decision of a game, judged."""

    index: int
    """Its place among the actions of the game, counted from 0, dice included."""
    player: int
    played: int
    """The action as it was given."""
    opinions: tuple[Candidate, ...]
    """Of every legal action, the best first."""
    cost: float
    """How much the best action is better: in chance to win where that is known, else in value. Never negative."""
    win_chance: float | None
    """Of the player in seat 0, before the decision, if the best is played; None where it is not known."""
    opinion: Candidate
    """That of the played action, or of the one that leads to the same position."""

    __repr__ = short_repr

    @property
    def best(self) -> Candidate:
        """What the analyst would have played."""
        return self.opinions[0]


def default_analyst(game: Game) -> str:
    """Who judges where people wait, if nobody is named: the description of a player.

    Costs are differences, so all actions must be looked at equally deep: two plies in full where the game has a
    heuristic, to the end where it is near, else a tree that spreads its simulations widely. The bound on its time is
    for games with long rollouts.
    """
    return _exact_analyst(game) or "mcts:sims=20000,c=4,ms=300"


def steady_analyst(game: Game) -> str:
    """Who judges if nobody is named: the same without a clock, so that a game is judged alike everywhere and always.

    The longer games are, the fewer simulations the tree has.
    """
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
    """The player who judges. Raises MessageError, a ValueError, for one who has no opinions."""
    for name in WITHOUT_OPINIONS:
        if analyst.partition(":")[0] == name if isinstance(analyst, str) else type(analyst) is PLAYERS[name]:
            raise MessageError.of("analyst.without_opinions", player=name)
    player = make_player(steady_analyst(game) if analyst is None else analyst, game)
    if not isinstance(player, Player):
        raise MessageError.of("analyst.without_reasons", player=type(player).__name__)
    return player


def candidates(state: State, analyst: Chooser | str | None = None) -> tuple[Candidate, ...]:
    """Every legal action of a decision with what the analyst thinks of it, the best first."""
    if state.current_player() < 0:
        raise MessageError.of("game.over" if state.is_terminal() else "decision.dice")
    return tuple(make_analyst(state.get_game(), analyst).explain(state))


def decisions(
    game: Game, actions: Iterable[int], analyst: Chooser | str | None = None, start: State | None = None
) -> Iterator[Decision]:
    """Judges every decision in which there was a choice, in the order of the game.

    `actions` are all actions from the initial state, or from `start`, chance outcomes included. They are checked before
    the first thought: one that is not legal raises a ValueError that names its index. What is simply right or wrong, as
    marking in schools, is not judged.
    """
    begin = game.new_initial_state() if start is None else start.clone()
    checked = _checked(begin, actions)
    return _judged(begin, checked, make_analyst(game, analyst))


def mistakes(judged: Iterable[Decision], least: float = 0.01) -> list[Decision]:
    """Those that cost at least so much, the worst first."""
    return sorted((one for one in judged if one.cost >= least), key=lambda one: (-one.cost, one.index))


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
    """Whether somebody has a choice here, and one that is a matter of judgement."""
    is_choice = state.current_player() >= 0 and len(state.legal_actions()) > 1
    return is_choice and home_of(state.get_game()).is_judged(state)


def _of(action: int, opinions: tuple[Candidate, ...], state: State) -> Candidate:
    """The opinion of this action. One move may be spelled in several ways; only one of them is listed."""
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
