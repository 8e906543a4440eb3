"""Refusals in French, for clients that ask for it (Accept-Language). What is not found here stays English."""

from __future__ import annotations

import re

REFUSALS = {
    r"the table has (\d+) actions, not (\d+)": "la table a {} coups, non {}",
    r"too many tables were begun from here; wait a little": "trop de tables ont été ouvertes d'ici ; attendez un peu",
    r"nobody is to decide there": "personne n'a à décider là",
    r"the tutor is silent at this table until the game is over": "le maître se tait à cette table jusqu'à la fin",
    r"a table has at most (\d+) actions, not (\d+)": "une table a au plus {} coups, non {}",
    r"a table has at most (\d+) actions, and this one has them": "une table a au plus {} coups, et celle-ci les a",
    r"no game is called '([^']*)'.*": "aucun jeu ne s'appelle « {} »",
    r"there is no run called (.*)": "aucune séance ne s'appelle {}",
    r"(.*) has (\d+) seats, not (\d+)": "{} a {} places, non {}",
    r"this server's file of games is full; .*": "le fichier de parties de ce serveur est plein",
    r"too many unfinished games were begun here .*": "trop de parties inachevées depuis hier ; revenez plus tard",
    r"there is no such table": "il n'y a pas de telle table",
    r"this table plays (.*), which this server does not know": "cette table joue à {}, que ce serveur ne connaît pas",
    r"this token opens no seat at this table": "ce jeton n'ouvre aucune place à cette table",
    r"the table is at version (\d+), not (\d+): look at it again": "la table est à {}, non à {} : regardez-la encore",
    r"the table has changed: look at it again": "la table a changé : regardez-la encore",
    r"the game is over": "la partie est finie",
    r"it is the other player's turn": "c'est à l'autre joueur",
    r"the game cannot be written down now, so nothing was played": "la partie ne peut s'écrire : rien n'a été joué",
    r"there is too much to think about just now; .*": "il y a trop à réfléchir pour l'instant ; réessayez bientôt",
    r"this game could not be reviewed: (.*)": "cette partie n'a pu être revue : {}",
    r"something went wrong in the server; the game is as it was": "le serveur a failli ; la partie est comme avant",
    r"no player here is called (.*); there are (.*)": "aucun joueur ne s'appelle ici {} ; il y a {}",
    r"a player is a name and settings, as in (.*); a net is named, no path": (
        "un joueur est un nom et des réglages, comme {} ; un réseau a un nom, non un chemin"
    ),
    r"the player '(.*)' has no setting '(.*)'; it has (.*)": "le joueur « {} » n'a pas de réglage « {} » ; il a {}",
    r"'(.*)' is a number, not (.*)": "« {} » est un nombre, non {}",
    r"'(.*)' is from 0 to (.*) on this server, not (.*)": "« {} » va de 0 à {} sur ce serveur, non {}",
    r"this server has no network called (.*)": "ce serveur n'a pas de réseau qui s'appelle {}",
    r"the body has more than (\d+) bytes": "le message a plus de {} octets",
}
"""The English sentence to the French one; groups fill the braces in their order."""
FROM_WITHIN = {
    r"option '(.*)' of (.*) must be an integer from (.*) to (.*)": "l'option « {} » de {} est un entier de {} à {}",
    r"(.*): marques must be even, for two players": "à deux joueurs le nombre des marqués est pair",
    r"(.*): marques must be a multiple of 3, for three players": "à trois, les marqués se comptent par trois",
    r"(.*): fill_school says nothing without schools": "l'école pour n'avoir pas rempli ne se joue qu'avec les écoles",
    r"seats\.\d+: String should have at least 1 character": "il manque un joueur",
    r"the player 'policy' needs a network: .*": "le joueur « policy » veut un réseau : policy:net=NOM",
    r"the game (.*) has no heuristic": "le jeu {} n'a pas d'heuristique",
    r"line (\d+), (.*): a record begins with (.*)": "ligne {}, {} : un relevé commence par {}",
    r"the record is empty; a record begins with (.*)": "le relevé est vide ; il commence par {}",
}
"""The same for what games, players and records say."""
_PATTERNS = [(re.compile(english, re.DOTALL), french) for english, french in (REFUSALS | FROM_WITHIN).items()]


def wanted(languages: str) -> bool:
    """Whether a header Accept-Language asks for French before all others."""
    return languages.strip().lower().startswith("fr")


def refusal(english: str) -> str:
    """The sentence in French, if it is known."""
    for pattern, french in _PATTERNS:
        if found := pattern.fullmatch(english):
            return french.format(*found.groups())
    return english
