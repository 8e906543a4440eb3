"""Texts about positions of backgammon and about the course of a game."""

from __future__ import annotations

from tablier._core import State
from tablier._core.backgammon import Parts, moves, parts
from tablier.games.backgammon.notation import moves_message
from tablier.games.home import MOVE
from tablier.messages import Message, Text, listed


def side_name(side: int) -> Message:
    """Returns the name of White (0) or Black (1)."""
    return Message(f"backgammon.side.{side}")


def own_men(now: Parts, player: int) -> list[int]:
    """Returns a player's men by place of their own numbering: off (0), points 1 to 24, the bar (25)."""
    board = now.board if player == 0 else tuple(-count for count in reversed(now.board))
    return [now.off[player], *(max(0, count) for count in board), now.bar[player]]


def pips(now: Parts, player: int) -> int:
    """Returns the number of pips a player needs to bear off all men."""
    return sum(place * count for place, count in enumerate(own_men(now, player)))


def tell(before: State, action: int, after: State) -> list[Text]:
    """Describes the effect of a throw or a move.

    >>> import tablier
    >>> from tablier.messages import render
    >>> state = tablier.load_game("backgammon").new_initial_state()
    >>> print(render(tell(state, 12, state.child(12)), "en"))
    Opening roll: White 3, Black 1. White starts and plays these dice.
    """
    was, now = parts(before), parts(after)
    if before.is_chance_node():
        return _tell_dice(was, now, action)
    who, played = side_name(was.player), moves(before, action)
    if not played:
        return [Message("backgammon.cannot_play", who=who)]
    first_half = now.moves_left == 2 and was.moves_left == 4
    key = "backgammon.plays.half" if first_half else "backgammon.plays"
    return [Message(key, who=who, moves=moves_message(played))]


def _tell_dice(was: Parts, now: Parts, action: int) -> list[Text]:
    first, second = action // 6 + 1, action % 6 + 1
    if was.opening:
        if first == second:
            return [Message("backgammon.opening.again", die=first)]
        drawn = Message("backgammon.opening", white=first, black=second)
        return [drawn, Message("backgammon.begins", who=side_name(now.player))]
    return [Message("backgammon.throws", who=side_name(was.player), first=first, second=second)]


def result(state: State) -> Text:
    """Returns who won, and by what: a single game, a gammon or a backgammon."""
    now = parts(state)
    kind = {1: "single", 2: "gammon", 3: "backgammon"}[_size(now, state)]
    return Message(f"backgammon.wins.{kind}", who=side_name(now.player), n=now.points)


def result_for(state: State, seat: int) -> Text:
    """Returns the result for the player of a seat."""
    now = parts(state)
    outcome, size = "won" if now.player == seat else "lost", _size(now, state)
    if size == 1:
        return Message(f"game.you_{outcome}")
    return Message(f"backgammon.result.{outcome}.{'gammon' if size == 2 else 'backgammon'}")


def _size(now: Parts, state: State) -> int:
    """Returns 1, 2 or 3 by the position of the loser, whatever the option `scoring` counts."""
    loser = own_men(now, 1 - now.player)
    if loser[0] or state.get_game().options()["scoring"] == "win_loss":
        return 1
    return now.points


def describe(state: State) -> list[Text]:
    """Describes the men, the dice and who is to play."""
    now = parts(state)
    texts: list[Text] = []
    for side in (0, 1):
        men = own_men(now, side)
        places: list[Text] = [
            Message("backgammon.picture.men", n=count, point=point) for point, count in enumerate(men[1:25], 1) if count
        ]
        places += [Message("backgammon.picture.bar", n=men[25])] if men[25] else []
        places += [Message("backgammon.picture.off", n=men[0])] if men[0] else []
        texts.append(Message("backgammon.picture.side", who=side_name(side), men=listed(*places)))
    if any(now.dice):
        who, (first, second) = side_name(now.player), now.dice
        texts.append(Message("backgammon.picture.dice", who=who, first=first, second=second))
    return texts


def score_text(now: Parts, side: int, to_play: bool = False) -> Text:
    """Returns a side's pips, its men on the bar and off, such as "131 pips, 1 on the bar, to play"."""
    told: list[Text] = [Message("backgammon.pips", n=pips(now, side))]
    told += [Message("backgammon.picture.bar", n=now.bar[side])] if now.bar[side] else []
    told += [Message("backgammon.picture.off_short", n=now.off[side])] if now.off[side] else []
    return listed(*told, *([Message("backgammon.to_play")] if to_play else []))


def decision_kind(state: State) -> str:
    """Returns `bearing_off` if all men of the player to move are home, `race` if the sides have passed, else `move`."""
    now = parts(state)
    mine, theirs = own_men(now, now.player), own_men(now, 1 - now.player)
    last, first = (max((place for place, n in enumerate(men) if n), default=0) for men in (mine, theirs))
    if last + first > 25:  # some man has yet to pass some opposing man
        return MOVE
    return "bearing_off" if last <= 6 else "race"
