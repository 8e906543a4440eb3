"""Tablier's games in Gymnasium. Importing this module registers them.

Examples:
    >>> import gymnasium
    >>> import tablier.adapters.gymnasium
    >>> env = gymnasium.make("tablier/Trictrac-v0", opponent="random", seat=0)
    >>> observation, info = env.reset(seed=1)
    >>> action = env.action_space.sample(mask=info["action_mask"])
    >>> observation, reward, terminated, truncated, info = env.step(action)

Every two-player game becomes `tablier/<Name>-v0`: `tic_tac_toe` is `tablier/TicTacToe-v0`. The learner has one seat.
`step` plays the learner's action, then the dice and the opponent, until the learner has to decide again or the game is
over. A player can move twice in a row. Keywords are `opponent`, `seat`, `observation`, `illegal`, `render_mode` and the
rule options of the game; an unknown keyword raises TypeError.

- **Reward**: what the learner has gained since their last decision, including during the opponent's moves. The game's
  option `utility` defines it. Trictrac is registered with `utility="win"`: +1 or -1 at the end, 0 before. With
  `utility="score"` the learner gets 12 for a hole and 1 for a point as soon as they are marked. The rewards of an
  episode add up to the game's return. `info["rewards"]` has the rewards of both players.
- **Mask**: `info["action_mask"]` (int8, for `action_space.sample(mask=)`) and `action_masks()` (bool, for sb3-contrib).
  Wrappers hide methods: call `env.unwrapped.action_masks()` or `env.get_wrapper_attr("action_masks")()`.
- **Illegal actions** raise ValueError and change nothing. With `illegal="replace"` a legal action is played instead,
  for libraries that check an environment with random actions; `info["played"]` is the action that was played.
- **Opponent "self"**: the learner decides for both seats. The observation is that of the player to move,
  `info["player"]` is that player, and the reward is what the action gained the player who made it. What the other
  player gained or lost is in `info["rewards"]`.
- **Truncation**: Gymnasium's TimeLimit truncates episodes after `max_episode_steps` (2000) decisions. If a game ends
  before the learner's first decision, a new one starts.

`gymnasium.make_vec` returns the native `TablierVectorEnv`, which plays both seats; see gymnasium_vector.py.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tablier._core import Game, State
from tablier.players import PLAYERS, Player, make_player
from tablier.python_game import CHANCE
from tablier.registry import load_game, registered_games

try:
    import gymnasium
except ImportError as error:
    raise ImportError("tablier.adapters.gymnasium needs Gymnasium: pip install 'tablier[gymnasium]'") from error

from tablier.adapters.gymnasium_parts import (
    MAX_EPISODE_STEPS,
    RENDER_MODES,
    SELF,
    Drawn,
    LegalActions,
    checked_illegal,
    checked_render_mode,
    first_decision,
    render_modes,
    rendered,
    throw,
    two_player_game,
    view_space,
)
from tablier.adapters.gymnasium_vector import TablierVectorEnv
from tablier.adapters.views import View

__all__ = ["TablierEnv", "TablierVectorEnv", "make_env", "register"]

SEATS = (0, 1, "random")
"""Accepted values of `seat`."""
Observation = NDArray[Any]


class TablierEnv(gymnasium.Env[Observation, np.int64]):
    """A two-player game with one seat for a learner. The module docstring explains rewards, masks and episodes.

    Args:
        game: a name, or a `Game` with its options.
        opponent: a player string such as "random" or "greedy", an object with a method `choose(state)`, or "self". A
            player given as a string is re-created at every reset with a seed, seeded by this environment; an object
            is used as it is.
        seat: the learner's seat: 0, 1, or "random" for a new draw at each reset.
        observation: "features" (float32, for networks) or "observation" (small integers).
        illegal: how to treat illegal actions, "raise" or "replace".
        render_mode: None, "ansi", "svg" or "rgb_array".
        **options: rule options of the game.

    Raises:
        TypeError: a keyword is unknown.
        ValueError: the game does not have two players, or a value is not accepted.
        ImportError: `render_mode` is "rgb_array" and Pillow is not installed.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": RENDER_MODES, "render_fps": 2}  # type: ignore[misc]

    def __init__(
        self,
        game: str | Game,
        *,
        opponent: str | Player = "random",
        seat: int | str = 0,
        observation: str = "features",
        illegal: str = "raise",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = two_player_game(game, options, "TablierEnv")
        self.metadata = {**TablierEnv.metadata, "render_modes": render_modes(self.game)}  # type: ignore[misc]
        self.render_mode = checked_render_mode(render_mode, self.game)
        if not any(type(seat) is type(known) and seat == known for known in SEATS):
            raise ValueError(f"seat must be one of {', '.join(map(repr, SEATS))}, not {seat!r}")
        self._seat = seat
        self._opponent = opponent
        self._player = None if opponent == SELF else _opponent(opponent, self.game, 0)
        self._unseeded = True
        self._replaces = checked_illegal(illegal) == "replace"
        self._view = View.of(self.game, observation)
        self._state: State | None = None
        self._learner = 0
        self._returns = np.zeros(2)
        self.observation_space = view_space(self._view)
        self.action_space: LegalActions = LegalActions(self.game.num_distinct_actions())

    @property
    def state(self) -> State:
        """A copy of the current position."""
        return self._current().clone()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts a game and plays up to the learner's first decision.

        Args:
            seed: seed of the dice, a random seat and the opponent; None keeps the current random state.
            options: ignored.

        Returns:
            The observation and the info dict.
        """
        super().reset(seed=seed)
        if seed is not None or self._unseeded:
            self._unseeded = False
            if isinstance(self._opponent, str) and self._opponent != SELF:
                self._player = make_player(self._opponent, self.game, int(self.np_random.integers(2**31)))
        self._learner = int(self.np_random.integers(2)) if self._seat == "random" else int(self._seat)
        self._state = first_decision(self.game, self.np_random, self._play_on)
        self._returns = np.array(self.game.new_initial_state().returns())
        return self._shown(np.zeros(2))

    def step(self, action: int | np.integer[Any]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays the learner's action, then everything up to their next decision.

        Args:
            action: the learner's action.

        Returns:
            Observation, reward, terminated, truncated (always False) and the info dict.

        Raises:
            ValueError: the action is illegal and `illegal` is "raise". The position stays the same.
            gymnasium.error.ResetNeeded: the game is over or has not started.
        """
        before = self._current()
        if before.is_terminal():
            raise gymnasium.error.ResetNeeded("the game is over: call reset() before step()")
        if (self._replaces or isinstance(action, Drawn)) and action in self.action_space:
            action = self._legal(before, int(action))
        mover = before.current_player()
        state = before.child(action)  # a new state, so that nothing changes if the opponent raises an error
        self._play_on(state)
        self._state = state
        returns = np.array(state.returns())
        rewards, self._returns = returns - self._returns, returns
        if self._player is None:
            self._learner = mover
        observation, info = self._shown(rewards)
        info["played"] = np.int64(action)
        return observation, float(rewards[mover]), state.is_terminal(), False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the mask of legal actions [actions], as sb3-contrib expects it."""
        return self._current().legal_actions_mask()

    def render(self) -> Any:
        """Returns the position as text ("ansi"), an SVG document ("svg") or an array of pixels ("rgb_array")."""
        return None if self.render_mode is None else rendered(self._current(), self.render_mode)

    @staticmethod
    def _legal(state: State, action: int) -> int:
        """Returns the action if it is legal, otherwise a legal one derived from it."""
        legal = state.legal_actions()
        return action if action in legal else legal[action % len(legal)]

    def _current(self) -> State:
        if self._state is None:
            raise gymnasium.error.ResetNeeded("call reset() first: there is no position yet")
        return self._state

    def _play_on(self, state: State) -> None:
        """Plays the dice and the opponent until the learner has to decide or the game is over."""
        while True:
            player = state.current_player()
            if player == CHANCE:
                throw(state, self.np_random)
            elif player < 0 or self._player is None or player == self._learner:
                return
            else:
                state.apply_action(self._player.choose(state.clone()))

    def _shown(self, rewards: NDArray[np.float64]) -> tuple[Observation, dict[str, Any]]:
        state = self._current()
        if self._player is None and not state.is_terminal():
            self._learner = state.current_player()
        mask = state.legal_actions_mask()
        self.action_space.legal = mask
        info = {"action_mask": mask.astype(np.int8), "player": np.int64(self._learner), "rewards": rewards}
        return self._view.read(state, self._learner), info


def make_env(game: str | Game, **kwargs: Any) -> gymnasium.Env[Observation, np.int64]:
    """Creates an environment for any two-player game, including games registered with Tablier after this import.

    Args:
        game: a name, or a `Game`, which keeps its options, `utility` included.
        **kwargs: keyword arguments for `gymnasium.make` and `TablierEnv`.

    Examples:
        >>> make_env("pig", win_score=20, opponent="greedy").spec.id
        'tablier/Pig-v0'
    """
    if isinstance(game, str):
        return gymnasium.make(register(game), **kwargs)
    return gymnasium.make(register(game.name), **{**game.options(), **kwargs})


def register(name: str) -> str:
    """Registers a game with Gymnasium, unless it already is, and returns its Gymnasium id.

    Args:
        name: a registered Tablier game.

    Raises:
        ValueError: there is no such game, or it does not have two players.
    """
    identifier = f"tablier/{''.join(part.capitalize() for part in name.split('_'))}-v0"
    if identifier not in gymnasium.registry:
        options = two_player_game(name, {}, "register").options()
        here = "tablier.adapters.gymnasium"
        gymnasium.register(
            identifier,
            entry_point=f"{here}:TablierEnv",
            vector_entry_point=f"{here}_vector:TablierVectorEnv",
            max_episode_steps=MAX_EPISODE_STEPS,
            kwargs={"game": name} | ({"utility": "win"} if options.get("utility") == "score" else {}),
        )
    return identifier


def _opponent(description: str | Player, game: Game, seed: int) -> Player:
    try:
        return make_player(description, game, seed)
    except (TypeError, ValueError) as error:
        names = ", ".join(map(repr, [*sorted(PLAYERS), SELF]))
        accepted = f"opponent must be one of {names} or an object with a method choose(state)"
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{accepted}, not {description!r}: {error}") from None


for _name in registered_games():
    if load_game(_name).num_players() == 2:
        register(_name)
