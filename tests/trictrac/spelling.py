"""Action numbers read slowly (contract, section 3): which of the 514 spell a legal play, by the oracle's records."""

from oracle import DEFAULT, base_play_records, legal_plays

PASSES = (2, 258)


def ordinal(board, field):
    """The ordinal of the last man on the field, counted from field 1 upward over the mover's men."""
    return sum(n for n in board[:field] if n > 0)


def spellings(board, dice, play):
    """Every action number that names this play; a play of one number leaves out the other, first or second."""
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
    """{action: final board} of the plays that base_play_records() keeps."""
    finals = legal_plays(board, dice, options)
    return {
        action: play.final
        for play in base_play_records(tuple(board), tuple(dice), options)
        if play.final in finals
        for action in spellings(board, dice, play)
    }
