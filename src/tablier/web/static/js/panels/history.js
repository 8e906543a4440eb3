// The course of the game, the newest line first.

import { h, put } from "../dom.js";
import { pick, t } from "../i18n.js";
import { token } from "./small.js";

export function history() {
  const list = h("ol", { class: "history", tabindex: 0, "aria-label": t("history.title") });

  function line(entry, view) {
    const coloured = Number.isInteger(entry.colour);
    return h("li", { class: entry.kind }, coloured && token(entry.colour), pick(entry.text));
  }

  return {
    element: h("div", {}, list),
    update(view) {
      const lines = [...view.log].reverse().map((entry) => line(entry, view));
      put(list, lines.length ? lines : h("li", { class: "soft" }, t("history.empty")));
    },
  };
}
