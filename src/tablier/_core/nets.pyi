"""Networks that the core computes itself, in integer arithmetic."""

import numpy
import numpy.typing

import tablier._core


class BadFile(ValueError):
    pass

class Network:
    """
    A network in memory. It is immutable, and any number of threads may use it.

    Args:
        data: The bytes of a network file.
        kernels: Name of the instruction set to use; empty for the fastest.

    Raises:
        BadFile: If the bytes are not a network, are damaged, or describe one that could overflow.
        ValueError: If this processor cannot run the kernels.
    """

    def __init__(self, data: bytes, kernels: str = '') -> None: ...

    @property
    def description(self) -> str:
        """What the file says of the network, as JSON."""

    @property
    def sizes(self) -> list[int]:
        """The number of values of each code."""

    @property
    def reads_features(self) -> bool:
        """Whether the codes are features rounded to levels."""

    @property
    def width(self) -> int:
        """Units of the first layer, padded to a multiple of 64."""

    @property
    def outputs(self) -> int:
        """The number of outputs of the value head."""

    @property
    def actions(self) -> int:
        """The number of logits; 0 without a policy."""

    @property
    def kernels(self) -> str:
        """Name of the instruction set in use."""

    def compute(self, game: tablier._core.Game, states: numpy.typing.NDArray[numpy.uint64], players: numpy.typing.NDArray[numpy.int32]) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32]]:
        """
        Computes the network on positions, each by what differs from the position before it.

        Args:
            game: The game of the positions.
            states: [n, state_size] positions.
            players: [n] player who sees each position.

        Returns:
            The sums of the output layer, [n, outputs], and the logits, [n, actions].

        Raises:
            TypeError: If an array has the wrong shape or dtype.
            ValueError: If the network does not fit the game, or a state or a player is not valid.
        """

def kernels() -> list[str]:
    """
    Returns the names of the instruction sets that this processor can use, fastest first.
    """

def code_sizes(game: tablier._core.Game) -> list[int]:
    """
    Returns the number of values of each code of a game; empty if the game has no codes.
    """

def codes(game: tablier._core.Game, states: numpy.typing.NDArray[numpy.uint64], players: numpy.typing.NDArray[numpy.int32]) -> numpy.typing.NDArray[numpy.uint8]:
    """
    Returns the codes of positions, [n, codes].

    Args:
        game: The game of the positions.
        states: [n, state_size] positions.
        players: [n] player who sees each position.
    """

def decode(game: tablier._core.Game, codes: numpy.typing.NDArray[numpy.uint8]) -> numpy.typing.NDArray[numpy.float32]:
    """
    Returns the features of positions with these codes, [n, features].

    Raises:
        ValueError: If the features of the game have no codes, or a code is out of range.
    """

def pack(rows: numpy.typing.NDArray[numpy.float32], width: int) -> bytes:
    """
    Packs rows of which most numbers are zero, [n, width], without loss.

    Raises:
        ValueError: If the width is 0.
    """

def unpack(data: bytes, n: int, width: int) -> numpy.typing.NDArray[numpy.float32]:
    """
    Returns the n rows that `pack` packed, [n, width].

    Raises:
        ValueError: If the data is damaged.
    """
