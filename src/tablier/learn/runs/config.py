"""Settings of a run: one frozen dataclass an algorithm, and this base of what all share.

A field says its range or choices and what it means; the command line, the file config.json and the checks follow.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Self, get_type_hints

from tablier._core import Game
from tablier.evaluators import SearchedGame
from tablier.learn.runs.files import RunError
from tablier.registry import DEFAULT_GAME, load_game, parse_options, registered_games


def setting(
    default: Any, doc: str, low: float = 0, high: float = 1e9, choices: tuple[str, ...] = (), live: bool = False
) -> Any:
    """A field of a config. A `live` one may be changed when a run goes on."""
    facts = {"doc": doc, "low": low, "high": high, "choices": choices, "live": live}
    return dataclasses.field(default=default, metadata=facts)


@dataclass(frozen=True)
class Config:
    """What every algorithm needs to know."""

    game: str = setting(DEFAULT_GAME, "which game")
    options: str = setting("", "the game's options, as in holes_to_win=3,first_throw=white")
    encoding: str = setting("markov", "the features a network sees, in games that offer several encodings")
    seed: int = setting(0, "another seed, another run", high=2**53)
    steps: int = setting(1000, "steps of the whole run", low=1, live=True)
    minutes: float = setting(0.0, "end after so many minutes of training in all; 0: only by steps", live=True)
    net: str = setting("resnet", "kind of network", choices=("mlp", "resnet"))
    width: int = setting(128, "neurons of a layer", low=1, high=8192)
    blocks: int = setting(2, "hidden layers (mlp) or residual blocks (resnet)", low=0, high=64)
    lr: float = setting(1e-3, "learning rate", low=1e-8, high=10)
    lr_half_life: int = setting(0, "steps in which the learning rate halves; 0: never")
    weight_decay: float = setting(1e-4, "pull of the weights to 0", high=1)
    batch: int = setting(512, "positions of one update", low=1, high=2**20)
    checkpoint_every: int = setting(10, "steps between checkpoints; metrics are acknowledged with them", low=1)
    eval_every: int = setting(0, "steps between short matches of the newest network; 0: none", live=True)
    eval_games: int = setting(40, "games of such a match", low=2, high=10**6, live=True)
    opponent: str = setting("greedy", "the other player of such a match", live=True)
    threads: int = setting(
        1, "threads that list positions and search; results do not depend on them", 1, 256, live=True
    )
    tensorboard: bool = setting(True, "write TensorBoard events", live=True)
    imported: str = setting("", "where the game came from: noted by --import, and never imported by itself")

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            _check(self, field, get_type_hints(type(self))[field.name])

    def as_dict(self) -> dict[str, Any]:
        """The fields as JSON takes them."""
        return dataclasses.asdict(self)

    @classmethod
    def of(cls, settings: dict[str, Any]) -> Self:
        """The config with these fields; one that does not exist is refused by name."""
        known = [field.name for field in dataclasses.fields(cls)]
        for name in settings:
            if name not in known:
                raise RunError(f"no setting is called '{name}'; there are {', '.join(known)}")
        return cls(**settings)

    def going_on(self, changes: dict[str, Any]) -> Self:
        """The config of a run that goes on: only what does not change its course may differ."""
        for field in dataclasses.fields(self):
            have = getattr(self, field.name)
            if changes.get(field.name, have) != have and not field.metadata["live"]:
                raise RunError(f"{field.name} is {have!r} in this run and stays so; begin another run to change it")
        return dataclasses.replace(self, **changes)

    def lr_at(self, step: int) -> float:
        """The learning rate of a step."""
        return self.lr * 0.5 ** (step / self.lr_half_life) if self.lr_half_life else self.lr


def _check(config: Config, field: dataclasses.Field[Any], kind: type) -> None:
    name, facts = field.name, field.metadata
    value = config.as_dict()[name]
    if kind is float and type(value) is int:
        object.__setattr__(config, name, value := float(value))
    if type(value) is not kind:
        raise RunError(f"{name} is {'a word' if kind is str else 'of type ' + kind.__name__}, not {value!r}")
    if facts["choices"] and value not in facts["choices"]:
        raise RunError(f"{name} is one of {', '.join(facts['choices'])}, not {value!r}")
    number: Any = value
    if kind in (int, float) and not facts["low"] <= number <= facts["high"]:  # what is no number is not between any
        raise RunError(f"{name} is from {facts['low']:g} to {facts['high']:g}, not {str(number)[:40]}")


def make_game(config: Config, target: str = "auto") -> Game:
    """The game in the form that is learned: paid by the target, seen by the encoding."""
    try:
        game = load_game(config.game, **parse_options(config.options))
    except (ValueError, TypeError) as error:
        missing = config.imported and config.game not in registered_games()
        hint = f"; the run was begun with {config.imported!r}: add it, if you trust that code" if missing else ""
        raise RunError(f"{error}{hint}") from None
    if game.num_players() != 2:
        raise RunError(f"{game.name} has {game.num_players()} players; learning is for two")
    return SearchedGame(game, utility="win" if target in ("auto", "win") else "score", encoding=config.encoding).game
