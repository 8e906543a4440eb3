"""What is seen of a game by whoever looks at a table."""
