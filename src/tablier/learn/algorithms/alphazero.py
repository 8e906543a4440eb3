"""AlphaZero: a search guided by a network plays itself, and the network learns what the search found.

A step is a stretch of many games of self-play on the native pool and, at the same time on the other core, updates on
samples of what was played before; then the stretch is added to the replay. A decision is taught the search's improved
policy and what came of it: the result, or (with `trace` below 1) a TD(lambda) mixture of the result and what the
searches on the way expected, which is less noisy where there are dice. The search also asks for positions before the
dice, so these are taught their value too.
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
from tablier.learn.data.positions import Batch, Positions
from tablier.learn.data.replay import Replay
from tablier.learn.data.selfplay import Groups
from tablier.learn.data.targets import TARGETS, lambda_returns, masked_cross_entropy, outcome, value_scale
from tablier.learn.learner import PLAYS, Learner
from tablier.learn.networks.inference import frozen
from tablier.learn.networks.nets import Net, make_net, put_weights, to_onnx, weights_of
from tablier.learn.runs.checkpoint import Checkpoint
from tablier.learn.runs.config import Config, make_game, setting
from tablier.learn.runs.files import RunError, Tensors
from tablier.search import PlayedGame, SearchConfig

ROOTS = ("auto", "gumbel", "puct")
"""Dice show the network every kind of position. Without them Gumbel's root plays too few different games: a tic-tac-toe
network learned from those lost 10% of its games against a perfect player, one from puct's drawn moves none."""


