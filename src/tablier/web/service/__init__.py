"""The server's logic, independent of HTTP: tables, players, reviews, the store and the view of a game."""
