// The numbers of the fields: each player's own, and White's, which the board uses; 0 is off the board in both.

/** A field as White counts it; each player counts from their own talon. The function is its own inverse. */
export function inWhite(field, player) {
  if (field === 0 || field === 25) return 0;
  return player === 0 ? field : 25 - field;
}

/** Moves [[from, to], ...] of a player in White's numbers. */
export function movesInWhite(moves, player) {
  return (moves ?? []).map(([from, to]) => [inWhite(from, player), inWhite(to, player)]);
}
