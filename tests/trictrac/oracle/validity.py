"""Which boards can stand, and which a game can reach.

valid(board): the weak definition (<= 15 men a side and >= 1, no man on the other's corner, never exactly one man on
one's own corner; shared fields cannot be written down). plausible(board): also what the rules make impossible in play:
no man stands in a jan the other side can still fill, and a side that has borne men off has all its men on its last
quarter.
"""

from .plays import forbidden_fields, mirror


def valid(board):
    mine, his = sum(x for x in board if x > 0), -sum(x for x in board if x < 0)
    return (
        1 <= mine <= 15 and 1 <= his <= 15 and board[12] <= 0 and board[11] >= 0 and board[11] != 1 and board[12] != -1
    )


def _side_plausible(board):
    forbidden = forbidden_fields(tuple(board))
    if any(board[f - 1] > 0 for f in forbidden):
        return False
    if sum(x for x in board if x > 0) < 15:
        return all(board[f - 1] <= 0 for f in range(1, 19)) and 19 not in forbidden
    return True


def plausible(board):
    return valid(board) and _side_plausible(board) and _side_plausible(mirror(board))
