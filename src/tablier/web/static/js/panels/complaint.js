// A notice for what the server refused.

import { h } from "../dom.js";
import { capital } from "../messages.js";

/** The notice for a refusal. Any other error is a bug in the page and is thrown again. */
export function complaint(error) {
  if (error.status === undefined) throw error;
  return h("p", { class: "notice wrong" }, capital(error.message));
}
