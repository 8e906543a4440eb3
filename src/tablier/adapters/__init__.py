"""Doors to other libraries: OpenSpiel, Gymnasium, PettingZoo. Each file needs its own extra and registers on import."""
