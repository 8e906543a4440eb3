"""Brute-force oracle for Trictrac, part 1: options, board helpers, plays.

All section numbers refer to rules.md.  A board is a tuple of 24 signed ints seen from the
mover's side: index 0 = field 1, positive = mover, negative = opponent (contract.md 1).
Men borne off simply vanish.  Everything is enumerated literally; nothing is clever.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

OFF = 25  # section 6: "the exit counts as field 25"
CORNER, OPP_CORNER = 12, 13  # section 1
JANS = {"small": range(1, 7), "big": range(7, 13), "return": range(19, 25)}  # section 8: the fillable ones
START = (15,) + (0,) * 22 + (-15,)

# Section 6, option by_default_only, "exits only by excess".  False = literal: an exact exit does not
# exist under the old law.  True = an exact exit is possible when the number cannot be played inside.
BY_DEFAULT_ALLOWS_EXACT = False


@dataclass(frozen=True)
class Options:  # section 14, the options of the ordinary game
    holes_to_win: int = 12
    first_throw: str = "draw"  # draw | fresh_roll | white
    bearing_off: str = "paris"  # paris | by_default_only
    last_throw_carries_over: bool = False
    fill_way_rule: str = "effective"  # effective | nominal
    mezeas_next_throw_only: bool = False
    pile_de_misere: bool = False
    jan_de_rencontre: bool = False
    margot_la_fendue: bool = False
    stake_rule: str = "single"  # single | double | quadruple
    swap_colours_on_exit: bool = False  # cosmetic (section 11)


DEFAULT = Options()


class Move(NamedTuple):
    src: int
    dst: int  # 25 = off
    number: int
    how: str  # "stop", "rest", "exact", "excess", "power"


class Play(NamedTuple):
    final: tuple  # the board after the play
    kind: str  # "two", "one" (tout d'une), "power", "single" (one number), "none"
    numbers: tuple  # the numbers played
    moves: tuple  # tuple of Move
    excess: int  # how many excess exits it uses


# ---------------------------------------------------------------- board helpers (section 1)


def own(board, f):
    """n[f]: men of the mover on field f (0 outside the board)."""
    return max(board[f - 1], 0) if 1 <= f <= 24 else 0


def opp(board, f):
    """m[f]: men of the opponent on field f (0 outside the board)."""
    return max(-board[f - 1], 0) if 1 <= f <= 24 else 0


def own_total(board):
    return sum(x for x in board if x > 0)


def opp_total(board):
    return -sum(x for x in board if x < 0)


def mirror(board):
    return tuple(-x for x in reversed(board))


def moved(board, src, dst):
    """The board after one man goes from src to dst (dst 25 = off)."""
    new = list(board)
    new[src - 1] -= 1
    if dst != OFF:
        new[dst - 1] += 1
    return tuple(new)


def jan_full(board, name):
    """Section 8: at least two men on each of the six fields."""
    return all(board[f - 1] >= 2 for f in JANS[name])


def any_jan_full(board):
    return any(jan_full(board, name) for name in JANS)


# ---------------------------------------------------------------- section 5, forbidden jans


@lru_cache(maxsize=4096)
def forbidden_fields(board):
    """Fields where the mover may not stop because the opponent can still fill that jan."""

    def c(k):  # the opponent's men on their fields 1..k; their field j is our 25 - j
        return sum(opp(board, 25 - j) for j in range(1, k + 1))

    fields = set()
    if all(c(k) >= 2 * k for k in range(1, 7)):
        fields |= set(range(19, 25))  # the opponent's small jan
    if all(c(k) >= 2 * (k - 6) for k in range(7, 13)):
        fields |= set(range(13, 19))  # the opponent's big jan
    return frozenset(fields)


def may_stop(start_board, t):
    """Section 3, conditions 1 to 3 (4, the corner rule, is tested at the end of the turn)."""
    return opp(start_board, t) == 0 and t != OPP_CORNER and t not in forbidden_fields(start_board)


def corner_rule_holds(final):
    """Section 4.1: after the turn n[12] != 1."""
    return own(final, CORNER) != 1


# ---------------------------------------------------------------- section 6, bearing off


def all_home(board):
    """All the mover's men still on the board are on 19-24 at this moment."""
    return all(board[f - 1] <= 0 for f in range(1, 19))


def playable_inside(start_board, board, number):
    """Can some man play this number inside the board, on the board as it is now?"""
    return any(own(board, f) and f + number <= 24 and may_stop(start_board, f + number) for f in range(1, 25))


def exit_kind(start_board, board, f, number, options):
    """None, "exact" or "excess": how the man on f may leave with this number right now."""
    if f + number < 25 or not all_home(board):
        return None
    exact = f + number == 25
    if not exact and any(own(board, g) for g in range(1, f)):
        return None  # excess: only the rearmost man
    if options.bearing_off == "by_default_only":
        if playable_inside(start_board, board, number):
            return None  # "a number that can be played inside must be"
        if exact and not BY_DEFAULT_ALLOWS_EXACT:
            return None  # "exits only by excess"
    return "exact" if exact else "excess"


# ---------------------------------------------------------------- section 3, moving


