"""AlphaZero: a network-guided search plays against itself, and the network learns from the search.

Each step plays some moves in many games on the native search pool, while another core trains on minibatches of earlier
positions. Then the new positions join the replay buffer. The policy target of a decision is the search's improved
policy. The value target is the result or, with `td_lambda` below 1, a lambda-return that bootstraps from the values of
later searches, which is less noisy in games with dice.

In games with dice the search also evaluates afterstates. With `prior=afterstates` it evaluates nothing else: the values
of a decision's afterstates are its priors, so the network needs no policy and trains on afterstates alone.
"""

from __future__ import annotations

import math
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from tablier._core import Game
from tablier._core import search as _search
from tablier.arena import play_match
from tablier.evaluators import SearchedGame
from tablier.learn.data.place import Spread
from tablier.learn.data.positions import Batch, Positions
from tablier.learn.data.replay import Replay
from tablier.learn.data.selfplay import Groups
from tablier.learn.data.targets import (
    DISCOUNT_HELP,
    TARGETS,
    default_discount,
    lambda_returns,
    masked_cross_entropy,
    outcome,
    value_scale,
)
from tablier.learn.learner import PLAYS, Learner
from tablier.learn.networks.core_net import CoreNet, misfit, to_core
from tablier.learn.networks.inference import Ask, frozen, models
from tablier.learn.networks.nets import AnyNet, make_net, put_weights, to_onnx, weights_of
from tablier.learn.runs.checkpoint import Checkpoint
from tablier.learn.runs.config import Config, make_game, setting
from tablier.learn.runs.files import RunError, Tensors
from tablier.search import PlayedGame, SearchConfig

ROOTS = ("auto", "gumbel", "puct")
"""Root policies. Without dice, a Gumbel root plays too few different games: a tic-tac-toe network trained on them lost
10% of its games against a perfect player. A network trained on moves sampled from PUCT visits lost none."""


