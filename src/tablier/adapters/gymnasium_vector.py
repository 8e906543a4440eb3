"""A native Gymnasium `VectorEnv` for self-play, based on `tablier.BatchEnv`.

Examples:
    >>> import gymnasium
    >>> import tablier.adapters.gymnasium
    >>> envs = gymnasium.make_vec("tablier/Trictrac-v0", num_envs=64)
    >>> observations, infos = envs.reset(seed=1)
    >>> actions = infos["action_mask"].argmax(axis=1)
    >>> observations, rewards, terminations, truncations, infos = envs.step(actions)

A step is one decision, of either player, in each game. `infos["current_player"]` is the player to move next, whose view
the observations show. `rewards` are those of the players who just moved; `infos["rewards"]` has those of both players.

The autoreset mode is SAME_STEP: when a game has ended, the observation is already the first of the next game, and
`infos["final_info"]["rewards"]` and `infos["final_obs"]` have the last rewards and observation. The final observation
of a truncated game is exact, because a learner bootstraps from it. That of a finished game is all zeros: the value
after it is 0 by definition.

With `copy=False`, observations, masks and players are written alternately into two sets of arrays, which is faster. The
arrays returned by a step then stay valid during the next step and are overwritten by the one after.

With `illegal="replace"`, a legal action is played in place of an illegal one, and `infos["played"]` has the actions
that were played. TorchRL's `GymWrapper` needs this, because it checks an environment with random actions before it
knows the mask.

To train against an opponent, use `gymnasium.make_vec(..., vectorization_mode="sync", opponent="random")`.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tablier._core import BatchEnv, Game
from tablier.batch import Arrays, arrays

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise ImportError("tablier.adapters.gymnasium needs Gymnasium: pip install 'tablier[gymnasium]'") from error

from tablier.adapters.gymnasium_parts import (
    MAX_EPISODE_STEPS,
    RENDER_MODES,
    SELF,
    checked_illegal,
    checked_render_mode,
    first_decision,
    render_modes,
    rendered,
    two_player_game,
    view_space,
)
from tablier.adapters.views import View

Features = NDArray[np.float32]
Actions = NDArray[np.int64]


class TablierVectorEnv(gymnasium.vector.VectorEnv[Features, Actions, NDArray[Any]]):
    """A batch of self-play games that are stepped together. The module docstring explains observations and episodes.

    Args:
        game: a name, or a `Game` with its options.
        num_envs: number of games.
        opponent: only "self": the learner decides for both seats.
        illegal: how to treat illegal actions, "raise" or "replace".
        max_episode_steps: number of decisions after which a game is truncated; None or -1 for no limit.
        render_mode: None, "ansi", "svg" or "rgb_array".
        threads: number of threads.
        copy: return copies of the arrays.
        **options: rule options of the game.

    Raises:
        TypeError: a keyword is unknown.
        ValueError: the game does not have two players, or a value is not accepted.
        ImportError: `render_mode` is "rgb_array" and Pillow is not installed.
    """

    autoreset_mode: ClassVar[AutoresetMode] = AutoresetMode.SAME_STEP
    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": RENDER_MODES,
        "autoreset_mode": autoreset_mode,
    }

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        opponent: str = SELF,
        illegal: str = "raise",
        max_episode_steps: int | None = MAX_EPISODE_STEPS,
        render_mode: str | None = None,
        threads: int = 1,
        copy: bool = True,
        **options: Any,
    ) -> None:
        if opponent != SELF:
            raise ValueError(
                f"the native vector environment plays both seats: opponent must be {SELF!r}, not {opponent!r}; "
                'to play an opponent, pass vectorization_mode="sync" to make_vec'
            )
        if "seat" in options:
            raise ValueError("the native vector environment plays both seats: remove the keyword seat")
        if max_episode_steps is not None and max_episode_steps < 1 and max_episode_steps != -1:
            raise ValueError(f"max_episode_steps must be at least 1, or None for no limit, not {max_episode_steps}")
        self.game = two_player_game(game, options, "TablierVectorEnv")
        self.metadata = {**TablierVectorEnv.metadata, "render_modes": render_modes(self.game)}  # type: ignore[misc]
        self.render_mode = checked_render_mode(render_mode, self.game)
        self.batch = BatchEnv(self.game, num_envs, threads=threads)
        self.num_envs = num_envs
        self.single_observation_space = view_space(View.of(self.game, "features"))
        self.single_action_space = spaces.Discrete(self.game.num_distinct_actions())
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._limit = None if max_episode_steps in (None, -1) else max_episode_steps
        self._ages = np.zeros(num_envs, np.int32)
        self._rows = np.arange(num_envs)
        self._copy = copy
        self._replaces = checked_illegal(illegal) == "replace"
        self._now, self._next = arrays(self.batch), arrays(self.batch)
        self._seeded = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, dict[str, Any]]:
        """Starts all games, or those of a mask.

        Args:
            seed: one seed for the dice of all games; None keeps the current random state.
            options: `reset_mask`, a boolean array [num_envs], names the games that start again; the others go on.
                Other options are ignored.

        Returns:
            The observations [num_envs, *features_shape] and the info dict.

        Raises:
            TypeError: the options are not a dict.
            ValueError: the mask is not a boolean array with at least one True.
            gymnasium.error.ResetNeeded: there is a mask although the games were never started.
        """
        mask = _mask(options, self.num_envs)
        if mask is not None and not self._seeded:
            raise gymnasium.error.ResetNeeded("call reset() without a mask first")
        super().reset(seed=seed)
        if mask is None:
            self.batch.reset(int(self.np_random.integers(2**62)))
            mask = np.ones(self.num_envs, np.bool_)
            self._observe()
        else:
            self._restart(np.flatnonzero(mask))
        self._ages[mask] = 0
        self._now.rewards[mask] = 0
        self._seeded = True
        return self._features(), self._infos()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Features, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Plays one action in every game.

        Args:
            actions: [num_envs], integers.

        Returns:
            Observations, rewards, terminations, truncations and the info dict, one row or entry per game.

        Raises:
            TypeError: the actions are not integers.
            ValueError: an action is illegal and `illegal` is "raise". No game is stepped.
            gymnasium.error.ResetNeeded: `reset` was not called.
        """
        if not self._seeded:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        movers, new = self._now.current_player, self._next
        played = _integers(actions)
        if self._replaces:
            played = self._legal(played)
        self.batch.step(played, **vars(new))
        self._now, self._next = new, self._now
        self._ages += 1
        terminations = new.done.copy()
        over = terminations
        truncations = np.zeros_like(terminations)
        final_obs = None
        if self._limit is not None:
            np.greater_equal(self._ages, self._limit, out=truncations)
            truncations &= ~terminations
            if truncations.any():
                final_obs = {int(i): new.features[i].copy() for i in np.flatnonzero(truncations)}
                over = terminations | truncations
                self._restart(np.flatnonzero(truncations))
        rewards = new.rewards[self._rows, movers].astype(np.float64)
        infos = self._infos()
        if self._replaces:
            infos |= {"played": played, "_played": np.ones(self.num_envs, np.bool_)}
        if over.any():
            self._ages[over] = 0
            self._add_final(infos, over, final_obs or {}, played)
        return self._features(), rewards, terminations, truncations, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the masks of legal actions, [num_envs, actions]."""
        return self._now.legal_mask

    def render(self) -> tuple[Any, ...] | None:
        """Renders every game and returns the results; None without a render mode."""
        if self.render_mode is None:
            return None
        return tuple(rendered(self.batch.state(i), self.render_mode) for i in range(self.num_envs))

    def _legal(self, actions: NDArray[Any]) -> NDArray[Any]:
        """Replaces illegal actions by legal ones. Numbers that are not actions are left for BatchEnv to reject."""
        mask = self._now.legal_mask
        if actions.shape != self._rows.shape:
            return actions
        chosen = actions.copy()
        known = (actions >= 0) & (actions < mask.shape[1])
        for i in np.flatnonzero(known & ~mask[self._rows, np.where(known, actions, 0)]):
            legal = np.flatnonzero(mask[i])
            chosen[i] = legal[actions[i] % len(legal)]
        return chosen

    def _restart(self, slots: NDArray[np.intp]) -> None:
        """Replaces games by new ones."""
        for slot in slots:
            self.batch.set_state(int(slot), first_decision(self.game, self.np_random))
        self._observe()

    def _observe(self) -> None:
        now = self._now
        self.batch.observe(features=now.features, legal_mask=now.legal_mask, current_player=now.current_player)

    def _features(self) -> Features:
        return self._now.features.copy() if self._copy else self._now.features

    def _infos(self) -> dict[str, Any]:
        now: Arrays = self._now
        shown: dict[str, NDArray[Any]] = {
            "action_mask": now.legal_mask.view(np.int8),
            "current_player": now.current_player,
            "rewards": now.rewards,
        }
        infos: dict[str, Any] = {key: value.copy() for key, value in shown.items()} if self._copy else dict(shown)
        for key in shown:
            infos[f"_{key}"] = np.ones(self.num_envs, np.bool_)
        return infos

    def _add_final(
        self, infos: dict[str, Any], over: NDArray[np.bool_], final_obs: dict[int, Features], played: NDArray[Any]
    ) -> None:
        """Adds the last observation and info of the games that are over, in Gymnasium's layout."""
        nothing = np.zeros(self.game.features_shape(), np.float32)
        observations = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(over):
            observations[i] = final_obs.get(int(i), nothing)
        final: dict[str, NDArray[Any]] = {"rewards": np.where(over[:, None], self._now.rewards, 0)}
        if self._replaces:
            final["played"] = np.where(over, played, 0)
        infos |= {"final_obs": observations, "_final_obs": over.copy()}
        infos |= {"final_info": final | {f"_{key}": over.copy() for key in final}, "_final_info": over.copy()}


def _mask(options: dict[str, Any] | None, games: int) -> NDArray[np.bool_] | None:
    """Returns the mask of the games to reset; None for all."""
    if options is None:
        return None
    if not isinstance(options, dict):
        raise TypeError(f"options must be a dict or None, not {type(options).__name__}")
    if "reset_mask" not in options:
        return None
    mask = options["reset_mask"]
    if not (isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (games,) and mask.any()):
        raise ValueError(f"reset_mask must be a boolean array of shape ({games},) with at least one True")
    return mask


def _integers(actions: Any) -> NDArray[Any]:
    """Converts the actions to a dtype that BatchEnv accepts."""
    given = np.asarray(actions)
    if given.dtype in (np.int64, np.int32):
        return np.ascontiguousarray(given)
    if given.dtype.kind not in "iu":
        raise TypeError(f"actions must be integers, not {given.dtype}")
    return given.astype(np.int64)
