"""What is said about games, in English and in French."""

from __future__ import annotations

import re
from typing import Any

Words = dict[str, str]
"""The same in both languages: {"en": ..., "fr": ...}."""

SIDES: dict[str, tuple[Words, Words]] = {
    game: ({"en": "White", "fr": "Blanc"}, {"en": "Black", "fr": "Noir"}) for game in ("trictrac", "trictrac_a_ecrire")
}
SIDES["tic_tac_toe"] = ({"en": "Cross", "fr": "Croix"}, {"en": "Nought", "fr": "Rond"})

JANS: dict[str, Words] = {
    "hit_small": {"en": "hit in a small jan", "fr": "battre dans un petit jan"},
    "hit_big": {"en": "hit in a big jan", "fr": "battre dans un grand jan"},
    "false_small": {"en": "false hit in a small jan", "fr": "battre à faux dans un petit jan"},
    "false_big": {"en": "false hit in a big jan", "fr": "battre à faux dans un grand jan"},
    "corner": {"en": "corner hit", "fr": "battre le coin"},
    "six_tables": {"en": "six tables", "fr": "jan de six tables"},
    "two_tables": {"en": "two tables", "fr": "jan de deux tables"},
    "contre_two_tables": {"en": "contre-jan of two tables", "fr": "contre-jan de deux tables"},
    "mezeas": {"en": "mezeas", "fr": "jan de mézéas"},
    "contre_mezeas": {"en": "contre-jan of mezeas", "fr": "contre-jan de mézéas"},
    "fill_small": {"en": "small jan filled", "fr": "petit jan rempli"},
    "fill_big": {"en": "big jan filled", "fr": "grand jan rempli"},
    "fill_return": {"en": "return jan filled", "fr": "jan de retour rempli"},
    "conserve_small": {"en": "small jan kept", "fr": "petit jan conservé"},
    "conserve_big": {"en": "big jan kept", "fr": "grand jan conservé"},
    "conserve_return": {"en": "return jan kept", "fr": "jan de retour conservé"},
    "exit": {"en": "all men borne off", "fr": "sortie de toutes les dames"},
    "helpless": {"en": "number not played", "fr": "jan qui ne peut"},
    "pile_de_misere": {"en": "pile de misère", "fr": "pile de misère"},
    "margot": {"en": "Margot la fendue", "fr": "Margot la fendue"},
    "jan_de_rencontre": {"en": "jan de rencontre", "fr": "jan de rencontre"},
}


def both(text: str) -> Words:
    """The same words in both languages."""
    return {"en": text, "fr": text}


def side(game: str, player: int) -> Words:
    """How a player is called."""
    names = SIDES.get(game, ())
    if player < len(names):
        return names[player]
    return {"en": f"Player {player + 1}", "fr": f"Joueur {player + 1}"}


def points(amount: int) -> Words:
    """For example "1 point"."""
    return both(f"{amount} point{'s' * (amount > 1)}")


def holes(amount: int) -> Words:
    """For example "2 holes"."""
    return {"en": f"{amount} hole{'s' * (amount > 1)}", "fr": f"{amount} trou{'s' * (amount > 1)}"}


def joined(separator: str, *parts: Words) -> Words:
    """Parts put together in each language."""
    return {lang: separator.join(part[lang] for part in parts) for lang in ("en", "fr")}


def said(template_en: str, template_fr: str, **parts: Words | int | str) -> Words:
    """A sentence in each language; its parts may be words or numbers."""
    result = {}
    for lang, template in (("en", template_en), ("fr", template_fr)):
        chosen: dict[str, Any] = {k: v[lang] if isinstance(v, dict) else v for k, v in parts.items()}
        result[lang] = template.format(**chosen)
    return result


def action(game: str, text: str) -> Words:
    """An action of a game other than Trictrac, from the engine's text."""
    if game == "pig":
        plain = {"roll": "lancer le dé", "hold": "garder"}
        if text in plain:
            return {"en": {"roll": "roll the die", "hold": "hold"}[text], "fr": plain[text]}
        if face := re.fullmatch(r"die (\d)", text):
            return {"en": f"the die shows {face[1]}", "fr": f"le dé montre {face[1]}"}
    if square := re.fullmatch(r"[xo]\((\d),(\d)\)", text):
        row, column = int(square[1]) + 1, int(square[2]) + 1
        return {"en": f"row {row}, column {column}", "fr": f"ligne {row}, colonne {column}"}
    return both(text)


def result(game: str, returns: list[float]) -> Words:
    """How a game ended, from what each player collected."""
    best = max(returns)
    winners = [player for player, value in enumerate(returns) if value == best]
    if len(winners) != 1:
        return {"en": "A draw.", "fr": "Partie nulle."}
    return said("{name} wins.", "{name} gagne.", name=side(game, winners[0]))
