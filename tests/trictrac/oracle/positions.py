"""Synthetic positions for comparing engines. Every theme takes a random.Random and returns a board (24 signed ints,
mover's side); random_position(rng) mixes them and returns (board, throw_index, theme). Themes give plausible boards
(validity.py); strict=False lifts that.
"""

from .plays import START, legal_plays, mirror
from .validity import plausible, valid

SMALL, BIG, OPPBIG, RETURN = range(1, 7), range(7, 13), range(13, 19), range(19, 25)


def _retry(rng, make, strict=True, tries=60):
    """Call make() until it gives a usable board; fall back to an opening."""
    for _ in range(tries):
        board = make()
        if board is not None and valid(board) and (plausible(board) or not strict):
            return tuple(board)
    return opening(rng)


# ---------------------------------------------------------------- building blocks


def _drop(rng, men, count, fields, taken, width=None):
    """Put count men on random fields of `fields` that are not in taken (men: dict field -> count)."""
    free = [f for f in fields if f not in taken]
    if not free:
        return False
    if width:
        free = rng.sample(free, min(width, len(free)))
    for _ in range(count):
        f = rng.choice(free)
        men[f] = men.get(f, 0) + 1
    return True


def _fix_corner(rng, men, taken):
    """Own corner never holds exactly one man."""
    if men.get(12, 0) == 1:
        others = [f for f in men if f != 12 and men[f] > 0]
        if others and rng.random() < 0.5:
            men[rng.choice(others)] -= 1
            men[12] = 2
        else:
            men[12] = 0
            f = rng.choice([f for f in range(1, 12) if f not in taken] or [1])
            men[f] = men.get(f, 0) + 1
    men.pop(13, None)


def _opponent(rng, taken, style=None):
    """Men of the other side in their own numbering, avoiding taken (same numbering).  dict field -> count."""
    style = style or rng.choice(
        (
            "open",
            "open",
            "middle",
            "middle",
            "blots",
            "big",
            "bigfull",
            "smallfull",
            "passing",
            "passing",
            "return",
            "few",
            "corner",
        )
    )
    men, total = {}, 15
    taken = set(taken) | {13}
    if style == "open":
        total = 15
        k = rng.randint(0, 6)
        _drop(rng, men, k, range(2, 12), taken)
        men[1] = men.get(1, 0) + total - k
    elif style == "corner":
        k = rng.randint(0, 8)
        men[12] = rng.choice((2, 2, 3))
        _drop(rng, men, k, range(1, 12), taken)
        men[1] = men.get(1, 0) + 15 - k - men[12]
    elif style == "middle":
        _drop(rng, men, 15, range(1, 13), taken, rng.randint(5, 11))
    elif style == "blots":
        fields = [f for f in range(2, 13) if f not in taken and f != 12]
        for f in rng.sample(fields, min(len(fields), rng.randint(4, 9))):
            men[f] = 1
        if rng.random() < 0.5 and 12 not in taken:
            men[12] = 2
        _drop(rng, men, 15 - sum(men.values()), [1, *rng.sample(range(2, 12), 2)], taken)
    elif style == "big":
        _drop(rng, men, 15, range(5, 13), taken, rng.randint(5, 8))
    elif style in ("bigfull", "smallfull"):
        jan = BIG if style == "bigfull" else SMALL
        for f in jan:
            men[f] = 2
        _drop(rng, men, 3, range(1, 13), taken)
        if rng.random() < 0.3:  # nearly full
            men[rng.choice(list(jan)[:-1])] -= 1
            _drop(rng, men, 1, range(1, 12), taken)
    elif style == "passing":  # some men beyond the middle
        k = rng.randint(1, 12)
        _drop(rng, men, k, range(14, 25), taken, rng.randint(1, 6))
        _drop(rng, men, 15 - k, range(3, 13), taken, rng.randint(2, 7))
    elif style == "return":
        _drop(rng, men, 15, range(14, 25), taken, rng.randint(3, 8))
    elif style == "few":
        _drop(rng, men, rng.randint(1, 14), range(19, 25), taken, rng.randint(1, 6))
    _fix_corner(rng, men, taken)
    return men


