"""Tablier's games in Gymnasium: importing this module registers them.

>>> import gymnasium
>>> import tablier.adapters.gymnasium
>>> env = gymnasium.make("tablier/Trictrac-v0", opponent="random", seat=0)
>>> observation, info = env.reset(seed=1)
>>> action = env.action_space.sample(mask=info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)

Every two-player game becomes `tablier/<Name>-v0`: `tic_tac_toe` is `tablier/TicTacToe-v0`. One seat is the learner's;
`step` plays the action, then the dice and the opponent, until the learner decides again (that may be at once, a player
may move twice) or the game is over. Keywords are `opponent`, `seat`, `render_mode` and the game's own options.

- **Reward**: what the learner collected since its last decision, the opponent's moves included, as the game's option
  `utility` defines it. Trictrac is registered with `utility="win"`: +1 or -1 at the end and nothing before. Ask for
  `utility="score"` to be paid 12 a hole and 1 a point as they are marked. The rewards of an episode add up to the
  game's return. `info["rewards"]` has both players'.
- **Mask**: `info["action_mask"]` (int8, for `action_space.sample(mask=)`) and `action_masks()` (bool, sb3-contrib's).
  Wrappers hide methods: `env.unwrapped.action_masks()`, or `env.get_wrapper_attr("action_masks")()`.
- **Opponent "self"**: the learner decides for both seats. The observation is the mover's, `info["player"]` says whose
  turn it is, the reward is what the action brought its mover; the loser of a game learns it from `info["rewards"]`.
- **Episodes** are truncated after `max_episode_steps` (2000) decisions by Gymnasium's TimeLimit. A game that ends
  before the learner had to decide at all is dealt anew.

`gymnasium.make_vec` gives the native `TablierVectorEnv`, which is self-play; see gymnasium_vector.py.
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
    Features,
    LegalActions,
    checked_render_mode,
    dealt,
    features_space,
    render_modes,
    rendered,
    throw,
    two_player_game,
)
from tablier.adapters.gymnasium_vector import TablierVectorEnv

__all__ = ["TablierEnv", "TablierVectorEnv", "make_env", "register"]

SEATS = (0, 1, "random")


class TablierEnv(gymnasium.Env[Features, np.int64]):
    """A two-player game with one seat for a learner, as this module's docstring describes it.

    `opponent` is what `tablier.players.make_player` takes (a string such as "random" or "greedy", or an object with a
    method `choose(state)`), or "self". A player made from a string is made anew, with a seed of this environment, at
    every reset that is given a seed; an object is used as it is. `seat` is 0, 1 or "random", which draws at each reset.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": RENDER_MODES, "render_fps": 2}  # type: ignore[misc]

    def __init__(
        self,
        game: str | Game,
        *,
        opponent: str | Player = "random",
        seat: int | str = 0,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = two_player_game(game, options)
        self.metadata = {**TablierEnv.metadata, "render_modes": render_modes(self.game)}  # type: ignore[misc]
        self.render_mode = checked_render_mode(render_mode, self.game)
        if not any(type(seat) is type(known) and seat == known for known in SEATS):
            raise ValueError(f"seat must be one of {', '.join(map(repr, SEATS))}, not {seat!r}")
        self._seat = seat
        self._opponent = opponent
        self._player = None if opponent == SELF else _opponent(opponent, self.game, 0)
        self._unseeded = True
        self._state: State | None = None
        self._learner = 0
        self._returns = np.zeros(2)
        self.observation_space = features_space(self.game)
        self.action_space: LegalActions = LegalActions(self.game.num_distinct_actions())

    @property
    def state(self) -> State:
        """A copy of the position."""
        return self._present().clone()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, dict[str, Any]]:
        """Deals, and plays up to the learner's first decision."""
        super().reset(seed=seed)
        if seed is not None or self._unseeded:
            self._unseeded = False
            if isinstance(self._opponent, str) and self._opponent != SELF:
                self._player = make_player(self._opponent, self.game, int(self.np_random.integers(2**31)))
        self._learner = int(self.np_random.integers(2)) if self._seat == "random" else int(self._seat)
        self._state = dealt(self.game, self.np_random, self._play_on)
        self._returns = np.array(self.game.new_initial_state().returns())
        return self._shown(np.zeros(2))

    def step(self, action: int | np.integer[Any]) -> tuple[Features, float, bool, bool, dict[str, Any]]:
        """Plays the learner's action, then everything up to its next decision. An illegal one changes nothing."""
        before = self._present()
        if before.is_terminal():
            raise gymnasium.error.ResetNeeded("the game is over: call reset() before step()")
        if isinstance(action, Drawn) and not self.action_masks()[action]:
            legal = before.legal_actions()
            action = legal[int(action) % len(legal)]
        mover = before.current_player()
        state = before.child(action)  # the present position stays as it is if anything below goes wrong
        self._play_on(state)
        self._state = state
        returns = np.array(state.returns())
        rewards, self._returns = returns - self._returns, returns
        if self._player is None:
            self._learner = mover
        observation, info = self._shown(rewards)
        info["action"] = int(action)  # what was played: a sample drawn before the last reset may have been replaced
        return observation, float(rewards[mover]), state.is_terminal(), False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, as sb3-contrib asks it."""
        return self._present().legal_actions_mask()

    def render(self) -> Any:
        """The position as text ("ansi"), as an SVG document ("svg") or as an image array ("rgb_array")."""
        return None if self.render_mode is None else rendered(self._present(), self.render_mode)

    def _present(self) -> State:
        if self._state is None:
            raise gymnasium.error.ResetNeeded("call reset() first: there is no position yet")
        return self._state

    def _play_on(self, state: State) -> None:
        """Dice and the opponent, until the learner must decide or the game is over."""
        while True:
            player = state.current_player()
            if player == CHANCE:
                throw(state, self.np_random)
            elif player < 0 or self._player is None or player == self._learner:
                return
            else:
                state.apply_action(self._player.choose(state.clone()))

    def _shown(self, rewards: NDArray[np.float64]) -> tuple[Features, dict[str, Any]]:
        state = self._present()
        if self._player is None and not state.is_terminal():
            self._learner = state.current_player()
        mask = state.legal_actions_mask()
        self.action_space.legal = mask
        info = {"action_mask": mask.astype(np.int8), "player": self._learner, "rewards": rewards}
        return state.features(self._learner), info


def make_env(game: str | Game, **kwargs: Any) -> gymnasium.Env[Features, np.int64]:
    """`gymnasium.make` for any two-player game, registered with tablier before or after this module was imported.

    Takes what `gymnasium.make` takes; a `Game` brings its options.

    >>> make_env("pig", win_score=20, opponent="greedy").spec.id
    'tablier/Pig-v0'
    """
    if isinstance(game, str):
        return gymnasium.make(register(game), **kwargs)
    return gymnasium.make(register(game.name), **{**game.options(), **kwargs})


def register(name: str) -> str:
    """Makes a game known to Gymnasium if it is not yet, and returns its id there."""
    identifier = f"tablier/{''.join(part.capitalize() for part in name.split('_'))}-v0"
    if identifier not in gymnasium.registry:
        options = two_player_game(name, {}).options()
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
