"""What the commands for games say to people, in English and French."""

from __future__ import annotations

PHRASES = {
    "player": ("player {0}", "joueur {0}"),
    "not a choice": ("'{0}' is none of the choices; `moves` lists them", "« {0} » n'est pas un choix ; voyez `coups`"),
    "drawn": ("The game is drawn.", "Partie nulle."),
    "wins": ("{0} wins.", "{0} gagne."),
    "your side": ("(By your numbers: {0}.)", "(Par vos numéros : {0}.)"),
    "after": ("{0}, after {1}'s {2}", "{0}, après {1} {2}"),
    "how many": ("how many points do you mark", "combien de points marquez-vous"),
    "claim": (
        "{0}: {1} marked {2}. Points he missed or overmarked (Enter: none)",
        "{0} : {1} a marqué {2}. Points omis ou marqués en trop (Entrée : aucun)",
    ),
    "filled": ("a filling was neglected: fill, or nothing", "on a omis de remplir : remplir, ou rien"),
    "hold or leave": ("hold or leave", "tenir ou s'en aller"),
    "points you mark": ("the points you mark; Enter is 0", "les points que vous marquez ; Entrée vaut 0"),
    "mark so many": ("mark {0}", "marquer {0}"),
    "claim so many": ("claim {0}", "réclamer {0}"),
    "nothing": ("nothing", "rien"),
    "nothing means": ("you claim nothing; Enter does the same", "vous ne réclamez rien ; Entrée fait de même"),
    "correct": ("correct", "rectifier"),
    "correct means": ("it is marked right, without a school", "on marque juste, sans école"),
    "claim means": ("so many he missed or overmarked: a school", "autant d'omis ou de trop : une école"),
    "leave": ("leave", "s'en aller"),
    "leave means": ("a new setting, points are lost, you throw first", "nouveau relevé, points perdus, vous jouez"),
    "cannot leave": (
        "you may leave only after a hole by your own throw",
        "on ne s'en va qu'après un trou gagné de son propre coup",
    ),
    "you hold": ("you hold; now say your move", "vous tenez ; jouez maintenant"),
    "nothing to hold": ("there is no choice to hold or leave now", "il n'y a pas à tenir ou s'en aller"),
    "not listed": (
        "a single number is that of a play from `moves`, 1 to {0}; one man by both numbers is told as 6-14",
        "un seul nombre est celui d'un coup de `coups`, 1 à {0} ; une dame par les deux nombres se dit 6-14",
    ),
    "see moves": ("{0}; `moves` lists what is", "{0} ; `coups` donne la liste"),
    "even": ("points are even, from 0 to 126", "les points sont pairs, de 0 à 126"),
    "not a school": (
        "'{0}' is neither a number of points nor `nothing` nor `correct`",
        "« {0} » n'est ni un nombre de points, ni `rien`, ni `rectifier`",
    ),
    "begin": (
        "{0}: {1}. Seed {2}. `help` tells what you can type.",
        "{0} : {1}. Graine {2}. `aide` dit ce que vous pouvez taper.",
    ),
    "you": ("you", "vous"),
    "only": ("(The only play.)", "(Seul coup possible.)"),
    "undone": (
        "Back to your last decision. The dice stay as they fall, so undoing does not help to look ahead.",
        "Retour à votre dernier choix. Les dés restent les mêmes : revenir n'aide pas à prévoir.",
    ),
    "undone many": (
        "Back by {0} of your decisions. The dice stay as they fall, so undoing does not help to look ahead.",
        "Retour de {0} choix. Les dés restent les mêmes : revenir n'aide pas à prévoir.",
    ),
    "undo few": ("of your decisions {0} can be taken back, not {1}", "de vos choix {0} peuvent être repris, non {1}"),
    "no number": ("`{0}` takes a number from 1 on, not '{1}'", "`{0}` demande un nombre à partir de 1, non « {1} »"),
    "no undo": ("there is no decision of yours to take back", "il n'y a aucun choix à reprendre"),
    "no why": ("no points were marked yet", "aucun point n'a encore été marqué"),
    "why few": (
        "no throw before that brought points: `{0} {1}` is the earliest",
        "aucun coup plus ancien n'a donné de points : `{0} {1}` est le premier",
    ),
    "no why here": ("this game has no points to explain", "ce jeu n'a pas de points à expliquer"),
    "why throw": ("{0} threw {1} and {2}, fields as {0} counts them:", "{0} a amené {1} et {2}, cases selon {0} :"),
    "save how": ("save needs a file's name, as in `save game.txt`", "donnez un nom : `sauver partie.txt`"),
    "save exists": ("{0} exists already; choose another name", "{0} existe déjà ; choisissez un autre nom"),
    "saved": (
        "Saved. `tablier play --load {0}` goes on, `tablier analyze {0}` judges, `tablier replay {0}` shows it.",
        "Partie sauvée. `tablier play --load {0}` la reprend, `tablier analyze {0}` la juge, "
        "`tablier replay {0}` la montre.",
    ),
    "over prompt": ("the game is over: save FILE, why, undo; Enter ends", "fin : sauver FICHIER, pourquoi, annuler"),
    "not over": ("The game is not over. Not saved.", "La partie n'est pas finie. Elle n'est pas sauvée."),
    "save now": ("Save the game? A file's name, or Enter for no", "Sauver la partie ? Un nom de fichier, ou Entrée"),
    "bye": ("Goodbye.", "Au revoir."),
    "move": ("move", "coup"),
    "chance": ("wins", "gagne"),
    "value": ("value", "valeur"),
    "points": ("points, next throw", "points, coup suivant"),
    "visits": ("visits", "visites"),
    "prior": ("prior", "a priori"),
    "judged": ("{0}: {1} with a choice, judged by {2}", "{0} : {1} avec un choix, jugées par {2}"),
    "of one": ("  {0}: {1}, {2}, {3} lost on average", "  {0} : {1}, {2}, {3} de perte en moyenne"),
    "left out": (
        "  left out: {0} marks and claims of schools, which are right or wrong; the moves are judged",
        "  laissées de côté : {0} marques et réclamations d'écoles, justes ou fausses ; les coups sont jugés",
    ),
    "no mistakes": ("No mistakes.", "Aucune faute."),
    "at throw": ("throw {0}, {1}", "coup {0}, {1}"),
    "at step": ("step {0}, {1}", "étape {0}, {1}"),
    "costs": (" played {0} ({1}), which costs ", " a joué {0} ({1}), ce qui coûte "),
    "better": ("     better: {0}", "     mieux : {0}"),
    "has thrown": ("{0} has thrown {1} and {2}.", "{0} a amené {1} et {2}."),
    "to throw": ("{0} is to throw.", "{0} va jeter les dés."),
    "to throw and wins": (
        "{0} is to throw, and wins {1} on average.",
        "{0} va jeter les dés, et gagne {1} en moyenne.",
    ),
    "throw": ("throw", "coup"),
    "best move": ("best move", "meilleur coup"),
    "wins it": ("wins", "gagne"),
    "steps": ("{0}{1}: {2}", "{0}{1} : {2}"),
    "step of": ("{0} of {1}", "{0} de {1}"),
    "keys": (
        "Enter next, b back, a number jumps, q quits",
        "Entrée suivant, b retour, un nombre y saute, q finit",
    ),
    "totals": ("{0} of {1}: {2}", "{0} de {1} : {2}"),
    "total": (
        "  seat {0}, {1}: {2} won ({3:.1%}), mean return {4:+.3f}",
        "  place {0}, {1} : {2} gagnées ({3:.1%}), retour moyen {4:+.3f}",
    ),
    "draws": ("{0} drawn, ", "{0} nulles, "),
    "unfinished": ("{0} not finished, ", "{0} inachevées, "),
    "a game": (
        "  {0}{1}{2:.1f} decisions and {3:.1f} rolls a game",
        "  {0}{1}{2:.1f} choix et {3:.1f} jets par partie",
    ),
    "per second": ("  {0:.2f} s, {1:,.0f} games/s", "  {0:.2f} s, {1:,.0f} parties/s"),
    "returns": ("{0} Returns: {1}", "{0} Retours : {1}"),
    "saved in": ("saved in {0}", "sauvée dans {0}"),
}

