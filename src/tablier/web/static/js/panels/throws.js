// What the last throws were worth: each jan with its points and why; its fields light up on the board.

import { h, put } from "../dom.js";
import { pick, t } from "../i18n.js";

/** One jan as a line that can be hovered or focused. */
export function janLine(jan, board) {
  const light = () => board?.highlight(jan.fields);
  const dim = () => board?.highlight([]);
  return h("li", { class: "jan", tabindex: jan.fields.length ? 0 : null, onmouseenter: light, onmouseleave: dim, onfocus: light, onblur: dim },
    h("span", { class: `token ${jan.player === 0 ? "ivory" : "ebony"}`, role: "img", "aria-label": t(jan.player === 0 ? "seat.white" : "seat.black") }),
    h("span", {}, h("strong", {}, pick(jan.title)), jan.ways > 1 ? h("span", { class: "soft" }, ` × ${jan.ways}`) : "", h("span", { class: "why" }, pick(jan.why))),
    h("span", { class: "number points" }, `+${jan.points}`));
}

function one(entry, board, old) {
  const jans = entry.jans ?? [];
  return h("div", { class: old ? "throw old" : "throw" },
    h("h3", {}, pick(entry.text)),
    !entry.jans ? h("p", { class: "soft small" }, t("throw.unsaid")) : jans.length ? h("ul", { class: "jans" }, jans.map((jan) => janLine(jan, board))) : h("p", { class: "soft small" }, t("throw.none")));
}

/** The throws of a log with their jans; in schools these are told only after the marking, with a later line. */
function gathered(log) {
  const found = [];
  for (const entry of log) {
    if (entry.kind === "throw" && entry.dice && entry.player !== null) found.push({ ...entry });
    else if (entry.jans && found.length) found.at(-1).jans = entry.jans;
  }
  return found;
}

export function throws(card, view, board) {
  const [now, before] = gathered(view.log).slice(-2).reverse();
  put(card, h("h2", {}, t("throw.title")), now ? one(now, board, false) : h("p", { class: "soft" }, t("throw.first")), before && one(before, board, true));
}
