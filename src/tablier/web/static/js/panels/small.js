// Small parts that several pages show: a man that stands for a colour, and a sentence about what went wrong.

import { h } from "../dom.js";
import { t } from "../i18n.js";

/** A man of a player's colour; with `named` a screen reader is told which. */
export function token(player, named = false) {
  const name = t(player === 0 ? "seat.white" : "seat.black");
  const words = named ? { role: "img", "aria-label": name } : { "aria-hidden": "true" };
  return h("span", { class: `token ${player === 0 ? "ivory" : "ebony"}`, ...words });
}

/** What the server refused, in its words. Any other error is a fault of the page and goes on. */
export function complaint(error) {
  if (error.status === undefined) throw error;
  return h("p", { class: "notice wrong" }, error.status === 0 ? t("error.offline") : error.message);
}
