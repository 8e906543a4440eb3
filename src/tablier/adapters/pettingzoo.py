"""Every game as a PettingZoo AEC environment.

    from tablier.adapters.pettingzoo import env

    e = env("trictrac", max_cycles=500, first_throw="white")
    e.reset(seed=1)
    for agent in e.agent_iter():
        observation, reward, termination, truncation, info = e.last()
        e.step(None if termination or truncation else e.action_space(agent).sample(observation["action_mask"]))

Dice are rolled inside, so every agent that is asked has a decision, and the same agent may be asked twice in a row.
Rewards come in the middle of games (differences of `State.returns()`), also to the agent who is not to move. A cycle is
as many decisions as there are agents: `max_cycles=500` truncates a game of two after 1,000 decisions.

`env` checks as PettingZoo's own games do: an illegal action ends the game at -1 for its agent. `raw_env` raises
ValueError instead and stays as it was.
"""

from __future__ import annotations

import copy
import operator
import random
from typing import Any

import numpy as np
import numpy.typing as npt

from tablier._core import Game, State
from tablier.drawing import has_picture
from tablier.python_game import CHANCE, TERMINAL
from tablier.registry import load_game

try:
    import gymnasium
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError(
        "tablier.adapters.pettingzoo needs PettingZoo, which is not installed: pip install 'tablier[pettingzoo]'"
    ) from error

__all__ = ["env", "raw_env"]

Observation = dict[str, npt.NDArray[Any]]


def env(
    game: str | Game, *, render_mode: str | None = None, max_cycles: int | None = None, **options: Any
) -> wrappers.OrderEnforcingWrapper:
    """The game `game` under the given rule options, in the wrappers that are usual for PettingZoo's classic games."""
    return _CheckedEnv(raw_env(game, render_mode=render_mode, max_cycles=max_cycles, **options))


