"""Dice board games that are exact, fast and first-class for reinforcement learning.

>>> import tablier
>>> game = tablier.load_game("pig", win_score=20)
>>> state = game.new_initial_state()
>>> state.apply_action(0)  # roll
>>> state.is_chance_node()
True
>>> state.apply_action(4)  # the die shows 5
>>> print(state)
scores 0 0, turn total 5, player 0 to decide
"""

from tablier._core import BatchEnv, Game, State
from tablier.python_game import CHANCE, TERMINAL, Option, PythonGame
from tablier.registry import get_include, load_game, load_plugin, register, registered_games

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "TERMINAL",
    "BatchEnv",
    "Game",
    "Option",
    "PythonGame",
    "State",
    "get_include",
    "load_game",
    "load_plugin",
    "register",
    "registered_games",
]
