"""What is seen of any game: its scene, its legal actions, and the tale of how it came there."""

from __future__ import annotations

from collections import deque
from typing import Any

from tablier._core import State
from tablier.drawing import has_picture
from tablier.games import home_of
from tablier.games.trictrac import scene as trictrac
from tablier.messages import everywhere
from tablier.web.view import words
from tablier.web.view.words import Words, said

Facts = dict[str, Any]
LOG = 60
"""So many lines of the log are shown."""


class Story:
    """How a game went: the last lines of its log, and the dice, which a state forgets: Trictrac's throw, pig's die."""

    def __init__(self, log: int = LOG) -> None:
        self.log: deque[Facts] = deque(maxlen=log)
        self.thrown: Facts | None = None
        self.die = 0
        self.colours: list[int | None] | None = None
        """Of Trictrac's seats in the last marqué, which the state of a game that is over does not tell."""

    def tell(self, before: State, action: int, after: State, version: int) -> None:
        """One more action; `version` counts them."""
        game = before.get_game().name
        if game in trictrac.GAMES:
            entry, self.thrown = trictrac.tale(before, action, after, self.thrown)
            self.colours = trictrac.colours(before)
        else:
            entry = _tale(game, before, action)
            if before.is_chance_node():
                self.die = action + 1
        self.log.append({"version": version, **entry})
        if after.is_terminal() and game not in trictrac.GAMES:
            self.note(version, ending(after), "end")

    def note(self, version: int, text: Words, kind: str = "note") -> None:
        """A line that is no action."""
        self.log.append({"version": version, "player": None, "kind": kind, "text": text})


def _tale(game: str, before: State, action: int) -> Facts:
    text = words.action(game, before.action_to_string(action))
    if before.is_chance_node():
        return {"player": None, "kind": "throw", "text": text}
    player = before.current_player()
    text = said("{name}: {text}", "{name} : {text}", name=words.side(game, player), text=text)
    return {"player": player, "kind": "move", "verb": "move", "text": text}


def scene(state: State, story: Story) -> Facts:
    """What lies on the table."""
    game = state.get_game().name
    if game in trictrac.GAMES:
        return trictrac.scene(state, story.thrown, story.colours)
    shown: Facts = {"die": story.die} if game == "pig" else {}
    svg = state.svg(**shown) if has_picture(state.get_game()) else ""
    label = everywhere(home_of(state.get_game()).describe(state))
    return {"kind": "picture", "svg": svg, "text": str(state), "label": label}


def legal(state: State) -> list[Facts]:
    """What the player to move may do; nothing at dice and at the end."""
    if state.is_terminal() or state.is_chance_node():
        return []
    if state.get_game().name in trictrac.GAMES:
        return trictrac.legal(state)
    return [named(state, action) for action in state.legal_actions()]


def named(state: State, action: int) -> Facts:
    """A player's action: its number, what kind it is, and words for it."""
    game = state.get_game().name
    if game in trictrac.GAMES:
        return trictrac.named(state, action)
    text = words.action(game, state.action_to_string(action))
    return {"action": action, "kind": "move", "verb": "move", "text": text}


def pairs(state: State, action: int) -> list[list[int]] | None:
    """A move of men as pairs of fields, where the game has men that move."""
    return trictrac.pairs(state, action) if state.get_game().name in trictrac.GAMES else None


def is_secret(state: State) -> bool:
    """Whether what the throw gives is not to be told yet."""
    return state.get_game().name in trictrac.GAMES and trictrac.is_marked_by_players(state)


def colour(state: State, seat: int) -> int:
    """The colour that a player has at Trictrac; elsewhere his seat stands for it."""
    colours = trictrac.colours(state) if state.get_game().name in trictrac.GAMES else []
    found = colours[seat] if seat < len(colours) else seat
    return seat if found is None else found


def ending(state: State) -> Words:
    """How the game ended."""
    game = state.get_game().name
    return trictrac.ending(state) if game in trictrac.GAMES else words.result(game, state.returns())
