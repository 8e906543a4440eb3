"""Tablier's games in OpenSpiel: importing this module registers them.

>>> import pyspiel
>>> import tablier.adapters.open_spiel
>>> game = pyspiel.load_game("python_trictrac(max_turns=200,utility=win)")
>>> game.num_distinct_actions(), game.max_chance_outcomes()
(514, 36)

Every registered game becomes `tablier_<name>`; Trictrac is also `python_trictrac`, the name that existing clients know,
with White throwing first as they expect. Parameters are the game's own options, and

- `max_turns` (default 1000): the game is stopped, with what has been collected, after so many decisions;
- `observation`: "features" (default) or "observation", what `observation_tensor` holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from tablier._core import Game, State
from tablier.registry import load_game, registered_games

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError as error:
    raise ImportError("tablier.adapters.open_spiel needs OpenSpiel: pip install 'tablier[openspiel]'") from error

MAX_TURNS = 1000
TENSORS = ("features", "observation")

ESTABLISHED: dict[str, tuple[str, dict[str, Any]]] = {"python_trictrac": ("trictrac", {"first_throw": "white"})}
"""Names that clients knew before this package, with the options they expect."""


class TablierGame(pyspiel.Game):  # type: ignore[misc]
    """A game of this package as OpenSpiel's. `register` makes a subclass for each name."""

    spiel_name: ClassVar[str]
    game_name: ClassVar[str]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = dict(params or {})
        self.max_turns = int(given.pop("max_turns", MAX_TURNS))
        self.tensor = given.pop("observation", TENSORS[0])
        if self.max_turns < 1:
            raise ValueError(f"max_turns must be at least 1, not {self.max_turns}")
        if self.tensor not in TENSORS:
            raise ValueError(f"observation must be one of {', '.join(TENSORS)}, not {self.tensor!r}")
        self.rules = load_game(self.game_name, **{**_defaults(self.spiel_name), **given})
        self.tensor_shape = getattr(self.rules, f"{self.tensor}_shape")()
        kept = {name: value for name, value in (params or {}).items() if name not in self.rules._retired_options()}
        super().__init__(_type_of(self.spiel_name, self.rules), _info_of(self.rules, self.max_turns), kept)

    def new_initial_state(self, state: Any = None) -> TablierState:
        """A state at the start."""
        if state is not None:
            raise ValueError("tablier's games start from their initial state; use deserialize_state() for others")
        return TablierState(self, self.rules.new_initial_state())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """An object that writes observations into an array of its own."""
        if iig_obs_type is not None and (iig_obs_type.perfect_recall or not iig_obs_type.public_info):
            return IIGObserverForPublicInfoGame(iig_obs_type, params)
        return TablierObserver(self.tensor, self.tensor_shape, params)


class TablierState(pyspiel.State):  # type: ignore[misc]
    """A state of this package as OpenSpiel's. The names with an underscore are what OpenSpiel's core calls."""

    def __init__(self, game: TablierGame, position: State) -> None:
        super().__init__(game)
        self._position = position
        self._left = game.max_turns  # decisions
        self._tensor = game.tensor
        self._since = [0.0] * game.rules.num_players()

    def current_player(self) -> int:
        """The player to decide, -1 for the dice, -4 when the game is over."""
        return self._position.current_player() if self._left > 0 else -4

    def is_terminal(self) -> bool:
        """Whether the game is over, or was stopped after max_turns decisions."""
        return self._left <= 0 or self._position.is_terminal()

    def is_chance_node(self) -> bool:
        """Whether the dice are to be thrown."""
        return self._left > 0 and self._position.is_chance_node()

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Ascending; those of the player to decide, or the outcomes of the dice."""
        return self._position.legal_actions(player) if self._left > 0 else []

    def _legal_actions(self, player: int) -> list[int]:
        return self.legal_actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) of every throw."""
        return self._position.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        position = self._position
        if position.is_chance_node():
            position.apply_action(action)
            gained = position.rewards()
            if any(gained):
                self._since = [before + more for before, more in zip(self._since, gained, strict=True)]
        else:
            position.apply_action(action)
            self._since = position.rewards()
            self._left -= 1

    def _action_to_string(self, player: int, action: int) -> str:
        return self._position.action_to_string(action)

    def returns(self) -> list[float]:
        """What each player has collected."""
        return self._position.returns()

    def rewards(self) -> list[float]:
        """What the last decision brought, the dice since then included: OpenSpiel reads rewards at decisions only."""
        return list(self._since)

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """What a player sees, as numbers."""
        view = self._position.features if self._tensor == "features" else self._position.observation
        tensor: list[float] = view(player).ravel().tolist()
        return tensor

    def observation_string(self, player: int | None = None) -> str:
        """What a player sees, as text: everything."""
        if player is not None and not 0 <= player < self._position.num_players():
            raise ValueError(f"player must be from 0 to {self._position.num_players() - 1}, not {player}")
        return str(self._position)

    def __str__(self) -> str:
        return str(self._position) if self._left > 0 else f"{self._position}\nstopped"


