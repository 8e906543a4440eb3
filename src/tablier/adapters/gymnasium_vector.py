"""Many games at once for Gymnasium: a native `VectorEnv` on `tablier.BatchEnv`, in self-play.

>>> import gymnasium
>>> import tablier.adapters.gymnasium
>>> envs = gymnasium.make_vec("tablier/Trictrac-v0", num_envs=64)
>>> observations, infos = envs.reset(seed=1)
>>> actions = infos["action_mask"].argmax(axis=1)
>>> observations, rewards, terminations, truncations, infos = envs.step(actions)

Every decision of either player is a step of that game: `infos["current_player"]` says who decides next, observations
are his, `rewards` are what the actions brought their movers, and `infos["rewards"]` what each of the two players
collected.

The autoreset mode is SAME_STEP: where a game ended, the observation is already the next game's first. Then
`infos["final_info"]["rewards"]` has the last rewards and `infos["final_obs"]` the last observation, with this limit: a
*truncated* game's final observation is exact (a learner needs it for the value of what was cut off), but of a
*finished* game nothing is left to observe, and its row is zeros. The value after a finished game is 0 by definition.

With `copy=False` observations, masks and players are written into two sets of arrays in turn, which is faster: what
`step` returned stays as it is during the next step, and is overwritten by the one after.

For a learner against an opponent ask for `gymnasium.make_vec(..., vectorization_mode="sync", opponent="random")`.
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
    Features,
    checked_render_mode,
    dealt,
    features_space,
    render_modes,
    rendered,
    two_player_game,
)

Actions = NDArray[np.int64]


class TablierVectorEnv(gymnasium.vector.VectorEnv[Features, Actions, NDArray[Any]]):
    """`num_envs` games of self-play, stepped together on `threads` threads; see this module's docstring."""

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": RENDER_MODES,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        opponent: str = SELF,
        max_episode_steps: int | None = MAX_EPISODE_STEPS,
        render_mode: str | None = None,
        threads: int = 1,
        copy: bool = True,
        **options: Any,
    ) -> None:
        if opponent != SELF:
            raise ValueError(
                f"the native vector environment is self-play: opponent must be {SELF!r}, not {opponent!r}; "
                'for an opponent pass vectorization_mode="sync" to make_vec'
            )
        if "seat" in options:
            raise ValueError("the native vector environment is self-play and takes no seat; the learner has both")
        if max_episode_steps is not None and max_episode_steps < 1 and max_episode_steps != -1:
            raise ValueError(f"max_episode_steps must be at least 1, or None for no limit, not {max_episode_steps}")
        self.game = two_player_game(game, options)
        self.metadata = {**TablierVectorEnv.metadata, "render_modes": render_modes(self.game)}  # type: ignore[misc]
        self.render_mode = checked_render_mode(render_mode, self.game)
        self.batch = BatchEnv(self.game, num_envs, threads=threads)
        self.num_envs = num_envs
        self.single_observation_space = features_space(self.game)
        self.single_action_space = spaces.Discrete(self.game.num_distinct_actions())
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._limit = None if max_episode_steps in (None, -1) else max_episode_steps
        self._ages = np.zeros(num_envs, np.int32)
        self._rows = np.arange(num_envs)
        self._copy = copy
        self._now, self._next = arrays(self.batch), arrays(self.batch)
        self._seeded = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, dict[str, Any]]:
        """Deals all games; one seed seeds them all."""
        super().reset(seed=seed)
        self.batch.reset(int(self.np_random.integers(2**62)))
        self._ages[:] = 0
        self._observe()
        self._now.rewards[:] = 0
        self._seeded = True
        return self._features(), self._infos()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Features, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Plays one action in every game. An illegal one raises ValueError, and no game is stepped."""
        if not self._seeded:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        movers, new = self._now.current_player, self._next
        self.batch.step(_whole(actions), **vars(new))
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
                self._deal(np.flatnonzero(truncations))
        rewards = new.rewards[self._rows, movers].astype(np.float64)
        infos = self._infos()
        if over.any():
            self._ages[over] = 0
            self._add_final(infos, over, final_obs or {})
        return self._features(), rewards, terminations, truncations, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """[num_envs, actions]: which are legal."""
        return self._now.legal_mask

    def render(self) -> tuple[Any, ...] | None:
        """Each game in the render mode."""
        if self.render_mode is None:
            return None
        return tuple(rendered(self.batch.state(i), self.render_mode) for i in range(self.num_envs))

    def _deal(self, slots: NDArray[np.intp]) -> None:
        """New games in place of truncated ones."""
        for slot in slots:
            self.batch.set_state(int(slot), dealt(self.game, self.np_random))
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

    def _add_final(self, infos: dict[str, Any], over: NDArray[np.bool_], final_obs: dict[int, Features]) -> None:
        nothing = np.zeros(self.game.features_shape(), np.float32)
        observations = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(over):
            observations[i] = final_obs.get(int(i), nothing)
        rewards = np.where(over[:, None], self._now.rewards, 0)
        infos |= {"final_obs": observations, "_final_obs": over.copy()}
        infos |= {"final_info": {"rewards": rewards, "_rewards": over.copy()}, "_final_info": over.copy()}


def _whole(actions: Any) -> NDArray[np.int64] | NDArray[np.int32]:
    """The actions as BatchEnv takes them."""
    given = np.asarray(actions)
    if given.dtype in (np.int64, np.int32):
        return np.ascontiguousarray(given)
    if given.dtype.kind not in "iu":
        raise TypeError(f"actions are integers, not {given.dtype}")
    return given.astype(np.int64)