def number_moves(start_board, board, number, options):
    """Every (src, dst, how) of one man by one number.  how is "move" (the field is free of opposing
    men; whether it is fit for a stop is asked by the caller), "exact" or "excess"."""
    for f in range(1, 25):
        if not own(board, f):
            continue
        if f + number <= 24:
            if opp(board, f + number) == 0:
                yield f, f + number, "move"
        else:
            how = exit_kind(start_board, board, f, number, options)
            if how:
                yield f, OFF, how


def one_man_exit_allowed(board, final, options):
    """Section 6, by_default_only: "one-man exits only to keep a full jan"."""
    if options.bearing_off != "by_default_only":
        return True
    return any(jan_full(board, name) and jan_full(final, name) for name in JANS)


def two_number_plays(board, a, b, options):
    """Every play of both numbers: two men, one man, bearing off, corner by power (sections 3, 4, 6)."""
    plays = []
    for first, second in dict.fromkeys(((a, b), (b, a))):
        for src1, dst1, how1 in number_moves(board, board, first, options):
            middle = moved(board, src1, dst1)
            for src2, dst2, how2 in number_moves(board, middle, second, options):
                if dst2 != OFF and not may_stop(board, dst2):
                    continue
                final = moved(middle, src2, dst2)
                if not corner_rule_holds(final):
                    continue
                excess = (how1 == "excess") + (how2 == "excess")
                move2 = Move(src2, dst2, second, "stop" if how2 == "move" else how2)
                # Two men: the first move must be a stop (or an exit); the second man is another man.
                another = src2 != dst1 or own(board, src2) >= 1
                if another and (dst1 == OFF or may_stop(board, dst1)):
                    move1 = Move(src1, dst1, first, "stop" if how1 == "move" else how1)
                    plays.append(Play(final, "two", (first, second), (move1, move2), excess))
                # One man: the same man goes on from a rest; a rest asks only for m[r] = 0.
                if src2 == dst1 and (dst2 != OFF or one_man_exit_allowed(board, final, options)):
                    move1 = Move(src1, dst1, first, "rest")
                    plays.append(Play(final, "one", (first, second), (move1, move2), excess))
    power = corner_by_power(board, a, b)
    if power:
        plays.append(power)
    return plays


def effect_possible(board, a, b):
    """Section 4.2: the two numbers bring two men exactly to the (empty) own corner."""
    if own(board, CORNER):
        return False
    if a == b:
        return own(board, 12 - a) >= 2
    return own(board, 12 - a) >= 1 and own(board, 12 - b) >= 1


def corner_by_power(board, a, b):
    """Section 4.3 and 4.4."""
    if own(board, CORNER) or opp(board, OPP_CORNER) or effect_possible(board, a, b):
        return None
    if a == b:
        if own(board, 13 - a) < 2:
            return None
    elif own(board, 13 - a) < 1 or own(board, 13 - b) < 1:
        return None
    final = moved(moved(board, 13 - a, 12), 13 - b, 12)
    moves = (Move(13 - a, 12, a, "power"), Move(13 - b, 12, b, "power"))
    return Play(final, "power", (a, b), moves, 0)


def one_number_plays(board, number, options):
    """Every play of just this number."""
    plays = []
    for src, dst, how in number_moves(board, board, number, options):
        if dst != OFF and not may_stop(board, dst):
            continue
        final = moved(board, src, dst)
        if corner_rule_holds(final):
            move = Move(src, dst, number, "stop" if how == "move" else how)
            plays.append(Play(final, "single", (number,), (move,), int(how == "excess")))
    return plays


@lru_cache(maxsize=4096)
def base_play_records(board, dice, options):
    """Section 3.1 (duty to play), then section 6 (fewest excess exits), as Play records."""
    a, b = max(dice), min(dice)
    plays = two_number_plays(board, a, b, options)  # both, if any combination plays both
    if not plays:
        plays = one_number_plays(board, a, options)  # else the higher
    if not plays:
        plays = one_number_plays(board, b, options)  # else the lower
    if not plays:
        plays = [Play(board, "none", (), (), 0)]  # else the turn passes
    fewest = min(p.excess for p in plays)
    return tuple(p for p in plays if p.excess == fewest)


def base_plays(board, dice, options=DEFAULT):
    """The final boards of all base plays."""
    return frozenset(p.final for p in base_play_records(tuple(board), tuple(dice), options))


def legal_plays(board, dice, options=DEFAULT):
    """Base plays, restricted by the duty to fill and keep (3.2) and the last-man-out duty (6)."""
    boards = base_plays(board, dice, options)
    out = frozenset(x for x in boards if own_total(x) == 0)
    if out:
        return out  # section 6: "only such plays are legal"
    full = frozenset(x for x in boards if any_jan_full(x))
    return full or boards


def unplayed_numbers(board, dice, options=DEFAULT):
    """Section 3.1 / 9.9: 0, 1 or 2."""
    records = base_play_records(tuple(board), tuple(dice), options)
    if any(own_total(p.final) == 0 for p in records):
        return 0  # 3.1: none when the last man has just been borne off
    return 2 - len(records[0].numbers)  # all base plays play equally many numbers
