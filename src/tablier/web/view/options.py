"""The rule options of a game in words, so that a page can offer them to people."""

from __future__ import annotations

from typing import Any

from tablier._core import Game
from tablier.games import home_of
from tablier.web.view.words import Words

FRENCH = {
    "bearing_off": "sorties exactes toujours, ou (ancienne règle) seulement ce qui ne peut se jouer dedans",
    "bets": "28 pour le premier marqué perdu au-delà de la moitié des siens, 8 pour chacun des suivants",
    "bredouille_progression": "combien de fois la bredouille double",
    "explicit_roll": "le joueur lance lui-même les dés",
    "fill_school": "l'école pour n'avoir pas rempli ou conservé",
    "fill_way_rule": "quelles façons de remplir comptent",
    "final_tail": "jetons de plus pour le vainqueur de la partie",
    "first_throw": "qui commence : par un tirage dont les dés se jouent, par un tirage, ou les Blancs",
    "forbidden_test": "quand un jan est défendu : tant qu'il peut encore se remplir",
    "holes_to_win": "trous qui gagnent la partie",
    "jan_de_rencontre": "répéter le premier coup de la partie marque",
    "last_throw_carries_over": "le coup qui sort la dernière dame ouvre aussi le relevé suivant",
    "margot_la_fendue": "tomber entre deux demi-cases marque pour l'adversaire",
    "marques": "marqués à jouer : un nombre pair ; à trois joueurs, un multiple de 3",
    "mezeas_next_throw_only": "le jan de mézéas seulement au coup qui suit la prise du coin",
    "next_marque_first": "qui jette le premier au marqué suivant",
    "pile_de_misere": "les quinze dames sur le coin marquent",
    "players": "deux, ou trois dont un se repose à chaque marqué et reçoit la consolation",
    "refait_consolation": "comment la consolation croît après des marqués nuls",
    "schools": "les joueurs marquent leurs points eux-mêmes et s'envoient à l'école",
    "stake_rule": "ce que vaut une victoire",
    "swap_colours_on_exit": "les couleurs changent de côté après la sortie",
    "tail_tokens_per_loss": "jetons mis à part pour un marqué perdu",
    "win_score": "points qui gagnent la course",
}
CHOICES = {
    "2 and 4": "2 et 4",
    "alternate": "en alternant",
    "by_default_only": "par défaut seulement",
    "doubling": "en doublant",
    "draw": "un tirage, dés joués",
    "effective": "effectives",
    "every six holes": "tous les six trous",
    "fresh_roll": "un tirage, puis un coup",
    "linear": "d'autant à chaque fois",
    "nominal": "nominales",
    "paris": "de Paris",
    "single": "simple",
    "white": "les Blancs",
    "winner": "le gagnant",
}
"""What the tables do not have, a game from elsewhere above all, is told in its own words."""


def told(game: Game) -> list[dict[str, Any]]:
    """Every option: its name, its default, what it accepts, what it means, and where a page offers it."""
    home = home_of(game)
    return [
        {
            "name": name,
            "default": default,
            "accepts": accepts,
            "doc": _words(doc, FRENCH.get(name)),
            "min": least if _is_number(default) else None,
            "max": most if _is_number(default) else None,
            "choices": [{"value": one, "text": _words(one.replace("_", " "), CHOICES.get(one))} for one in choices],
            "offered": "first" if name in home.first_options else "never" if name in home.interface else "later",
        }
        for name, default, accepts, doc, least, most, choices in game._option_docs()
    ]


def _is_number(default: int | bool | str) -> bool:
    return isinstance(default, int) and not isinstance(default, bool)


def _words(english: str, french: str | None) -> Words:
    return {"en": english, "fr": french or english}
