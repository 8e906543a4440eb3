"""Describes the course of a Trictrac game, action by action."""

from __future__ import annotations

from tablier._core import State, trictrac
from tablier._core.trictrac import CORRECT, FILL, LEAVE, NO_CLAIM, Parts, SchoolStep, Stage
from tablier.games.trictrac.actions import moves_text
from tablier.games.trictrac.jans import throw_jans
from tablier.games.trictrac.marking import marque_ended
from tablier.games.trictrac.position import START
from tablier.games.trictrac.schools import verdicts
from tablier.games.trictrac.sides import holes_of, points_of, side_name
from tablier.messages import Message, Text, listed


def tell(before: State, action: int, after: State) -> list[Text]:
    """Describes the effect of an action, or of a throw, in one or two sentences.

    >>> import tablier
    >>> from tablier.messages import render
    >>> state = tablier.load_game("trictrac").new_initial_state()
    >>> print(render(tell(state, 13, state.child(13)), "en"))
    Opening roll: White 3, Black 2. White starts and plays these dice.
    """
    was, now = trictrac.parts(before), trictrac.parts(after)
    if before.is_chance_node():
        return _tell_dice(was, now, action, after)
    who = side_name(was.seats[before.current_player()])
    if was.stage == Stage.ROLL_DICE:
        return [Message("trictrac.rolls", who=who)]
    if was.school:
        said = [_tell_school(was.school, action, who), *(verdict.text for verdict in verdicts(before, action))]
        told: list[Text] = [*said, *holes_told(was, now, 0), *holes_told(was, now, 1)]
    elif action == LEAVE:
        told = [Message("trictrac.leaves", who=who)]
    else:
        told = _tell_move(was, now, trictrac.moves(before, action), after)
    return told + _ending(was, now, after)


def in_viewers_numbers(before: State, action: int, viewer: int) -> list[Text]:
    """Returns an opponent's move in the viewer's field numbers; nothing for any other action."""
    mover = before.current_player()
    if mover < 0 or mover == viewer or not trictrac.is_move(action):
        return []
    moves = trictrac.moves(before, action)
    return [Message("trictrac.your_side", moves=moves_text(moves, other_side=True))] if moves else []


def why(state: State) -> list[Text]:
    """Explains the jans of the current throw, one per line: who scores, how many points, and why."""
    mover = trictrac.parts(state).player
    lines: list[Text] = []
    for jan in throw_jans(state):
        who = side_name(mover if jan.beneficiary == "player" else 1 - mover)
        lines.append(Message("trictrac.why", who=who, points=jan.points, reason=jan.reason))
    return lines


def thrown(state: State) -> Text:
    """Returns the current throw as a heading for its jans."""
    parts = trictrac.parts(state)
    first, second = parts.dice
    return Message("trictrac.threw", who=side_name(parts.player), first=first, second=second)


def result(state: State) -> Text:
    """Returns the winner and the holes of the ordinary game."""
    now = trictrac.parts(state)
    winner = now.winner or 0
    return Message("trictrac.result", **_victory(now, winner))


def result_for(state: State, seat: int) -> Text:
    """Returns the result for the player of a seat, such as "You won, 12 holes to 7."."""
    now, returns = trictrac.parts(state), state.returns()
    if now.account:
        won = returns[seat] == max(returns)
        tokens = Message("trictrac.tokens", n=now.account.tokens[seat])
        return Message(f"trictrac.result.tokens.{'won' if won else 'lost'}", tokens=tokens)
    key = "trictrac.result.won" if now.winner == seat else "trictrac.result.lost"
    return Message(key, mine=holes_of(now.holes[seat]), other=now.holes[1 - seat])


def _victory(now: Parts, winner: int) -> dict[str, Text | float]:
    return {"who": side_name(winner), "holes": holes_of(now.holes[winner]), "other": now.holes[1 - winner]}


def _tell_dice(was: Parts, now: Parts, action: int, after: State) -> list[Text]:
    first, second = trictrac.throw(action)
    if was.drawing:
        if first == second:
            return [Message("trictrac.draw.again", die=first)]
        begins = "trictrac.begins.same_dice" if now.dice != (0, 0) else "trictrac.begins"
        draw = Message("trictrac.draw", white=first, black=second)
        return [draw, Message(begins, who=side_name(now.player))]
    thrown: dict[str, Text | float] = {"who": side_name(was.player), "first": first, "second": second}
    mine, theirs = now.due if now.dice != (0, 0) else (0, 0)
    if after.get_game().options()["schools"]:
        mine = theirs = 0  # players count the points themselves
    return [_worth(thrown, mine, theirs, 1 - was.player), *holes_told(was, now, was.player), *_ending(was, now, after)]


def _worth(thrown: dict[str, Text | float], mine: int, theirs: int, other: int) -> Message:
    """Describes a throw and the points it gives to each side."""
    if mine and theirs:
        return Message("trictrac.throws.both", **thrown, points=points_of(mine), others=theirs, other=side_name(other))
    if mine:
        return Message("trictrac.throws.own", **thrown, points=points_of(mine))
    if theirs:
        return Message("trictrac.throws.other", **thrown, points=points_of(theirs), other=side_name(other))
    return Message("trictrac.throws", **thrown)


def _tell_move(was: Parts, now: Parts, moves: list[tuple[int, int]], after: State) -> list[Text]:
    who, other = side_name(was.player), 1 - was.player
    holds = was.stage == Stage.HOLD_OR_GO
    told: list[Text] = [Message("trictrac.cannot_play", who=who)]
    if moves:
        told = [Message("trictrac.holds" if holds else "trictrac.plays", who=who, moves=moves_text(moves))]
    if not after.get_game().options()["schools"]:
        told += [Message("trictrac.marks", who=side_name(other), points=was.due[1])] if was.due[1] else []
        told += holes_told(was, now, other)
    if not after.is_terminal() and now.throws != was.throws and now.board == START:
        told.append(Message("trictrac.all_off"))
    return told


def _tell_school(asked: SchoolStep, action: int, who: Message) -> Message:
    if asked == SchoolStep.DECLARE:
        return Message("trictrac.marks", who=who, points=trictrac.amount(action))
    if action == CORRECT:
        return Message("trictrac.corrects", who=who)
    if asked == SchoolStep.DECIDE_FILLING:
        return Message("trictrac.fills" if action == FILL else "trictrac.stands", who=who)
    if action == NO_CLAIM:
        return Message("trictrac.claims_nothing", who=who)
    return Message("trictrac.claims", who=who, points=trictrac.amount(action))


def is_bredouille(holes: int) -> bool:
    """Whether holes won at once are double ones: only the first of several can be single, so an even number is."""
    return holes % 2 == 0


def holes_told(was: Parts, now: Parts, side: int) -> list[Text]:
    """Describes the holes a side won, or lost again to a school."""
    won, who = now.holes[side] - was.holes[side], side_name(side)
    if won < 0 and not marque_ended(was, now):
        return [Message("trictrac.back_at_holes", who=who, n=now.holes[side])]
    if won <= 0:
        return []
    if is_bredouille(won):
        return [Message("trictrac.wins_holes.bredouille", who=who, holes=holes_of(won))]
    return [Message("trictrac.wins_holes", who=who, n=won)]


def _ending(was: Parts, now: Parts, after: State) -> list[Text]:
    if now.account:
        if after.is_terminal():
            return [Message("trictrac.over", tokens=listed(*map(str, now.account.tokens)))]
        return [Message("trictrac.marque_over")] if marque_ended(was, now) else []
    return [] if now.winner is None else [Message("trictrac.wins", **_victory(now, now.winner))]
