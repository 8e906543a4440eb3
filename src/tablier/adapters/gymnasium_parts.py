"""Code shared by the single and the vector Gymnasium environment: loading games, spaces, dice and rendering."""

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
"""Number of decisions after which episodes are truncated."""
RENDER_MODES = ["ansi", "svg", "rgb_array"]
SELF = "self"
"""The value of `opponent` for a learner that decides for both seats."""
ILLEGAL = ("raise", "replace")
"""How `step` treats an illegal action: raise ValueError, or play a legal action in its place."""

if TYPE_CHECKING:  # before Gymnasium 1.4, Discrete takes no type argument at run time
    Discrete = spaces.Discrete[np.int64]
else:
    Discrete = spaces.Discrete


class Drawn(np.int64):
    """An action drawn by `LegalActions.sample()` without a mask."""


class LegalActions(Discrete):
    """The space of actions 0 to n - 1. Without arguments, `sample()` draws an action that is currently legal.

    This makes the first loop everyone writes, `env.step(env.action_space.sample())`, play a game. Gymnasium's checker
    also plays a sampled action after another reset, when it may no longer be legal. `step` therefore replaces an
    illegal `Drawn` action, however it treats other illegal actions.
    """

    legal: NDArray[np.bool_] | None = None
    """The mask of legal actions, which the environment keeps up to date; None before the first reset."""

    def sample(self, mask: NDArray[Any] | None = None, probability: NDArray[Any] | None = None) -> np.int64:
        """Draws an action as in Gymnasium; without arguments, draws a legal one."""
        if mask is not None or probability is not None or self.legal is None:
            return super().sample(mask, probability)
        return Drawn(super().sample(self.legal.astype(np.int8)))


def two_player_game(game: str | Game, options: dict[str, Any], caller: str) -> Game:
    """Loads a game with these rule options.

    Args:
        game: a name, or a `Game`.
        options: rule options.
        caller: the name of the caller, for error messages.

    Raises:
        TypeError: an option is unknown.
        ValueError: a value is not accepted, or the game does not have two players.
    """
    loaded = load_with_keywords(game, options, caller)
    if loaded.num_players() != 2:
        raise ValueError(f"{loaded.name} has {loaded.num_players()} players; Gymnasium environments need two")
    return loaded


def view_space(view: View) -> spaces.Box[Any]:
    """Returns the Gymnasium space of a view."""
    return spaces.Box(view.low, view.high, dtype=view.dtype.type)


def checked_illegal(illegal: str) -> str:
    """Returns `illegal` if it is an accepted value, otherwise raises ValueError."""
    if illegal not in ILLEGAL:
        raise ValueError(f"illegal must be one of {', '.join(map(repr, ILLEGAL))}, not {illegal!r}")
    return illegal


def throw(state: State, random: np.random.Generator) -> None:
    """Rolls the dice."""
    outcomes = state.legal_actions()
    state.apply_action(outcomes[int(random.integers(len(outcomes)))])


def first_decision(game: Game, random: np.random.Generator, play_on: Callable[[State], None] | None = None) -> State:
    """Starts a game and plays up to its first decision. A game that ends before that is started again.

    Args:
        game: the game to start.
        random: the random number generator of the dice.
        play_on: plays from the first decision of the game to the first decision of the learner.

    Raises:
        RuntimeError: 10,000 games ended before the first decision.
    """
    for _ in range(10_000):
        state = game.new_initial_state()
        while state.is_chance_node():
            throw(state, random)
        if play_on is not None:
            play_on(state)
        if not state.is_terminal():
            return state
    raise RuntimeError(f"{game.name} always ends before the learner's first decision")


def render_modes(game: Game) -> list[str]:
    """Returns the render modes of a game; "svg" only if the game has a drawing."""
    return [mode for mode in RENDER_MODES if mode != "svg" or has_picture(game)]


def checked_render_mode(mode: str | None, game: Game) -> str | None:
    """Returns the mode if it can be used.

    Args:
        mode: the render mode, or None.
        game: the game to render.

    Raises:
        ValueError: the game does not have the mode.
        ImportError: the mode is "rgb_array" and Pillow is not installed.
    """
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
