// What is asked in schools, where players mark their points themselves, and any other choice without men.

import { button, h, put } from "../dom.js";
import { pick, t } from "../i18n.js";

const USUAL = 24; // points that a throw commonly gives at most
const GROUPS = { declare: "play.declare", claim: "play.claim" }; // verbs that come with amounts

/** The question and its answers; `act(action)` gives one. */
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
  const asks = verbs.has("declare") ? "play.mark" : verbs.has("claim") ? "play.school" : "play.choose";
  const text = [verbs.has("claim") && declared(view, colour), t(asks)].filter(Boolean).join(" ");
  return { text, parts: [others.length > 0 && h("div", { class: "row" }, others.map(plain)), ...rows] };
}

/** What the other player marked for this throw, in words. */
function declared({ log }, colour) {
  const since = log.slice(log.findLastIndex((entry) => entry.kind === "throw") + 1);
  return pick(since.findLast((entry) => entry.verb === "declare" && entry.colour !== colour)?.text);
}

/** A button for each amount; the large ones, which hardly occur, only when asked for. */
function amounts(actions, act) {
  const one = (action) => button(String(action.amount), () => act(action), { "aria-label": pick(action.text) });
  const usual = actions.filter((action) => action.amount <= USUAL);
  const grid = h("div", { class: "amounts" }, usual.map(one));
  const all = () => put(grid, actions.map(one));
  if (usual.length < actions.length) grid.append(button("…", all, { "aria-label": t("play.larger") }));
  return grid;
}
