"""What people see, read and type about a game: one folder a game."""
