// The course of the game, the newest line first.

import { h, put } from "../dom.js";
import { pick, t } from "../i18n.js";

export function history(table) {
  const list = h("ol", { class: "history", tabindex: 0, "aria-label": t("history.title") });
  return {
    element: h("div", {}, list),
    update(view) {
      put(list, view.log.length ? [...view.log].reverse().map((entry) =>
        h("li", { class: entry.kind }, entry.player === null || view.scene.kind !== "trictrac" ? null : h("span", { class: `token ${entry.player === 0 ? "ivory" : "ebony"}`, "aria-hidden": "true" }), pick(entry.text)))
        : h("li", { class: "soft" }, t("history.empty")));
    },
  };
}
