"""Run folders: settings, checkpoints, metrics and the training loop."""