def _assemble(rng, mine, style=None):
    """Board with these men of the mover and a random opponent around them."""
    if any(c < 0 for c in mine.values()):
        return None
    mine = {f: c for f, c in mine.items() if c}
    his = _opponent(rng, {25 - f for f in mine}, style)
    board = [0] * 24
    for f, c in mine.items():
        board[f - 1] += c
    for f, c in his.items():
        if c and board[25 - f - 1] > 0:
            return None
        board[25 - f - 1] -= c
    return tuple(board)


def _with_missing(rng, jan, missing):
    """Two men on each field of the jan, less `missing` men."""
    men = dict.fromkeys(jan, 2)
    holes = list(jan)
    if missing == 2 and rng.random() < 0.5:
        f = 12 if 12 in men and rng.random() < 0.5 else rng.choice(holes)
        men[f] = 0
    else:
        for f in rng.sample([f for f in holes if f != 12], missing):
            men[f] -= 1
    return men


# ---------------------------------------------------------------- the themes


def small_jan(rng, missing=None, strict=True):
    """Nearly full or full small jan with the spare men anywhere."""

    def make():
        m = rng.choice((0, 1, 1, 2)) if missing is None else missing
        men = _with_missing(rng, SMALL, m)
        spare = 15 - sum(men.values())
        where = rng.choice((range(1, 7), range(1, 12), range(1, 13), range(7, 12), range(7, 18)))
        _drop(rng, men, spare, where, {13})
        _fix_corner(rng, men, ())
        return _assemble(rng, men)

    return _retry(rng, make, strict)


def big_jan(rng, missing=None, strict=True):
    """Nearly full or full big jan; spare men behind, inside, or already passed."""

    def make():
        m = rng.choice((0, 0, 1, 1, 2)) if missing is None else missing
        men = _with_missing(rng, BIG, m)
        if missing is None and rng.random() < 0.15:  # only the corner is missing: effect or power
            men = dict.fromkeys(range(7, 12), 2)
        spare = 15 - sum(men.values())
        where = rng.choice((range(1, 7), range(1, 12), range(6, 13), range(7, 13), (12,), range(7, 24), range(1, 24)))
        _drop(rng, men, spare, where, {13})
        _fix_corner(rng, men, ())
        return _assemble(rng, men, rng.choice((None, None, "bigfull", "corner", "passing", "middle", "few")))

    return _retry(rng, make, strict)


def return_jan(rng, missing=None, strict=True):
    """Nearly full or full return jan; corner pair, blocked men, men inside, some borne off."""

    def make():
        m = rng.choice((0, 0, 1, 1, 2)) if missing is None else missing
        men = _with_missing(rng, RETURN, m)
        spare = 15 - sum(men.values())
        how = rng.random()
        if how < 0.25:  # the corner pair (or trio) still at home
            k = rng.choice([k for k in (2, 2, 3, 4, 5) if k <= spare])
            men[12] = k
            _drop(rng, men, spare - k, list(range(14, 25)), ())
        elif how < 0.5:
            _drop(rng, men, spare, range(14, 25), ())
        elif how < 0.7:
            _drop(rng, men, spare, range(7, 25), {12, 13})
        elif how < 0.85:
            _drop(rng, men, spare, range(19, 25), ())
        else:  # some borne off
            _drop(rng, men, rng.randint(0, max(0, spare - 1)), range(19, 25), ())
        _fix_corner(rng, men, ())
        return _assemble(rng, men, rng.choice(("return", "passing", "few", None, None)))

    return _retry(rng, make, strict)


