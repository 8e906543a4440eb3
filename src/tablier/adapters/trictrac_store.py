"""A drop-in replacement for the class `TricTrac` of an earlier engine, for existing training scripts.

docs/contract.md, section 9, lists its methods. Players are 0 (White) and 1 (Black), except that `get_score` takes 1 and
2, as it did in that engine. New code should use `tablier.load_game("trictrac")`.

Examples:
    >>> game = TricTrac()
    >>> game.needs_roll(), game.current_player_idx(), game.get_legal_actions(0)
    (True, 0, [])
    >>> game.apply_dice_roll((6, 1))
    >>> [game.action_to_string(0, action) for action in game.get_legal_actions(0)]
    ['0:1-7 1-2', '0:1-7-8']
"""

from __future__ import annotations

import operator

from tablier._core.trictrac import outcome
from tablier.registry import load_game

_GAME = load_game("trictrac", first_throw="white")
_NAMES = ("White", "Black")
_COLOUR = 24  # index of the side to move in an observation


class TricTrac:
    """A game of Trictrac in which the caller rolls the dice."""

    def __init__(self) -> None:
        self._state = _GAME.new_initial_state()

    def needs_roll(self) -> bool:
        """Returns whether the dice are rolled next."""
        return self._state.is_chance_node()

    def is_game_ended(self) -> bool:
        """Returns whether the game is over."""
        return self._state.is_terminal()

    def current_player_idx(self) -> int:
        """Returns the player who moves or rolls, 0 or 1; after the end, the player who moved last."""
        return int(self._state.observation(0)[_COLOUR])

    def get_legal_actions(self, player_idx: int) -> list[int]:
        """Returns the legal actions in ascending order, or an empty list if the player is not to move."""
        return self._state.legal_actions() if self._is_to_move(player_idx) else []

    def action_to_string(self, player_idx: int, action: int) -> str:
        """Returns the player and the action as text: "0:1-7 1-6", "1:leave"; out of turn "0:move 300".

        Args:
            player_idx: 0 (White) or 1 (Black).
            action: an action number.

        Raises:
            ValueError: there is no such player or action.
        """
        seat, number = _seat(player_idx), operator.index(action)
        if not 0 <= number < _GAME.num_distinct_actions():
            raise ValueError(f"action must be from 0 to {_GAME.num_distinct_actions() - 1}, not {number}")
        if self._is_to_move(seat):
            return f"{seat}:{self._state.action_to_string(number)}"
        return f"{seat}:{('roll', 'leave')[number] if number < 2 else f'move {number}'}"

    def apply_dice_roll(self, dice: tuple[int, int]) -> None:
        """Plays a throw.

        Args:
            dice: two numbers from 1 to 6.

        Raises:
            ValueError: the dice are invalid, or no roll is due.
        """
        try:
            first, second = (operator.index(die) for die in dice)
        except (TypeError, ValueError):
            raise ValueError(f"dice must be two numbers from 1 to 6, not {dice!r}") from None
        if not (1 <= first <= 6 and 1 <= second <= 6):
            raise ValueError(f"dice must be two numbers from 1 to 6, not {dice!r}")
        if not self.needs_roll():
            raise ValueError(f"cannot play the dice {first} {second}: no roll is due\n{self._state}")
        self._state.apply_action(outcome(first, second))

    def apply_action(self, action: int) -> None:
        """Plays an action of the current player. Raises ValueError if it is illegal; the position stays the same."""
        if self.needs_roll():
            raise ValueError(f"cannot play action {action}: a roll is due, call apply_dice_roll()\n{self._state}")
        try:
            self._state.apply_action(action)
        except ValueError as error:
            raise ValueError(str(error)) from None

    def get_score(self, player_id: int) -> int:
        """Returns the score of player 1 (White) or 2 (Black): 12 * holes + points. Raises ValueError for others."""
        if player_id not in (1, 2):
            raise ValueError(f"get_score() takes player 1 or 2, not {player_id!r}")
        return self.get_players_scores()[player_id - 1]

    def get_players_scores(self) -> list[int]:
        """Returns the scores of White and Black: 12 * holes + points."""
        return [int(score) for score in self._state.returns()]

    def get_tensor(self, player_idx: int) -> list[int]:
        """Returns the 36 numbers of docs/contract.md, section 5, from the player's point of view."""
        tensor: list[int] = self._state.observation(_seat(player_idx)).tolist()
        return tensor

    def get_observation_string(self, player_idx: int) -> str:
        """Returns the board, the score, whose turn it is and the viewing player, as text."""
        seat = _seat(player_idx)
        return f"{self._state}\nseen by player {seat} ({_NAMES[seat]})"

    def __str__(self) -> str:
        return str(self._state)

    def __copy__(self) -> TricTrac:
        twin = type(self)()
        twin._state = self._state.clone()
        return twin

    def _is_to_move(self, player_idx: int) -> bool:
        return self._state.is_player_node() and bool(self._state.current_player() == player_idx)


def _seat(player_idx: int) -> int:
    seat = operator.index(player_idx)
    if seat not in (0, 1):
        raise ValueError(f"player_idx must be 0 (White) or 1 (Black), not {player_idx}")
    return seat
