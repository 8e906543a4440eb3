"""Adapters for OpenSpiel, Gymnasium and PettingZoo (each needs an extra), and for scripts of an older engine."""
