"""Training data: batched games, self-play, replay buffers and targets."""
