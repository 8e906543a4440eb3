// Trictrac's own parts of the board: rest corners and peg holes, tokens, pegs and the flag.

import { disc, paint } from "../../js/board/furniture.js";
import { s } from "../../js/dom.js";

/** Draws what never moves: a brass lozenge for each rest corner, and the peg holes. */
export function fittings(g, key) {
  const corners = [12, 13].map((field) => {
    const tip = g.below(field) ? g.low - g.fleche - 12 : g.top + g.fleche + 12;
    return s("path", { d: `M${g.x(field)} ${tip - 8}l5.5 8l-5.5 8l-5.5 -8z`, fill: paint(key, "brass") });
  });
  const drilled = [g.rest, g.hole(0, 0), g.hole(1, 0)];
  for (const player of [0, 1]) for (let number = 1; number <= 12; number++) drilled.push(g.hole(player, number));
  const holes = drilled.map(([cx, cy]) => s("circle", { cx, cy, r: 3.6 * g.peg, class: "hole" }));
  return s("g", { "aria-hidden": "true" }, corners, holes);
}

/** Draws the tokens for points (rules.md, 10), two in bredouille, the pegs for holes, and the flag. */
export function marks(g, key, scene, kinds) {
  const parts = [];
  let doubled = false;
  for (const player of [0, 1]) {
    const points = scene.points[player], at = g.mark(player, points);
    if (scene.bredouille[player] && points > 0) {
      doubled = true;
      const shift = points <= 6 ? g.jeton * 0.62 : -g.jeton * 0.62;
      parts.push(disc(key, [at[0] + shift, at[1] - 4], g.jeton, "brass", "jeton"));
    }
    parts.push(disc(key, at, g.jeton, "brass", "jeton"));
  }
  if (!doubled) parts.push(disc(key, [g.column(1) - g.jeton * 1.1, g.middle], g.jeton, "brass", "jeton"));
  for (const player of [0, 1]) {
    const at = g.hole(player, scene.holes[player]);
    parts.push(disc(key, at, 9.5 * g.peg, "brass", "collar"), disc(key, at, 7 * g.peg, kinds[player], "fichet"));
  }
  const flag = scene.pavillon;
  const [x, y] = flag === null ? g.rest : g.hole(flag, scene.holes[flag]);
  const shift = flag === null ? [0, 0] : [12 * g.peg, 4];
  const size = flag === null ? g.peg : g.flag; // on the rail it must not cover field numbers
  parts.push(s("g", { class: "pavillon", transform: `translate(${x + shift[0]} ${y + shift[1]}) scale(${size})` },
    s("path", { d: "M0 0V-31", class: "pole" }),
    s("path", { d: "M1 -30c5 -3 9 3 17 0v11c-8 3 -12 -3 -17 0z", class: "cloth" })));
  return parts;
}
