"""A referee scores any player on a fixed set of difficult decisions whose moves were all rolled out.

Two players are told apart with about a hundredth of the decisions that a match needs, because the dice play no part.
Most of the decisions are those on which good players disagree. The others, on which they agree, are rarer in the file
than in games, so each decision has a weight, and losses are means per decision of a game. A
referee is only as good as its rollout policy, which its file names, and it flatters players that think like this
policy. So the file can have the losses by a second, different policy as well, and `Score.relative` counts both equally.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablier._core import Game, State
from tablier.messages import MessageError
from tablier.players import Chooser, make_player
from tablier.registry import load_game
from tablier.regular_files import read_regular
from tablier.short_repr import short_repr

VERSION = 2
"""Files of version 1 have no weights: all their decisions count equally."""
MOST_BYTES = 2**26
ARRAYS = ("states", "kinds", "first", "actions", "losses", "errors")
WEIGHTS = "weights"
AGAIN = ("losses_again", "errors_again")
"""The losses and errors of the second policy."""
Losses = dict[int, tuple[float, float]]
"""For each legal action, how much worse it is than the best one, and the standard error of that."""
CERTAIN = 2.0
"""A choice counts as right if its loss is at most this many standard errors."""
LEVEL = 1.96
"""Half the width of a 95% interval, in standard errors."""


@dataclass(frozen=True)
class Case:
    """A decision with the result of rolling out all its actions."""

    state: State
    kind: str
    """The kind of decision, such as `move`."""
    losses: Losses
    """What each action loses."""
    again: Losses | None = None
    """The same by the second policy, if there is one."""
    weight: float = 1.0
    """How often decisions like this one come up in games, compared with their share of the referee."""


@dataclass(frozen=True)
class Verdict:
    """How well a player decided."""

    decisions: int = 0
    """Number of decisions."""
    loss: float = 0.0
    """Mean loss per decision."""
    loss_error: float = 0.0
    """Standard error of `loss`."""
    right: float = 0.0
    """Share of the decisions whose choice cannot be told from the best one."""
    effective: float = 0.0
    """Number of decisions of equal weight that would tell as much."""

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the mean loss."""
        return max(0.0, self.loss - LEVEL * self.loss_error), self.loss + LEVEL * self.loss_error

    @property
    def right_interval(self) -> tuple[float, float]:
        """The 95% interval of the share of right choices (Wilson)."""
        n, z = max(1.0, self.effective), LEVEL
        centre, spread = (
            self.right + z * z / (2 * n),
            z * math.sqrt(self.right * (1 - self.right) / n + (z / 2 / n) ** 2),
        )
        return (centre - spread) / (1 + z * z / n), (centre + spread) / (1 + z * z / n)


@dataclass(frozen=True)
class Score:
    """The verdict on a player: over all decisions, and by kind."""

    player: str
    total: Verdict
    kinds: dict[str, Verdict]
    relative: Verdict
    """Over all decisions, in units of what a random choice loses: 0 is perfect, 1 is random. Mean of both policies."""
    again: Verdict | None = None
    """Over all decisions, by the second policy."""


