// The clickable areas of a live board: fields, the bar if the game has one, and the exit.

import { s } from "../dom.js";

const BAR = 25, OFF = 0;

/**
 * Adds the areas to a board's layers; returns them by field.
 * @returns {Map<number, SVGElement>}
 */
export function areas(board) {
  const { g, layers } = board, found = new Map();

  function area(field, box, aim) {
    const element = s("g", { class: "field", role: "button", tabindex: -1, "data-field": field },
      s("rect", { ...box, class: "touch" }), aim,
      s("rect", { x: box.x + 2, y: box.y + 2, width: box.width - 4, height: box.height - 4, rx: 6, class: "focus" }));
    found.set(field, element);
    layers[field ? "fields" : "exit"].append(element); // the exit is drawn over the tokens
  }

  // The tab order follows the bottom player's direction of play: from the first field to the last, then off.
  if (board.kind.hasBar) area(BAR, g.barArea, s("rect", { ...g.barArea, class: "aim" }));
  for (let step = 1; step <= 24; step++) {
    const field = g.own(g.descends ? 25 - step : step);
    area(field, g.area(field), s("path", { d: g.triangle(field), class: "aim" }));
  }
  const exit = g.exit, x = exit.x + exit.width / 2, y = exit.y + exit.height / 2 + g.size * 0.4;
  area(OFF, exit, [
    s("rect", { ...exit, rx: 10, class: "aim" }),
    s("text", { x, y, "font-size": g.size * 1.25, class: "word" }, board.words.board("exit")),
  ]);
  return found;
}

/** Makes one area the tab stop of the board: the given one, the one in focus, or the first that can be chosen. */
export function rove({ svg, areas: all, offered, g }, field = null) {
  const held = svg.querySelector('[data-field][tabindex="0"]'), keep = held === document.activeElement && held;
  const first = all.get(field ?? [...offered.targets, ...offered.sources][0] ?? g.own(1));
  const stop = field === null && keep ? keep : first;
  for (const area of all.values()) area.setAttribute("tabindex", area === stop ? "0" : "-1");
}
