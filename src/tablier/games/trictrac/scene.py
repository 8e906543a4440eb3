"""What is seen of a game of Trictrac: the table, the throw with its jans, the legal moves, and the tale of the game.

Fields of moves are in the mover's own numbers, those of jans and men in White's.
"""

from __future__ import annotations

from typing import Any

from tablier._core import State
from tablier._core.trictrac import (
    CLAIM,
    CORRECT,
    FILL,
    LEAVE,
    ROLL,
    SchoolStep,
    Stage,
    amount,
    is_move,
    parts,
    throw,
)
from tablier.games.trictrac.jans import Jan, throw_jans
from tablier.games.trictrac.steps import by_power, orders, steps
from tablier.games.trictrac.telling import tell
from tablier.web.view import words
from tablier.web.view.words import Words, both, said

GAMES = ("trictrac", "trictrac_a_ecrire")
_STAGES = ("roll", "roll", "mark", "hold_or_leave", "move", "mark")
Facts = dict[str, Any]


def scene(state: State, thrown: Facts | None, seated: list[int | None] | None = None) -> Facts:
    """The table as it stands; `thrown` is the last throw, `seated` the colours of a game that is over."""
    now = parts(state)
    if thrown and is_marked_by_players(state):
        thrown = thrown | {"jans": []}
    off = [15 - sum(n for n in now.board if n > 0), 15 + sum(n for n in now.board if n < 0)]
    second = [p for p in (0, 1) if now.holes_run[p] and not now.first_hole[p]]
    return {
        "kind": "trictrac",
        "men": now.board,
        "dice": now.dice if any(now.dice) else None,
        "stage": "over" if state.is_terminal() else "draw" if now.drawing else _STAGES[now.stage],
        "mover": now.player,
        "colours": seated if seated and state.is_terminal() else colours(state),
        "holes": now.holes,
        "points": now.points,
        "bredouille": [bool(p and run) for p, run in zip(now.points, now.points_run, strict=True)],
        "grand_bredouille": now.holes_run,
        "pavillon": second[0] if second else None,
        "borne_off": off,
        "swapped": now.swapped,
        "tokens": now.account and now.account.tokens,
        "throw": thrown,
    }


def colours(state: State) -> list[int | None]:
    """By seat: 0 White, 1 Black, None for him of three who rests."""
    return [colour if colour < 2 else None for colour in parts(state).seats]


def is_marked_by_players(state: State) -> bool:
    """Whether a throw is being marked by the players themselves (schools): then its jans are not told yet."""
    return bool(state.get_game().options()["schools"]) and any(parts(state).dice) and not state.is_terminal()


def throw_of(state: State) -> Facts | None:
    """The throw that lies on the table and has not been played, with the jans that it scores."""
    now = parts(state)
    if not any(now.dice):
        return None
    mover = now.player
    return {"player": mover, "dice": now.dice, "jans": [shown(jan, mover) for jan in throw_jans(state)]}


def shown(jan: Jan, mover: int) -> Facts:
    """A jan for people."""
    return {
        "name": jan.name,
        "title": words.JANS[jan.name],
        "points": jan.points,
        "player": mover if jan.beneficiary == "player" else 1 - mover,
        "why": {lang: jan.why(lang) for lang in ("en", "fr")},
        "fields": sorted(25 - field for field in jan.fields) if mover else list(jan.fields),
        "ways": jan.ways,
    }


def legal(state: State) -> list[Facts]:
    """The legal actions of a decision, moves with every order of their steps."""
    found = orders(state) if parts(state).stage in (Stage.HOLD_OR_GO, Stage.MOVE) else {}
    result = []
    for action in state.legal_actions():
        one = named(state, action)
        if action in found:
            one |= {"moves": steps(state, action), "orders": found[action]}
            one["puissance"] = by_power(one["moves"])
        result.append(one)
    return result