class Referee:
    """Decisions whose actions were rolled out.

    Attributes:
        game: the game.
        about: how the referee was made: the policy, the unit of losses, the settings; "again" has the same for the
            second policy, if there is one.
        cases: the decisions.
    """

    def __init__(self, game: Game, about: dict[str, Any], cases: Iterable[Case]) -> None:
        self.game, self.about, self.cases = game, about, tuple(cases)

    __repr__ = short_repr

    def score(self, player: Chooser | str, progress: Callable[[int], None] = lambda _: None) -> Score:
        """Scores a player.

        Args:
            player: a player string or a player.
            progress: called with the number of decisions scored so far.

        Raises:
            MessageError (a ValueError): the player string is invalid, or the player chose an illegal action.
        """
        chooser = make_player(player, self.game)
        found: list[tuple[float, float]] = []
        again: list[tuple[float, float]] = []
        relative: list[tuple[float, float]] = []
        random = self._random_losses()
        for number, case in enumerate(self.cases):
            action = int(chooser.choose(case.state.clone()))
            if action not in case.losses:
                action = self._listed(case, action)
            by_policy = [losses[action] for losses in (case.losses, case.again) if losses is not None]
            found.append(by_policy[0])
            again += by_policy[1:]
            shares = [(loss / most, error / most) for (loss, error), most in zip(by_policy, random, strict=True)]
            relative.append(_mean(shares))
            progress(number + 1)
        weights = [case.weight for case in self.cases]
        kinds = {}
        for kind in sorted({case.kind for case in self.cases}):
            own = [i for i, case in enumerate(self.cases) if case.kind == kind]
            kinds[kind] = _verdict([found[i] for i in own], [weights[i] for i in own])
        name = player if isinstance(player, str) else type(player).__name__
        total, by_second = _verdict(found, weights), _verdict(again, weights) if again else None
        return Score(name, total, kinds, _verdict(relative, weights), by_second)

    def _random_losses(self) -> list[float]:
        """Returns the mean loss of a random choice by each policy."""
        by_policy = [[case.losses for case in self.cases]]
        if "again" in self.about:
            by_policy.append([case.again or {} for case in self.cases])
        weights = [case.weight for case in self.cases]
        means = ([np.mean([loss for loss, _ in losses.values()]) for losses in cases] for cases in by_policy)
        return [float(np.average(losses, weights=weights)) or 1.0 for losses in means]

    @staticmethod
    def _listed(case: Case, action: int) -> int:
        """Returns the listed action that leads to the same position."""
        with contextlib.suppress(ValueError):
            after = case.state.child(action)
            for listed in case.losses:
                if case.state.child(listed) == after:
                    return listed
        raise MessageError.of("referee.illegal", action=action, legal=", ".join(map(str, case.losses)))

    def save(self, path: str | Path) -> None:
        """Writes the referee to a file, replacing it only when everything is written."""
        kinds = sorted({case.kind for case in self.cases})
        arrays: dict[str, NDArray[Any]] = {
            "states": np.array([np.frombuffer(case.state.serialize(), np.uint8) for case in self.cases]),
            "kinds": np.array([kinds.index(case.kind) for case in self.cases], np.uint8),
            WEIGHTS: np.array([case.weight for case in self.cases], np.float32),
            "first": np.cumsum([0] + [len(case.losses) for case in self.cases]).astype(np.int32),
            "actions": np.array([action for case in self.cases for action in case.losses], np.int16),
            **_columns(ARRAYS[-2:], [case.losses for case in self.cases]),
        }
        if "again" in self.about:
            arrays |= _columns(AGAIN, [case.again or {} for case in self.cases])
        about = {
            "version": VERSION,
            "game": self.game.name,
            "options": self.game.options(),
            "kinds": kinds,
            **self.about,
        }
        buffer = io.BytesIO()
        arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
        np.savez_compressed(buffer, allow_pickle=False, **arrays)
        unfinished = Path(f"{path}.new")
        unfinished.write_bytes(buffer.getvalue())
        unfinished.replace(path)

    @classmethod
    def read(cls, path: str | Path) -> Referee:
        """Reads a referee from a file.

        Raises:
            MessageError (a ValueError): the file is missing, too large, damaged, not a referee, or of a later version.
        """
        name = str(path)
        try:
            data = read_regular(path, MOST_BYTES)
        except OSError:
            raise MessageError.of("referee.missing", file=name) from None
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as file:
                about = json.loads(file["about"].tobytes())
                if about["version"] > VERSION:
                    raise MessageError.of("referee.version", file=name)
                weighted = (WEIGHTS,) if about["version"] > 1 else ()
                arrays = {key: file[key] for key in (*ARRAYS, *weighted, *(AGAIN if "again" in about else ()))}
            game = load_game(about["game"], **about["options"])
            return cls(game, about, list(_cases(game, about["kinds"], arrays)))
        except MessageError:
            raise
        except (ValueError, TypeError, KeyError, IndexError, EOFError, OSError, RecursionError, zipfile.BadZipFile):
            raise MessageError.of("referee.damaged", file=name) from None


def _cases(game: Game, kinds: list[str], arrays: dict[str, NDArray[Any]]) -> Iterable[Case]:
    first = arrays["first"].tolist()
    if len(first) != len(arrays["states"]) + 1 or first[0] != 0 or first[-1] != len(arrays["actions"]):
        raise ValueError("the arrays do not fit together")
    actions, losses = arrays["actions"].tolist(), _pairs(arrays, *ARRAYS[-2:])
    again = _pairs(arrays, *AGAIN) if AGAIN[0] in arrays else None
    weights = arrays.get(WEIGHTS, np.ones(len(arrays["states"]))).astype(float).tolist()
    if len(weights) != len(arrays["states"]) or not all(0 < weight < math.inf for weight in weights):
        raise ValueError("a weight is missing or not positive")
    for i, row in enumerate(arrays["states"]):
        state = game.deserialize(row.tobytes())
        own = range(first[i], first[i + 1])
        if [actions[k] for k in own] != state.legal_actions():
            raise ValueError("the actions are not those of the position")
        by_second = None if again is None else {actions[k]: again[k] for k in own}
        kind = kinds[int(arrays["kinds"][i])]
        yield Case(state, kind, {actions[k]: losses[k] for k in own}, by_second, weights[i])


def _pairs(arrays: dict[str, NDArray[Any]], losses: str, errors: str) -> list[tuple[float, float]]:
    if len(arrays[losses]) != len(arrays["actions"]) or not ((arrays[losses] >= 0) & (arrays[errors] >= 0)).all():
        raise ValueError("a loss is missing or negative")
    return list(zip(arrays[losses].astype(float).tolist(), arrays[errors].astype(float).tolist(), strict=True))


def _columns(names: tuple[str, ...], cases: Sequence[Losses]) -> dict[str, NDArray[Any]]:
    """Returns the losses and the errors of all actions. Four digits of an error would only be noise, so it has two."""
    losses = np.array([loss for case in cases for loss, _ in case.values()], np.float16)
    errors = np.array([float(f"{error:.1e}") for case in cases for _, error in case.values()], np.float16)
    return dict(zip(names, (losses, errors), strict=True))


def _mean(losses: list[tuple[float, float]]) -> tuple[float, float]:
    """Returns the mean of independent losses, and its standard error."""
    return sum(loss for loss, _ in losses) / len(losses), math.hypot(*(error for _, error in losses)) / len(losses)


def _verdict(losses: list[tuple[float, float]], weights: list[float]) -> Verdict:
    values, shares = np.array([loss for loss, _ in losses]), np.array(weights) / sum(weights)
    mean = float(shares @ values)
    error = math.sqrt(float(np.square(shares * (values - mean)).sum()))
    right = float(shares @ [loss <= CERTAIN * error for loss, error in losses])
    return Verdict(len(losses), mean, error, right, 1 / float(shares @ shares))
