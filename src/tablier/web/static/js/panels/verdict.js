// Values and costs of moves: when a cost counts, and how it is written.

import { has, number, percent, t } from "../i18n.js";

export const MISTAKE = 0.01; // from this cost on, a move is a mistake, as in reviews
const NOTHING = 0.0005; // a smaller cost counts as none

/** Formats a value in the unit of the answer: a chance of winning, or the game's own unit, such as tokens. */
export function worth({ unit }, value, { game, scene }) {
  if (value === null || value === undefined) return "";
  if (unit === "win") return percent(value);
  const key = `${scene.kind}.unit.${game}`, said = number(value, 2);
  return has(key) ? t(key, { value: said }) : said;
}

export const figure = (answer, { win_chance, value }, view) =>
  worth(answer, answer.unit === "win" ? win_chance : value, view);

/** How a cost is judged: "good", "fine" (no mistake) or "cost". */
export function judged(cost, isBest) {
  return isBest || cost < NOTHING ? "good" : cost < MISTAKE ? "fine" : "cost";
}
