"""A slow decoder of action numbers (contract, section 3): which of the 514 name a legal play, using the oracle."""

from oracle import DEFAULT, base_play_records, legal_plays

PASSES = (2, 258)


def ordinal(board, field):
    """Returns the ordinal of the last man on the field, counting the mover's men from field 1 up."""
    return sum(n for n in board[:field] if n > 0)


def spellings(board, dice, play):
    """Returns every action number that names this play; the pass of a one-number play may come first or second."""
    if play.kind == "none":
        return set(PASSES)
    found = set()
    if play.kind == "single":
        c = ordinal(board, play.moves[0].src)
        for die, base, other in ((dice[0], 2, 258), (dice[1], 258, 2)):
            if die == play.numbers[0]:
                found |= {base + 16 * c, other + c}
        return found
    orders = [play.moves, play.moves[::-1]] if play.kind == "power" else [play.moves]
    for one, two in orders:
        between = list(board)
        between[one.src - 1] -= 1
        landing = one.src + one.number  # by power: as if on 13
        if landing <= 24:
            between[landing - 1] += 1
        for base, numbers in ((2, dice), (258, dice[::-1])):
            if (one.number, two.number) == tuple(numbers):
                found.add(base + 16 * ordinal(board, one.src) + ordinal(between, two.src))
    return found


def legal_spellings(board, dice, options=DEFAULT):
    """Returns {action: final board} for the plays of base_play_records() that are legal."""
    finals = legal_plays(board, dice, options)
    return {
        action: play.final
        for play in base_play_records(tuple(board), tuple(dice), options)
        if play.final in finals
        for action in spellings(board, dice, play)
    }
