"""Describes games in OpenSpiel's terms, so that its algorithms accept them unchanged."""

from __future__ import annotations

import enum
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tablier._core import Game


class Dynamics(enum.Enum):
    """Whether players act in turn; all games here are sequential."""

    SEQUENTIAL = enum.auto()


class ChanceMode(enum.Enum):
    """Whether the game has dice."""

    DETERMINISTIC = enum.auto()
    EXPLICIT_STOCHASTIC = enum.auto()


class Information(enum.Enum):
    """How much of the state players see; every game is described as one of perfect information."""

    PERFECT_INFORMATION = enum.auto()


class Utility(enum.Enum):
    """Whether one player's gain is the other's loss."""

    ZERO_SUM = enum.auto()
    GENERAL_SUM = enum.auto()


class RewardModel(enum.Enum):
    """Whether rewards come only at the end or also during the game."""

    TERMINAL = enum.auto()
    REWARDS = enum.auto()


@dataclass(frozen=True)
class GameType:
    """The result of `Game.get_type`, with the field names of `pyspiel.GameType`.

    The enum fields hold pyspiel's own values if pyspiel is imported, otherwise those of this module.
    """

    short_name: str
    long_name: str
    dynamics: Any
    chance_mode: Any
    information: Any
    utility: Any
    reward_model: Any
    max_num_players: int
    min_num_players: int
    provides_observation_string: bool = True
    provides_observation_tensor: bool = True
    provides_information_state_string: bool = False
    provides_information_state_tensor: bool = False


def _named(value: enum.Enum) -> Any:
    """Returns pyspiel's equivalent if pyspiel is loaded, because its algorithms compare against their own enums."""
    pyspiel = sys.modules.get("pyspiel")
    return getattr(getattr(pyspiel.GameType, type(value).__name__), value.name) if pyspiel else value


def game_type(game: Game) -> GameType:
    """Returns the OpenSpiel type of a game."""
    dice = game.max_chance_outcomes() > 0
    return GameType(
        short_name=game.name,
        long_name=game.title,
        dynamics=_named(Dynamics.SEQUENTIAL),
        chance_mode=_named(ChanceMode.EXPLICIT_STOCHASTIC if dice else ChanceMode.DETERMINISTIC),
        information=_named(Information.PERFECT_INFORMATION),
        utility=_named(Utility.ZERO_SUM if game._zero_sum() else Utility.GENERAL_SUM),
        reward_model=_named(RewardModel.TERMINAL if game._terminal_rewards() else RewardModel.REWARDS),
        max_num_players=game.num_players(),
        min_num_players=game.num_players(),
    )
