"""What the server keeps and does: tables, players, reviews, the store."""
