"""What Gymnasium's environments are made of here, one game or many: game, spaces, dice, pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tablier import raster
from tablier._core import Game, State
from tablier.drawing import has_picture
from tablier.registry import load_game

MAX_EPISODE_STEPS = 2000
RENDER_MODES = ["ansi", "svg", "rgb_array"]
SELF = "self"
"""The opponent of a learner that decides for both seats."""

Features = NDArray[np.float32]


class Drawn(np.int64):
    """An action that `LegalActions.sample()` drew without being given a mask."""


class LegalActions(spaces.Discrete[np.int64]):
    """The actions 0 .. n - 1, of which `sample()` without a mask draws one that is legal now.

    So the loop everyone writes first, `env.step(env.action_space.sample())`, plays a game. Gymnasium's own checker
    keeps a sample over a reset and plays it in another position; `step` then puts another legal action in place of a
    `Drawn` one. Every other illegal action is refused.
    """

    legal: NDArray[np.bool_] | None = None
    """The mask of the present position; the environment keeps it up to date."""

    def sample(self, mask: NDArray[Any] | None = None, probability: NDArray[Any] | None = None) -> np.int64:
        """As in Gymnasium; without arguments one of the actions that are legal now."""
        if mask is not None or probability is not None or self.legal is None:
            return super().sample(mask, probability)
        return Drawn(super().sample(self.legal.astype(np.int8)))


def two_player_game(game: str | Game, options: dict[str, Any]) -> Game:
    """The game under these options, or ValueError if it is not for two."""
    loaded = (
        load_game(game.name, **{**game.options(), **options}) if isinstance(game, Game) else load_game(game, **options)
    )
    if loaded.num_players() != 2:
        raise ValueError(f"{loaded.name} has {loaded.num_players()} players; these environments are for games of two")
    return loaded


def features_space(game: Game) -> spaces.Box[np.float32]:
    """A player's view of a game."""
    return spaces.Box(-np.inf, np.inf, game.features_shape(), np.float32)


def throw(state: State, random: np.random.Generator) -> None:
    """Plays the dice."""
    outcomes = state.legal_actions()
    state.apply_action(outcomes[int(random.integers(len(outcomes)))])


def dealt(game: Game, random: np.random.Generator, play_on: Callable[[State], None] | None = None) -> State:
    """A new game at its first decision, the first after `play_on` if that is given."""
    for _ in range(10_000):
        state = game.new_initial_state()
        while state.is_chance_node():
            throw(state, random)
        if play_on is not None:
            play_on(state)
        if not state.is_terminal():
            return state
    raise RuntimeError(f"{game.name} always ends before the learner has decided something")


def render_modes(game: Game) -> list[str]:
    """How a game can be shown: "svg" only if it has a picture."""
    return [mode for mode in RENDER_MODES if mode != "svg" or has_picture(game)]


def checked_render_mode(mode: str | None, game: Game) -> str | None:
    """The mode, or ValueError with the list of what there is."""
    if mode is not None and mode not in render_modes(game):
        raise ValueError(f"render_mode of {game.name} must be None or one of {render_modes(game)}, not {mode!r}")
    if mode == "rgb_array":
        raster.require_pillow()
    return mode


def rendered(state: State, mode: str) -> Any:
    """The state in one of the render modes."""
    if mode == "ansi":
        return str(state)
    return state.svg() if mode == "svg" else raster.rgb_array(state)
