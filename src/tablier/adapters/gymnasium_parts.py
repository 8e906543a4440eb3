"""What the single and the vector environment for Gymnasium share: the game, its spaces, the dice, rendering."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tablier import raster
from tablier._core import Game, State
from tablier.adapters.keywords import load_with_keywords
from tablier.adapters.views import View
from tablier.drawing import has_picture

MAX_EPISODE_STEPS = 2000
RENDER_MODES = ["ansi", "svg", "rgb_array"]
SELF = "self"
"""The opponent of a learner that decides for both seats."""
ILLEGAL = ("raise", "replace")
"""What `step` can do with an illegal action: raise ValueError, or play a legal action in its place."""

if TYPE_CHECKING:  # at run time Discrete takes a type argument only since Gymnasium 1.4
    Discrete = spaces.Discrete[np.int64]
else:
    Discrete = spaces.Discrete


class Drawn(np.int64):
    """An action that `LegalActions.sample()` drew without being given a mask."""


class LegalActions(Discrete):
    """The actions 0 to n - 1. Without a mask `sample()` draws one that is legal now.

    So the first loop everyone writes, `env.step(env.action_space.sample())`, plays a game. Gymnasium's own checker
    also plays a sample after a reset, when it may no longer be legal. Therefore `step` replaces an illegal `Drawn`
    action, whatever it does with other illegal actions.
    """

    legal: NDArray[np.bool_] | None = None
    """The mask of the current position; the environment keeps it up to date."""

    def sample(self, mask: NDArray[Any] | None = None, probability: NDArray[Any] | None = None) -> np.int64:
        """Draws as in Gymnasium; without arguments one of the actions that are legal now."""
        if mask is not None or probability is not None or self.legal is None:
            return super().sample(mask, probability)
        return Drawn(super().sample(self.legal.astype(np.int8)))


def two_player_game(game: str | Game, options: dict[str, Any], caller: str) -> Game:
    """Loads a game under these options; raises ValueError unless it has two players."""
    loaded = load_with_keywords(game, options, caller)
    if loaded.num_players() != 2:
        raise ValueError(f"{loaded.name} has {loaded.num_players()} players; Gymnasium environments take two")
    return loaded


def view_space(view: View) -> spaces.Box[Any]:
    """The space of a view's arrays."""
    return spaces.Box(view.low, view.high, dtype=view.dtype.type)


def checked_illegal(illegal: str) -> str:
    """Returns the setting `illegal` if it is known, else raises ValueError."""
    if illegal not in ILLEGAL:
        raise ValueError(f"illegal must be one of {', '.join(map(repr, ILLEGAL))}, not {illegal!r}")
    return illegal


def throw(state: State, random: np.random.Generator) -> None:
    """Throws the dice."""
    outcomes = state.legal_actions()
    state.apply_action(outcomes[int(random.integers(len(outcomes)))])


def first_decision(game: Game, random: np.random.Generator, play_on: Callable[[State], None] | None = None) -> State:
    """Starts a game and plays to its first decision, or to the first after `play_on` if that is given.

    A game that ends before that is started again.
    """
    for _ in range(10_000):
        state = game.new_initial_state()
        while state.is_chance_node():
            throw(state, random)
        if play_on is not None:
            play_on(state)
        if not state.is_terminal():
            return state
    raise RuntimeError(f"{game.name} always ends before the learner decides anything")


def render_modes(game: Game) -> list[str]:
    """The render modes of a game: "svg" only if it draws itself."""
    return [mode for mode in RENDER_MODES if mode != "svg" or has_picture(game)]


def checked_render_mode(mode: str | None, game: Game) -> str | None:
    """Returns the mode if the game has it, else raises ValueError."""
    if mode is not None and mode not in render_modes(game):
        raise ValueError(f"render_mode of {game.name} must be None or one of {render_modes(game)}, not {mode!r}")
    if mode == "rgb_array":
        raster.require_pillow()
    return mode


def rendered(state: State, mode: str) -> Any:
    """Renders a state in one of the render modes."""
    if mode == "ansi":
        return str(state)
    return state.svg() if mode == "svg" else raster.rgb_array(state)