class raw_env(AECEnv):  # type: ignore[misc]
    """The game without wrappers: an illegal action raises ValueError and changes nothing."""

    def __init__(
        self, game: str | Game, *, render_mode: str | None = None, max_cycles: int | None = None, **options: Any
    ) -> None:
        super().__init__()
        if isinstance(game, Game) and options:
            raise ValueError("give a game or options, not both")
        self.game = game if isinstance(game, Game) else load_game(game, **options)
        modes = ["human", "ansi", *(["svg"] if has_picture(self.game) else [])]
        if render_mode is not None and render_mode not in modes:
            raise ValueError(f"{self.game.name} has no render_mode {render_mode!r}; it has None, {', '.join(modes)}")
        if max_cycles is not None and (type(max_cycles) is not int or max_cycles < 1):
            raise ValueError(f"max_cycles is a number from 1 on, or None for no limit, not {max_cycles!r}")
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
        self._shape = self.game.features_shape()
        self._spaces: dict[tuple[str, str], gymnasium.spaces.Space[Any]] = {}
        self._rng = random.Random()
        self._state = self.game.new_initial_state()
        self._nothing = np.zeros(self._width, np.int8)
        self._nothing.flags.writeable = False
        self._mask = self._nothing  # of the player to move; what is handed out are copies
        self.agent_selection = ""

    # --- the spaces; made when asked for, and then kept, because users seed them

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The features as float32, and the mask of legal actions as int8."""
        if ("observation", agent) not in self._spaces:
            self._seat(agent)
            box = gymnasium.spaces.Box
            self._spaces["observation", agent] = gymnasium.spaces.Dict(
                {
                    "observation": box(-np.inf, np.inf, self._shape, np.float32),
                    "action_mask": box(0, 1, (self._width,), np.int8),
                }
            )
        return self._spaces["observation", agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The numbers of the game's actions; dice are not among them."""
        if ("action", agent) not in self._spaces:
            self._seat(agent)
            self._spaces["action", agent] = gymnasium.spaces.Discrete(self._width)
        return self._spaces["action", agent]

    # --- playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; with a seed its dice are always the same, without one they go on from where they were."""
        if seed is not None:
            number = operator.index(seed)
            if number < 0:
                raise ValueError(f"a seed is a number from 0 on, not {seed}")
            self._rng.seed(number)
        self._state = self.game.new_initial_state()
        self._decisions = 0
        self._returns = [0.0] * len(self.possible_agents)
        self._skip_agent_selection = None
        self.agents = self.possible_agents[:]
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._go_on()

    def step(self, action: int | None) -> None:
        """Plays an action of the selected agent and rolls the dice that follow; None for an agent that is done."""
        agent = self.agent_selection
        if not self.agents:
            raise ValueError("nobody is to act: call reset() to begin a game")
        if self.is_done():
            self._was_dead_step(action)
            return
        self._state.apply_action(action)  # type: ignore[arg-type]  # raises for an illegal action, and for None
        self._cumulative_rewards[agent] = 0.0
        self._decisions += 1
        self._go_on()

    def is_done(self) -> bool:
        """Whether the selected agent has only its last step, None, to take."""
        agent = self.agent_selection
        return not self.agents or self.terminations[agent] or self.truncations[agent]

    def _go_on(self) -> None:
        """From here to the next decision or the end: dice, rewards, whose turn it is and what he may do."""
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

        self.infos = {agent: {"action_mask": self._nothing} for agent in agents}
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
        """What the agent sees, in new arrays. Whoever is not to act has an empty mask."""
        seat = self._seat(agent)
        features = np.empty(self._shape, np.float32)
        self._state.features(seat, features)
        mask = self._mask if seat == self._state.current_player() else self._nothing
        return {"observation": features, "action_mask": mask.copy()}

    def render(self) -> str | None:
        """The board: printed ("human"), as text ("ansi") or as a picture ("svg")."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() shows nothing without a render_mode")
        elif self.render_mode == "human":
            print(self._state)
        elif self.render_mode == "svg":
            return self._state.svg()
        else:
            return str(self._state)
        return None

    def close(self) -> None:
        """Nothing is held open."""

    @property
    def game_state(self) -> State:
        """A copy of the position, for players and searches of this package."""
        return self._state.clone()

    def _seat(self, agent: str) -> int:
        if agent not in self._seats:
            raise ValueError(f"no agent is called {agent!r}; there are {', '.join(self.possible_agents)}")
        return self._seats[agent]

    # --- copies: an environment that is copied goes on with its own board and, from the same point, its own dice

    def __deepcopy__(self, memo: dict[int, Any]) -> raw_env:
        twin = type(self).__new__(type(self))
        dice = random.Random()
        dice.setstate(self._rng.getstate())  # copying its 625 numbers one by one is slow
        memo |= {id(self): twin, id(self.game): self.game, id(self._rng): dice}
        memo[id(self._nothing)] = self._nothing
        twin.__dict__ = copy.deepcopy(self.__dict__, memo)
        return twin

    def __copy__(self) -> raw_env:
        return copy.deepcopy(self)


class _CheckedEnv(wrappers.OrderEnforcingWrapper):  # type: ignore[misc]
    """PettingZoo's three wrappers, entered only when there is something for them to do.

    Each wrapper looks up every attribute in the next one, and several in every step: that takes four times as long as a
    step of Trictrac itself. Reading and legal actions therefore reach the environment directly; all else, an illegal
    action above all, goes through the wrappers.
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
        """Those that are still to act or to take their last step."""
        return self._raw.agents if self._has_reset else self._refuse("agents")

    @property
    def agent_selection(self) -> str:
        """Whose turn it is."""
        return self._raw.agent_selection if self._has_reset else self._refuse("agent_selection")

    def _refuse(self, name: str) -> Any:
        return super().__getattr__(name)

    def last(self, observe: bool = True) -> Any:
        """Observation, reward since its last turn, termination, truncation and info of the selected agent."""
        return self._raw.last(observe) if self._has_reset else super().last(observe)

    def observe(self, agent: str) -> Any:
        """What the agent sees."""
        return self._raw.observe(agent) if self._has_reset else super().observe(agent)

    def step(self, action: int | None) -> None:
        """Plays an action of the selected agent; None for an agent that is done."""
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
            self.env.observe(raw.agent_selection)  # the wrapper judges by the mask that it saw last
        super().step(action)

    def __str__(self) -> str:
        return str(self._raw)

    def __copy__(self) -> _CheckedEnv:
        return copy.deepcopy(self)
