"""Adapters for OpenSpiel, Gymnasium and PettingZoo, which each need an extra, and for scripts of an earlier engine."""
