// The throw on the analysis board: by chance, or chosen die by die. Games without a pair of dice list their outcomes.

import { button, h, s } from "../dom.js";
import { pick, t } from "../i18n.js";
import { capital } from "../messages.js";

const PIPS = ["", "4", "08", "048", "0268", "02468", "023568"]; // cells of a 3 x 3 grid, row by row

/** A die face as a small picture. */
function face(number) {
  return s("svg", { viewBox: "0 0 30 30", class: "face-of-die", "aria-hidden": "true" },
    s("rect", { x: 1, y: 1, width: 28, height: 28, rx: 6 }),
    [...PIPS[number]].map(Number).map((at) =>
      s("circle", { cx: 7 + 8 * (at % 3), cy: 7 + 8 * Math.floor(at / 3), r: 2.6 })));
}

/** One of the outcomes, all equally likely. */
function drawn(throws) {
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  return throws[number % throws.length]; // the bias is below one in a million
}

/** The question for a throw; play(outcome) is called with the one that was thrown or chosen. */
export function throwing({ throws, seats, to_throw: seat }, play) {
  const who = seat === null ? null : capital(pick(seats[seat].label));
  const asked = who ? t("page.analysis.throw.who", { who }) : t("page.analysis.throw.ask");
  const question = h("p", { class: "status" }, asked);
  const roll = button(t("page.analysis.throw"), () => play(drawn(throws).outcome), { class: "primary", id: "throw" });
  if (!throws.every(({ dice }) => dice)) {
    const choices = throws.map(({ outcome, text }) =>
      button(pick(text), () => play(outcome), { "data-outcome": outcome }));
    return [question, h("div", { class: "row" }, roll, choices)];
  }
  /** @type {(number | null)[]} */
  const chosen = [null, null];

  function choose(die, number, row) {
    chosen[die] = number;
    for (const one of row.querySelectorAll("button")) {
      one.setAttribute("aria-pressed", String(Number(one.dataset.number) === number));
    }
    const found = throws.find(({ dice }) => dice[0] === chosen[0] && dice[1] === chosen[1]);
    if (found) play(found.outcome);
  }

  const rows = chosen.map((_, die) => {
    const row = h("div", { class: "dice-row", role: "group", "aria-label": t(`page.analysis.die.${die + 1}`) });
    row.append(...[1, 2, 3, 4, 5, 6].map((number) => button(face(number), () => choose(die, number, row), {
      class: "die-button", "data-number": number, "data-die": die + 1, "aria-pressed": "false",
      "aria-label": String(number),
    })));
    return row;
  });
  return [question, h("div", { class: "row" }, roll), h("div", { class: "dice-rows" }, rows)];
}
