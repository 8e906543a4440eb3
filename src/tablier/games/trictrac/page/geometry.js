// The layout of Trictrac's board: the shared board, with places for tokens, pegs and the flag.

import { geometry as shared } from "../../js/board/geometry.js";

const OWN = { // scale of the flag on the rail, distance of unused pegs from the middle, and of the unused flag
  wide: { flag: 1, apart: 46, lift: 0 },
  tall: { flag: 1.1, apart: 104, lift: 22 },
};

export function geometry(name, bottom = 0) {
  const g = shared(name, bottom, { sizes: OWN });
  const { column, middle, right, side, left, pitch, bar, peg, height } = g;
  // Tokens for 0, 2, 4, 6, 8 and 10 points: by the talon, at tips of flèches, on both sides of the bar, at the corner.
  const marks = [column(1) + 13, column(2), column(4.5), column(6) - 10, column(7) + 10, column(12)];
  const jeton = 12 * peg, { apart, lift } = OWN[name];
  const restX = name === "wide" ? right + side / 2 : left + 6 * pitch + bar / 2; // on the bar if the rim is too narrow
  return {
    ...g, jeton, flag: OWN[name].flag,
    /** The position of a player's token for a number of points. */
    mark(player, points) {
      const at = (marks[points >> 1] + marks[Math.min(5, (points + 1) >> 1)]) / 2;
      return [at, middle + (player === bottom ? 1 : -1) * jeton * 1.5];
    },
    /** The position of a player's peg for a number of holes; for 0 the place of the unused peg. */
    hole(player, number) {
      const mine = player === bottom;
      if (!number) return [restX, middle + (mine ? apart : -apart)];
      const rim = 14 * peg;
      return [column(Math.min(number, 12)), mine ? height - rim : rim];
    },
    rest: [restX, middle - lift],
  };
}
