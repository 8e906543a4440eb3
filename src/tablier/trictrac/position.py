"""A position with everything that belongs to it: to set up any state, to read one, and the 18-character id."""

from __future__ import annotations

import itertools
import operator
import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tablier import _core
from tablier._core import Game, State
from tablier.registry import load_game
from tablier.trictrac.jans import check_board

START = (15, *[0] * 22, -15)
"""Both sides on their talons, seen from White's side."""

STAGES = ("RollWaiting", "RollDice", "MarkPoints", "HoldOrGoChoice", "Move", "MarkAdvPoints")
ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
ID_LENGTH = 18
BOARD_BITS = 77

Pair = tuple[int, int]
Flags = tuple[bool, bool]


@dataclass(frozen=True)
class Position:
    """All that a state of the ordinary game holds, pairs in the order White, Black.

    >>> position = Position(dice=(6, 1), stage="Move", throws=(1, 0))
    >>> position.state().legal_actions()
    [256, 257]
    """

    board: Sequence[int] = START
    """24 signed counts from White's side: positive White, negative Black."""
    dice: Pair = (0, 0)
    """(0, 0) before the throw."""
    points: Pair = (0, 0)
    holes: Pair = (0, 0)
    points_run: Flags = (False, False)
    """Whose points were marked without interruption: his next hole counts double."""
    holes_run: Flags = (False, False)
    """Whose holes were won without interruption (grande bredouille)."""
    first_hole: int | None = None
    """Who won the first hole of the game; by default whom the rest suggests."""
    throws: Pair = (4, 4)
    """Throws made in this setting, the present one included; counted to 9."""
    player: int = 0
    """Who throws and moves: White 0, Black 1."""
    stage: str = "RollWaiting"
    """One of `STAGES`."""
    corner_just_taken: Flags = (False, False)
    """Whose last play took his corner (for the option mezeas_next_throw_only)."""
    drawing: bool = False
    """Whether the draw for the first throw of the game is still to come."""
    swapped: bool = False
    """Whether the colours have changed sides (for the option swap_colours_on_exit)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "board", tuple(check_board(self.board)))
        for name, most in (("dice", 6), ("points", 11), ("holes", 255), ("throws", 9)):
            object.__setattr__(self, name, _pair(name, getattr(self, name), most))
        for name in ("points_run", "holes_run", "corner_just_taken"):
            one, two = _pair(name, getattr(self, name), 1)
            object.__setattr__(self, name, (bool(one), bool(two)))
        if self.stage not in STAGES:
            raise ValueError(f"stage must be one of {', '.join(STAGES)}, not {self.stage!r}")
        if isinstance(self.player, bool) or self.player not in (0, 1) or self.first_hole not in (None, 0, 1):
            raise ValueError("players are 0 (White) and 1 (Black)")

    @classmethod
    def of(cls, state: State) -> Position:
        """The position of a state of Trictrac."""
        parts = _core.trictrac.parts(state)
        first = parts["first_hole"]
        names = ["board", "dice", "points", "holes", "points_run", "holes_run", "throws", "player"]
        names += ["corner_just_taken", "drawing", "swapped"]
        return cls(
            **{name: parts[name] for name in names},
            first_hole=first.index(True) if True in first else None,
            stage=STAGES[parts["stage"]],
        )

    def state(self, game: Game | None = None, **options: Any) -> State:
        """A state in this position, of `game` or of Trictrac under the given options. Impossible ones are refused."""
        if game is not None and options:
            raise ValueError("give a game or options, not both")
        runs = _bits(self.points_run) | _bits(self.holes_run) << 2
        first = self._who_was_first()
        if first is not None:
            runs |= 1 << (4 + first)
        return _core.trictrac.compose(
            game or load_game("trictrac", **options),
            self.board,
            self.dice,
            self.points,
            self.holes,
            runs,
            self.throws[0] | self.throws[1] << 4,
            self.player,
            STAGES.index(self.stage),
            bool(self.drawing) | _bits(self.corner_just_taken) << 1 | bool(self.swapped) << 3,
        )

    def _who_was_first(self) -> int | None:
        if self.first_hole is not None or not any(self.holes):
            return self.first_hole
        if all(self.holes):  # a run after the other's holes: the other began
            return 0 if self.holes_run[1] else 1 if self.holes_run[0] else 0
        return 0 if self.holes[0] else 1

    def id(self) -> str:
        """The 18-character id (contract, section 5). It leaves out throws, the first hole and points due.

        >>> Position().id()
        '//4AAAH//AAAAAABgG'
        """
        bits = "".join("1" * max(n, 0) + "0" for n in self.board)
        bits += "".join("1" * max(-n, 0) + "0" for n in reversed(self.board))
        bits = bits[:BOARD_BITS].ljust(BOARD_BITS, "0")  # the 0 after the last field is left out
        bits += f"{self.player:b}{STAGES.index(self.stage):03b}{self.dice[0]:03b}{self.dice[1]:03b}"
        for i in (0, 1):
            can = self.points[i] == 0 or self.points_run[i]
            can_big = self.holes[i] == 0 or self.holes_run[i]
            bits += f"{self.points[i]:04b}{min(self.holes[i], 15):04b}{can:b}{can_big:b}"
        bits = bits.ljust(6 * ID_LENGTH, "0")
        return "".join(ALPHABET[int(bits[i : i + 6], 2)] for i in range(0, len(bits), 6))

    @classmethod
    def from_id(cls, text: str) -> Position:
        """The position of an id: board, dice, score, stage and whose turn it is."""
        if not isinstance(text, str) or len(text) != ID_LENGTH:
            raise ValueError(f"a position id has {ID_LENGTH} characters")
        if wrong := sorted(set(text) - set(ALPHABET)):
            raise ValueError(f"a position id has no {wrong[0]!r}; it is written in base64")
        bits = "".join(f"{ALPHABET.index(letter):06b}" for letter in text)
        white, rest = _read_men(bits[:BOARD_BITS] + "0")
        black, padding = _read_men(rest)
        if "1" in padding or "1" in bits[107:]:
            raise ValueError("the id goes on after its end")
        number = iter(int(bits[a:b], 2) for a, b in itertools.pairwise(_CUTS))
        player, stage, d1, d2 = next(number), next(number), next(number), next(number)
        (p0, h0, c0, g0), (p1, h1, c1, g1) = ([next(number) for _ in range(4)] for _ in range(2))
        if stage >= len(STAGES):
            raise ValueError(f"the id names stage {stage}; there are 0 to 5")
        shared = [f for f in range(24) if white[f] and black[23 - f]]
        if shared:
            raise ValueError(f"both players have men on field {shared[0] + 1}")
        board = [white[f] - black[23 - f] for f in range(24)]
        return cls(
            board=board,
            dice=(d1, d2),
            points=(p0, p1),
            holes=(h0, h1),
            points_run=(bool(c0 and p0), bool(c1 and p1)),
            holes_run=(bool(g0 and h0), bool(g1 and h1)),
            player=player,
            stage=STAGES[stage],
        )


_CUTS = (77, 78, 81, 84, 87, 91, 95, 96, 97, 101, 105, 106, 107)


def _pair(name: str, value: object, most: int) -> Pair:
    """Two whole numbers (NumPy's among them) from 0 to `most`."""
    try:
        one, two = (operator.index(n) for n in value)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        one = two = -1
    if not (0 <= one <= most and 0 <= two <= most):
        raise ValueError(f"{name} are two numbers from 0 to {most}, not {value!r}")
    return one, two


def _bits(flags: Flags) -> int:
    return bool(flags[0]) | bool(flags[1]) << 1


def _read_men(bits: str) -> tuple[list[int], str]:
    """Twenty-four runs of 1s, each closed by a 0, and what is left."""
    runs = bits.split("0", 24)
    if len(runs) < 25:
        raise ValueError("the id breaks off in the middle of the board")
    counts = [len(run) for run in runs[:24]]
    if sum(counts) > 15:
        raise ValueError("the id gives a player more than fifteen men")
    return counts, runs[24]
