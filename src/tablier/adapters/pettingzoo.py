"""Tablier's games as PettingZoo AEC environments.

Examples:
    >>> from tablier.adapters.pettingzoo import env
    >>> e = env("trictrac", max_cycles=500, first_throw="white")
    >>> e.reset(seed=1)
    >>> for agent in e.agent_iter():
    ...     observation, reward, termination, truncation, info = e.last()
    ...     done = termination or truncation
    ...     e.step(None if done else e.action_space(agent).sample(observation["action_mask"]))

The environment rolls the dice, so every agent it selects has a decision to make. It may select the same agent twice in
a row.

Rewards are differences of `State.returns()`. With Trictrac's default `utility="score"` they come during the game, also
for the agent who is not to move; with `utility="win"` they come at the end. A cycle is one decision per agent:
`max_cycles=500` truncates a two-player game after 1,000 decisions.

`env` treats illegal actions like PettingZoo's classic games: the game ends, with -1 for the agent who played it.
`raw_env` raises ValueError instead, and the position stays the same.
"""

from __future__ import annotations

import copy
import operator
import random
from typing import Any

import numpy as np
import numpy.typing as npt

from tablier import raster
from tablier._core import Game, State
from tablier.adapters.keywords import load_with_keywords
from tablier.adapters.views import View
from tablier.drawing import has_picture
from tablier.python_game import CHANCE, TERMINAL

try:
    import gymnasium
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError("tablier.adapters.pettingzoo needs PettingZoo: pip install 'tablier[pettingzoo]'") from error

__all__ = ["env", "raw_env"]

Observation = dict[str, npt.NDArray[Any]]


def env(game: str | Game, **keywords: Any) -> wrappers.OrderEnforcingWrapper:
    """Creates an environment in the wrappers that PettingZoo's classic games use.

    Args:
        game: a name, or a `Game` with its options.
        **keywords: keyword arguments for `raw_env`.
    """
    return _CheckedEnv(raw_env(game, **keywords))


