"""What clients see of any game: the answers of its home, their words in every language."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from typing import Any

from tablier._core import State
from tablier.games import Facts, Home
from tablier.messages import everywhere

Words = dict[str, str]
"""A text by language."""
LOG = 60
"""So many lines of the log are shown."""
WORDS = ("label", "text", "title", "why")
"""Facts under these keys are words,"""
SCENE_WORDS = ("label", "title", "why")
"""and in a scene under these: the `text` of a picture is the position itself."""


class Story:
    """How a game went: the last lines of its log, and what its home remembers that a state forgets."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self.log: deque[Facts] = deque(maxlen=LOG)
        self.memory: Any = None

    def tell(self, before: State, action: int, after: State, version: int) -> None:
        """One more action; `version` counts them."""
        facts, self.memory = self._home.log(before, action, after, self.memory)
        self.log.append({"version": version, **in_words(facts)})
        if after.is_terminal() and not self._home.tells_ending:
            self.note(version, everywhere(self._home.result(after)), "end")

    def note(self, version: int, text: Words, kind: str = "note") -> None:
        """A line that is not an action."""
        self.log.append({"version": version, "player": None, "kind": kind, "text": text})


def in_words(facts: Facts, keys: Collection[str] = WORDS) -> Facts:
    """Facts of a home as they are sent, with the texts under these keys in every language."""

    def told(value: Any) -> Any:
        if isinstance(value, dict):
            return in_words(value, keys)
        return [told(one) for one in value] if isinstance(value, list) and _holds_facts(value) else value

    return {key: everywhere(value) if key in keys else told(value) for key, value in facts.items()}


def _holds_facts(values: list[Any]) -> bool:
    return bool(values) and isinstance(values[0], dict)


def scene(home: Home, state: State, memory: Any) -> Facts:
    """What lies on the table."""
    return in_words(home.scene(state, memory), SCENE_WORDS)


def legal(home: Home, state: State) -> list[Facts]:
    """What the player to move may do; nothing while the dice are thrown and after the end."""
    return [in_words(one) for one in home.legal(state)] if state.current_player() >= 0 else []


def choice(home: Home, state: State, action: int) -> Facts:
    """An action of a player: its number, its words, and where men move."""
    text = everywhere(home.named(state, action)["text"])
    return {"action": action, "text": text, "moves": home.moves(state, action)}


def options(home: Home) -> list[Facts]:
    """The rule options of a game: default, what is accepted, what it means, and where a page offers it."""
    return [_option(home, *facts) for facts in home.game._option_docs()]


def _option(
    home: Home, name: str, default: bool | int | str, accepts: str, doc: str, least: int, most: int, choices: list[str]
) -> Facts:
    is_number = isinstance(default, int) and not isinstance(default, bool)
    return {
        "name": name,
        "default": default,
        "accepts": accepts,
        "doc": everywhere(home.option(name, doc)),
        "min": least if is_number else None,
        "max": most if is_number else None,
        "choices": [{"value": value, "text": everywhere(home.choice(name, value))} for value in choices],
        "offered": "first" if name in home.first_options else "never" if name in home.interface else "later",
    }


def sides(home: Home) -> list[Words]:
    """What the seats are called."""
    return [everywhere(home.side(seat)) for seat in range(home.game.num_players())]
