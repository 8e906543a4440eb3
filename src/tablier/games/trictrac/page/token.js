// A small man as the symbol of a colour, and the colour's name.

import { h } from "../../js/dom.js";
import { t } from "../../js/i18n.js";

/** The name of a colour: White or Black. */
export const sideName = (colour) => t(`trictrac.side.${colour}`);

/** A small man in a colour; `named` adds the colour's name for screen readers. */
export function token(colour, named = false) {
  const words = named ? { role: "img", "aria-label": sideName(colour) } : { "aria-hidden": "true" };
  return h("span", { class: `token ${colour === 0 ? "ivory" : "ebony"}`, ...words });
}
