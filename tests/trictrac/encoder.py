"""The 36-value observation and the 217 features of contract.md, section 5: slow code straight from its tables."""

from drawn import parts


def seen_by(state, player):
    """Returns the board in the player's numbering, with their men positive."""
    return list(parts(state).board_from(player))


def scores(state, player):
    facts = parts(state)
    return [
        [getattr(facts, key)[who] for key in ("points", "holes", "can_bredouille", "can_big_bredouille")]
        for who in (player, 1 - player)
    ]


def observation(state, player):
    facts = parts(state)
    own, other = scores(state, player)
    return [
        *seen_by(state, player),
        facts.player,
        facts.stage,
        *facts.dice,
        *map(int, own),
        *map(int, other),
    ]


def features(state, player):
    facts, board = parts(state), seen_by(state, player)
    mine, theirs = [max(n, 0) for n in board], [max(-n, 0) for n in board]
    result = []
    for men in (mine, theirs):
        for n in men:
            result += [float(n == 1), float(n == 2), float(n == 3), max(n - 3, 0) / 12]
    result += [facts.dice[0] / 6, facts.dice[1] / 6, float(facts.player), facts.stage / 5]
    for points, holes, bredouille, big in scores(state, player):
        result += [points / 12, min(holes, 12) / 12, float(bredouille), float(big)]
    for men in (mine, theirs):
        for first in (0, 6, 12, 18):
            result.append(float(all(n >= 2 for n in men[first : first + 6])))
    result.append(float(all(n == 0 for n in mine[:18])))
    result.append(float(all(n == 0 for n in theirs[6:])))
    result += [float(mine[11] >= 2), float(theirs[12] >= 2)]
    result.append(min(facts.throws[player] / 3, 1))
    return result
