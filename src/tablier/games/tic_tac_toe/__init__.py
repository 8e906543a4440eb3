"""Tic-tac-toe: its picture."""