class raw_env(AECEnv):  # type: ignore[misc]
    """An environment without wrappers: an illegal action raises ValueError and changes nothing.

    Args:
        game: a name, or a `Game` with its options.
        observation: "features" (float32, for networks) or "observation" (small integers).
        render_mode: None, "human" (prints the board after every step), "ansi", "svg" or "rgb_array".
        max_cycles: decisions per agent after which the game is truncated, or None for no limit.
        **options: rule options of the game, if it is given by name.

    Raises:
        TypeError: a keyword is unknown.
        ValueError: a value is not accepted.
        ImportError: `render_mode` is "rgb_array" and Pillow is not installed.
    """

    def __init__(
        self,
        game: str | Game,
        *,
        observation: str = "features",
        render_mode: str | None = None,
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        if isinstance(game, Game) and options:
            raise ValueError("pass a Game, or a name and options, but not both")
        self.game = load_with_keywords(game, options, "raw_env")
        modes = ["human", "ansi", *(["svg"] if has_picture(self.game) else []), "rgb_array"]
        if render_mode is not None and render_mode not in modes:
            raise ValueError(f"{self.game.name} has no render_mode {render_mode!r}; it has None, {', '.join(modes)}")
        if render_mode == "rgb_array":
            raster.require_pillow()
        if max_cycles is not None and (type(max_cycles) is not int or max_cycles < 1):
            raise ValueError(f"max_cycles must be an integer of at least 1, or None for no limit, not {max_cycles!r}")
        self.metadata = {
            "name": f"tablier_{self.game.name}_v0",
            "render_modes": modes,
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.possible_agents = [f"player_{i}" for i in range(self.game.num_players())]
        self.agents: list[str] = []
        self._seats = {agent: i for i, agent in enumerate(self.possible_agents)}
        self._width = self.game.num_distinct_actions()
        self._view = View.of(self.game, observation)
        self._spaces: dict[tuple[str, str], gymnasium.spaces.Space[Any]] = {}
        self._rng = random.Random()
        self._state = self.game.new_initial_state()
        self._nothing = np.zeros(self._width, np.int8)
        self._mask = self._nothing  # of the player to move; callers receive copies
        self.agent_selection = ""

    # --- spaces: created on demand and cached, because users seed them

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Returns the Dict space of "observation", with its bounds, and "action_mask", the legal actions as int8."""
        if ("observation", agent) not in self._spaces:
            self._seat(agent)
            box = gymnasium.spaces.Box
            self._spaces["observation", agent] = gymnasium.spaces.Dict(
                {
                    "observation": box(self._view.low, self._view.high, dtype=self._view.dtype.type),
                    "action_mask": box(0, 1, (self._width,), np.int8),
                }
            )
        return self._spaces["observation", agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Returns the space of the game's actions, without the outcomes of the dice."""
        if ("action", agent) not in self._spaces:
            self._seat(agent)
            self._spaces["action", agent] = gymnasium.spaces.Discrete(self._width)
        return self._spaces["action", agent]

    # --- playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a new game.

        Args:
            seed: seed of the dice; None keeps the current random state.
            options: ignored.

        Raises:
            ValueError: the seed is negative.
        """
        if seed is not None:
            number = operator.index(seed)
            if number < 0:
                raise ValueError(f"a seed must be 0 or greater, not {seed}")
            self._rng.seed(number)
        self._state = self.game.new_initial_state()
        self._decisions = 0
        self._returns = [0.0] * len(self.possible_agents)
        self._skip_agent_selection = None
        self.agents = self.possible_agents[:]
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._play_on()

    def step(self, action: int | None) -> None:
        """Plays the selected agent's action and the dice that follow it.

        Args:
            action: the action, or None for an agent that is done.

        Raises:
            ValueError: the action is illegal, or all agents are done.
        """
        agent = self.agent_selection
        if not self.agents:
            raise ValueError("there is no agent to act: call reset() to start a game")
        if self.is_done():
            self._was_dead_step(action)
            return
        self._state.apply_action(action)  # type: ignore[arg-type]  # raises for an illegal action, and for None
        self._cumulative_rewards[agent] = 0.0
        self._decisions += 1
        self._play_on()

    def is_done(self) -> bool:
        """Returns whether the selected agent is done, so that its only valid step is None."""
        agent = self.agent_selection
        return not self.agents or self.terminations[agent] or self.truncations[agent]

    def _play_on(self) -> None:
        """Plays the dice up to the next decision or the end, and updates all public attributes."""
        state = self._state
        player = state.current_player()
        while player == CHANCE:
            outcomes = state.legal_actions()  # all equally likely
            state.apply_action(outcomes[int(self._rng.random() * len(outcomes))])
            player = state.current_player()

        agents = self.possible_agents
        returns = state.returns()
        if returns == self._returns:
            self.rewards = dict.fromkeys(agents, 0.0)
        else:
            self.rewards = dict(zip(agents, map(operator.sub, returns, self._returns), strict=True))
            self._returns = returns
            self._accumulate_rewards()

        self.infos = {agent: {"action_mask": self._nothing.copy()} for agent in agents}
        if player == TERMINAL:
            self.agent_selection = agents[0]
            self._mask = self._nothing
            self.terminations = dict.fromkeys(agents, True)
        else:
            agent = self.agent_selection = agents[player]
            legal = np.empty(self._width, np.bool_)
            state.legal_actions_mask(player, legal)
            self._mask = legal.view(np.int8)
            self.infos[agent]["action_mask"] = self._mask.copy()
            if self.max_cycles is not None and self._decisions >= self.max_cycles * len(agents):
                self.truncations = dict.fromkeys(agents, True)
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """Returns what the agent sees, in new arrays. The mask is all zeros unless it is the agent's turn."""
        seat = self._seat(agent)
        mask = self._mask if seat == self._state.current_player() else self._nothing
        return {"observation": self._view.read(self._state, seat), "action_mask": mask.copy()}

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Prints the board ("human"), or returns it as text ("ansi"), SVG ("svg") or pixels ("rgb_array")."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() shows nothing without a render_mode")
        elif self.render_mode == "human":
            print(self._state)
        elif self.render_mode == "svg":
            return self._state.svg()
        elif self.render_mode == "rgb_array":
            return raster.rgb_array(self._state)
        else:
            return str(self._state)
        return None

    def close(self) -> None:
        """Does nothing: the environment holds no resources."""

    @property
    def game_state(self) -> State:
        """A copy of the current position, for Tablier's players and searches."""
        return self._state.clone()

    def _seat(self, agent: str) -> int:
        if agent not in self._seats:
            raise ValueError(f"there is no agent {agent!r}; the agents are {', '.join(self.possible_agents)}")
        return self._seats[agent]

    # --- copies: a copy continues from the same position and the same dice, independently

    def __deepcopy__(self, memo: dict[int, Any]) -> raw_env:
        twin = type(self).__new__(type(self))
        dice = random.Random()
        dice.setstate(self._rng.getstate())  # much faster than a deep copy of its 625 numbers
        memo |= {id(self): twin, id(self.game): self.game, id(self._view): self._view, id(self._rng): dice}
        twin.__dict__ = copy.deepcopy(self.__dict__, memo)
        return twin

    def __copy__(self) -> raw_env:
        return copy.deepcopy(self)


class _CheckedEnv(wrappers.OrderEnforcingWrapper):  # type: ignore[misc]
    """PettingZoo's three wrappers, bypassed for the common case.

    Each wrapper looks up attributes in the next one, several times per step, which takes four times as long as a step
    of Trictrac itself. Reads and legal actions therefore go straight to the environment. Everything else, illegal
    actions included, goes through the wrappers.
    """

    def __init__(self, raw: raw_env) -> None:
        illegal = wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1)
        super().__init__(wrappers.AssertOutOfBoundsWrapper(illegal))
        self._raw = raw

    def __getattr__(self, name: str) -> Any:
        if name[0] != "_" and self._has_reset:
            return getattr(self._raw, name)
        return super().__getattr__(name)

    @property
    def agents(self) -> list[str]:
        """The agents that still have a step to make, including the final None."""
        return self._raw.agents if self._has_reset else self._refuse("agents")

    @property
    def agent_selection(self) -> str:
        """The agent whose turn it is."""
        return self._raw.agent_selection if self._has_reset else self._refuse("agent_selection")

    def _refuse(self, name: str) -> Any:
        return super().__getattr__(name)

    def last(self, observe: bool = True) -> Any:
        """Returns the selected agent's observation, reward since its last turn, termination, truncation and info."""
        return self._raw.last(observe) if self._has_reset else super().last(observe)

    def observe(self, agent: str) -> Any:
        """Returns what the agent sees."""
        return self._raw.observe(agent) if self._has_reset else super().observe(agent)

    def step(self, action: int | None) -> None:
        """Plays the selected agent's action, or None if the agent is done."""
        raw = self._raw
        if (
            (type(action) is int or isinstance(action, np.integer))
            and 0 <= action < raw._width
            and raw._mask[action]
            and not raw.is_done()
        ):
            self._has_updated = True
            raw.step(action)
            return
        if isinstance(action, bool | np.bool_):
            raise TypeError("action must be an integer, not bool")
        if raw.agents:
            self.env.observe(raw.agent_selection)  # the wrapper checks against the last mask it saw
        super().step(action)

    def __str__(self) -> str:
        return str(self._raw)

    def __copy__(self) -> _CheckedEnv:
        return copy.deepcopy(self)
