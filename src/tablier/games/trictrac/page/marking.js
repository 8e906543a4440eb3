// Choices other than moves: declarations and claims in the game with schools, and anything else that moves no men.

import { button, h, put } from "../../js/dom.js";
import { pick, t } from "../../js/i18n.js";
import { capital } from "../../js/messages.js";

const USUAL = 24; // a throw rarely gives more points
const GROUPS = { // verbs with an amount, and their prompts
  declare: "trictrac.page.play.declare", claim: "trictrac.page.play.claim",
};

/** Returns the prompt and its buttons, which call `act(action)`. */
export function marking(view, colour, act) {
  const { legal } = view;
  const rows = Object.entries(GROUPS).map(([verb, about]) => {
    const found = legal.filter((action) => action.verb === verb);
    const words = h("p", { class: "small soft" }, t(about));
    return found.length > 0 && h("div", { class: "marking" }, words, amounts(found, act));
  });
  const last = (action) => Number(action.verb !== "accept"); // the usual answer, to claim nothing, comes first
  const others = legal.filter((action) => !(action.verb in GROUPS)).sort((one, other) => last(one) - last(other));
  const plain = (action) => button(capital(pick(action.text)), () => act(action), { "data-action": action.action });
  const verbs = new Set(legal.map((action) => action.verb));
  const text = [verbs.has("claim") && declared(view, colour), t(question(verbs))].filter(Boolean).join(" ");
  return { text, parts: [others.length > 0 && h("div", { class: "row" }, others.map(plain)), ...rows] };
}

function question(verbs) {
  if (verbs.has("declare")) return "trictrac.page.play.mark";
  return verbs.has("claim") ? "trictrac.page.play.school" : "page.play.choose";
}

/** The log line with the opponent's declaration for this throw. */
function declared({ log }, colour) {
  const since = log.slice(log.findLastIndex((entry) => entry.kind === "throw") + 1);
  return pick(since.findLast((entry) => entry.verb === "declare" && entry.colour !== colour)?.text);
}

/** A button for each amount; large ones are rare and appear on request. */
function amounts(actions, act) {
  const one = (action) => button(String(action.amount), () => act(action), { "aria-label": pick(action.text) });
  const usual = actions.filter((action) => action.amount <= USUAL);
  const grid = h("div", { class: "amounts" }, usual.map(one));
  const all = () => put(grid, actions.map(one));
  if (usual.length < actions.length) grid.append(button("…", all, { "aria-label": t("trictrac.page.play.larger") }));
  return grid;
}
