"""A run is a folder: settings, checkpoints, metrics, and the loop that fills it."""
