"""What the server keeps, does and shows: tables, players, reviews, the store, the view of a game."""
