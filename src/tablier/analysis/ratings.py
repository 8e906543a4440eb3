"""Error ratings: what a player loses per decision, by kind of decision, with a named level.

A rating is the mean cost of the decisions that offered a choice. Decisions with one correct answer, such as marking
points under Trictrac's option `schools`, are counted separately, in points.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tablier._core import Game, State
from tablier.analysis.decisions import Decision, is_judged, replayed
from tablier.candidate import cost
from tablier.games import Home, home_of
from tablier.games.home import MOVE
from tablier.messages import Message

BANDS = (
    (0.001, "world_class"),
    (0.003, "expert"),
    (0.006, "advanced"),
    (0.012, "intermediate"),
    (0.025, "casual"),
    (0.05, "beginner"),
)
"""The levels: the mean loss of win probability per decision must be below this bound, and the level's name."""
NOVICE = "novice"
"""The level above the last bound."""


@dataclass(frozen=True)
class Tally:
    """A number of decisions and their total cost. Tallies can be added."""

    decisions: int = 0
    """Decisions that offered a choice."""
    errors: int = 0
    """Decisions that cost something."""
    lost: float = 0.0
    """Sum of the costs."""

    @property
    def mean(self) -> float:
        """Mean cost of a decision; 0 without decisions."""
        return self.lost / self.decisions if self.decisions else 0.0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.decisions + other.decisions, self.errors + other.errors, self.lost + other.lost)


@dataclass(frozen=True)
class ErrorRating:
    """How well one player decided. Ratings of the same player over several games can be added."""

    decisions: int = 0
    """Decisions that offered a choice. A choice combined with a move counts once."""
    lost: float = 0.0
    """Sum of their costs, in win probability if `by_chance`, otherwise in value."""
    by_chance: bool = True
    """Whether costs are in win probability."""
    kinds: dict[str, Tally] = field(default_factory=dict)
    """The costs by kind of decision: `move`, and the kinds that the game's home defines."""
    marking: Tally = Tally()
    """Decisions with one correct answer; their cost is in points."""

    @property
    def mean(self) -> float:
        """The error rating: mean cost per decision."""
        return self.lost / self.decisions if self.decisions else 0.0

    @property
    def band(self) -> str | None:
        """The level, from `BANDS` or `NOVICE`; None without decisions, or if costs are not in win probability."""
        return band_of(self.mean) if self.decisions and self.by_chance else None

    def __add__(self, other: ErrorRating) -> ErrorRating:
        named = dict.fromkeys((*self.kinds, *other.kinds))
        kinds = {kind: self.kinds.get(kind, Tally()) + other.kinds.get(kind, Tally()) for kind in named}
        return ErrorRating(
            decisions=self.decisions + other.decisions,
            lost=self.lost + other.lost,
            by_chance=self.by_chance and other.by_chance,
            kinds=kinds,
            marking=self.marking + other.marking,
        )


def band_of(mean: float) -> str:
    """Returns the level of a mean loss of win probability per decision.

    Examples:
        >>> band_of(0.0005), band_of(0.01), band_of(0.2)
        ('world_class', 'intermediate', 'novice')
    """
    return next((name for most, name in BANDS if mean < most), NOVICE)


def band_name(band: str) -> Message:
    """Returns the name of a level, as a message."""
    return Message(f"rating.band.{band}")


def error_ratings(
    game: Game, judged: Iterable[Decision], actions: Iterable[int], start: State | None = None
) -> list[ErrorRating]:
    """Rates every player of a game.

    Args:
        game: the game that was played.
        judged: its decisions, from `decisions`.
        actions: all actions from the start, chance outcomes included.
        start: the state before the first action; None means the initial state.

    Returns:
        One rating per seat.

    Examples:
        >>> import tablier
        >>> from tablier.analysis import decisions
        >>> game = tablier.load_game("tic_tac_toe")
        >>> corner, edge, centre = 0, 1, 4
        >>> played = [corner, edge, centre]
        >>> [rating.mean for rating in error_ratings(game, decisions(game, played), played)]
        [0.0, 0.5]
    """
    steps, _ = replayed(game, actions, start)
    home = home_of(game)
    ratings = [ErrorRating() for _ in range(game.num_players())]
    for state, action in steps:
        player = state.current_player()
        if player >= 0 and len(state.legal_actions()) > 1 and not is_judged(state):
            off = home.points_off(state, action)
            marked = ratings[player].marking + Tally(1, int(off > 0), off)
            ratings[player] = replace(ratings[player], marking=marked)
    for decision in judged:
        ratings[decision.player] += _rating(home, steps[decision.index][0], decision)
    return ratings


def _rating(home: Home, state: State, decision: Decision) -> ErrorRating:
    """Splits the cost of a decision between the choice that precedes the move, if there is one, and the move."""
    by_chance = decision.best.win_chance is not None
    kind = home.decision_kind(state)
    if kind == MOVE:
        kinds = {MOVE: _tally(decision.cost)}
    else:
        side = home.branch(state, decision.opinion.action)
        same = [one for one in decision.opinions if home.branch(state, one.action) == side]
        chosen = cost(same[0], decision.opinions)
        kinds = {kind: _tally(chosen)}
        if len(same) > 1:
            kinds[MOVE] = _tally(max(0.0, decision.cost - chosen))
    return ErrorRating(1, decision.cost, by_chance, kinds)


def _tally(lost: float) -> Tally:
    return Tally(1, int(lost > 0), lost)
