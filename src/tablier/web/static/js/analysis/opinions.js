// The best moves of a position, by the analyst.

import * as api from "../api.js";
import { button, check, h, put } from "../dom.js";
import { t } from "../i18n.js";
import { complaint } from "../panels/complaint.js";
import { candidateList } from "../panels/tutor.js";
import { setWish, wish } from "../store.js";

/** The panel with the best moves; `page` is the analysis board. */
export function opinions(page) {
  const list = h("div", { "aria-live": "polite" });
  const show = button(t("page.tutor.show"), ask, { id: "candidates" });
  const always = check(t("page.analysis.always"), { id: "always", checked: wish("always", false) }, (on) => {
    setWish("always", on);
    if (on && !show.disabled) ask();
  });
  /** @type {AbortController | null} */
  let asking = null;

  async function ask() {
    const { view } = page;
    asking?.abort();
    asking = new AbortController();
    put(list, h("p", { class: "soft busy" }, t("page.tutor.thinking")));
    try {
      const answer = await api.candidates(page.wanted(), asking.signal);
      if (page.view === view) put(list, candidateList(answer, view, page.play));
    } catch (/** @type {any} */ error) {
      if (error.name === "AbortError") return;
      put(list, complaint(error));
    }
  }

  return {
    element: h("div", {}, always, h("div", { class: "row" }, show), list),
    update(view) {
      asking?.abort();
      show.disabled = !view.your_turn;
      put(list, !view.your_turn && h("p", { class: "soft small" }, t("page.analysis.no_decision")));
      if (view.your_turn && wish("always", false)) ask();
    },
    close: () => asking?.abort(),
  };
}
