"""Positions written as text, and the rules once more: slowly, by trying every order of moves."""

from tablier import _core

OFF, BAR = 0, 25


def read(text, men):
    """Reads the men of one player, '6:5 8:3 bar:1': points in their own numbering; the rest are borne off."""
    places = [0] * 26
    for part in text.split():
        place, count = part.split(":")
        places[BAR if place == "bar" else int(place)] = int(count)
    places[OFF] = men - sum(places)
    return tuple(places)


def setup(game, mover, other, dice=None, player=0, moves_left=None, winner=None):
    """Returns a state in which `player`, whose men are `mover`, has thrown `dice` or, without dice, is to throw."""
    men = 3 if game.options()["start"] == "hyper" else 15
    sides = [read(mover, men), read(other, men)]
    if player == 1:
        sides.reverse()
    parts = _core.backgammon.Parts()
    parts.board = [sides[0][point] - sides[1][BAR - point] for point in range(1, 25)]
    parts.bar = (sides[0][BAR], sides[1][BAR])
    parts.off = (sides[0][OFF], sides[1][OFF])
    parts.player = player
    if dice:
        parts.dice = dice
        parts.moves_left = moves_left or (4 if dice[0] == dice[1] else 2)
    parts.winner = winner
    return _core.backgammon.compose(game, parts)


def texts(state):
    """Returns the legal actions as text."""
    return {state.action_to_string(action) for action in state.legal_actions()}


def men_of(state):
    """Returns the places of player 0 and of player 1, each in their own numbering."""
    parts = _core.backgammon.parts(state)
    sides = []
    for player in range(2):
        board = parts.board if player == 0 else [-count for count in reversed(parts.board)]
        sides.append((parts.off[player], *(max(count, 0) for count in board), parts.bar[player]))
    return tuple(sides)


def moves_of(mine, theirs, die):
    """Yields (mine, theirs) after each way to play one number."""
    for place in range(1, 26):
        if not mine[place] or (mine[BAR] and place != BAR):
            continue
        to = place - die
        if to <= 0:
            outside = any(mine[7:])
            behind = any(mine[place + 1 :])
            if outside or (to < 0 and behind):
                continue
            to = OFF
        elif theirs[BAR - to] >= 2:
            continue
        after, others = list(mine), list(theirs)
        after[place] -= 1
        after[to] += 1
        if to != OFF and others[BAR - to] == 1:
            others[BAR - to] -= 1
            others[BAR] += 1
        yield tuple(after), tuple(others)


def sequences(mine, theirs, dice):
    """Yields (numbers played, mine, theirs) for every sequence that cannot go on."""
    stuck = True
    for i, die in enumerate(dice):
        if die in dice[:i]:
            continue
        for after, others in moves_of(mine, theirs, die):
            stuck = False
            rest = dice[:i] + dice[i + 1 :]
            for played, *end in sequences(after, others, rest):
                yield (die, *played), *end
    if stuck:
        yield (), mine, theirs


def turn(mine, theirs, dice):
    """Returns the positions (mine, theirs) that a whole turn can lead to."""
    numbers = list(dice) * (2 if dice[0] == dice[1] else 1)
    ends = list(sequences(mine, theirs, numbers))
    most = max(len(played) for played, *_ in ends)
    ends = [end for end in ends if len(end[0]) == most]
    if most == 1:
        ends = [end for end in ends if end[0] == max(end[0] for end in ends)]
    return {(mine, theirs) for _, mine, theirs in ends}


def turn_here(state):
    """Returns the same for the player to move in a state, from the game itself."""
    player, ends = state.current_player(), set()
    for action in state.legal_actions():
        child = state.child(action)
        if child.current_player() == player:
            ends |= turn_here(child)
        else:
            ends.add(men_of(child) if player == 0 else men_of(child)[::-1])
    return ends
