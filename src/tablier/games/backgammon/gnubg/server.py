"""Runs inside GNU Backgammon (`gnubg -t -p server.py`) and answers questions about many positions at a time.

It uses nothing of Tablier: the module `gnubg` exists only in that program's own Python. Questions and answers go
through two pipes whose descriptors are in `TABLIER_GNUBG_PIPES`, so what the program prints does not matter. When the
pipe of questions is closed, the process ends.

A question is a header (what, plies, prune, count) and `count` positions: the men of the opponent and of the player to
act on points 1 to 24 and on the bar, 50 bytes, followed by the dice, 2 bytes. An answer is its length and its bytes.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator
from typing import Any

import gnubg

Board = tuple[tuple[int, ...], tuple[int, ...]]
HEADER = struct.Struct("<cBBxI")
LENGTH = struct.Struct("<I")
VALUES = struct.Struct("<6f")
SIDE, RECORD = 25, 52
GREETING = b"gnubg ready\n"
SETTINGS = (
    "set threads 1",
    "set automatic game off",
    "set automatic roll off",
    "set automatic move off",
    "set automatic bearoff off",
    "set display off",
    "set confirm new off",
    "set confirm save off",
    "set player 0 human",
    "set player 1 human",
    "set cube use off",
    "set evaluation chequer evaluation plies 0",
    "set evaluation chequer evaluation cubeful off",
    "set evaluation chequer evaluation noise 0",
    "new session",
    "set jacoby off",
    "set turn 1",
)
MONEY = (1, -1, 1, 0, (0, 0), 0, 0)
"""The arguments of `cubeinfo`: the cube in the middle, player 1 to act, no match, no score, no Crawford, standard."""


def read(pipe: int, count: int) -> bytes:
    """Reads exactly `count` bytes; ends the process if the other end is closed."""
    data = b""
    while len(data) < count:
        part = os.read(pipe, count - len(data))
        if not part:
            os._exit(0)
        data += part
    return data


def write(pipe: int, data: bytes) -> None:
    """Writes all bytes."""
    view = memoryview(data)
    while view:
        view = view[os.write(pipe, view) :]


def positions(data: bytes) -> Iterator[tuple[Board, bytes]]:
    """Yields the board and the dice of each position."""
    for start in range(0, len(data), RECORD):
        middle, end = start + SIDE, start + 2 * SIDE
        yield (tuple(data[start:middle]), tuple(data[middle:end])), data[end : end + 2]


def played(board: Board, moves: Iterable[tuple[int, int]]) -> bytes:
    """Returns the board after moves of the player to act, as the opponent then sees it."""
    other, mine = list(board[0]), list(board[1])
    for source, target in moves:
        mine[source - 1] -= 1
        if target > 0:
            mine[target - 1] += 1
            if other[24 - target] == 1:
                other[24 - target] = 0
                other[24] += 1
    return bytes(mine) + bytes(other)


def evaluate(data: bytes, cube: Any, context: Any) -> bytes:
    """Returns win, gammon, backgammon, gammon lost, backgammon lost and equity of the player to throw."""
    return b"".join(VALUES.pack(*gnubg.evaluate(board, cube, context)) for board, _ in positions(data))


def play(data: bytes, cube: Any, context: Any) -> bytes:
    """Returns the board after the best play of each throw."""
    answer = []
    for board, dice in positions(data):
        gnubg.command(f"set dice {dice[0]} {dice[1]}")
        flat = gnubg.findbestmove(board, cube, context)
        answer.append(played(board, zip(flat[::2], flat[1::2], strict=False)))
    return b"".join(answer)


def legal(data: bytes, cube: Any, context: Any) -> bytes:
    """Returns the boards after every legal play of each throw, preceded by their number."""
    answer = []
    for board, dice in positions(data):
        gnubg.command(f"set board {gnubg.positionid(board)}")
        gnubg.command(f"set dice {dice[0]} {dice[1]}")
        found = gnubg.hint(10000)
        boards = [played(board, gnubg.parsemove(one["move"])) for one in found["hint"]] if found else []
        answer.append(LENGTH.pack(len(boards)) + b"".join(boards))
    return b"".join(answer)


def serve(questions: int, answers: int) -> None:
    """Answers questions for ever."""
    for setting in SETTINGS:
        gnubg.command(setting)
    cube = gnubg.cubeinfo(*MONEY)
    write(answers, GREETING)
    kinds = {b"E": evaluate, b"P": play, b"L": legal}
    while True:
        kind, plies, prune, count = HEADER.unpack(read(questions, HEADER.size))
        data = read(questions, RECORD * count)
        context = gnubg.evalcontext(0, plies, 1, prune, 0.0)
        answer = kinds[kind](data, cube, context)
        write(answers, LENGTH.pack(len(answer)) + answer)


if __name__ == "__main__":
    try:
        serve(*map(int, os.environ["TABLIER_GNUBG_PIPES"].split()))
    finally:
        os._exit(1)
