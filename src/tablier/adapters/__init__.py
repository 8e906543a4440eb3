"""Adapters for OpenSpiel, Gymnasium and PettingZoo. Each module needs its own extra and registers games on import."""
