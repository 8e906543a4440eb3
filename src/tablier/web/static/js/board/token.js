// A small man as the symbol of a colour.

import { h } from "../dom.js";

/** A small man in a colour; with a `name`, screen readers say it. */
export function token(colour, name = "") {
  const words = name ? { role: "img", "aria-label": name } : { "aria-hidden": "true" };
  return h("span", { class: `token ${colour === 0 ? "ivory" : "ebony"}`, ...words });
}
