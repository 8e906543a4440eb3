"""The numbers that the engine gives to actions, to the stages of a turn and to what schools ask.

They are those of core/games/trictrac: actions.h, state.h, schools.h.
"""

ROLL, LEAVE, FIRST_MOVE = 0, 1, 2
"""Actions: throw the dice (where that is one), leave after a hole, and then 512 moves."""
DECLARE, CLAIM, CORRECT, NO_CLAIM, FILL = 514, 578, 641, 642, 643
"""With schools: mark 0, 2, 4 ...; claim a school of 2, 4 ...; have it put right; let it be; have a jan filled."""
ROLL_WAITING, ROLL_DICE, MARK_POINTS, HOLD_OR_GO, MOVE = range(5)
"""Stages of a turn."""
DECLARING, AGAINST_MOVER, AGAINST_OTHER, AFTER_GO, AFTER_WIN, DECIDING = range(1, 7)
"""What a school asks: to mark; whether to claim, against whom or at which end; whether a filling is made after all."""