def returning(rng, strict=True):
    """Men on the way home past a dead jan, both sides mixed."""

    def make():
        men = {}
        k = rng.randint(2, 15)
        _drop(rng, men, k, range(14, 25), (), rng.randint(2, 7))
        _drop(rng, men, 15 - k, range(4, 13), (), rng.randint(1, 5))
        _fix_corner(rng, men, ())
        return _assemble(rng, men, rng.choice(("passing", "passing", "return", "few", "big", None)))

    return _retry(rng, make, strict)


def bearing_off(rng, strict=True):
    """All men (or all but one or two) on 19-24, from one man to fifteen, with and without blockers."""

    def make():
        men = {}
        if rng.random() < 0.35:
            outside = rng.randint(1, 3)
            _drop(rng, men, 15 - outside, range(19, 25), (), rng.randint(1, 6))
            _drop(rng, men, outside, range(13 if rng.random() < 0.8 else 10, 19), {13, 12})
        else:
            n = rng.choice((1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 10, 13, 14, 15))
            _drop(rng, men, n, range(19, 25), (), rng.randint(1, 6))
        board = _assemble(rng, men, rng.choice(("few", "return", "passing", "passing", "middle")))
        if board and rng.random() < 0.6:  # blockers inside the mover's return jan
            board = list(board)
            free = [f for f in range(15, 25) if board[f - 1] == 0]
            donors = [f for f in range(1, 13) if board[f - 1] < 0 and f != 13]
            for f in rng.sample(free, min(len(free), rng.randint(1, 3))):
                if donors:
                    g = rng.choice(donors)
                    if board[g - 1] < 0:
                        board[g - 1] += 1
                        board[f - 1] -= 1
            board = tuple(board)
        return board

    return _retry(rng, make, strict)


def corners(rng, strict=True):
    """Both corners empty, held by two, or held by more; men within reach of 12 and 13."""

    def make():
        men = {12: rng.choice((0, 0, 0, 2, 2, 3, 4))}
        left = 15 - men[12]
        k = rng.randint(1, min(9, left))
        _drop(rng, men, k, range(6, 12), (), rng.randint(1, 6))
        men[1] = men.get(1, 0)
        _drop(rng, men, left - k, rng.choice(((1,), range(1, 7), range(1, 12))), ())
        return _assemble(rng, men, rng.choice(("open", "open", "blots", "corner", "middle", "passing", "big")))

    return _retry(rng, make, strict)


def opening(rng, strict=True):
    """Positions of throws 1 to 4: six tables, two tables, mezeas, and their near misses."""

    def side():
        how = rng.random()
        men = {}
        if how < 0.3:  # four men down one by one (or nearly)
            for f in rng.sample(range(2, 8), 4):
                men[f] = 1
            if rng.random() < 0.3:  # near miss
                f = rng.choice(list(men))
                men[f] -= 1
                g = rng.randint(1, 9)
                men[g] = men.get(g, 0) + 1
        elif how < 0.6:  # two men down
            for _ in range(2):
                f = rng.choice((6, 7, 8, 9, 10, 11, 11, 10, rng.randint(2, 11)))
                men[f] = men.get(f, 0) + 1
        elif how < 0.8:  # corner pair
            men[12] = 2
            if rng.random() < 0.25:
                men[rng.randint(2, 11)] = 1
        elif how < 0.9:
            _drop(rng, men, rng.randint(0, 6), range(2, 12), ())
        men[1] = men.get(1, 0) + 15 - sum(men.values())
        return men

    while True:
        mine, his = side(), side()
        board = [0] * 24
        for f, c in mine.items():
            board[f - 1] += c
        for f, c in his.items():
            board[25 - f - 1] -= c
        if plausible(board):
            return tuple(board)


