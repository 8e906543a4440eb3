"""What clients see of a game: the data of its home, with texts in every language."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from typing import Any

from tablier._core import State
from tablier.games import Facts, Home
from tablier.messages import Message, everywhere

Words = dict[str, str]
"""A text by language."""
LOG = 60
"""The number of log lines sent."""
WORDS = ("label", "text", "title", "why")
"""Keys whose values are texts."""
SCENE_WORDS = ("label", "title", "why")
"""The same for scenes, where `text` is the position as plain text."""


class Story:
    """The last lines of a game's log, and the memory of its home."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self.log: deque[Facts] = deque(maxlen=LOG)
        self.memory: Any = None

    def tell(self, before: State, action: int, after: State, version: int) -> None:
        """Adds an action to the log; `version` is the number of actions so far."""
        facts, self.memory = self._home.log(before, action, after, self.memory)
        self.log.append({"version": version, **in_words(facts)})
        if after.is_terminal() and not self._home.tells_ending:
            self.end(version, everywhere(self._home.result(after)))

    def end(self, version: int, text: Words) -> None:
        """Adds the end of the game, which is also an event."""
        event = {"kind": "end", "text": text, "sums_up": False}
        self.log.append({"version": version, "player": None, "kind": "end", "text": text, "event": event})

    def note(self, version: int, text: Words) -> None:
        """Adds a line that is not an action."""
        self.log.append({"version": version, "player": None, "kind": "note", "text": text})


def in_words(facts: Facts, keys: Collection[str] = WORDS) -> Facts:
    """Translates the texts under these keys into every language."""

    def told(value: Any) -> Any:
        if isinstance(value, dict):
            return in_words(value, keys)
        return [told(one) for one in value] if isinstance(value, list) and _holds_facts(value) else value

    return {key: everywhere(value) if key in keys else told(value) for key, value in facts.items()}


def _holds_facts(values: list[Any]) -> bool:
    return bool(values) and isinstance(values[0], dict)


def scene(home: Home, state: State, memory: Any) -> Facts:
    """Returns the scene of a state."""
    return in_words(home.scene(state, memory), SCENE_WORDS)


def sheet(home: Home, lines: list[Facts], state: State) -> Facts | None:
    """Returns the score sheet of a state; None if the game has none."""
    found = home.sheet(lines, state)
    return found and in_words({"text": "", **found})


def legal(home: Home, state: State) -> list[Facts]:
    """Returns the legal actions; none at chance nodes and at the end."""
    return [in_words(one) for one in home.legal(state)] if state.current_player() >= 0 else []


def choice(home: Home, state: State, action: int) -> Facts:
    """Returns a player's action: its number, text and moves."""
    text = everywhere(home.named(state, action)["text"])
    return {"action": action, "text": text, "moves": home.moves(state, action)}


def options(home: Home) -> list[Facts]:
    """Returns the rule options of a game: default, accepted values, meaning, and where a page shows them."""
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


def variants(home: Home) -> list[Facts]:
    """Returns the variants that a page offers beside the game."""
    named = (
        (name, everywhere(Message(f"{home.key}.variant.{name}")), options) for name, options in home.variants.items()
    )
    return [{"name": name, "titles": titles, "options": dict(options)} for name, titles, options in named]


def winner(state: State) -> int | None:
    """Returns the seat that won; None before the end and for a draw."""
    returns = state.returns()
    return returns.index(max(returns)) if state.is_terminal() and returns.count(max(returns)) == 1 else None


def results(home: Home, state: State) -> list[Words]:
    """Returns the result of a finished game for each seat."""
    return [everywhere(home.result_for(state, seat)) for seat in range(home.game.num_players())]


def sides(home: Home) -> list[Words]:
    """Returns the names of the seats."""
    return [everywhere(home.side(seat)) for seat in range(home.game.num_players())]
