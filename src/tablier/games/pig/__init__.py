"""The home of pig: its picture and its texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tablier._core import State
from tablier.games.champion import Champion
from tablier.games.home import Bound, Facts, Home, Segment
from tablier.games.pig import exact
from tablier.games.pig.picture import HOLD, ROLL, Race, draw
from tablier.messages import Message, Text, render


class PigHome(Home):
    """Draws pig as a race. The page's memory is the last face of the die, which a state does not store."""

    folder = Path(__file__).parent
    key = "pig"

    def action(self, state: State, action: int) -> Text:
        """Returns "roll", "hold" or the face of the die."""
        if state.is_chance_node():
            return Message("pig.die", face=action + 1)
        return Message({ROLL: "pig.roll", HOLD: "pig.hold"}[action])

    def describe(self, state: State) -> Text:
        """Describes the scores in a sentence."""
        race = Race.of(state)
        return Message("pig.position", goal=race.goal, first=race.scores[0], second=race.scores[1], turn=race.turn)

    def svg(self, state: State, lang: str = "en", **settings: Any) -> str:
        """Draws the race; the setting `die` shows a face of the die."""
        return draw(Race.of(state), render(self.describe(state), lang), **settings)

    def board(self, state: State, viewer: int, lang: str, before: State | None, colour: bool) -> list[list[Segment]]:
        """Returns the scores in a sentence."""
        return [[(f"   {render(self.describe(state), lang)}", "")]]

    def scene(self, state: State, memory: Any) -> Facts:
        """Adds the last face of the die to the picture."""
        return super().scene(state, memory) | {"svg": self.svg(state, die=memory or 0)}

    def log(self, before: State, action: int, after: State, memory: Any) -> tuple[Facts, Any]:
        """Returns the default line and remembers the face of the die."""
        facts, memory = super().log(before, action, after, memory)
        return facts, action + 1 if before.is_chance_node() else memory

    def bounds(self, view: str) -> tuple[Bound, Bound]:
        """Returns the bounds: features are fractions of the goal, observations store points in a byte."""
        return (0, 1) if view == "features" else (0, min(int(self.game.options()["win_score"]), 255))

    def champion(self) -> Champion | None:
        """Returns exact values for games to at most 100 points."""
        return Champion(exact.values) if int(self.game.options()["win_score"]) <= exact.MOST else None


HOME = PigHome
