// A small man as the mark of a colour, and the colour's name.

import { h } from "../../js/dom.js";
import { t } from "../../js/i18n.js";

/** White or Black. */
export const sideName = (colour) => t(`trictrac.side.${colour}`);

/** A man of a colour; with `named` a screen reader is told which. */
export function token(colour, named = false) {
  const words = named ? { role: "img", "aria-label": sideName(colour) } : { "aria-hidden": "true" };
  return h("span", { class: `token ${colour === 0 ? "ivory" : "ebony"}`, ...words });
}
