"""A game of Trictrac told to people, step by step, in English or French."""

from __future__ import annotations

from tablier._core import State, trictrac
from tablier._core.trictrac import CORRECT, FILL, LEAVE, NO_CLAIM, Parts, SchoolStep, Stage
from tablier.games.trictrac.jans import throw_jans
from tablier.games.trictrac.marking import marque_ended
from tablier.games.trictrac.position import START
from tablier.games.trictrac.schools import NAMES, verdicts

_PHRASES = {
    "draw again": ("The draw: {0} each, again.", "On tire : {0} à {0}, encore."),
    "draw": ("The draw: White {0}, Black {1}.", "On tire : Blanc {0}, Noir {1}."),
    "begins": ("{who} begins, and plays these dice.", "{who} commence, et joue ces dés."),
    "begins anew": ("{who} begins.", "{who} commence."),
    "throws": ("{who} throws {0} and {1}", "{who} amène {0} et {1}"),
    "worth": (", worth {0} points", ", qui valent {0} points"),
    "worth both": (", worth {0} points, and {1} to {other}", ", qui valent {0} points, et {1} à {other}"),
    "worth other": (", worth {0} points to {other}", ", qui valent {0} points à {other}"),
    "hole": (" {who} wins 1 hole.", " {who} gagne 1 trou."),
    "holes": (" {who} wins {0} holes.", " {who} gagne {0} trous."),
    "hole back": (" {who} is back at {0} hole.", " {who} revient à {0} trou."),
    "holes back": (" {who} is back at {0} holes.", " {who} revient à {0} trous."),
    "bredouille": (" {who} wins {0} holes, bredouille.", " {who} gagne {0} trous, en bredouille."),
    "leaves": ("{who} leaves: a new setting.", "{who} s'en va : nouveau relevé."),
    "holds": ("{who} holds and plays {0}.", "{who} tient et joue {0}."),
    "plays": ("{who} plays {0}.", "{who} joue {0}."),
    "cannot": ("{who} cannot play.", "{who} ne peut jouer."),
    "marks": (" {who} marks {0}.", " {who} marque {0}."),
    "setting": (" All men are off: a new setting.", " Toutes les dames sont sorties : nouveau relevé."),
    "declares": ("{who} marks {0}.", "{who} marque {0}."),
    "claims": ("{who} claims a school of {0}.", "{who} envoie à l'école de {0}."),
    "claims nothing": ("{who} claims nothing.", "{who} ne réclame rien."),
    "corrects": ("{who} has it marked right.", "{who} fait rectifier."),
    "fills": ("{who} has it filled.", "{who} fait remplir."),
    "stands": ("{who} lets it stand.", "{who} laisse passer."),
    "rolls": ("{who} asks for the dice.", "{who} demande les dés."),
    "wins": (" {who} wins the game, {0} holes to {1}.", " {who} gagne la partie, {0} trous à {1}."),
    "marqué": (" That ends the marqué.", " Le marqué est fini."),
    "tokens": (" The game is over; tokens: {0}.", " La partie est finie ; jetons : {0}."),
}


def _phrase(lang: str, key: str, *values: object, **names: object) -> str:
    return _PHRASES[key][lang == "fr"].format(*values, **names)


def tell(before: State, action: int, after: State, lang: str = "en") -> str:
    """What happened by an action, or by the dice, in one or two sentences.

    >>> import tablier
    >>> state = tablier.load_game("trictrac").new_initial_state()
    >>> print(tell(state, 13, state.child(13)))
    The draw: White 3, Black 2. White begins, and plays these dice.
    """
    was, now = trictrac.parts(before), trictrac.parts(after)
    if before.is_chance_node():
        return _tell_dice(was, now, action, after, lang)
    who = NAMES[lang][was.seats[before.current_player()]]
    if was.stage == Stage.ROLL_DICE:
        return _phrase(lang, "rolls", who=who)
    if was.school:
        text = " ".join(
            [_tell_school(was.school, action, who, lang), *(one.text(lang) for one in verdicts(before, action))]
        )
        text += "".join(_holes(was, now, player, lang) for player in (0, 1))
    elif action == LEAVE:
        text = _phrase(lang, "leaves", who=who)
    else:
        text = _tell_move(was, now, trictrac.moves(before, action), after, lang)
    return text + _ending(was, now, after, lang)


