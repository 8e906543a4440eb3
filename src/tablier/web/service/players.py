"""Players that clients may ask for: the strings of `tablier.players`, bounded, networks by name and never by path."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tablier._core import Game
from tablier._core import search as _search
from tablier.players import PLAYERS, Player
from tablier.players import settings_of as all_settings_of
from tablier.players.honest import HonestPlayer, has_schools
from tablier.web.service.limits import SETTINGS_MOST
from tablier.web.service.runs import Runs
from tablier.web.view.words import Words

HUMAN, RECORD = "human", "record"
"""A seat of a person; a seat of a game that was uploaded, where nobody plays any more."""
TRAINED = {"td": "expectimax:plies=1,net={}", "alphazero": "gumbel:sims=200,net={}"}
"""How networks play, by what trained them; all others by their policy alone."""
KINDS = tuple(sorted(set(PLAYERS) - {HUMAN}))
_TEXT = re.compile(r"[a-z_]{1,40}(:[A-Za-z0-9_.=,+-]{0,200})?")


@dataclass(frozen=True)
class Maker:
    """How players are made here."""

    runs: Runs
    think: float

    def settings_of(self, kind: str) -> dict[str, tuple[Any, float | None]]:
        """The settings of a kind: default, and the most where it is a number; one without a cap is left out."""
        caps = {**SETTINGS_MOST, "ms": 1000 * self.think}
        found: dict[str, tuple[Any, float | None]] = {}
        for name, default in all_settings_of(kind).items():
            if isinstance(default, str):
                found[name] = (default, None)
            elif name in caps:
                found[name] = (min(default, caps[name]), caps[name])
        return found

    def searches(self, text: str) -> bool:
        """Whether this player takes his time."""
        return "ms" in self.settings_of(text.partition(":")[0])

    def make(self, text: str, game: Game, seed: int, share: float = 1.0) -> Player:
        """The player that a string describes; ValueError if it is not one, or asks for too much.

        `share` is how much of his time he may take.
        """
        kind, settings = self._parse(text)
        known = self.settings_of(kind)
        if net := settings.pop("net", ""):
            settings["net"] = str(self.runs.network(net))
        if "ms" in known:  # a search never outlives the time of a decision
            if "sims" in known and not settings.get("ms") and not settings.get("sims"):
                settings["sims"] = PLAYERS[kind].few  # type: ignore[attr-defined]
            settings["ms"] = max(1, int(share * (settings.get("ms") or 1000 * self.think)))
        if "memory" in known:
            settings.setdefault("memory", known["memory"][0])
        if "seed" in known:
            settings.setdefault("seed", seed)
        try:
            if has_schools(game):  # also for random: he is to be a beginner, not a cheat
                return HonestPlayer(game, lambda played: PLAYERS[kind](played, **settings))
            return PLAYERS[kind](game, **settings)
        except ValueError as error:
            message = str(error)
            if net:  # of the file only its name is told
                message = message.replace(settings["net"], net)
            raise ValueError(message) from None

    def _parse(self, text: str) -> tuple[str, dict[str, Any]]:
        kind, _, rest = text.partition(":")
        if kind not in KINDS:
            raise ValueError(f"no player here is called {kind[:40]!r}; there are {', '.join(KINDS)}")
        if not _TEXT.fullmatch(text):
            raise ValueError(
                "a player is a name and settings, as in gumbel:sims=200,net=first; a net is named, no path"
            )
        known = self.settings_of(kind)
        settings: dict[str, Any] = {}
        for item in filter(None, rest.split(",")):
            name, _, value = item.partition("=")
            if name not in known:
                raise ValueError(f"the player '{kind}' has no setting '{name}'; it has {', '.join(known) or 'none'}")
            most = known[name][1]
            if most is None:
                settings[name] = value  # of an evaluator or a network; neither is a path
            else:
                settings[name] = _number(name, value, type(all_settings_of(kind)[name]), most)
        return kind, settings

    def levels(self, game: Game) -> list[dict[str, Any]]:
        """Players to choose from, easy ones first, with the networks that were trained for the game."""
        found = _WITH_HEURISTIC if _search.has_heuristic(game) else _WITHOUT
        levels = [{"player": player, "title": title, "about": about} for player, title, about in found]
        for name, algorithm in self.runs.networks(game.name):
            player = TRAINED.get(algorithm, "policy:net={}").format(name)
            title = {"en": f"trained: {name}", "fr": f"entraîné : {name}"}
            about = {
                "en": f"The network of the run {name} ({algorithm}).",
                "fr": f"Le réseau de la séance {name} ({algorithm}).",
            }
            levels.append({"player": player, "title": title, "about": about})
        return levels


def _number(name: str, value: str, kind: type, most: float) -> float | int:
    try:
        number = kind(value)
    except ValueError:
        raise ValueError(f"'{name}' is a number, not {value[:40]!r}") from None
    if not 0 <= number <= most:  # not a number is refused, too
        raise ValueError(f"'{name}' is from 0 to {most:g} on this server, not {value[:40]}")
    return number  # type: ignore[no-any-return]


Level = tuple[str, Words, Words]
_EASY: list[Level] = [
    (
        "random",
        {"en": "first steps", "fr": "premiers pas"},
        {"en": "Plays anything that is legal.", "fr": "Joue n'importe quel coup permis."},
    ),
    (
        "greedy",
        {"en": "easy", "fr": "facile"},
        {"en": "Looks one throw ahead, for points only.", "fr": "Regarde un coup de dés plus loin, pour les points."},
    ),
]
_WITH_HEURISTIC: list[Level] = [  # in the order of docs/strength.md
    *_EASY,
    (
        "heuristic",
        {"en": "fair", "fr": "moyen"},
        {"en": "Judges positions by rules of thumb.", "fr": "Juge les positions par quelques règles simples."},
    ),
    (
        "gumbel:sims=800",
        {"en": "good", "fr": "bon"},
        {"en": "Searches 800 continuations.", "fr": "Explore 800 suites."},
    ),
    (
        "expectimax:plies=3,keep=3",
        {"en": "strong", "fr": "fort"},
        {
            "en": "Looks three plays ahead through all throws.",
            "fr": "Regarde trois coups plus loin, pour tous les dés.",
        },
    ),
    (
        "gumbel:sims=10000",
        {"en": "patient", "fr": "patient"},
        {"en": "Searches 10,000 continuations.", "fr": "Explore 10 000 suites."},
    ),
]
_WITHOUT: list[Level] = [
    *_EASY,
    (
        "mcts:sims=200",
        {"en": "good", "fr": "bon"},
        {"en": "Searches 200 continuations.", "fr": "Explore 200 suites."},
    ),
    (
        "mcts:sims=5000",
        {"en": "strong", "fr": "fort"},
        {"en": "Searches 5,000 continuations.", "fr": "Explore 5 000 suites."},
    ),
]
