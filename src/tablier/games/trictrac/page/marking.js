// The questions of schools, where players mark their points themselves, and any other choice that moves no men.

import { button, h, put } from "../../js/dom.js";
import { pick, t } from "../../js/i18n.js";

const USUAL = 24; // a throw rarely gives more points
const GROUPS = { // verbs that come with amounts, and what is asked
  declare: "trictrac.page.play.declare", claim: "trictrac.page.play.claim",
};

/** The question and its answers; an answer calls `act(action)`. */
export function marking(view, colour, act) {
  const { legal } = view;
  const rows = Object.entries(GROUPS).map(([verb, about]) => {
    const found = legal.filter((action) => action.verb === verb);
    const words = h("p", { class: "small soft" }, t(about));
    return found.length > 0 && h("div", { class: "marking" }, words, amounts(found, act));
  });
  const others = legal.filter((action) => !(action.verb in GROUPS));
  const plain = (action) => button(pick(action.text), () => act(action), { "data-action": action.action });
  const verbs = new Set(legal.map((action) => action.verb));
  const text = [verbs.has("claim") && declared(view, colour), t(question(verbs))].filter(Boolean).join(" ");
  return { text, parts: [others.length > 0 && h("div", { class: "row" }, others.map(plain)), ...rows] };
}

function question(verbs) {
  if (verbs.has("declare")) return "trictrac.page.play.mark";
  return verbs.has("claim") ? "trictrac.page.play.school" : "page.play.choose";
}

/** What the other player marked for this throw, in words. */
function declared({ log }, colour) {
  const since = log.slice(log.findLastIndex((entry) => entry.kind === "throw") + 1);
  return pick(since.findLast((entry) => entry.verb === "declare" && entry.colour !== colour)?.text);
}

/** A button for each amount; the rare large ones appear on request. */
function amounts(actions, act) {
  const one = (action) => button(String(action.amount), () => act(action), { "aria-label": pick(action.text) });
  const usual = actions.filter((action) => action.amount <= USUAL);
  const grid = h("div", { class: "amounts" }, usual.map(one));
  const all = () => put(grid, actions.map(one));
  if (usual.length < actions.length) grid.append(button("…", all, { "aria-label": t("trictrac.page.play.larger") }));
  return grid;
}
