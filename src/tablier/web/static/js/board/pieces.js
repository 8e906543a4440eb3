// The moving parts of the board: men and dice.

import { s } from "../dom.js";
import { run } from "../motion.js";
import { disc } from "./furniture.js";

const PIPS = ["", "4", "08", "048", "0268", "02468", "023568"]; // cells of a 3 x 3 grid, row by row

/** The wood of White's and Black's men. */
export const woods = (swapped) => (swapped ? ["ebony", "ivory"] : ["ivory", "ebony"]);
export const playerOn = (men, field) => (men[field - 1] < 0 ? 1 : 0);

/** Draws the men of a field: they overlap in a high stack, and five or more show their count. */
export function stack(g, key, men, field, kinds) {
  const count = Math.abs(men[field - 1]), kind = kinds[playerOn(men, field)];
  const group = s("g", { class: "stack", "data-stack": field });
  for (let place = 0; place < count; place++) {
    group.append(disc(key, [g.x(field), g.y(field, place, count)], g.man, kind, "man"));
  }
  if (count > 4) {
    const y = g.y(field, count - 1, count) + g.count * 0.35;
    group.append(s("text", { x: g.x(field), y, "font-size": g.count, class: `count ${kind}` }, String(count)));
  }
  return group;
}

/** Draws a player's men on the bar; more than five show their count. */
export function barStack(g, key, player, count, kinds) {
  const group = s("g", { class: "stack", "data-bar": player });
  for (let place = 0; place < count; place++) {
    group.append(disc(key, [g.barX, g.barY(player, place)], g.man, kinds[player], "man"));
  }
  if (count > 5) {
    const y = g.barY(player, count - 1) + g.count * 0.35;
    group.append(s("text", { x: g.barX, y, "font-size": g.count, class: `count ${kinds[player]}` }, String(count)));
  }
  return group;
}

/** Marks a man as movable: a bright ring on a dark one, visible on both woods. */
export function cue(g, [cx, cy]) {
  const at = { cx, cy, r: g.man - 1.2 };
  return [s("circle", { ...at, class: "cue back" }), s("circle", { ...at, class: "cue thread" })];
}

/** Draws a ring on each field where the picked man can land; it takes the place of a man it hits. */
export function landing({ g, men, scene, offered }) {
  const sign = scene.mover === 0 ? 1 : -1;
  return [...offered.targets].filter(Boolean).map((field) => {
    const count = men[field - 1] === -sign ? 0 : Math.abs(men[field - 1]);
    return s("circle", { cx: g.x(field), cy: g.y(field, count, count + 1), r: g.man * 0.86 });
  });
}

/** Draws men borne off as discs on edge beside their last field; on a tall board only the plates show their count. */
export function borneOff(g, counts, kinds) {
  if (g.name !== "wide") return [];
  return counts.flatMap((count, player) => Array.from({ length: count }, (_, n) => {
    const y = !g.below(g.last(player)) ? g.top + 4 + n * 11 : g.low - 14 - n * 11;
    return s("rect", { x: g.right + 8, y, width: g.side - 16, height: 9.5, rx: 3, class: `off ${kinds[player]}` });
  }));
}

function die(g, key, number, [x, y], turn) {
  const half = g.die / 2, cell = g.die * 0.265;
  const pips = [...PIPS[number]].map(Number).map((at) =>
    s("circle", { cx: ((at % 3) - 1) * cell, cy: (Math.floor(at / 3) - 1) * cell, r: g.die * 0.092, class: "pip" }));
  const square = { width: g.die, height: g.die, rx: g.die * 0.18 };
  const cube = s("g", { class: "cube" },
    s("rect", { ...square, x: -half, y: -half, fill: `url(#${key}-ivory)`, class: "face" }), pips);
  return s("g", { class: "die", transform: `translate(${x} ${y}) rotate(${turn})` },
    s("rect", { ...square, x: -half + 2, y: -half + 4, class: "cast" }), cube);
}

export function dice(g, key, numbers, player) {
  const [x, y] = g.dice(player), apart = g.die * 0.72;
  return [die(g, key, numbers[0], [x - apart, y + 1], -7), die(g, key, numbers[1], [x + apart, y - 1], 8)];
}

/** Animates the dice: they tumble in from the side of the player who throws. */
export async function tumble(g, layer, player) {
  const from = player === g.bottom ? 1 : -1;
  const at = (x, y, turn, size) => `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${size})`;
  const pace = { duration: 240, easing: "cubic-bezier(.2,.7,.3,1)" };
  const cubes = [...layer.querySelectorAll(".cube")].map((cube, n) => run(cube, [
    { transform: at(150 + 60 * n, from * g.gap, 540 + 180 * n, 1.25), opacity: 0 },
    { transform: at(40 + 20 * n, -from * g.gap * 0.12, 160, 1.1), opacity: 1, offset: 0.65 },
    { transform: "none", opacity: 1 },
  ], pace));
  const shadows = [...layer.querySelectorAll(".cast")].map((shadow) =>
    run(shadow, [{ opacity: 0 }, { opacity: 0, offset: 0.7 }, {}], pace)); // shadows appear as the dice come to rest
  await Promise.all([...cubes, ...shadows]);
}

/** Animates a man from one point to another, slightly enlarged on the way. */
export async function fly(g, key, layer, kind, from, to) {
  const man = s("g", { class: "flying" }, disc(key, [0, 0], g.man, kind, "man"));
  layer.append(man);
  const way = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const mid = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  await run(man, [
    { transform: `translate(${from[0]}px, ${from[1]}px)` },
    { transform: `translate(${mid[0]}px, ${mid[1]}px) scale(1.14)` },
    { transform: `translate(${to[0]}px, ${to[1]}px)` },
  ], { duration: Math.min(200, 90 + way * 0.2), easing: "ease-in-out" });
  man.remove();
}