def named(state: State, action: int) -> Facts:
    """A player's action: its number, what kind it is, and words for it."""
    if is_move(action):
        told = state.action_to_string(action)
        nothing = {"en": "nothing can be played", "fr": "rien ne peut se jouer"}
        verb, text = ("pass", nothing) if told == "pass" else ("move", both(told))
        return {"action": action, "kind": "move", "verb": verb, "text": text}
    if action == ROLL:
        text = {"en": "throw the dice", "fr": "lancer les dés"}
        return {"action": action, "kind": "choice", "verb": "roll", "text": text}
    if action == LEAVE:
        return {"action": action, "kind": "choice", "verb": "leave", "text": {"en": "leave", "fr": "s'en aller"}}
    return {"action": action, "kind": "mark", **_about_marking(state, action)}


def _about_marking(state: State, action: int) -> Facts:
    """What players say about their points (docs/rules.md, 13)."""
    if action < CLAIM:
        text = said("mark {n}", "marquer {n}", n=words.points(amount(action)))
        nothing = {"en": "mark nothing", "fr": "ne rien marquer"}
        return {"verb": "declare", "amount": amount(action), "text": text if amount(action) else nothing}
    if action < CORRECT:
        text = said("claim a school of {n}", "envoyer à l'école de {n}", n=words.points(amount(action)))
        return {"verb": "claim", "amount": amount(action), "text": text}
    if action == CORRECT:
        text = {"en": "have it marked right, without a school", "fr": "faire rectifier, sans école"}
        return {"verb": "correct", "text": text}
    if action == FILL:
        return {"verb": "fill", "text": {"en": "have the jan filled after all", "fr": "faire remplir le jan"}}
    stands = {"en": "let the play stand", "fr": "laisser le coup tel quel"}
    nothing = {"en": "claim nothing", "fr": "ne rien réclamer"}
    return {"verb": "accept", "text": stands if parts(state).school == SchoolStep.DECIDE_FILLING else nothing}


def pairs(state: State, action: int) -> list[list[int]] | None:
    """A move as pairs (from, to); None for what is no move."""
    moving = not state.is_chance_node() and is_move(action)
    return [[start, to] for start, to, _ in steps(state, action)] if moving else None


def tale(before: State, action: int, after: State, thrown: Facts | None) -> tuple[Facts, Facts | None]:
    """One line of the log, what an action or the dice did; and the throw that then lies on the table.

    `thrown` is the throw that lay there before.
    """
    was, now = parts(before), parts(after)
    entry: Facts = {"text": {lang: tell(before, action, after, lang) for lang in ("en", "fr")}}
    entry |= {"points": now.points, "holes": now.holes}
    if before.is_chance_node():
        thrown = throw_of(after)
        colour = now.player if thrown else None
        seat = None if colour is None else colours(after).index(colour)
        entry |= {"player": seat, "colour": colour, "kind": "throw", "dice": throw(action)}
        if thrown and not is_marked_by_players(after):
            entry["jans"] = thrown["jans"]
        return entry, thrown
    about = named(before, action)
    seat = before.current_player()
    entry |= {"player": seat, "colour": colours(before)[seat], "kind": about["kind"], "verb": about["verb"]}
    entry["moves"] = pairs(before, action)
    if is_marked_by_players(before) and not is_marked_by_players(after) and thrown:
        entry["jans"] = thrown["jans"]  # all has been marked and claimed: now the truth may be told
    carried = entry["kind"] == "move" and now.throws != was.throws and any(now.dice)
    return entry, throw_of(after) if carried else thrown  # carried: the throw that bore off all men opens a setting


def ending(state: State) -> Words:
    """Who won, and by how much."""
    now = parts(state)
    if now.account:
        of_two = len(now.seats) == 2  # of three each had both colours: they are told by their numbers
        return words.result("trictrac_a_ecrire" if of_two else "", [float(n) for n in now.account.tokens])
    low, high = sorted(now.holes)
    who = words.side("trictrac", now.winner or 0)
    return said("{who} wins, {high} holes to {low}.", "{who} gagne, {high} trous à {low}.", who=who, high=high, low=low)