class TablierObserver:
    """Writes what a player sees into `tensor`, which `dict["observation"]` shows in its own shape."""

    def __init__(self, kind: str, shape: Sequence[int], params: Any = None) -> None:
        if params:
            raise ValueError(f"the observer takes no parameters, not {params}")
        self._kind = kind
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(tuple(shape))}

    def set_from(self, state: TablierState, player: int) -> None:
        """Looks at a state as `player`."""
        position = state._position
        if self._kind == "features":
            position.features(player, out=self.dict["observation"])
        else:
            self.dict["observation"][...] = position.observation(player)

    def string_from(self, state: TablierState, player: int) -> str:
        """The state as text."""
        return state.observation_string(player)


def _type_of(name: str, rules: Game) -> pyspiel.GameType:
    kind = rules.get_type()
    interface = {"max_turns": MAX_TURNS, "observation": TENSORS[0]}
    parameters = {**rules._retired_options(), **rules.options(), **interface}  # games saved long ago name old options
    return pyspiel.GameType(
        short_name=name,
        long_name=rules.title,
        dynamics=kind.dynamics,
        chance_mode=kind.chance_mode,
        information=kind.information,
        utility=kind.utility,
        reward_model=kind.reward_model,
        max_num_players=rules.num_players(),
        min_num_players=rules.num_players(),
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


def _info_of(rules: Game, max_turns: int) -> pyspiel.GameInfo:
    zero_sum = rules.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    length = rules.max_game_length()
    return pyspiel.GameInfo(
        num_distinct_actions=rules.num_distinct_actions(),
        max_chance_outcomes=rules.max_chance_outcomes(),
        num_players=rules.num_players(),
        min_utility=rules.min_utility(),
        max_utility=rules.max_utility(),
        utility_sum=0.0 if zero_sum else None,
        max_game_length=min(length, max_turns) if length else max_turns,
    )


def _defaults(name: str) -> dict[str, Any]:
    return ESTABLISHED[name][1] if name in ESTABLISHED else {}


def register(name: str, game_name: str) -> None:
    """Registers a game of this package in OpenSpiel under a name of its own.

    OpenSpiel keeps what it is given until after the interpreter has ended: a class survives that, a function does not.
    """
    rules = load_game(game_name, **_defaults(name))
    facts = {"spiel_name": name, "game_name": game_name, "__module__": __name__}
    game = type(f"Game_{name}", (TablierGame,), facts)
    globals()[game.__name__] = game  # where pickle looks for it
    pyspiel.register_game(_type_of(name, rules), game)


def register_all() -> None:
    """Registers every game that is known now; call it again after registering one of your own."""
    known = set(pyspiel.registered_names())
    for name in registered_games():
        if f"tablier_{name}" not in known:
            register(f"tablier_{name}", name)
    for name, (game_name, _) in ESTABLISHED.items():
        if name not in known:
            register(name, game_name)


register_all()