@dataclass(frozen=True)
class AlphaZeroConfig(Config):
    """Settings of AlphaZero, in addition to those of `Config`."""

    net: str = setting(
        "auto",
        "network architecture; auto: core in games with dice where C++ can compute it, otherwise resnet",
        choices=("auto", "core", "mlp", "resnet"),
    )
    encoding: str = setting("expert", "input features of the network, for games with several encodings")
    hidden: int = setting(32, "net=core: units of the layers after the first", low=1, high=256)
    prior: str = setting(
        "auto",
        "priors of the search: a policy that the network learns, or (net=core, dice) the values of the afterstates; "
        "auto: afterstates where possible",
        choices=("auto", "policy", "afterstates"),
    )
    batch: int = setting(1024, "minibatch size in positions", low=1, high=2**20)
    checkpoint_every: int = setting(5, "steps between checkpoints; metrics are written with them", low=1)
    threads: int = setting(2, "self-play threads; results do not depend on their number", 1, 256, live=True)
    target: str = setting(
        "margin",
        "value target: the win, half the margin still to come, or a mix; auto: the win, if the game can pay for it",
        choices=TARGETS,
    )
    discount: float = setting(0.0, DISCOUNT_HELP, high=1)
    mix: float = setting(0.5, "weight of the margin in the target mix", high=1)
    td_lambda: float = setting(
        0.9, "lambda of the value target; 1: the result, less: bootstrap from search values", high=1, formerly="trace"
    )
    sims: int = setting(32, "simulations per decision", low=1, high=10**6)
    root: str = setting("auto", "root policy of the search; auto: gumbel with dice, otherwise puct", choices=ROOTS)
    considered: int = setting(16, "gumbel: actions considered at the root", low=1, high=10**6)
    c_scale: float = setting(1.0, "gumbel: weight of values relative to priors; less explores more", high=1e3)
    temperature: float = setting(1.0, "puct: sample moves by visits ** (1 / temperature)", high=1e3)
    temperature_moves: int = setting(30, "puct: decisions over which the temperature falls to 0", low=1)
    noise: float = setting(0.25, "puct: initial weight of Dirichlet noise in the root priors", high=1)
    noise_half_life: int = setting(0, "steps until the noise halves; 0: constant")
    games: int = setting(512, "parallel games, in one group per thread but at least two", low=1, high=10**6)
    moves: int = setting(
        -1,
        "decisions per game in each step, 2 or more; 0: whole games; -1: 16 with dice, otherwise whole games",
        -1,
        formerly="stretch",
    )
    max_moves: int = setting(0, "truncate whole games after this many decisions, at their last search value; 0: never")
    replay: int = setting(100_000, "capacity of the replay buffer in positions", low=1, high=10**8)
    samples_per_insert: float = setting(
        2.0, "times each position is sampled on average", low=0.01, high=1000, formerly="reuse"
    )
    policy_weight: float = setting(1.0, "weight of the policy loss relative to the value loss", high=1e3)
    mirror: bool = setting(True, "augment with swapped seats, where the game has a mirror")
    gating: bool = setting(False, "self-play with the best network; a new one must beat it to replace it")
    gate_games: int = setting(100, "games per gating match", low=2, high=10**6)
    gate_rate: float = setting(0.55, "win rate that a new network must exceed; 1: win every game", high=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("moves", "max_moves"):
            if getattr(self, name) == 1:  # the last decision only provides the bootstrap value
                raise RunError(f"{name} must be at least 2, not 1: the last decision is never trained on")
        if self.moves > 0 and self.target == "mix":
            raise RunError("the target mix needs the winner of each game: use whole games, --moves 0")


PRESETS: dict[str, dict[str, object]] = {
    "quick": {"minutes": 5.0, "steps": 10**6, "eval_every": 50, "eval_games": 20, "lr_half_life": 100},
    "default": {"minutes": 30.0, "steps": 10**6, "eval_every": 250, "lr_half_life": 600},
    "strong": {
        "minutes": 1440.0,
        "steps": 10**7,
        "width": 512,
        "sims": 64,
        "replay": 1_000_000,
        "lr_half_life": 30_000,
    },
}


def resolved(game: Game, config: AlphaZeroConfig) -> AlphaZeroConfig:
    """Returns a config in which everything that is left to `auto` is chosen for a game.

    Raises:
        RunError: priors from afterstates need a core network and dice.
    """
    dice = game.max_chance_outcomes() > 0
    fits = dice and not misfit(game, config)
    net = config.net if config.net != "auto" else "core" if fits else "resnet"
    possible = dice and net == "core"
    if config.prior == "afterstates" and not possible:
        raise RunError(f"prior=afterstates needs a game with dice and net=core, not {game.name} with net={net}")
    prior = config.prior if config.prior != "auto" else "afterstates" if possible else "policy"
    return replace(config, net=net, prior=prior, discount=config.discount or default_discount(game))


def game_of(config: AlphaZeroConfig) -> Game:
    """Loads the game with the rewards and features used in training."""
    return make_game(config, config.target)


@dataclass(frozen=True)
class Model:
    """A network as self-play uses it; see `tablier.learn.data.selfplay.Model`."""

    net: AnyNet
    game: Game

    def here(self) -> Ask | bytes:
        """Returns the bytes of a core network's file, otherwise a function."""
        return to_core(self.net, self.game) if isinstance(self.net, CoreNet) else frozen(self.net, self.game)

    def elsewhere(self) -> tuple[bytes, ...]:
        """Returns the bytes of a core network's file, otherwise ONNX models with and without a policy."""
        return (to_core(self.net, self.game),) if isinstance(self.net, CoreNet) else models(self.net, self.game)


class AlphaZero(Learner):
    """AlphaZero; see `tablier.learn.learner.Learner` for the interface."""

    player = "gumbel:sims=32,net={}"

    def __init__(
        self, game: Game, config: AlphaZeroConfig, folder: Path | None = None, spread: Spread | None = None
    ) -> None:
        config = resolved(game, config)
        self._scale = value_scale(game, config.target, config.discount)
        policy = config.prior == "policy"
        self._net = make_net(game, config, policy=policy, scale=self._scale)
        self._best = make_net(game, config, policy=policy, scale=self._scale) if config.gating else self._net
        others = {"newest": self._net} if config.gating else {}
        super().__init__(game, config, {PLAYS: self._best, **others}, [self._net])
        if config.gating:
            self.counters["gates"] = 0.0
        self._config = config
        self._replay = Replay(Positions, game, config.replay, folder / "replay" if folder else None)
        self._groups = Groups(game, config.games, config.seed, config.threads, spread)
        self._count_spread_games(spread)
        whole = config.target == "mix" or not game.max_chance_outcomes()
        self._moves = config.moves if config.moves >= 0 else 0 if whole else 16

    def step(self, number: int) -> dict[str, float]:
        """Plays one step of self-play while training on the positions of earlier steps."""
        draw = self._begin(number)
        gather = self._groups.play(
            Model(self._best, self.game), self.search(number), number, self._moves, self._config.max_moves
        )
        metrics = self._learn(draw)
        played, asked = gather()
        if self._config.gating:
            metrics["gate"] = self._gate(number)
        fresh = Positions.joined(positions(self.game, one, self._config, self._scale) for one in played)
        self._replay.add(number, fresh)
        self._replay.forget(number - 2 * self._config.checkpoint_every)
        self.counters["games"] += sum(not one.cut for one in played)
        self.counters["positions"] += len(fresh)
        self.counters["evaluations"] += asked
        return metrics | self._groups.account(self.counters)

    def close(self) -> None:
        """Stops the games of an interrupted step."""
        self._groups.close()

    def search(self, number: int) -> SearchConfig:
        """Returns the search settings of a step."""
        config = self._config
        root = config.root if config.root != "auto" else "gumbel" if self.game.max_chance_outcomes() else "puct"
        noise = config.noise * (0.5 ** (number / config.noise_half_life) if config.noise_half_life else 1)
        search = SearchConfig(
            n_simulations=config.sims,
            root=root,
            considered=config.considered,
            c_scale=config.c_scale,
            objective=SearchedGame(self.game).objective,
        ).self_play(self.game)
        temperature = config.temperature if root == "puct" else 0.0
        return replace(search, dirichlet_eps=noise, temperature=temperature, temperature_moves=config.temperature_moves)

    def _learn(self, draw: np.random.Generator) -> dict[str, float]:
        losses = []
        for _ in range(math.ceil(self._replay.newest * self._config.samples_per_insert / self._config.batch)):
            batch = self._replay.rows.show(self.game, self._replay.draw(self._config.batch, draw))
            if self._config.mirror:
                batch.mirror(self.game, draw)
            value, policy = batch_losses(self._net, batch)
            self._update(value + self._config.policy_weight * policy)
            losses.append((value.item(), policy.item()))
        if isinstance(self._net, CoreNet):
            self._net.clip_weights()
        if not losses:  # the replay buffer is empty at the first step
            return {}
        value_loss, policy_loss = (float(one) for one in np.mean(losses, axis=0))
        return {"value_loss": value_loss, "policy_loss": policy_loss, "loss": value_loss + policy_loss}

    def _gate(self, number: int) -> float:
        """Plays the new network against the best one, replaces the best if the new one wins, returns its win rate."""
        with tempfile.TemporaryDirectory() as place:
            players = []
            for name, net in (("new", self._net), ("best", self._best)):
                path = Path(place) / f"{name}.network"
                path.write_bytes(to_core(net, self.game) if isinstance(net, CoreNet) else to_onnx(net, self.game))
                players.append(f"gumbel:sims={self._config.sims},net={path}")
            new, best = players
            games, seed = self._config.gate_games, self._seed + (number << 54)
            match = play_match(self.game, new, best, games, seed=seed, openings=games)
        if match.rate > self._config.gate_rate or match.rate == 1:
            put_weights(self._best, weights_of(self._net))
            self.counters["gates"] += 1
        return match.rate

    def training(self) -> Tensors:
        """Returns everything else that the next step depends on, including the games in progress."""
        return {**super().training(), **self._groups.tensors()}

    def restore(self, checkpoint: Checkpoint) -> None:
        """Restores a checkpoint, the games in progress and the replay buffer."""
        super().restore(checkpoint)
        self._groups.put(checkpoint.training)
        self._replay.resume(checkpoint.step)


def positions(game: Game, played: PlayedGame, config: AlphaZeroConfig, scale: float) -> Positions:
    """Extracts training positions from a self-play game: its decisions and, with dice, its afterstates.

    Args:
        game: the game.
        played: a whole game, or the moves of one step.
        config: settings of the targets.
        scale: the largest value, to which margins are clipped.
    """
    expected = (played.values[:, 0] - played.values[:, 1]) / 2
    collected = (played.collected[:, 0] - played.collected[:, 1]) / 2
    final = (played.returns[0] - played.returns[1]) / 2
    n = len(expected)
    if played.cut:  # bootstrap from the last decision that was searched
        known = np.flatnonzero(np.isfinite(expected))
        if not len(known) or known[-1] == 0:
            return Positions.empty(game)
        n = int(known[-1])
        final = float(collected[n] + expected[n])
    after = np.diff(np.append(collected[:n], final if not played.cut else collected[n])).astype(np.float32)
    estimate = np.append(expected[1:n], expected[n] if played.cut else 0).astype(np.float32)
    lam = np.where(np.isfinite(estimate), config.td_lambda, 1).astype(np.float32)
    over = np.zeros(n, np.bool_)
    over[-1] = not played.cut
    to_come = lambda_returns(np.zeros_like(after), after, np.nan_to_num(estimate), lam, over, config.discount or 1)
    # The search maximises the payoff, so the target is the payoff itself and not just its sign.
    name = "mix" if config.target == "mix" and scale != 1 else "margin"

    def rows(states: NDArray[np.uint64], players: NDArray[np.int32], margin: NDArray[np.float32]) -> Positions:
        values = outcome(2 * margin, final, name, scale, config.mix) * (1 - 2 * players)
        nothing = np.zeros(0, np.int32), np.zeros(0, np.float32)
        return Positions(states, players, values.astype(np.float32), np.zeros(len(states) + 1, np.int64), *nothing)

    plain = rows(played.states[:n], played.players[:n], to_come)
    end = int(played.offsets[n])
    decisions = Positions(
        plain.states,
        plain.players,
        plain.values,
        played.offsets[: n + 1].astype(np.int64),
        played.policy_actions[:end],
        played.policy[:end],
    )
    if not game.max_chance_outcomes():
        return decisions
    kept = [] if config.prior == "afterstates" else [decisions]  # the network then never evaluates a decision
    states, players, rewards = played.states[:n].copy(), np.zeros(n, np.int32), np.zeros((n, 2), np.float32)
    _search.after(game, states, np.ascontiguousarray(played.actions[:n]), players, rewards)
    alive = players >= 0
    left = (to_come - (rewards[:, 0] - rewards[:, 1]) / 2)[alive].astype(np.float32)
    return Positions.joined([*kept, rows(states[alive], players[alive], left)])


def batch_losses(net: AnyNet, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns the value loss, in units of the scale, and the policy loss, averaged over the rows with a policy."""
    n = len(batch.values)
    logits, values = net(torch.from_numpy(batch.features.reshape(n, -1)))
    value = (((values.squeeze(1) - torch.from_numpy(batch.values)) / net.scale) ** 2).mean()
    if logits is None:
        return value, torch.zeros(())
    policy = torch.from_numpy(batch.policy)
    rows = (policy.sum(dim=1) > 0).sum().clamp(min=1)
    return value, masked_cross_entropy(logits, torch.from_numpy(batch.legal), policy).sum() / rows
