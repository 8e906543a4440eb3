// What was refused, as a notice.

import { h } from "../dom.js";

/** The server's refusal in a notice. Any other error is a fault of the page and is thrown again. */
export function complaint(error) {
  if (error.status === undefined) throw error;
  return h("p", { class: "notice wrong" }, error.message);
}
