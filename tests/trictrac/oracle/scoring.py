"""Brute-force oracle for Trictrac, part 2: what a throw scores (rules.md sections 7, 8, 9)."""

from dataclasses import dataclass, field

from .plays import (
    CORNER,
    DEFAULT,
    JANS,
    OPP_CORNER,
    base_play_records,
    base_plays,
    jan_full,
    opp,
    own,
    own_total,
    unplayed_numbers,
)

# Section 9 tariff: name -> (simple value, doublet value, who gets it)
TARIFF = {
    "hit_small": (4, 6, "player"),
    "hit_big": (2, 4, "player"),
    "false_small": (4, 6, "opponent"),
    "false_big": (2, 4, "opponent"),
    "corner": (4, 6, "player"),
    "fill_small": (4, 6, "player"),
    "fill_big": (4, 6, "player"),
    "fill_return": (4, 6, "player"),
    "conserve_small": (4, 6, "player"),
    "conserve_big": (4, 6, "player"),
    "conserve_return": (4, 6, "player"),
    "six_tables": (4, 4, "player"),
    "two_tables": (4, 6, "player"),
    "contre_two_tables": (4, 6, "opponent"),
    "mezeas": (4, 6, "player"),
    "contre_mezeas": (4, 6, "opponent"),
    "exit": (4, 6, "player"),
    "helpless": (2, 2, "opponent"),
    "pile_de_misere": (4, 6, "player"),
    "margot": (2, 4, "opponent"),
    "jan_de_rencontre": (4, 6, "player"),  # added by the game flow only
}


@dataclass
class Score:
    player_points: int = 0
    opponent_points: int = 0
    jans: dict = field(default_factory=dict)


def table(t):
    """Section 1: which table a field belongs to."""
    return "big" if 7 <= t <= 18 else "small"


def ways_to_reach(board, t, a, b):
    """Section 7 and 9.1/9.2: (true ways, false ways) by which the mover's men reach field t."""
    true_ways = false_ways = 0
    for number in {a, b}:  # a doublet is one way "by a"
        if own(board, t - number) >= 1:
            true_ways += 1
    if own(board, t - a - b) >= 1:
        rests = {t - a, t - b}
        if any(opp(board, r) <= 1 for r in rests):
            true_ways += 1  # open: empty, own, or a single opposing man
        else:
            false_ways += 1  # every resting field holds two or more opposing men
    return true_ways, false_ways


def hits(board, a, b):
    """Sections 9.1 and 9.2."""
    jans = {"hit_small": 0, "hit_big": 0, "false_small": 0, "false_big": 0}
    for t in range(1, 25):
        if opp(board, t) == 1:
            true_ways, false_ways = ways_to_reach(board, t, a, b)
            jans["hit_" + table(t)] += true_ways
            jans["false_" + table(t)] += false_ways
    return jans


def corner_hit(board, a, b):
    """Section 9.3."""
    if own(board, CORNER) < 2 or opp(board, OPP_CORNER):
        return 0

    def available(f):
        return own(board, f) - 2 if f == CORNER else own(board, f)

    if a == b:
        return int(available(13 - a) >= 2)
    return int(available(13 - a) >= 1 and available(13 - b) >= 1)


def six_tables(board, a, b, throw_index):
    """Section 9.4."""
    if throw_index != 3 or own(board, 1) != 11:
        return 0
    singles = {f for f in range(2, 8) if own(board, f) == 1}
    empty = {f for f in range(2, 8) if board[f - 1] == 0}
    return int(len(singles) == 4 and {1 + a, 1 + b} == empty)


def two_tables(board, a, b):
    """Section 9.5: would one number take one of the two men to 12 and the other number the other to 13?"""
    if own(board, 1) != 13 or own(board, CORNER):
        return 0
    men = [f for f in range(2, 25) for _ in range(own(board, f))]
    if len(men) != 2:
        return 0
    x, y = men
    return int(any(p + i == 12 and q + j == 13 for p, q in ((x, y), (y, x)) for i, j in ((a, b), (b, a))))


def mezeas(board, a, b):
    """Section 9.6."""
    return int(own(board, 1) == 13 and own(board, CORNER) == 2 and 1 in (a, b))