@dataclass(frozen=True)
class AlphaZeroConfig(Config):
    """Settings of AlphaZero."""

    batch: int = setting(1024, "positions of one update", low=1, high=2**20)
    checkpoint_every: int = setting(5, "steps between checkpoints; metrics are acknowledged with them", low=1)
    threads: int = setting(
        2, "threads of self-play, beside the updates; results do not depend on them", 1, 256, live=True
    )
    target: str = setting(
        "auto", "what values mean; auto: the victory if that is all that is paid, else the margin", choices=TARGETS
    )
    mix: float = setting(0.5, "target mix: the share of the margin", high=1)
    trace: float = setting(0.9, "lambda: 1 teaches results, less mixes in what searches expected", high=1)
    sims: int = setting(32, "simulations of a decision", low=1, high=10**6)
    root: str = setting("auto", "how the root shares them; auto: gumbel with dice, else puct", choices=ROOTS)
    considered: int = setting(16, "actions that a Gumbel root looks at", low=1, high=10**6)
    c_scale: float = setting(1.0, "gumbel: weight of values against priors; less explores more", high=1e3)
    temperature: float = setting(1.0, "puct: moves are drawn by visits to the power of 1 / temperature", high=1e3)
    temperature_moves: int = setting(30, "over so many decisions the temperature falls to 0", low=1)
    noise: float = setting(0.25, "share of noise in the root's priors (puct), at the first step", high=1)
    noise_half_life: int = setting(0, "steps in which the noise halves; 0: never")
    games: int = setting(512, "games side by side, in two groups or one a thread", low=1, high=10**6)
    stretch: int = setting(
        -1, "decisions of each in a step, 2 or more; 0: whole games; -1: 16 with dice, else whole", -1
    )
    max_moves: int = setting(0, "decisions after which a whole game is cut and judged by its last search; 0: never")
    replay: int = setting(100_000, "positions kept", low=1, high=10**8)
    reuse: float = setting(2.0, "how often a position is used on average", low=0.01, high=1000)
    policy_weight: float = setting(1.0, "weight of the policy's loss against the value's", high=1e3)
    mirror: bool = setting(True, "also teach positions with the seats exchanged, where the game has a mirror")
    gating: bool = setting(False, "play with the best network; a new one replaces it by winning a match")
    gate_games: int = setting(100, "games of that match", low=2, high=10**6)
    gate_rate: float = setting(0.55, "it must win more than this share of them, or all", high=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("stretch", "max_moves"):
            if getattr(self, name) == 1:
                raise RunError(f"{name} 1 teaches nothing, for the last decision stands for what follows: at least 2")
        if self.stretch > 0 and self.target == "mix":
            raise RunError("the target mix asks who won: play whole games, --stretch 0")


PRESETS: dict[str, dict[str, object]] = {
    "quick": {"minutes": 5.0, "steps": 10**6, "eval_every": 50, "eval_games": 20},
    "default": {"minutes": 30.0, "steps": 10**6, "eval_every": 250},
    "strong": {"minutes": 1440.0, "steps": 10**7, "width": 512, "blocks": 4, "sims": 64, "replay": 1_000_000},
}


def game_of(config: AlphaZeroConfig) -> Game:
    """The game in the form that is learned."""
    return make_game(config, config.target)


class AlphaZero(Learner):
    """The learner; see `tablier.learn.learner.Learner`."""

    player = "gumbel:sims=32,net={}"

    def __init__(self, game: Game, config: AlphaZeroConfig, folder: Path | None = None) -> None:
        self._scale = value_scale(game, config.target)
        self._net = make_net(game, config, policy=True, scale=self._scale)
        self._best = make_net(game, config, policy=True, scale=self._scale) if config.gating else self._net
        others = {"newest": self._net} if config.gating else {}
        super().__init__(game, config, {PLAYS: self._best, **others}, [self._net])
        if config.gating:
            self.counters["gates"] = 0.0
        self._config = config
        self._replay = Replay(Positions, game, config.replay, folder / "replay" if folder else None)
        self._groups = Groups(game, config.games, config.seed, config.threads)
        whole = config.target == "mix" or not game.max_chance_outcomes()
        self._stretch = config.stretch if config.stretch >= 0 else 0 if whole else 16

    def step(self, number: int) -> dict[str, float]:
        """Plays, and learns meanwhile from what was played before."""
        draw = self._begin(number)
        gather = self._groups.play(
            lambda: frozen(self._best, self.game), self.search(number), number, self._stretch, self._config.max_moves
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
        return metrics

    def close(self) -> None:
        """Ends the games of a step that was interrupted."""
        self._groups.close()

    def search(self, number: int) -> SearchConfig:
        """How decisions of a step are searched."""
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
        for _ in range(math.ceil(self._replay.newest * self._config.reuse / self._config.batch)):
            batch = self._replay.rows.show(self.game, self._replay.draw(self._config.batch, draw))
            if self._config.mirror:
                batch.mirror(self.game, draw)
            value, policy = batch_losses(self._net, batch)
            self._update(value + self._config.policy_weight * policy)
            losses.append((value.item(), policy.item()))
        if not losses:  # the first step has nothing to learn from yet
            return {}
        value_loss, policy_loss = (float(one) for one in np.mean(losses, axis=0))
        return {"value_loss": value_loss, "policy_loss": policy_loss, "loss": value_loss + policy_loss}

    def _gate(self, number: int) -> float:
        """The new network against the best; it takes its place if it wins more than the share asked for, or all."""
        with tempfile.TemporaryDirectory() as place:
            players = []
            for name, net in (("new", self._net), ("best", self._best)):
                path = Path(place) / f"{name}.onnx"
                path.write_bytes(to_onnx(net, self.game))
                players.append(f"gumbel:sims={self._config.sims},net={path}")
            new, best = players
            games, seed = self._config.gate_games, self._seed + (number << 54)
            match = play_match(self.game, new, best, games, seed=seed, openings=games)
        if match.rate > self._config.gate_rate or match.rate == 1:
            put_weights(self._best, weights_of(self._net))
            self.counters["gates"] += 1
        return match.rate

    def training(self) -> Tensors:
        """All else that the next step depends on, the games in progress too."""
        return {**super().training(), **self._groups.tensors()}

    def restore(self, checkpoint: Checkpoint) -> None:
        """Goes back to a checkpoint."""
        super().restore(checkpoint)
        self._groups.put(checkpoint.training)
        self._replay.resume(checkpoint.step)


def positions(game: Game, played: PlayedGame, config: AlphaZeroConfig, scale: float) -> Positions:
    """What a game teaches: its decisions and, where dice follow, the positions before them."""
    expected = (played.values[:, 0] - played.values[:, 1]) / 2
    collected = (played.collected[:, 0] - played.collected[:, 1]) / 2
    final = (played.returns[0] - played.returns[1]) / 2
    n = len(expected)
    if played.cut:  # the last decision that was searched stands for all that would have followed
        known = np.flatnonzero(np.isfinite(expected))
        if not len(known) or known[-1] == 0:
            return Positions.empty(game)
        n = int(known[-1])
        final = float(collected[n] + expected[n])
    after = np.diff(np.append(collected[:n], final if not played.cut else collected[n])).astype(np.float32)
    estimate = np.append(expected[1:n], expected[n] if played.cut else 0).astype(np.float32)
    trace = np.where(np.isfinite(estimate), config.trace, 1).astype(np.float32)
    over = np.zeros(n, np.bool_)
    over[-1] = not played.cut
    to_come = lambda_returns(np.zeros_like(after), after, np.nan_to_num(estimate), trace, over)
    # What a game pays at its end is what its search goes by, so it is taught as it is, not who won alone.
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
    states, players, rewards = played.states[:n].copy(), np.zeros(n, np.int32), np.zeros((n, 2), np.float32)
    _search.after(game, states, np.ascontiguousarray(played.actions[:n]), players, rewards)
    alive = players >= 0
    left = (to_come - (rewards[:, 0] - rewards[:, 1]) / 2)[alive].astype(np.float32)
    return Positions.joined([decisions, rows(states[alive], players[alive], left)])


def batch_losses(net: Net, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """The value's loss, in units of the scale, and the policy's, over the rows that have one."""
    n = len(batch.values)
    logits, values = net(torch.from_numpy(batch.features.reshape(n, -1)))
    value = (((values.squeeze(1) - torch.from_numpy(batch.values)) / net.scale) ** 2).mean()
    policy = torch.from_numpy(batch.policy)
    taught = (policy.sum(dim=1) > 0).sum().clamp(min=1)
    return value, masked_cross_entropy(logits, torch.from_numpy(batch.legal), policy).sum() / taught
