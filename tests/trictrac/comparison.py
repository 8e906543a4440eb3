"""The engine against the oracle: one position with one throw, and one whole game in step."""

import random

from drawn import GO, HOLD_OR_GO, MOVE, ROLL_DICE, ROLL_WAITING, by_the_rules, drawing, parts, set_up
from oracle import DEFAULT, GameOracle, Options, legal_plays, mirror, score_throw
from oracle.positions import random_position

import tablier
from tablier._core import trictrac

POSITION_OPTIONS = [
    DEFAULT,
    DEFAULT,
    DEFAULT,
    Options(fill_way_rule="nominal"),  # another way of counting, with the same result
    Options(pile_de_misere=True, margot_la_fendue=True),
    Options(bearing_off="by_default_only"),
    Options(bearing_off="by_default_only", pile_de_misere=True, margot_la_fendue=True),
]
"""The only options that affect how a throw scores and how it may be played; the others concern the course of a game."""

STAGES = {"draw": ROLL_WAITING, "roll": ROLL_WAITING, "hold_or_leave": HOLD_OR_GO, "move": MOVE}


# --- one position -----------------------------------------------------------------------------------------------------


def position_differences(board, dice, throw_index, options):
    """Describes each difference between engine and oracle on a throw; empty when they agree."""
    game = by_the_rules(
        bearing_off=options.bearing_off,
        pile_de_misere=options.pile_de_misere,
        margot_la_fendue=options.margot_la_fendue,
    )
    plays = trictrac.plays(game, board, *dice)
    finals = [tuple(final) for final, _, _ in plays]
    expected = legal_plays(board, dice, options)
    found = []
    if len(set(finals)) != len(finals):
        found.append("the engine lists a final position twice")
    found += [f"the engine lacks {drawing(final)}" for final in sorted(expected - set(finals))]
    found += [f"the engine allows {drawing(final)}" for final in sorted(set(finals) - expected)]
    found += [
        f"the moves {moves} do not lead to {drawing(final)}"
        for final, moves, _ in plays
        if not leads(board, moves, final)
    ]
    score = score_throw(board, dice, throw_index, options)
    engine = trictrac.score(game, board, *dice, throw_index)
    if engine != (score.player_points, score.opponent_points, score.jans):
        found.append(f"the engine scores {engine}, the oracle {score}")
    return [f"{drawing(board)} dice {dice} throw {throw_index} {options}: {problem}" for problem in found]


def leads(board, moves, final):
    board = list(board)
    for start, end in moves:
        board[start - 1] -= 1
        if end != 25:
            board[end - 1] += 1
    return board == list(final)


def synthetic_positions(rng, loose=0.0):
    """Yields (board, dice, throw index, theme) without end, mostly positions that games seldom reach."""
    while True:
        board, throw_index, theme = random_position(rng, loose)
        yield board, throw_of(rng), throw_index, theme


def positions_of_games(rng):
    """Yields positions before a throw without end, from random games of the engine in which players rarely leave."""
    game = tablier.load_game("trictrac", holes_to_win=100, first_throw="white")
    while True:
        state = game.new_initial_state()
        leaver = rng.choice((0.0, 0.05, 0.5))
        runner = rng.choice((0.0, 0.5, 0.9))  # how often the most advanced play is chosen
        while not state.is_terminal():
            if state.is_chance_node():
                facts = parts(state)
                board = facts.board
                if facts.player:
                    board = mirror(board)
                yield board, throw_of(rng), min(facts.throws[facts.player] + 1, 4), "game"
                state.apply_action(rng.randrange(36))
            else:
                state.apply_action(random_action(rng, state, leaver, runner))


def throw_of(rng):
    return rng.randint(1, 6), rng.randint(1, 6)


def random_action(rng, state, leaver, runner):
    actions = state.legal_actions()
    if actions[0] == GO:
        if rng.random() < leaver:
            return GO
        actions = actions[1:]
    if actions[0] and rng.random() < runner:  # the highest ordinals are the men in front
        return actions[-1]
    return rng.choice(actions)


# --- one game ---------------------------------------------------------------------------------------------------------

