// The layout of the board: box, flèches, men and score, in two shapes: wide, and tall for phones.
// Fields have White's numbers 1 to 24; `bottom` is the player at the bottom (0 White, 1 Black). Their talon is at the
// lower right, their fields 1 to 12 run to the left, and 13 to 24 above them to the right.

const PITCH = 58;

/** Matches narrow screens; it changes when a phone is rotated. */
export const narrow = matchMedia("(max-width: 640px)");

/** The shape that suits the screen. */
export const shape = () => (narrow.matches ? "tall" : "wide");

const SHAPES = {
  wide: {
    side: 44, end: 52, bar: 34, fleche: 198, gap: 82, man: 25, // rims, bar, flèche, space between tips, radius
    size: 15, count: 19, peg: 1, flag: 1, die: 38, apart: 46, lift: 0, // fonts, scales, die, unused pegs and flag
  },
  tall: {
    side: 16, end: 64, bar: 22, fleche: 296, gap: 124, man: 27.5,
    size: 25, count: 27, peg: 1.35, flag: 1.1, die: 62, apart: 104, lift: 22,
  },
};

export function geometry(name, bottom = 0) {
  const sizes = SHAPES[name];
  const { side, end, bar, fleche, gap, man } = sizes;
  const width = 12 * PITCH + bar + 2 * side;
  const height = 2 * (end + fleche) + gap;
  const left = side, right = width - side, top = end, low = height - end;
  const middle = height / 2;
  const own = (field) => (bottom === 0 ? field : 25 - field);

  /** The x coordinate of a column's centre, counted 1 to 12 from the right. */
  function column(number) {
    return right - PITCH * (number - 0.5) - (number > 6 ? bar : 0);
  }
  const below = (field) => own(field) <= 12;
  const x = (field) => column(below(field) ? own(field) : 25 - own(field));

  /** The y coordinate of the man in `place` (0 at the rail) of a stack of `count`; high stacks overlap. */
  function y(field, place, count) {
    const step = Math.min(2 * man, (fleche - 2 - 2 * man) / Math.max(1, count - 1));
    const depth = man + 2 + step * place;
    return below(field) ? low - depth : top + depth;
  }

  // Tokens for 0, 2, 4, 6, 8 and 10 points: by the talon, at tips of flèches, on both sides of the bar, at the corner.
  const marks = [column(1) + 13, column(2), column(4.5), column(6) - 10, column(7) + 10, column(12)];
  const jeton = 12 * sizes.peg;
  const restX = name === "wide" ? right + side / 2 : left + 6 * PITCH + bar / 2; // on the bar if the rim is too narrow

  return {
    ...sizes, name, bottom, pitch: PITCH, width, height, left, right, top, low, middle, own, below, x, y, column, jeton,
    barLeft: left + 6 * PITCH,
    /** The position of a player's token for a number of points. */
    mark(player, points) {
      const at = (marks[points >> 1] + marks[Math.min(5, (points + 1) >> 1)]) / 2;
      return [at, middle + (player === bottom ? 1 : -1) * jeton * 1.5];
    },
    /** The position of a player's peg for a number of holes; for 0 the place of the unused peg. */
    hole(player, number) {
      const mine = player === bottom;
      if (!number) return [restX, middle + (mine ? sizes.apart : -sizes.apart)];
      const rim = 14 * sizes.peg;
      return [column(Math.min(number, 12)), mine ? height - rim : rim];
    },
    rest: [restX, middle - sizes.lift],
    /** The position of the dice: between the tokens for 8 and 10 points, on the side of the player who threw. */
    dice(player) {
      const lean = player === null ? 0 : player === bottom ? 1 : -1;
      return [left + 3.5 * PITCH, middle + lean * gap * 0.12];
    },
    /** The outline of a flèche, as path data. */
    triangle(field) {
      const half = PITCH / 2 - 2, cx = x(field);
      const [edge, tip] = below(field) ? [low, low - fleche] : [top, top + fleche];
      return `M${cx - half} ${edge}L${cx} ${tip}L${cx + half} ${edge}z`;
    },
    /** The clickable area of a field: its column, almost up to the middle. */
    area(field) {
      const deep = fleche + gap / 2 - 4;
      return { x: x(field) - PITCH / 2, y: below(field) ? low - deep : top, width: PITCH, height: deep };
    },
    /** The area for bearing off, shown only when a man can be borne off. */
    exit: { x: right - 2.6 * PITCH, y: middle - gap / 2 + 3, width: 2.6 * PITCH - 2, height: gap - 6 },
    label(field) {
      return [x(field), below(field) ? low + sizes.size * 1.12 : top - sizes.size * 0.42];
    },
  };
}
