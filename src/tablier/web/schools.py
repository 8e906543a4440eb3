"""Players of the machine where people mark their own points (docs/rules.md, 13): honest, and they see every school.

Search players were made for the ordinary game; asked what to declare they would say the most that can be said. So they
are asked about moves only, in the ordinary game, and what is marked and claimed follows from the rules.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tablier._core import Game, State
from tablier._core.trictrac import parts
from tablier.players import Opinion, Player
from tablier.registry import load_game
from tablier.trictrac.marking import Score
from tablier.trictrac.position import MANY_THROWS, Position
from tablier.web.trictrac import CLAIM, DECLARE, FILL, NO_CLAIM

_MARK_POINTS = 2
_DECLARING, _DECIDING = 1, 6


def ordinary(game: Game) -> Game:
    """The same game without schools."""
    return load_game(game.name, **{**game.options(), "schools": False})


def has_schools(game: Game) -> bool:
    """Whether players mark their points themselves."""
    return bool(game.options().get("schools", False))


class Honest:
    """A player of the ordinary game at a table with schools."""

    def __init__(self, player: Player, game: Game) -> None:
        """`game` is the ordinary one, for which the player was made."""
        self._player, self._game = player, game

    def choose(self, state: State) -> int:
        """Marks what is true, claims what is due, and moves as the player would."""
        if parts(state)["school"]:
            return _truth(state)
        plain, legal = self._plain(state), state.legal_actions()
        if plain is None:
            return legal[-1]
        action = self._player.choose(plain)
        return action if action in legal else self.explain(state)[0].action  # he may not leave with what he marked

    def explain(self, state: State) -> list[Opinion]:
        """Of moves what the player thinks; what is true is no matter of opinion."""
        legal = state.legal_actions()
        opinions: list[Opinion] = []
        if parts(state)["school"]:
            best = _truth(state)
            legal = [best, *(action for action in legal if action != best)]
        elif plain := self._plain(state):
            opinions = [one for one in self._player.explain(plain) if one.action in legal]  # type: ignore[attr-defined]
        told = {one.action for one in opinions}
        worst = min(opinions, key=lambda one: one.value, default=Opinion(0, "", 0.0))
        rest = [action for action in legal if action not in told]  # such as do not fill
        return opinions + [replace(worst, action=action, text=state.action_to_string(action)) for action in rest]

    def _plain(self, state: State) -> State | None:
        """The same throw in the ordinary game, marked as it should be; if that ended the game, with no score before.

        None if that ends it, too.
        """
        now = Position.of(state)
        before = now.school.before if now.school else Score()
        made = now.throws or (MANY_THROWS, MANY_THROWS)
        if min(made) < MANY_THROWS:  # from there on they are not counted
            made = (made[0] - 1, made[1]) if now.player == 0 else (made[0], made[1] - 1)
        waiting = replace(now, dice=(0, 0), stage="RollWaiting", school=None, due=None, throws=made)
        for score in (before, Score()):
            told: dict[str, Any] = vars(score)
            try:
                thrown = replace(waiting, **told).throw(*now.dice, game=self._game)
            except ValueError:
                continue
            if thrown.is_player_node():
                return thrown
        return None


def _truth(state: State) -> int:
    """What an honest and attentive player says."""
    now = parts(state)
    if now["school"] == _DECLARING:
        mine = now["stage"] == _MARK_POINTS
        return int(DECLARE + now["due"][0 if mine else 1] // 2)
    if now["school"] == _DECIDING:
        return FILL
    legal = sorted(state.legal_actions(), reverse=True)  # if nothing is won by it, nothing is claimed
    return max(legal, key=lambda action: _settled(state, action))


def _settled(state: State, action: int) -> float:
    """What the player who speaks has more than the other when all is settled and nobody else claims anything."""
    player = state.current_player()
    after = state.child(action)
    while after.is_player_node() and after.legal_actions()[0] == CLAIM:
        after = after.child(NO_CLAIM)
    now = parts(after)
    side = now.get("seats", (0, 1))[player]
    score = [12 * holes + points for holes, points in zip(now["holes"], now["points"], strict=True)]
    return float(score[side] - score[1 - side])