GAME_OPTIONS = {
    "default": {},
    "fresh_roll": {"first_throw": "fresh_roll"},
    "white": {"first_throw": "white"},
    "three holes": {"holes_to_win": 3},
    "by_default_only": {"bearing_off": "by_default_only", "holes_to_win": 40},
    "last_throw_carries_over": {"last_throw_carries_over": True, "holes_to_win": 40},
    "mezeas_next_throw_only": {"mezeas_next_throw_only": True},
    "pile_de_misere": {"pile_de_misere": True},
    "jan_de_rencontre": {"jan_de_rencontre": True, "first_throw": "fresh_roll"},
    "margot_la_fendue": {"margot_la_fendue": True},
    "double": {"stake_rule": "double"},
    "quadruple": {"stake_rule": "quadruple"},
    "swap_colours_on_exit": {"swap_colours_on_exit": True, "holes_to_win": 40},
    "explicit_roll": {"explicit_roll": True},
    "win": {"utility": "win", "stake_rule": "quadruple"},
    "markov": {"encoding": "markov"},
    "all": {
        "bearing_off": "by_default_only",
        "last_throw_carries_over": True,
        "mezeas_next_throw_only": True,
        "pile_de_misere": True,
        "jan_de_rencontre": True,
        "margot_la_fendue": True,
        "stake_rule": "quadruple",
        "swap_colours_on_exit": True,
        "explicit_roll": True,
        "utility": "win",
    },
}

INTERFACE = {"explicit_roll", "utility", "encoding"}  # options of the interface, unknown to the oracle


def random_options(rng):
    """Picks a value for every option of the ordinary game."""
    return {
        "holes_to_win": rng.choice((1, 3, 12, 12, 20)),
        "first_throw": rng.choice(("draw", "fresh_roll", "white")),
        "bearing_off": rng.choice(("paris", "paris", "by_default_only")),
        "stake_rule": rng.choice(("single", "double", "quadruple")),
        "utility": rng.choice(("score", "win")),
        **{
            name: rng.random() < 0.5
            for name in (
                "last_throw_carries_over",
                "mezeas_next_throw_only",
                "pile_de_misere",
                "jan_de_rencontre",
                "margot_la_fendue",
                "swap_colours_on_exit",
                "explicit_roll",
            )
        },
    }


def play_in_step(options, seed, max_throws=1500):
    """Plays a random game in the engine and the oracle; raises AssertionError at the first difference.

    Returns the oracle at the end and the number of actions compared.
    """
    rng = random.Random(seed)
    state = tablier.load_game("trictrac", **options).new_initial_state()
    return run_in_step(rng, state, oracle_for(options), options, max_throws)


def play_on_in_step(options, seed, max_throws=8):
    """Does the same from a synthetic position and score that random games hardly ever reach."""
    rng = random.Random(seed)
    options = {**options, "first_throw": "white", "holes_to_win": 12}
    oracle = oracle_for(options)
    board, throw_index, _ = random_position(rng)
    while untouched(board):
        board, throw_index, _ = random_position(rng)
    oracle.turn = rng.randrange(2)
    oracle.board = mirror(board) if oracle.turn else board
    oracle.hole_log = rng.choice(([], [0], [1], [0, 1], [1, 0], [0, 1, 0], [1, 0, 1]))
    least = [oracle.hole_log.count(player) for player in (0, 1)]
    oracle.holes = tuple(rng.randint(n, 11) if n else 0 for n in least)
    oracle.points = (rng.randrange(0, 12, 2), rng.randrange(0, 12, 2))
    runner = rng.randrange(2 if oracle.points == (2, 2) else 3) if all(oracle.points) else oracle.points.index(0) ^ 1
    oracle.run = tuple(player == runner and oracle.points[player] > 0 for player in (0, 1))
    oracle.throws = throws_before(rng, board, throw_index, oracle.turn)
    oracle.throws_in_game = 30
    state = set_up(
        drawing(board),
        points=oracle.points,
        holes=oracle.holes,
        points_run=oracle.run,
        holes_run=(oracle.holes_run(0), oracle.holes_run(1)),
        first_hole=oracle.hole_log[0] if oracle.hole_log else None,
        throws=oracle.throws,
        mover=oracle.turn,
        **options,
    )
    return run_in_step(rng, state, oracle, options, max_throws)


def untouched(board):
    """Returns whether a side still has all its men on the talon, as only at the opening."""
    return board[0] == 15 or board[23] == -15


