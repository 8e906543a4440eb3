// Addresses of positions on the analysis board: #/analysis/<game>/<position>/<options>. Links must survive being copied
// into a message, so they contain no characters that need escapes.

import * as api from "../api.js";

const WHOLE = /^-?\d+$/;

/** A position for a link: base64 in the alphabet for URLs. */
function forLink(position) {
  return position.startsWith("~") ? position : position.replaceAll("+", "-").replaceAll("/", "_");
}

/** The position of a link. An XGID has hyphens of its own. */
export function fromLink(text) {
  if (text.startsWith("~") || /^xgid=/i.test(text)) return text;
  return text.replaceAll("-", "+").replaceAll("_", "/");
}

/** Options for a link: "holes_to_win=3,schools=true". */
const optionsForLink = (options) => Object.entries(options).map(([name, value]) => `${name}=${value}`).join();

/** The options of a link. The server checks names and values. */
export function optionsFromLink(text) {
  const pairs = (text || "").split(",").filter(Boolean).map((pair) => pair.split("="));
  return Object.fromEntries(pairs.map(([name, value = ""]) => {
    if (value === "true" || value === "false") return [name, value === "true"];
    return [name, WHOLE.test(value) ? Number(value) : value];
  }));
}

/** The address of a position. */
export function address(game, position, options = {}) {
  const parts = ["#/analysis", game, forLink(position), optionsForLink(options)];
  return parts.filter(Boolean).join("/");
}

/** Opens the position of a table after `at` actions on the analysis board. */
export async function analyseTable(id, at) {
  const { game, options, position } = await api.tablePosition(id, at);
  location.hash = address(game, position, options);
}
