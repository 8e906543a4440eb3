// Converts between a player's field numbers and White's, which the board uses; 0 is off the board, 25 the bar, in both.

/** Converts a player's field number to White's. The function is its own inverse. */
export function inWhite(field, player) {
  if (field === 0 || field === 25) return field;
  return player === 0 ? field : 25 - field;
}

/** The colour of a person with a single seat, who sits at the bottom of the board; otherwise White. */
export function ownColour({ seats, scene }) {
  const mine = scene.colours.filter((colour, seat) => seats[seat].you && colour !== null);
  return mine.length === 1 ? mine[0] : 0;
}

/** Converts a player's moves [[from, to], ...] to White's field numbers. */
export function movesInWhite(moves, player) {
  return (moves ?? []).map(([from, to]) => [inWhite(from, player), inWhite(to, player)]);
}
