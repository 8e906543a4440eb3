// The static parts of the board: gradients, walnut box, felt, flèches and bar.

import { s } from "../dom.js";

/** @type {Record<string, ["radial" | "linear", Record<string, number>, [number, string, number?][]]>} */
const GRADIENTS = {
  ivory: ["radial", { cx: 0.38, cy: 0.3, r: 0.78 }, [[0, "#fffef8"], [0.55, "#f5ecd6"], [1, "#cfb98d"]]],
  ebony: ["radial", { cx: 0.36, cy: 0.28, r: 0.8 }, [[0, "#665a51"], [0.5, "#332b26"], [1, "#120e0c"]]],
  brass: ["radial", { cx: 0.36, cy: 0.3, r: 0.8 }, [[0, "#fff3c9"], [0.5, "#d9ab4b"], [1, "#87601f"]]],
  felt: ["radial", { cx: 0.5, cy: 0.5, r: 0.75 }, [[0, "#3b5f4b"], [1, "#24402f"]]],
  rail: ["linear", { x2: 0, y2: 1 }, [[0, "#8f6039"], [0.12, "#75492b"], [1, "#4c2d19"]]],
  post: ["linear", { x2: 1, y2: 0 }, [[0, "#7f5232"], [0.15, "#6b4227"], [1, "#4c2d19"]]],
  maple: ["linear", { x2: 0, y2: 1 }, [[0, "#dcc79d"], [1, "#c7ae80"]]],
  oxblood: ["linear", { x2: 0, y2: 1 }, [[0, "#8a4331"], [1, "#6f3324"]]],
  shade: ["linear", { x2: 0, y2: 1 }, [[0, "#000", 0.5], [1, "#000", 0]]],
  side: ["linear", { x2: 1, y2: 0 }, [[0, "#000", 0.42], [1, "#000", 0]]],
};

let drawings = 0;

/** Returns a unique prefix for ids, so that boards on the same page do not share gradients. */
export function newKey() {
  drawings += 1;
  return `b${drawings}`;
}

export function definitions(key) {
  return s("defs", {}, Object.entries(GRADIENTS).map(([name, [kind, where, stops]]) =>
    s(`${kind}Gradient`, { id: `${key}-${name}`, ...where }, stops.map(([offset, colour, opacity = 1]) =>
      s("stop", { offset, "stop-color": colour, "stop-opacity": opacity })))));
}

/** A reference to a gradient. */
export const paint = (key, name) => `url(#${key}-${name})`;

function rect(x, y, width, height, more) {
  return s("rect", { x, y, width, height, ...more });
}

function grain(g) {
  let lines = "";
  for (const x of g.side > 30 ? [0, g.right] : []) {
    for (const [across, bow] of [[0.2, 3], [0.45, -4], [0.62, 4], [0.85, -2]]) {
      const down = x + (x ? 1 - across : across) * g.side, cut = g.end * across, h = (g.height - 2 * cut) / 2;
      lines += `M${down} ${cut}c${bow} ${h * 0.4} ${-bow} ${h * 0.7} ${bow / 2} ${h}`;
      lines += `s${-bow} ${h * 0.6} ${-bow / 2} ${h}`;
    }
  }
  for (const y of [0, g.low]) {
    for (const [down, bow] of [[0.14, 3], [0.42, -4], [0.56, 4], [0.88, -2]]) {
      const cut = g.side * down, w = (g.width - 2 * cut) / 2; // lines end at the mitres
      const height = y ? g.height - down * g.end : down * g.end;
      lines += `M${cut} ${height}c${w * 0.4} ${bow} ${w * 0.7} ${-bow} ${w} ${bow / 2}`;
      lines += `s${w * 0.6} ${-bow} ${w} ${-bow / 2}`;
    }
  }
  return s("path", { d: lines, class: "grain" });
}

function box(g, key) {
  const mitres = [[0, g.left], [g.width, g.right]].flatMap(([x, wall]) => [
    [x, 0, wall, g.top], [x, g.height, wall, g.low]]);
  return [
    rect(0, 0, g.width, g.height, { rx: 5, fill: paint(key, "rail") }),
    s("path", { d: `M0 0L${g.left} ${g.top}V${g.low}L0 ${g.height}z`, fill: paint(key, "post") }),
    s("path", { d: `M${g.width} 0L${g.right} ${g.top}V${g.low}L${g.width} ${g.height}z`, fill: paint(key, "post") }),
    s("path", { d: `M0 ${g.height}L${g.left} ${g.low}H${g.right}L${g.width} ${g.height}z`, fill: paint(key, "rail") }),
    grain(g),
    s("path", { d: mitres.map(([a, b, c, d]) => `M${a} ${b}L${c} ${d}`).join(""), class: "grain" }),
    rect(1.5, 1.5, g.width - 3, g.height - 3, { rx: 4, class: "edge" }),
    rect(g.left, g.top, g.right - g.left, g.low - g.top, { fill: paint(key, "felt") }),
  ];
}

function tables(g, key) {
  const parts = [];
  for (let field = 1; field <= 24; field++) {
    const wood = g.own(field) % 2 ? "oxblood" : "maple";
    parts.push(s("path", { d: g.triangle(field), fill: paint(key, wood), class: "fleche", "data-fleche": field }));
  }
  const bar = g.barLeft, deep = g.low - g.top;
  for (const x of [g.left, bar + g.bar]) { // shadows of the walls, and a line of inlay
    parts.push(rect(x, g.top, 6 * g.pitch, 14, { fill: paint(key, "shade") }));
    parts.push(rect(x, g.top, 12, deep, { fill: paint(key, "side") }));
    parts.push(rect(x + 0.8, g.top + 0.8, 6 * g.pitch - 1.6, deep - 1.6, { class: "inlay" }));
  }
  parts.push(rect(bar, g.top - 1, g.bar, deep + 2, { fill: paint(key, "post") }));
  const joint = bar + g.bar / 2;
  parts.push(s("path", { d: `M${joint} 2V${g.height - 2}`, class: "joint" }));
  for (const y of [g.top + deep * 0.14, g.low - deep * 0.14 - 36]) {
    parts.push(rect(joint - g.bar * 0.3, y, g.bar * 0.6, 36, { rx: 2, fill: paint(key, "brass"), class: "hinge" }));
    parts.push(s("path", { d: `M${joint} ${y}v36`, class: "pin" }));
  }
  return parts;
}

/** Draws all static parts as one group. */
export function furniture(g, key) {
  return s("g", { "aria-hidden": "true" }, box(g, key), tables(g, key));
}

/** Draws a disc: a man, a token or the head of a peg. */
export function disc(key, [x, y], radius, wood, kind) {
  return s("g", { class: `${kind} ${wood}`, transform: `translate(${x} ${y})` },
    s("circle", { cx: radius * 0.06, cy: radius * 0.12, r: radius + 0.6, class: "cast" }),
    s("circle", { r: radius, fill: paint(key, wood), class: "body" }),
    s("circle", { r: radius * 0.72, class: "ring" }),
    radius > 15 && s("circle", { r: radius * 0.5, class: "ring faint" }));
}
