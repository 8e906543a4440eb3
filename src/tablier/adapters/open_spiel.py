"""Tablier's games in OpenSpiel. Importing this module registers them.

Examples:
    >>> import pyspiel
    >>> import tablier.adapters.open_spiel
    >>> game = pyspiel.load_game("python_trictrac(max_turns=200,utility=win)")
    >>> game.num_distinct_actions(), game.max_chance_outcomes()
    (514, 36)

Every game is registered as `tablier_<name>`. Trictrac is also registered as `python_trictrac`, the name existing
clients use; there White throws first, as those clients expect. Parameters are the rule options of the game and two
more:

- `max_turns` (default 1000): the number of decisions after which a game is stopped; the returns stay as they are.
- `observation`: the content of `observation_tensor`, "features" (default) or "observation".

`utility` has the game's default, which for Trictrac is "score": general sum, with rewards during the game. Pass
`utility=win` for a zero-sum game with one reward at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from tablier._core import Game, State
from tablier.adapters.views import VIEWS, View
from tablier.registry import load_game, registered_games

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError as error:
    raise ImportError("tablier.adapters.open_spiel needs OpenSpiel: pip install 'tablier[openspiel]'") from error

MAX_TURNS = 1000
"""Default number of decisions after which a game is stopped."""

MOST_TURNS = 10**9
"""Largest `max_turns`. OpenSpiel counts the dice as well, and its numbers have 32 bits."""

ESTABLISHED: dict[str, tuple[str, dict[str, Any]]] = {"python_trictrac": ("trictrac", {"first_throw": "white"})}
"""Names that existing clients use, each with the game and the options they expect."""


class TablierGame(pyspiel.Game):  # type: ignore[misc]
    """A Tablier game as a pyspiel game. `register` creates a subclass for each name.

    Args:
        params: OpenSpiel parameters: rule options, `max_turns` and `observation`.

    Raises:
        ValueError: a parameter is unknown or its value is not accepted.
    """

    spiel_name: ClassVar[str]
    """The name in OpenSpiel."""
    game_name: ClassVar[str]
    """The name in Tablier."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = dict(params or {})
        self.max_turns = int(given.pop("max_turns", MAX_TURNS))
        view = given.pop("observation", VIEWS[0])
        if self.max_turns < 1:
            raise ValueError(f"max_turns must be at least 1, not {self.max_turns}")
        if self.max_turns > MOST_TURNS:
            raise ValueError(f"max_turns must be at most {MOST_TURNS}, not {self.max_turns}")
        self.rules = load_game(self.game_name, **{**_defaults(self.spiel_name), **given})
        self.view = View.of(self.rules, view)
        kept = {name: value for name, value in (params or {}).items() if name not in self.rules._retired_options()}
        super().__init__(_type_of(self.spiel_name, self.rules), _info_of(self.rules, self.max_turns), kept)

    def new_initial_state(self, state: Any = None) -> TablierState:
        """Returns the initial state. Raises ValueError if another state is passed."""
        if state is not None:
            raise ValueError("new_initial_state() takes no state; use deserialize_state() to restore one")
        return TablierState(self, self.rules.new_initial_state())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Returns an observer that writes observations into a reusable array."""
        if iig_obs_type is not None and (iig_obs_type.perfect_recall or not iig_obs_type.public_info):
            return IIGObserverForPublicInfoGame(iig_obs_type, params)
        return TablierObserver(self.view, params)


class TablierState(pyspiel.State):  # type: ignore[misc]
    """A Tablier state as a pyspiel state. OpenSpiel's core calls the methods with an underscore."""

    def __init__(self, game: TablierGame, position: State) -> None:
        super().__init__(game)
        self._position = position
        self._left = game.max_turns  # decisions
        self._view = game.view
        self._since = [0.0] * game.rules.num_players()

    def current_player(self) -> int:
        """Returns the player to move, -1 at a chance node, -4 after the end."""
        return self._position.current_player() if self._left > 0 else -4

    def is_terminal(self) -> bool:
        """Returns whether the game is over or was stopped after `max_turns` decisions."""
        return self._left <= 0 or self._position.is_terminal()

    def is_chance_node(self) -> bool:
        """Returns whether the dice are rolled next."""
        return self._left > 0 and self._position.is_chance_node()

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Returns the legal actions of the player to move, or the outcomes of the roll, in ascending order."""
        return self._position.legal_actions(player) if self._left > 0 else []

    def _legal_actions(self, player: int) -> list[int]:
        return self.legal_actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns (outcome, probability) for every roll. Raises ValueError if the dice are not rolled next."""
        if self._left <= 0:
            raise ValueError("chance_outcomes() needs a chance node: the game was stopped")
        return self._position.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        if self.is_terminal():
            raise ValueError(f"action {action} is refused: the game is over")
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
        """Returns what each player has gained since the start."""
        return self._position.returns()

    def rewards(self) -> list[float]:
        """Returns what each player has gained since the last decision, dice included.

        OpenSpiel reads rewards only at decisions, so those of the rolls in between are added up.
        """
        return list(self._since)

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """Returns what a player sees, as a flat list of numbers. Raises RuntimeError if there is no such player."""
        self._check(player)
        tensor: list[float] = self._view.read(self._position, player).ravel().tolist()
        return tensor

    def observation_string(self, player: int | None = None) -> str:
        """Returns the position as text, all of which every player sees. Raises RuntimeError for no such player."""
        self._check(player)
        return str(self._position)

    def _check(self, player: int | None) -> None:
        players = self._position.num_players()
        if player is not None and not 0 <= player < players:  # the error is what OpenSpiel's api_test.py expects
            raise RuntimeError(f"a player must be player >= 0 and player < {players}, not {player}")

    def __str__(self) -> str:
        return str(self._position) if self._left > 0 else f"{self._position}\nstopped"


