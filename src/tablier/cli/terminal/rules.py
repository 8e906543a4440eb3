"""The rules of Trictrac for somebody at a terminal: a paragraph, and the text of the web board's rules page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files

SHORT = {
    "en": (
        "You play for points, not for a race. At each throw, before you move, you mark what the throw could do: hit a "
        "single man of the other's (each way 2 points on the big tables, 4 on the small ones, 4 and 6 with a doublet), "
        "fill a jan or keep it full (two men on each of its six fields: 4 points, 6 with a doublet), hit his empty "
        "corner (4 or 6). Nothing is taken. A man that you hit falsely and numbers that you cannot play are points "
        "for him.",
        "Twelve points are a hole, and the other's points are wiped out; twelve without a point of his in between are "
        "bredouille: two holes. {goal} After a hole by your own throw you hold (the points left over stay, and you "
        "play on) or leave (all points go, the men are set up anew, and you throw first).",
        "`rules` tells more; the page Rules of `tablier serve` shows it on boards.",
    ),
    "fr": (
        "On joue pour des points, non à la course. À chaque coup, avant de jouer, on marque ce que les dés pourraient "
        "faire : battre une dame seule de l'autre (par façon 2 points sur les grandes tables, 4 sur les petites, 4 et "
        "6 par doublet), remplir un jan ou le conserver (deux dames sur chacune de ses six cases : 4 points, 6 par "
        "doublet), battre son coin vide (4 ou 6). Rien n'est pris. Une dame battue à faux et les nombres qu'on ne peut "
        "jouer sont des points pour lui.",
        "Douze points font un trou, et les points de l'autre s'effacent ; douze sans un point de lui entre-temps sont "
        "en bredouille : deux trous. {goal} Après un trou de son propre coup on tient (les points de reste demeurent, "
        "et l'on continue) ou l'on s'en va (tous les points tombent, nouveau relevé, et l'on joue le premier).",
        "`règles` en dit plus ; la page Règles de `tablier serve` les montre sur des tabliers.",
    ),
}
GOALS = {
    "trictrac": ("{holes} holes win the game.", "{holes} trous gagnent la partie."),
    "trictrac_a_ecrire": (
        "A marqué ends when somebody leaves and one of you has six holes; the loser pays in tokens.",
        "Un marqué finit quand on s'en va et que l'un a six trous ; le perdant paie en jetons.",
    ),
}


def in_short(game: str, options: Mapping[str, object], lang: str) -> list[str]:
    """What scores, what a hole is, and to hold or leave: paragraphs."""
    goal = GOALS[game][lang == "fr"].format(holes=options.get("holes_to_win"))
    return [paragraph.format(goal=goal) for paragraph in SHORT[lang]]


def in_full(lang: str) -> Iterator[tuple[str, list[str]]]:
    """Headings and their paragraphs, from the text of the web board; what it says of its own boards is left out."""
    text = files("tablier").joinpath("web", "static", "i18n", f"rules.{lang}.json").read_text(encoding="utf-8")
    page = json.loads(text)
    yield page["title"], page["intro"][:1]
    for section in page["sections"]:
        yield section["title"], section["text"]
    yield "", page["end"]
