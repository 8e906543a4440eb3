"""A drop-in replacement for the class `TricTrac` of an earlier engine, for training scripts that use it.

docs/contract.md, section 9, lists its methods. Players are 0 (White) and 1 (Black), except that `get_score` takes 1 and
2, as it always did. New code should use `tablier.load_game("trictrac")`.

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
_COLOUR = 24  # where an observation says whose turn it is


class TricTrac:
    """A game of Trictrac in which the caller rolls the dice."""

    def __init__(self) -> None:
        self._state = _GAME.new_initial_state()

    def needs_roll(self) -> bool:
        """Whether the dice are rolled next."""
        return self._state.is_chance_node()

    def is_game_ended(self) -> bool:
        """Whether the game is over."""
        return self._state.is_terminal()

    def current_player_idx(self) -> int:
        """The player who moves or rolls, or after the end who moved last: 0 or 1."""
        return int(self._state.observation(0)[_COLOUR])

    def get_legal_actions(self, player_idx: int) -> list[int]:
        """The legal actions in ascending order; none if it is not the player's turn or a roll is due."""
        return self._state.legal_actions() if self._is_to_move(player_idx) else []

    def action_to_string(self, player_idx: int, action: int) -> str:
        """The player's number and the action in words: "0:1-7 1-6", "1:leave"; out of turn "0:move 300"."""
        seat, number = _seat(player_idx), operator.index(action)
        if not 0 <= number < _GAME.num_distinct_actions():
            raise ValueError(f"action must be from 0 to {_GAME.num_distinct_actions() - 1}, not {number}")
        if self._is_to_move(seat):
            return f"{seat}:{self._state.action_to_string(number)}"
        return f"{seat}:{('roll', 'leave')[number] if number < 2 else f'move {number}'}"

    def apply_dice_roll(self, dice: tuple[int, int]) -> None:
        """Plays these dice. Raises ValueError unless a roll is due."""
        try:
            first, second = (operator.index(die) for die in dice)
        except (TypeError, ValueError):
            raise ValueError(f"dice are two numbers from 1 to 6, not {dice!r}") from None
        if not (1 <= first <= 6 and 1 <= second <= 6):
            raise ValueError(f"dice are two numbers from 1 to 6, not {dice!r}")
        if not self.needs_roll():
            raise ValueError(f"no roll is due, so the dice {first} {second} are refused\n{self._state}")
        self._state.apply_action(outcome(first, second))

    def apply_action(self, action: int) -> None:
        """Plays an action of the current player. Raises ValueError if it is illegal, and the game stays the same."""
        if self.needs_roll():
            raise ValueError(f"action {action} is refused: a roll is due, see apply_dice_roll()\n{self._state}")
        try:
            self._state.apply_action(action)
        except ValueError as error:
            raise ValueError(str(error)) from None

    def get_score(self, player_id: int) -> int:
        """The score of player 1 (White) or 2 (Black): 12 * holes + points."""
        if player_id not in (1, 2):
            raise ValueError(f"get_score() takes player 1 or 2, not {player_id!r}")
        return self.get_players_scores()[player_id - 1]

    def get_players_scores(self) -> list[int]:
        """The scores of White and Black: 12 * holes + points."""
        return [int(score) for score in self._state.returns()]

    def get_tensor(self, player_idx: int) -> list[int]:
        """The 36 numbers of docs/contract.md, section 5, from the player's side."""
        tensor: list[int] = self._state.observation(_seat(player_idx)).tolist()
        return tensor

    def get_observation_string(self, player_idx: int) -> str:
        """The board, the score and whose turn it is as text, and who is asking."""
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