def throws_before(rng, board, throw_index, turn):
    """Returns how often White and Black threw before this throw: a count the board allows, else 9 for "many"."""
    needed = []
    for side in (board, mirror(board)):
        way = sum(field * n for field, n in enumerate(side) if n > 0) + 24 * (15 - sum(n for n in side if n > 0))
        needed.append(max(-(-way // 12), (16 - max(side[0], 0)) // 2))
    mine, theirs = throw_index - 1, throw_index - rng.randrange(2)
    if mine < needed[0] or theirs < needed[1]:
        mine = theirs = 9
    return [mine, theirs] if turn == 0 else [theirs, mine]


def oracle_for(options):
    return GameOracle(Options(**{name: value for name, value in options.items() if name not in INTERFACE}))


def run_in_step(rng, state, oracle, options, max_throws):
    exits = steps = 0
    leaver, runner = rng.choice((0.0, 0.05, 0.5)), rng.choice((0.0, 0.3, 0.9))
    story = []
    compare(state, oracle, options, exits, story)
    while not state.is_terminal() and steps < 2 * max_throws:
        steps += 1
        if state.is_chance_node():
            outcome = rng.randrange(36)
            story.append((outcome // 6 + 1, outcome % 6 + 1))
            state.apply_action(outcome)
            oracle.roll(outcome // 6 + 1, outcome % 6 + 1)
        else:
            action = random_action(rng, state, leaver, runner)
            story.append(action)
            exits += follow(state, oracle, action)
        compare(state, oracle, options, exits, story)
    return oracle, steps


def follow(state, oracle, action):
    """Plays the action in both; returns 1 if it bore off the last man, else 0."""
    if action == 0:
        state.apply_action(0)
        return 0
    if action == GO:
        state.apply_action(GO)
        oracle.leave()
        return 0
    before = list(oracle.mover_board())
    final = list(before)
    for start, end in trictrac.moves(state, action):
        final[start - 1] -= 1
        if end != 25:
            final[end - 1] += 1
    if oracle.stage == "hold_or_leave":
        oracle.hold()
    boards = oracle.legal()
    assert tuple(final) in boards, f"{drawing(before)} {oracle.dice}: the engine plays {drawing(final)}"
    listed = [a for a in state.legal_actions() if a != GO]
    assert len(listed) == len(boards), f"{drawing(before)} {oracle.dice}: {len(listed)} actions, {len(boards)} plays"
    state.apply_action(action)
    oracle.choose(final)
    return int(not any(n > 0 for n in final) and oracle.stage != "over")


def compare(state, oracle, options, exits, story):
    facts = parts(state)
    where = f"{options} after {story[-6:]}: {drawing(facts.board)}"
    both = (0, 1)
    over = oracle.stage == "over"
    assert facts.board == oracle.board, where
    assert facts.points == oracle.points, where
    assert facts.holes == oracle.holes, where
    for player in both:
        if oracle.points[player]:
            assert facts.points_run[player] == oracle.run[player], where
        assert facts.can_bredouille[player] == (oracle.points[player] == 0 or oracle.run[player]), where
        assert facts.holes_run[player] == oracle.holes_run(player), where
        assert facts.can_big_bredouille[player] == (oracle.holes[player] == 0 or oracle.holes_run(player)), where
        first = bool(oracle.hole_log) and oracle.hole_log[0] == player
        assert facts.first_hole[player] == first, where
        assert facts.throws[player] == min(oracle.throws[player], 9), where
    assert facts.player == oracle.turn, where
    assert facts.drawing == (oracle.stage == "draw"), where
    assert facts.swapped == bool(options.get("swap_colours_on_exit") and exits % 2), where
    assert facts.winner == oracle.winner, where
    assert state.is_terminal() == over, where
    if over:
        assert facts.stake == oracle.stake(), where
    else:
        awaiting = options.get("explicit_roll") and oracle.stage == "roll"
        stages = (ROLL_WAITING, ROLL_DICE) if awaiting else (STAGES[oracle.stage],)
        assert facts.stage in stages, where
        assert facts.dice == (oracle.dice or (0, 0)), where
        if oracle.dice:
            assert facts.due == (oracle.score.player_points, oracle.score.opponent_points), where
    if options.get("utility") == "win":
        won = oracle.stake() if over else 0
        assert state.returns() == ([won, -won] if oracle.winner != 1 else [-won, won]), where
    else:
        assert state.returns() == [12 * h + p for h, p in zip(oracle.holes, oracle.points, strict=True)], where
