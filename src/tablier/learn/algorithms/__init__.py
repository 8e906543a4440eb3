"""One file an algorithm, and the base class they share."""
