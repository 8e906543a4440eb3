"""What algorithms learn from: games, rows, targets."""