def moves_text(moves: list[tuple[int, int]], other_side: bool = False) -> str:
    """Moves in the mover's field numbers, or in those of the other player."""
    shown = [(25 - start, 25 - end if end < 25 else end) if other_side else (start, end) for start, end in moves]
    return " ".join(f"{start}-{'off' if end == 25 else end}" for start, end in shown)


def why(state: State, lang: str = "en") -> list[str]:
    """The jans of the throw on the board, a line each: to whom, how many points, why."""
    parts = trictrac.parts(state)
    names, mover = NAMES[lang], parts.player
    lines = []
    for jan in throw_jans(state):
        who = names[mover if jan.beneficiary == "player" else 1 - mover]
        lines.append(f"{who} {jan.points}{' :' if lang == 'fr' else ':'} {jan.why(lang)}")
    return lines


def _tell_dice(was: Parts, now: Parts, action: int, after: State, lang: str) -> str:
    a, b = trictrac.throw(action)
    if was.drawing:
        if a == b:
            return _phrase(lang, "draw again", a)
        started = "begins" if now.dice != (0, 0) else "begins anew"
        who = NAMES[lang][now.player]
        return f"{_phrase(lang, 'draw', a, b)} {_phrase(lang, started, who=who)}"
    mover = was.player
    who, other = NAMES[lang][mover], NAMES[lang][1 - mover]
    text = _phrase(lang, "throws", a, b, who=who)
    mine, theirs = now.due if now.dice != (0, 0) else (0, 0)
    if after.get_game().options().get("schools"):
        mine = theirs = 0  # who marks must count himself
    key = ("worth both" if theirs else "worth") if mine else "worth other"
    if mine or theirs:
        text += _phrase(lang, key, *(n for n in (mine, theirs) if n), other=other)
    return text + "." + _holes(was, now, mover, lang) + _ending(was, now, after, lang)


def _tell_move(was: Parts, now: Parts, moves: list[tuple[int, int]], after: State, lang: str) -> str:
    mover = was.player
    who, other = NAMES[lang][mover], NAMES[lang][1 - mover]
    if moves:
        text = _phrase(lang, "holds" if was.stage == Stage.HOLD_OR_GO else "plays", moves_text(moves), who=who)
    else:
        text = _phrase(lang, "cannot", who=who)
    if not after.get_game().options().get("schools"):
        if was.due[1]:
            text += _phrase(lang, "marks", was.due[1], who=other)
        text += _holes(was, now, 1 - mover, lang)
    if not after.is_terminal() and now.throws != was.throws and now.board == START:
        text += _phrase(lang, "setting")
    return text


def _tell_school(asked: SchoolStep, action: int, who: str, lang: str) -> str:
    if asked == SchoolStep.DECLARE:
        return _phrase(lang, "declares", trictrac.amount(action), who=who)
    if action == CORRECT:
        return _phrase(lang, "corrects", who=who)
    if asked == SchoolStep.DECIDE_FILLING:
        return _phrase(lang, "fills" if action == FILL else "stands", who=who)
    if action == NO_CLAIM:
        return _phrase(lang, "claims nothing", who=who)
    return _phrase(lang, "claims", trictrac.amount(action), who=who)


def _holes(was: Parts, now: Parts, player: int, lang: str) -> str:
    won = now.holes[player] - was.holes[player]
    if won < 0 and not marque_ended(was, now):  # a school took them back
        left = now.holes[player]
        return _phrase(lang, "hole back" if left == 1 else "holes back", left, who=NAMES[lang][player])
    if won <= 0:
        return ""
    key = "hole" if won == 1 else "bredouille" if won % 2 == 0 else "holes"  # only the first of several can be single
    return _phrase(lang, key, won, who=NAMES[lang][player])


def _ending(was: Parts, now: Parts, after: State, lang: str) -> str:
    if now.account:
        if after.is_terminal():
            return _phrase(lang, "tokens", ", ".join(map(str, now.account.tokens)))
        return _phrase(lang, "marqué") if marque_ended(was, now) else ""
    if now.winner is None:
        return ""
    winner = now.winner
    return _phrase(lang, "wins", now.holes[winner], now.holes[1 - winner], who=NAMES[lang][winner])
