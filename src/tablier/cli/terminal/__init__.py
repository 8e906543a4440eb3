"""What commands share that talk to a person at a terminal."""