def three_throws(rng, strict=True):
    """Exactly the pattern of the six tables (throw_index 3 is chosen for it) or two men near both corners."""
    men = {1: 11}
    if rng.random() < 0.6:
        men.update(dict.fromkeys(rng.sample(range(2, 8), 4), 1))
    else:
        men[1] = 13
        for _ in range(2):
            f = rng.randint(7, 11)
            men[f] = men.get(f, 0) + 1
    return _retry(rng, lambda: _assemble(rng, dict(men), rng.choice(("open", "corner"))), strict)


def misere(rng, strict=True):
    """Pile de misère, made or nearly made."""

    def make():
        k = rng.choice((0, 1, 1, 2, 2, 3))
        men = {12: 15 - k}
        _drop(rng, men, k, range(5, 12) if rng.random() < 0.8 else range(5, 18), {13, 12})
        return _assemble(
            rng, men, rng.choice(("bigfull", "bigfull", "bigfull", "smallfull", "big", "corner", "passing", None))
        )

    return _retry(rng, make, strict)


def margot(rng, strict=True):
    """Opposing blots with single gaps, false hits: many hits of every kind."""

    def make():
        men = {}
        _drop(rng, men, 15, range(1, 13), (), rng.randint(4, 10))
        _fix_corner(rng, men, ())
        return _assemble(rng, men, rng.choice(("blots", "blots", "middle", "passing")))

    return _retry(rng, make, strict)


def blocked(rng, strict=True):
    """Few or no playable numbers."""

    def make():
        men = {}
        base = rng.choice((range(7, 13), range(9, 13), range(11, 19), range(6, 9)))
        _drop(rng, men, 15, base, {13}, rng.randint(1, 4))
        _fix_corner(rng, men, ())
        return _assemble(rng, men, rng.choice(("bigfull", "big", "passing", "middle", "smallfull")))

    return _retry(rng, make, strict)


def anything(rng, strict=False):
    """Any weakly valid board at all, including ones no game can reach."""
    while True:
        board = [0] * 24
        fields = list(range(1, 25))
        rng.shuffle(fields)
        cut = rng.randint(1, 20)
        for sign, mine in ((1, fields[:cut]), (-1, fields[cut:])):
            for _ in range(rng.choice((15, 15, 15, rng.randint(1, 15)))):
                board[rng.choice(mine) - 1] += sign
        if valid(board):
            return tuple(board)


def played_positions(rng, plies=80):
    """Endless generator of (board, throw_index) from random legal play without scores (slower, reachable)."""
    while True:
        board, throws = START, [0, 0]
        for ply in range(plies):
            throws[ply % 2] += 1
            yield board, min(throws[ply % 2], 4)
            dice = (rng.randint(1, 6), rng.randint(1, 6))
            board = rng.choice(sorted(legal_plays(board, dice)))
            if not any(x > 0 for x in board):
                break
            board = mirror(board)


THEMES = [
    (small_jan, 10),
    (big_jan, 16),
    (return_jan, 16),
    (returning, 10),
    (bearing_off, 16),
    (corners, 10),
    (opening, 8),
    (three_throws, 3),
    (misere, 4),
    (margot, 5),
    (blocked, 5),
]


def choose_throw_index(rng, board):
    """Mover's throw number in the setting (4 = above 3); small only where it can be true."""
    if board[0] == 11 and sum(board[f] == 1 for f in range(1, 7)) == 4:
        return rng.choice((3, 3, 3, 3, 3, 2, 4, 1))
    if board[0] >= 9 and rng.random() < 0.7:
        return rng.choice((1, 2, 3, 3, 3, 4)) if board[0] > 9 else rng.choice((3, 4))
    return 4 if rng.random() < 0.95 else rng.randint(1, 3)


def random_position(rng, loose=0.0):
    """(board, throw_index, theme) from a random theme; a share `loose` of weakly valid, unreachable boards."""
    theme = anything if rng.random() < loose else rng.choices([t for t, _ in THEMES], [w for _, w in THEMES])[0]
    board = theme(rng)
    return board, choose_throw_index(rng, board), theme.__name__
