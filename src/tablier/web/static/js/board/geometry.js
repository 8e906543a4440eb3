// The layout of the board: box, flèches, men and dice, in two shapes: wide, and tall for phones.
// Fields have White's numbers 1 to 24; `bottom` is the player at the bottom (0 White, 1 Black). Their field 1 is at the
// lower right, their fields 1 to 12 run to the left, and 13 to 24 above them to the right. 25 is the bar, 0 is off.

const PITCH = 58;

/** Matches narrow screens; it changes when a phone is rotated. */
export const narrow = matchMedia("(max-width: 640px)");

/** The shape that suits the screen. */
export const shape = () => (narrow.matches ? "tall" : "wide");

const SHAPES = {
  wide: {
    side: 44, end: 52, bar: 34, fleche: 198, gap: 82, man: 25, // rims, bar, flèche, space between tips, radius
    size: 15, count: 19, peg: 1, die: 38, // fonts, scale of small parts, die
  },
  tall: {
    side: 16, end: 64, bar: 22, fleche: 296, gap: 124, man: 27.5,
    size: 25, count: 27, peg: 1.35, die: 62,
  },
};

/**
 * The layout in a shape. A game can change sizes by shape (`sizes`), and `descends` if White moves from 24 to 1.
 * @param {string} name
 * @param {number} [bottom]
 * @param {{sizes?: Record<string, Record<string, number>>, descends?: boolean}} [game]
 */
export function geometry(name, bottom = 0, { sizes: changed = {}, descends = false } = {}) {
  const sizes = { ...SHAPES[name], ...changed[name] };
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

  /** The last field of a player, in White's numbers: men are borne off beside it. */
  const last = (player) => ((player === 0) === descends ? 1 : 24);

  return {
    ...sizes, name, bottom, pitch: PITCH, width, height, left, right, top, low, middle, own, below, x, y, column,
    barLeft: left + 6 * PITCH,
    descends,
    barX: left + 6 * PITCH + bar / 2,
    /** The y coordinate of a player's man on the bar; `place` 0 is nearest to the middle. */
    barY(player, place) {
      const depth = gap / 2 + man + Math.min(place, 5) * Math.min(1.5 * man, (fleche - 2 * man) / 5);
      return player === bottom ? middle + depth : middle - depth;
    },
    last,
    /** Where a player's man borne off leaves the board. */
    out: (player) => [right + side, below(last(player)) ? low - 40 : top + 40],
    /** The position of the dice: in the left half, on the side of the player who threw. */
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
    /** The clickable area of the bar. */
    barArea: { x: left + 6 * PITCH, y: top, width: bar, height: low - top },
    /** The area for bearing off, shown only when a man can be borne off. */
    exit: { x: right - 2.6 * PITCH, y: middle - gap / 2 + 3, width: 2.6 * PITCH - 2, height: gap - 6 },
    label(field) {
      return [x(field), below(field) ? low + sizes.size * 1.12 : top - sizes.size * 0.42];
    },
  };
}