def missing_men(board, name):
    """Section 8."""
    return sum(max(0, 2 - own(board, f)) for f in JANS[name])


def spare_man_on(board, f, name):
    """Section 8: a man outside the jan, or a third or later man on a field of the jan."""
    return own(board, f) >= (3 if f in JANS[name] else 1)


def fill_ways(board, a, b, name, options):
    """Section 8, missing = 1: by a, by b, by a + b."""
    f = next(f for f in JANS[name] if own(board, f) == 1)
    filling = [p for p in base_play_records(board, (a, b), options) if jan_full(p.final, name)]
    ways = 0
    for number in {a, b}:  # section 7: a doublet counts "by a" once
        if not spare_man_on(board, f - number, name):
            continue
        if options.fill_way_rule == "nominal":
            ways += bool(filling)
        else:  # the man itself stops on f with that number
            ways += any(
                m.src == f - number and m.dst == f and m.number == number and m.how == "stop"
                for p in filling
                if p.kind in ("two", "single")
                for m in p.moves
            )
    if spare_man_on(board, f - a - b, name):  # the one-man move over a resting field
        ways += any(p.kind == "one" and p.moves[0].src == f - a - b and p.moves[1].dst == f for p in filling)
    return ways


def jans_filled_and_kept(board, a, b, options):
    """Section 8."""
    result = {}
    boards = base_plays(board, (a, b), options)
    for name in JANS:
        possible = any(jan_full(x, name) for x in boards)
        missing = missing_men(board, name)
        if missing == 0:
            result["conserve_" + name] = int(possible)
        elif missing == 2:
            result["fill_" + name] = int(possible)
        elif missing == 1:
            result["fill_" + name] = fill_ways(board, a, b, name, options)
    return result


def pile_de_misere(board, a, b, options):
    """Section 9.10."""
    boards = base_plays(board, (a, b), options)
    if own(board, CORNER) == 15:  # keeping: the throw cannot break it
        return int(all(own(x, CORNER) == 15 for x in boards))
    makes = any(own(x, CORNER) == 15 for x in boards)
    passes = any(own(x, f) for x in boards for f in range(13, 25))
    return int(makes and not passes)


def margot(board, a, b):
    """Section 9.10: an empty field between two opposing blots, truly reached."""
    return sum(
        ways_to_reach(board, t, a, b)[0]
        for t in range(2, 24)
        if board[t - 1] == 0 and opp(board, t - 1) == 1 and opp(board, t + 1) == 1
    )


def value_of(jans, doublet):
    """Section 9: (points to the mover, points to the opponent)."""
    points = {"player": 0, "opponent": 0}
    for name, ways in jans.items():
        simple, double, who = TARIFF[name]
        points[who] += ways * (double if doublet else simple)
    return points["player"], points["opponent"]


def score_throw(board, dice, throw_index=4, options=DEFAULT, corner_just_taken=True):
    """Everything the throw gives, from the position before the move (section 2.3).
    corner_just_taken matters only under mezeas_next_throw_only (known to the game, not to the board)."""
    board, (a, b) = tuple(board), tuple(dice)
    jans = hits(board, a, b)
    jans["corner"] = corner_hit(board, a, b)
    jans["six_tables"] = six_tables(board, a, b, throw_index)
    contre = "contre_" if opp(board, OPP_CORNER) else ""
    jans[contre + "two_tables"] = two_tables(board, a, b)
    if corner_just_taken or not options.mezeas_next_throw_only:
        jans[contre + "mezeas"] = mezeas(board, a, b)
    jans.update(jans_filled_and_kept(board, a, b, options))
    jans["exit"] = int(any(own_total(x) == 0 for x in base_plays(board, (a, b), options)))
    jans["helpless"] = unplayed_numbers(board, (a, b), options)
    if options.pile_de_misere:
        jans["pile_de_misere"] = pile_de_misere(board, a, b, options)
    if options.margot_la_fendue:
        jans["margot"] = margot(board, a, b)
    jans = {name: ways for name, ways in jans.items() if ways > 0}
    return Score(*value_of(jans, a == b), jans)