COUNTED = {
    "decision": (("decision", "decisions"), ("décision", "décisions")),
    "mistake": (("mistake", "mistakes"), ("faute", "fautes")),
    "step": (("step", "steps"), ("étape", "étapes")),
    "game": (("game", "games"), ("partie", "parties")),
}

HELP = {
    "en": """hint           the best moves and how often they win
moves          all legal moves, numbered
board          the board again
undo           back to your last decision, `undo 3` by three; the dice stay as they fall
why            explains the last points, jan by jan, and who was right in a school; `why 2` those before
save FILE      writes the game down; tablier play --load FILE goes on with it
rules          the rules at length
quit           ends""",
    "fr": """conseil        les meilleurs coups et leurs chances
coups          tous les coups permis, numérotés
tablier        le tablier encore une fois
annuler        retour à votre dernier choix, `annuler 3` de trois ; les dés restent les mêmes
pourquoi       explique les derniers points, jan par jan, et les écoles ; `pourquoi 2` ceux d'avant
sauver FICHIER écrit la partie ; tablier play --load FICHIER la reprend
règles         les règles plus au long
quitter        finit""",
}

TRICTRAC_HELP = {
    "en": """Type a move by your own field numbers, 1 being your talon:
  1-5 1-3        two men; 1/5 1/3 and 1>5, 1>3 mean the same, in any order
  1-8            one man by both numbers (1-5-8 too)
  6 5            from where: the first die from field 6, the second from field 5
  7-12 8-12      the corner, also by power (`power` does it too)
  22-off, pass   bearing off; nothing can be played
  3              the third play of `moves`
  hold, leave    after a hole by your own throw; a move alone means hold""",
    "fr": """Tapez un coup par vos propres numéros, 1 étant votre talon :
  1-5 1-3        deux dames ; 1/5 1/3 et 1>5, 1>3 de même, dans n'importe quel ordre
  1-8            une dame par les deux nombres (ou 1-5-8)
  6 5            d'où : le premier dé de la case 6, le second de la case 5
  7-12 8-12      le coin, aussi par puissance (ou `puissance`)
  22-sort, passe sortir une dame ; rien ne peut se jouer
  3              le troisième coup de `coups`
  tenir, s'en aller   après un trou de votre propre coup ; un coup seul, c'est tenir""",
}

