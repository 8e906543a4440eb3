"""A player of Trictrac with schools who marks what is due and claims what was marked wrongly.

Left to itself a search marks a hundred points and hopes that nobody looks. Marking is not a matter of judgement, so
only the moves are thought about, as in the game without schools.
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
    """Thinks about moves as another player does without schools, and tells the truth in everything else.

    The few moves that only schools have, as while a filling is made good, are taken by the player of `within`.
    """

    def __init__(self, game: Game, make: Callable[[Game], Player], within: Callable[[Game], Player]) -> None:
        rules = {**game.options(), "schools": False, "fill_school": "single"}
        self._plain = load_game(game.name, **rules)
        self._player = make(self._plain)
        self._within = within(game)

    def choose(self, state: State) -> int:
        """The truth, or the other player's move."""
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        if not is_judged(state):
            return answer(state)
        plain = self._without_schools(state)
        action = self._player.choose(plain) if plain is not None else self._within.choose(state)
        return action if action in legal else self._within.choose(state)

    def explain(self, state: State) -> list[Candidate]:
        """Of what can be said the truth first, the rest by its distance in points; of moves the other's opinions.

        Neglecting a filling, which only schools allow, counts as no better than the worst move that does not.
        """
        legal = state.legal_actions()
        if not is_judged(state):
            right = answer(state)
            far = {action: abs(trictrac.amount(action) - trictrac.amount(right)) for action in legal}
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
        """The same decision in the game without schools; None where it has none, as while a filling is made good."""
        position = Position.of(state)
        if position.stage not in ("HoldOrGoChoice", "Move") or position.school is None:
            return None
        throws = list(position.throws or (MOST_THROWS, MOST_THROWS))
        throws[position.player] -= min(throws) < MOST_THROWS  # beyond that they are no longer counted
        opened: dict[str, Any] = {
            "school": None,
            "due": None,
            "dice": (0, 0),
            "stage": "RollWaiting",
            "throws": tuple(throws),
        }
        before = replace(position, **opened, **vars(position.school.before))
        try:  # the throw is made again, so that it is marked right
            return before.throw(*position.dice, self._plain)
        except ValueError:  # no game without schools comes to this
            return None


def is_judged(state: State) -> bool:
    """Whether a decision is a matter of judgement: a move, or whether a neglected filling is made."""
    return trictrac.parts(state).school in (SchoolStep.NONE, SchoolStep.DECIDE_FILLING)


def answer(state: State) -> int:
    """The truth, where a player marks or may claim."""
    parts = trictrac.parts(state)
    if parts.school == SchoolStep.DECLARE:
        return trictrac.declaration(parts.due[parts.stage != Stage.MARK_POINTS])
    owed = claimable(state)
    if not owed:
        return NO_CLAIM
    return trictrac.claim(owed) if owed <= MOST_DECLARED else CORRECT
