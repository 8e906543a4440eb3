"""Settings of a run: one frozen dataclass per algorithm, all subclasses of `Config`.

Each field declares its meaning and its range or choices. The command line, `config.json` and validation all follow from
these declarations.
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
    default: Any,
    doc: str,
    low: float = 0,
    high: float = 1e9,
    choices: tuple[str, ...] = (),
    live: bool = False,
    formerly: str = "",
    is_path: bool = False,
) -> Any:
    """Declares a field of a config.

    Args:
        default: the default value.
        doc: one line of help, shown by `tablier train ALGORITHM --settings`.
        low: smallest accepted number.
        high: largest accepted number.
        choices: accepted strings; if empty, any string is accepted.
        live: whether the setting may change when a run is resumed.
        formerly: name of the setting in earlier versions, still accepted in `config.json`, `open_run` and on the
            command line.
        is_path: whether the setting is a path, which cannot be empty on the command line.

    Returns:
        A dataclass field with all of this as metadata.
    """
    facts = {"doc": doc, "low": low, "high": high, "choices": choices, "live": live, "formerly": formerly}
    return dataclasses.field(default=default, metadata=facts | {"is_path": is_path})


@dataclass(frozen=True)
class Config:
    """Settings shared by all algorithms.

    Every field is checked when a config is created; `RunError` names the first invalid one.

    >>> Config(lr=0.01).lr
    0.01
    """

    game: str = setting(DEFAULT_GAME, "name of the game")
    options: str = setting("", "options of the game, such as holes_to_win=3,first_throw=white")
    encoding: str = setting("markov", "input features of the network, for games with several encodings")
    seed: int = setting(0, "random seed of the run", high=2**53)
    steps: int = setting(1000, "total number of training steps", low=1, live=True)
    minutes: float = setting(0.0, "total training time in minutes; 0: no limit", live=True)
    net: str = setting("resnet", "network architecture", choices=("mlp", "resnet"))
    width: int = setting(128, "units per hidden layer", low=1, high=8192)
    blocks: int = setting(2, "hidden layers (mlp) or residual blocks (resnet)", low=0, high=64)
    hidden: int = setting(16, "net=core: units of the layers after the first", low=1, high=256)
    lr: float = setting(1e-3, "learning rate", low=1e-8, high=10)
    lr_half_life: int = setting(0, "steps until the learning rate halves; 0: constant")
    weight_decay: float = setting(1e-4, "weight decay of AdamW", high=1)
    batch: int = setting(512, "minibatch size in positions", low=1, high=2**20)
    checkpoint_every: int = setting(10, "steps between checkpoints; metrics are written with them", low=1)
    eval_every: int = setting(0, "steps between evaluation matches of the newest network; 0: none", live=True)
    eval_games: int = setting(40, "games per evaluation match", low=2, high=10**6, live=True)
    opponent: str = setting("greedy", "opponent in evaluation matches", live=True)
    threads: int = setting(
        1, "threads for move generation and search; results do not depend on their number", 1, 256, live=True
    )
    tensorboard: bool = setting(True, "write TensorBoard events", live=True)
    imported: str = setting("", "the --import options the run was started with; recorded, never imported automatically")

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            _check(self, field, get_type_hints(type(self))[field.name])

    def as_dict(self) -> dict[str, Any]:
        """Returns all settings as a JSON-compatible dictionary."""
        return dataclasses.asdict(self)

    @classmethod
    def former_names(cls) -> dict[str, str]:
        """Maps the names that settings had in earlier versions to their current names."""
        fields = dataclasses.fields(cls)
        return {field.metadata["formerly"]: field.name for field in fields if field.metadata["formerly"]}

    @classmethod
    def renamed(cls, settings: dict[str, Any]) -> dict[str, Any]:
        """Returns the settings under their current names.

        Raises:
            RunError: a setting is unknown, or given under both its former and its current name.
        """
        known = [field.name for field in dataclasses.fields(cls)]
        former = cls.former_names()
        result: dict[str, Any] = {}
        for name, value in settings.items():
            current = former.get(name, name)
            if current not in known:
                raise RunError(f"unknown setting '{name}'; choose from {', '.join(known)}")
            if current in result:
                raise RunError(f"{name} is given twice: it is the former name of {current}")
            result[current] = value
        return result

    @classmethod
    def of(cls, settings: dict[str, Any]) -> Self:
        """Creates a config from the given settings; the others have their defaults.

        Args:
            settings: values by setting name; names of earlier versions are accepted.

        Raises:
            RunError: a setting is unknown, has the wrong type or is out of range.
        """
        return cls(**cls.renamed(settings))

    def resumed(self, changes: dict[str, Any]) -> Self:
        """Returns this config with the given changes, for a run that is being resumed.

        Raises:
            RunError: a change would affect the result of a step. Only settings declared as `live` can change.
        """
        changes = self.renamed(changes)
        for field in dataclasses.fields(self):
            have = getattr(self, field.name)
            if changes.get(field.name, have) != have and not field.metadata["live"]:
                raise RunError(f"{field.name} is {have!r} in this run and cannot change; start a new run instead")
        return dataclasses.replace(self, **changes)

    def lr_at(self, step: int) -> float:
        """Returns the learning rate at a step."""
        return self.lr * 0.5 ** (step / self.lr_half_life) if self.lr_half_life else self.lr


def _check(config: Config, field: dataclasses.Field[Any], kind: type) -> None:
    name, facts = field.name, field.metadata
    value = config.as_dict()[name]
    if type(value) is not kind and not (kind is float and type(value) is int):
        raise RunError(f"{name} must be {'a string' if kind is str else 'of type ' + kind.__name__}, not {value!r:.40}")
    if facts["choices"] and value not in facts["choices"]:
        raise RunError(f"{name} must be one of {', '.join(facts['choices'])}, not {value!r:.40}")
    number: Any = value
    if kind in (int, float) and not facts["low"] <= number <= facts["high"]:  # NaN fails this comparison, too
        raise RunError(f"{name} must be from {facts['low']:g} to {facts['high']:g}, not {str(number)[:40]}")
    if kind is float:
        object.__setattr__(config, name, float(number))  # in range now: a huge integer has no float


def make_game(config: Config, target: str = "auto") -> Game:
    """Loads the game of a config with the rewards and features used in training.

    Args:
        config: the config, which gives the game, its options and the encoding.
        target: with `auto` and `win`, only the win is rewarded; otherwise points are.

    Raises:
        RunError: the game is unknown, its options are invalid, or it is not for two players.
    """
    try:
        game = load_game(config.game, **parse_options(config.options))
    except (ValueError, TypeError) as error:
        missing = config.imported and config.game not in registered_games()
        hint = f"; the run was started with {config.imported!r}: add it if you trust that code" if missing else ""
        raise RunError(f"{error}{hint}") from None
    if game.num_players() != 2:
        raise RunError(f"{game.name} has {game.num_players()} players; training supports two-player games only")
    return SearchedGame(game, utility="win" if target in ("auto", "win") else "score", encoding=config.encoding).game
