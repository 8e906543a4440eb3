"""The luck of a game: what each throw gained the players, and the luck-adjusted result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tablier._core import Game, State
from tablier.analysis.decisions import replayed
from tablier.analysis.judges import Judge, Unit, make_judge
from tablier.evaluators import Evaluator
from tablier.players import Chooser
from tablier.short_repr import short_repr


@dataclass(frozen=True)
class ThrowLuck:
    """The luck of one throw."""

    index: int
    """Index into the game's actions, counted from 0."""
    player: int | None
    """The seat that threw: the one that most often moves next. None in a tie, as in an opening roll."""
    outcome: int
    """The chance outcome."""
    luck: tuple[float, ...]
    """What the throw gained each seat, compared with the average throw."""


@dataclass(frozen=True)
class GameLuck:
    """The luck of all throws of a game."""

    judge: str
    """The judge."""
    unit: Unit
    """Win probability or value."""
    throws: tuple[ThrowLuck, ...]
    """The throws, in game order."""
    total: tuple[float, ...]
    """Total luck of each seat, over its own throws and those of the others."""
    result: tuple[float, ...] | None
    """Result of each seat (1, 0.5 or 0 if the unit is win probability); None if the game is not over."""

    __repr__ = short_repr

    @property
    def adjusted(self) -> tuple[float, ...] | None:
        """Result of each seat minus its luck, possibly outside the range of results; None if the game is not over."""
        if self.result is None:
            return None
        return tuple(result - luck for result, luck in zip(self.result, self.total, strict=True))


def luck_of_game(
    game: Game,
    actions: Iterable[int],
    judge: Judge | Evaluator | Chooser | str | None = None,
    start: State | None = None,
) -> GameLuck:
    """Measures the luck of every throw of a game.

    The luck of a throw is the value of the position after it minus the mean over all throws, by the same judge.

    Args:
        game: the game that was played.
        actions: all actions from the start, chance outcomes included.
        judge: a player string, a player, an evaluator or a judge; None means `make_judge(game)`.
        start: the state before the first action; None means the initial state.

    Raises:
        MessageError (a ValueError): an action is illegal, or the judge cannot value positions.

    Examples:
        >>> import tablier
        >>> pig = tablier.load_game("pig", win_score=20)
        >>> found = luck_of_game(pig, [0, 5, 0, 5, 0, 5, 0, 5, 1], "expectimax:plies=1")  # roll 6 four times, hold
        >>> found.result, found.total[0] > 0
        ((1.0, 0.0), True)
    """
    by = make_judge(game, judge)
    steps, final = replayed(game, actions, start)
    thrown = [(index, state, action) for index, (state, action) in enumerate(steps) if state.is_chance_node()]
    luck = by.luck([(state, action) for _, state, action in thrown])
    throws = tuple(
        ThrowLuck(index, thrower(state), action, tuple(row))
        for (index, state, action), row in zip(thrown, luck.tolist(), strict=True)
    )
    total = tuple(luck.sum(axis=0).tolist())
    return GameLuck(by.name, by.unit, throws, total, by.result(final) if final.is_terminal() else None)


def thrower(state: State) -> int | None:
    """Returns the seat that throws at a chance node: the one that most often moves next; None in a tie."""
    following = [state.child(outcome).current_player() for outcome in state.legal_actions()]
    counts = {seat: following.count(seat) for seat in following if seat >= 0}
    most = [seat for seat, count in counts.items() if count == max(counts.values())]
    return most[0] if len(most) == 1 else None