SCHOOLS_HELP = {
    "en": "With schools: the points you mark as a number (`4`); then, of what the other marked, how many points are "
    "missing or too many (`4`), `nothing` or just Enter, or `correct` to have it marked right without a school.",
    "fr": "Avec écoles : les points que vous marquez par un nombre (`4`) ; puis, de ce que l'autre a marqué, combien "
    "il en a omis ou marqué en trop (`4`), `rien` ou Entrée, ou `rectifier` pour faire marquer juste sans école.",
}

COMMANDS = {
    "help": ("help", "?", "aide"),
    "rules": ("rules", "règles", "regles"),
    "moves": ("moves", "coups"),
    "board": ("board", "tablier"),
    "hint": ("hint", "conseil"),
    "undo": ("undo", "annuler"),
    "why": ("why", "pourquoi"),
    "save": ("save", "sauver"),
    "quit": ("quit", "exit", "q", "quitter"),
}
"""What a person may type beside moves, in either language."""


def phrase(lang: str, key: str, *values: object) -> str:
    """A phrase in a language, its gaps filled."""
    return PHRASES[key][lang == "fr"].format(*values)


def counted(lang: str, number: int, noun: str) -> str:
    """A number of things in a language.

    >>> counted("en", 1, "decision"), counted("en", 0, "decision"), counted("fr", 0, "step")
    ('1 decision', '0 decisions', '0 étape')
    """
    many = number > 1 if lang == "fr" else number != 1
    return f"{number} {COUNTED[noun][lang == 'fr'][many]}"
