// Notices for refused requests.

import { h, withCode } from "../dom.js";
import { capital } from "../messages.js";

/** Creates the notice for a failed request. Any other error is a bug in the page and is rethrown. */
export function complaint(error) {
  if (error.status === undefined) throw error;
  return h("p", { class: "notice wrong" }, withCode(capital(error.message)));
}
