// The last throws and their scores: each jan with its points and reason; hovering over one highlights its fields.

import { h, put } from "../../js/dom.js";
import { pick, t } from "../../js/i18n.js";
import { token } from "./words.js";

/** A line for a jan; while it is hovered or focused, the board highlights its fields, in the numbers of `thrower`. */
export function janLine(jan, board, thrower = 0) {
  const show = (player, fields) => {
    board.readAs(player);
    board.highlight(fields);
  };
  const light = () => show(thrower, jan.fields);
  const dim = () => show(null, []);
  const shows = { onmouseenter: light, onmouseleave: dim, onfocus: light, onblur: dim };
  return h("li", { class: "jan", tabindex: jan.fields.length ? 0 : null, ...shows },
    token(jan.player, true),
    h("span", {}, h("strong", {}, pick(jan.title)), jan.ways > 1 && h("span", { class: "soft" }, ` ×\u00a0${jan.ways}`),
      h("span", { class: "why" }, pick(jan.why))),
    h("span", { class: "number points" }, `+${jan.points}`));
}

/** The throws of a log with their jans; with schools the jans are in a later line, after the marking. */
function gathered(log) {
  const found = [];
  for (const entry of log) {
    if (entry.kind === "throw" && entry.dice && entry.colour !== null) found.push({ ...entry });
    else if (entry.jans && found.length) found.at(-1).jans = entry.jans;
  }
  return found;
}

/** The card with the last two throws of a game. */
export class ThrowCard {
  constructor(board) {
    this.board = board;
    this.element = h("section", { class: "card throws", "aria-label": t("trictrac.page.throw.title") });
  }

  update(view) {
    const { board } = this;
    board.readAs(null); // the hovered line is replaced
    board.highlight([]);
    const [now, before] = gathered(view.log).slice(-2).reverse();
    put(this.element, h("h2", {}, t("trictrac.page.throw.title")),
      now ? this.#throw(now, false) : h("p", { class: "soft" }, t("trictrac.page.throw.first")),
      before && this.#throw(before, true));
  }

  #throw(entry, old) {
    const { board } = this;
    const lines = entry.jans?.map((jan) => janLine(jan, board, entry.colour));
    const others = entry.jans?.some((jan) => jan.fields.length) && entry.colour !== board.numbering;
    const nothing = t(lines ? "trictrac.page.throw.none" : "trictrac.page.throw.untold");
    return h("div", { class: old ? "throw old" : "throw" }, h("h3", {}, pick(entry.text)),
      lines?.length ? h("ul", { class: "jans" }, lines) : h("p", { class: "soft small" }, nothing),
      others && h("p", { class: "numbers soft small" }, t(`trictrac.page.throw.numbers.${entry.colour}`)));
  }
}