class TablierObserver:
    """Writes what a player sees into `tensor`; `dict["observation"]` is the same memory in the shape of the view."""

    def __init__(self, view: View, params: Any = None) -> None:
        if params:
            raise ValueError(f"the observer takes no parameters, but got {params}")
        self._view = view
        self.tensor = np.zeros(view.low.size, np.float32)
        self.dict = {"observation": self.tensor.reshape(view.shape)}

    def set_from(self, state: TablierState, player: int) -> None:
        """Writes what `player` sees of a state into the tensor."""
        self.dict["observation"][...] = self._view.read(state._position, player)

    def string_from(self, state: TablierState, player: int) -> str:
        """Returns what `player` sees, as text."""
        return state.observation_string(player)


def _type_of(name: str, rules: Game) -> pyspiel.GameType:
    kind = rules.get_type()
    interface = {"max_turns": MAX_TURNS, "observation": VIEWS[0]}
    parameters = {**rules._retired_options(), **rules.options(), **interface}  # saved games may contain retired options
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
    """Registers a Tablier game in OpenSpiel.

    Args:
        name: the name for `pyspiel.load_game`.
        game_name: the registered Tablier game.

    Raises:
        ValueError: there is no such Tablier game.
    """
    # A class and not a function: OpenSpiel keeps it until after the interpreter shuts down, which a function does not
    # survive.
    rules = load_game(game_name, **_defaults(name))
    facts = {"spiel_name": name, "game_name": game_name, "__module__": __name__}
    game = type(f"Game_{name}", (TablierGame,), facts)
    globals()[game.__name__] = game  # pickle looks the class up here
    pyspiel.register_game(_type_of(name, rules), game)


def register_all() -> None:
    """Registers all of Tablier's games. Call it again after you register your own game with Tablier."""
    known = set(pyspiel.registered_names())
    for name in registered_games():
        if f"tablier_{name}" not in known:
            register(f"tablier_{name}", name)
    for name, (game_name, _) in ESTABLISHED.items():
        if name not in known:
            register(name, game_name)


register_all()
