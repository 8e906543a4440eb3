"""A player for Trictrac with schools that marks the points due and claims every wrong marking.

A search on its own would mark a hundred points and gamble that the opponent makes no claim. Marking has a correct
answer, so only the moves are searched, in the game without schools.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tablier._core import Game, State, trictrac
from tablier._core.trictrac import CORRECT, MOST_DECLARED, MOST_THROWS, NO_CLAIM, SchoolStep, Stage
from tablier.candidate import Candidate
from tablier.games.trictrac.position import Position
from tablier.games.trictrac.schools import claimable
from tablier.registry import load_game

if TYPE_CHECKING:
    from tablier.players import Player


class HonestPlayer:
    """Lets another player choose moves in the game without schools; marks and claims correctly.

    The player from `within` takes the few moves that exist only with schools, such as filling a jan after a claim.
    """

    def __init__(self, game: Game, make: Callable[[Game], Player], within: Callable[[Game], Player]) -> None:
        self._plain = plain_game(game)
        self._player = make(self._plain)
        self._within = within(game)

    def choose(self, state: State) -> int:
        """Returns the correct marking or claim, or the inner player's move."""
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        if not is_judged(state):
            return answer(state)
        plain = self._without_schools(state)
        action = self._player.choose(plain) if plain is not None else self._within.choose(state)
        return action if action in legal else self._within.choose(state)

    def explain(self, state: State) -> list[Candidate]:
        """Ranks the legal actions, best first.

        Markings and claims are ranked by their distance in points from the correct one. Moves have the values of the
        inner player; a move that neglects a filling, which only schools allow, gets the value of the worst other move.
        """
        legal = state.legal_actions()
        if not is_judged(state):
            right = answer(state)
            far = {action: points_off(state, action) for action in legal}
            ranked = sorted(legal, key=lambda action: (action != right, far[action]))
            return [Candidate(action, state.action_to_string(action), 0.0 - far[action]) for action in ranked]
        plain = self._without_schools(state)
        if plain is None or not set(legal) & set(plain.legal_actions()):
            return self._within.explain(state)
        opinions = [opinion for opinion in self._player.explain(plain) if opinion.action in legal]
        worst = min(opinions, key=lambda opinion: opinion.value)
        listed = {opinion.action for opinion in opinions}
        return opinions + [
            replace(worst, action=action, text=state.action_to_string(action))
            for action in legal
            if action not in listed
        ]

    def _without_schools(self, state: State) -> State | None:
        """Returns the same decision in the game without schools; None if it does not exist there."""
        position = Position.of(state)
        if position.stage not in ("HoldOrGoChoice", "Move") or position.school is None:
            return None
        throws = list(position.throws or (MOST_THROWS, MOST_THROWS))
        throws[position.player] -= min(throws) < MOST_THROWS  # the count stops at MOST_THROWS
        opened: dict[str, Any] = {
            "school": None,
            "due": None,
            "dice": (0, 0),
            "stage": "RollWaiting",
            "throws": tuple(throws),
        }
        before = replace(position, **opened, **vars(position.school.before))
        try:  # repeat the throw, so that its points are marked correctly
            return before.throw(*position.dice, self._plain)
        except ValueError:  # impossible without schools
            return None


def plain_game(game: Game) -> Game:
    """Returns the same game without schools."""
    return load_game(game.name, **{**game.options(), "schools": False, "fill_school": "single"})


def without_schools(state: State) -> State | None:
    """Returns a position before a throw in the game without schools; None if it does not exist there."""
    position = replace(Position.of(state), school=None)
    try:
        return position.state(plain_game(state.get_game()))
    except ValueError:
        return None


def points_off(state: State, action: int) -> int:
    """Returns how many points a declaration or claim differs from the correct one."""
    return abs(trictrac.amount(action) - trictrac.amount(answer(state)))


def is_judged(state: State) -> bool:
    """Whether a decision is a matter of judgement: a move, or whether to have a neglected filling made."""
    return trictrac.parts(state).school in (SchoolStep.NONE, SchoolStep.DECIDE_FILLING)


def answer(state: State) -> int:
    """Returns the correct declaration or claim."""
    parts = trictrac.parts(state)
    if parts.school == SchoolStep.DECLARE:
        return trictrac.declaration(parts.due[parts.stage != Stage.MARK_POINTS])
    owed = claimable(state)
    if not owed:
        return NO_CLAIM
    return trictrac.claim(owed) if owed <= MOST_DECLARED else CORRECT
