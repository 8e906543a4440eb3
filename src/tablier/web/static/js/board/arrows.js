// Arrows that show moves on the board, curved towards the middle so that they do not overlap.

import { s } from "../dom.js";

/**
 * @param {number[]} from
 * @param {number[]} to
 * @param {number} length
 */
function towards([x, y], [tx, ty], length) {
  const whole = Math.hypot(tx - x, ty - y) || 1;
  return [x + ((tx - x) * length) / whole, y + ((ty - y) * length) / whole];
}

/**
 * Draws an arrow for each [from, to] in White's numbers; from 25 is from the bar of `player`, to 0 off the board.
 * `kind` is "best" or "played".
 */
export function arrows(g, men, moves, kind, player = 0) {
  const now = men.map(Math.abs), sign = player === 0 ? 1 : -1;
  return moves.map(([start, end]) => {
    const entering = start === 25, below = entering ? player === g.bottom : g.below(start);
    let from = [g.barX, g.barY(player, 0)];
    if (!entering) {
      const place = Math.max(0, now[start - 1] - 1);
      from = [g.x(start), g.y(start, place, Math.max(Math.abs(men[start - 1]), place + 1))];
      now[start - 1] = place;
    }
    const inside = end >= 1 && end <= 24;
    let to = exit(g, below);
    if (inside) {
      const same = men[end - 1] * sign >= 0;
      const rank = same ? now[end - 1] : 0;
      to = [g.x(end), g.y(end, rank, Math.max(Math.abs(men[end - 1]), rank + 1))];
      now[end - 1] += 1;
    }
    return arrow(g, from, to, inside && below !== g.below(end), below, kind);
  });
}

/** Where arrows of men borne off end. */
const exit = (g, below) => [g.right + g.side * 0.35, below ? g.low - 60 : g.top + 60];

/** Joins the steps of a man that moves twice. */
function whole(moves) {
  const joined = [];
  for (const [from, to] of moves) {
    const before = joined.find((one) => one[1] === from);
    if (before) before[1] = to;
    else joined.push([from, to]);
  }
  return joined;
}

/** Marks the move that led to this position: a ring where each man stood, and an arrow to where it is now. */
export function trail(g, men, moves, player) {
  const sign = player === 0 ? 1 : -1, count = (field) => Math.max(0, sign * men[field - 1]);
  const left = new Map(), come = new Map();
  const nth = (seen, field) => {
    seen.set(field, (seen.get(field) ?? -1) + 1);
    return seen.get(field);
  };
  return whole(moves).flatMap(([start, end]) => {
    const entering = start === 25, below = entering ? player === g.bottom : g.below(start);
    const place = entering ? 0 : count(start) + nth(left, start);
    const from = entering ? [g.barX, g.barY(player, 0)] : [g.x(start), g.y(start, place, place + 1)];
    const ring = s("circle", { cx: from[0], cy: from[1], r: g.man * 0.8, class: "was" });
    if (end < 1) return [ring, arrow(g, from, exit(g, below), false, below, "last")];
    const rank = Math.max(0, count(end) - 1 - nth(come, end));
    const to = [g.x(end), g.y(end, rank, Math.max(1, count(end)))];
    return [ring, arrow(g, from, to, below !== g.below(end), below, "last")];
  });
}

function arrow(g, from, to, across, below, kind) {
  const bend = 30 + 0.2 * Math.hypot(to[0] - from[0], to[1] - from[1]);
  const [dx, dy] = across ? [-bend, 0] : [0, below ? -bend : bend];
  const control = [(from[0] + to[0]) / 2 + dx, (from[1] + to[1]) / 2 + dy];
  const start = towards(from, control, g.man * 0.75);
  const neck = towards(to, control, 18);
  const [ux, uy] = [(to[0] - neck[0]) / 18, (to[1] - neck[1]) / 18];
  const shaft = `M${start[0]} ${start[1]}Q${control[0]} ${control[1]} ${neck[0]} ${neck[1]}`;
  const [wx, wy] = [10 * uy, -10 * ux];
  const head = `M${to[0]} ${to[1]}L${neck[0] - wx} ${neck[1] - wy}L${neck[0] + wx} ${neck[1] + wy}z`;
  const path = (d, name) => s("path", { d, class: name });
  return s("g", { class: `arrow ${kind}` }, path(shaft, "back"), path(shaft, "shaft"), path(head, "head"));
}
