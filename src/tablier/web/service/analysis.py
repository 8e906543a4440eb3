"""The analysis board: positions from an id, from a link or set up by hand, with the moves tried from there.

Nothing is stored. A request names the position it starts from and the actions since then; the engine checks both.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tablier._core import Game, State
from tablier.games import Facts, Home, home_of
from tablier.games.set_up import SetUp
from tablier.messages import MessageError, everywhere
from tablier.registry import load_game, registered_games
from tablier.web.service import rollouts, view
from tablier.web.service.refusal import Refused, refusing

EXACT = "~"
"""What a position begins with that stores the whole state; any other position is an id of the game."""
MOST_BYTES = 4_096
"""The largest state that a position can store."""


@dataclass(frozen=True)
class HandMade:
    """A position set up by hand; arguments of `Home.from_set_up`."""

    men: Sequence[int]
    bar: tuple[int, int] = (0, 0)
    values: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Asked:
    """What a request is about: the start of a game, or a position of it, and the actions since then."""

    game: str
    options: Mapping[str, Any] = field(default_factory=dict)
    position: str | None = None
    set_up: HandMade | None = None
    actions: Sequence[int] = ()


class Study:
    """A position with what led to it.

    Args:
        asked: the request.

    Raises:
        Refused: there is no such game or position, or an action is not legal (422).
    """

    def __init__(self, asked: Asked) -> None:
        if asked.game not in registered_games():
            raise Refused(422, "game.missing", name=asked.game, names=", ".join(registered_games()))
        with refusing():
            self.home = home_of(_game(asked))
            self.state = start(self.home, asked)
            self.version = len(asked.actions)
            self._story = view.Story(self.home)
            lines, self._story.memory = self.home.recalled(self.state)
            self._story.log.extend({"version": 0, **view.in_words(line)} for line in lines)
            for number, action in enumerate(asked.actions, 1):
                before, self.state = self.state, self.state.child(action)
                self._story.tell(before, action, self.state, number)

    def view(self) -> Facts:
        """Returns what the page shows: the position as at a table where one person plays all sides, and its ids."""
        home, state = self.home, self.state
        chance, over = state.is_chance_node(), state.is_terminal()
        decides = not (chance or over)
        seats = [{"player": "human", "you": True, "label": label, "name": ""} for label in view.sides(home)]
        return {
            "game": home.game.name,
            "titles": everywhere(home.title),
            "options": home.game.options(),
            "version": self.version,
            "position": written(home, state),
            "id": home.position_id(state),
            "seats": seats,
            "to_move": state.current_player() if decides else None,
            "to_throw": home.thrower(state) if chance else None,
            "your_turn": decides,
            "over": over,
            "result": everywhere(home.result(state)) if over else None,
            "scene": view.scene(home, state, self._story.memory),
            "legal": view.legal(home, state),
            "throws": _throws(home, state) if chance else [],
            "log": list(self._story.log),
            "set_up": _set_up(home.set_up(state)),
            "rollouts": rollouts.has_policy(home),
        }

    def why_not(self, tried: Sequence[tuple[int, int | None]]) -> Facts:
        """Returns the rule that the last of some steps breaks; refuses if no player is to move."""
        if self.state.current_player() < 0:
            raise Refused(409, "decision.none")
        with refusing():
            return {"told": [everywhere(text) for text in self.home.why_not(self.state, tried)]}

    def picture(self, lang: str) -> Facts:
        """Returns the position as an SVG document; refuses if the game has no picture."""
        with refusing():
            drawn = self.home.svg(self.state, lang=lang)
        if drawn is None:
            raise Refused(422, "picture.none", game=self.home.game.name)
        return {"svg": drawn}


def _game(asked: Asked) -> Game:
    try:
        return load_game(asked.game, **asked.options)
    except TypeError:  # a value of the wrong type, for which the engine has no message
        raise Refused(422, "analysis.options", game=asked.game) from None


def start(home: Home, asked: Asked) -> State:
    """Returns the state that an analysis starts from."""
    if asked.set_up is not None:
        if home.set_up(home.game.new_initial_state()) is None:
            raise Refused(422, "analysis.no_set_up", game=home.title)
        return home.from_set_up(asked.set_up.men, asked.set_up.bar, asked.set_up.values)
    if asked.position is None:
        return home.game.new_initial_state()
    return read(home, asked.position.strip())


def written(home: Home, state: State) -> str:
    """Returns a position that `read` reads back exactly: the game's own id if it stores all of the state."""
    own = home.position_id(state)
    if own is not None:
        try:
            if home.read_position(own) == state:
                return own
        except ValueError:  # a state that an id cannot express
            pass
    packed = zlib.compress(state.serialize(), 9)
    return EXACT + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def changed_options(home: Home) -> Facts:
    """Returns the options of a game that differ from their defaults, for a link."""
    usual = load_game(home.game.name).options()
    return {name: value for name, value in home.game.options().items() if value != usual[name]}


def read(home: Home, position: str) -> State:
    """Returns the state of a position; refuses, in words, one that is not complete or not of this game."""
    if not position.startswith(EXACT):
        found = home.read_position(position)
        if found is None:
            raise Refused(422, "analysis.unknown", text=f"{position:.60}", game=home.title)
        return found
    letters = position.removeprefix(EXACT)
    try:
        packed = base64.b64decode(letters + "=" * (-len(letters) % 4), altchars=b"-_", validate=True)
        return home.game.deserialize(zlib.decompressobj().decompress(packed, MOST_BYTES))
    except MessageError:
        raise
    except (ValueError, binascii.Error, zlib.error):
        raise Refused(422, "analysis.broken", game=home.title) from None


def _throws(home: Home, state: State) -> list[Facts]:
    return [
        {"outcome": one, "dice": home.dice(state, one), "text": everywhere(home.action(state, one))}
        for one in state.legal_actions()
    ]


def _set_up(now: SetUp | None) -> Facts | None:
    if now is None:
        return None
    fields = [
        {
            "name": one.name,
            "label": everywhere(one.label),
            "value": one.value,
            "seat": one.seat,
            "choices": [{"value": value, "text": everywhere(text)} for value, text in one.choices.items()],
        }
        for one in now.fields
    ]
    return {"men": now.men, "bar": now.bar, "most": now.most, "fields": fields}
