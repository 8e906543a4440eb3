// The tutor: shows the best moves on request, and the cost of each move after it is played.

import * as api from "../api.js";
import { button, check, h, put } from "../dom.js";
import { number, percent, pick, t } from "../i18n.js";
import { setWish } from "../store.js";

const NOTHING = 0.0005; // a smaller cost counts as none

/** Formats a value in the unit of the answer. */
export function worth(answer, value) {
  if (value === null || value === undefined) return "";
  return answer.unit === "win" ? percent(value) : number(value, 2);
}

export const figure = (answer, { win_chance, value }) => worth(answer, answer.unit === "win" ? win_chance : value);

export class Tutor {
  constructor(table, on) {
    this.table = table;
    this.on = on;
    this.list = h("div", { "aria-live": "polite" });
    this.verdict = h("p", { class: "verdict", "aria-live": "polite" });
    this.asking = null;
    this.button = button(t("page.tutor.show"), () => this.show(), { id: "hint" });
    const settings = { id: "tutor-on", checked: on, disabled: !table.view.tutor };
    this.element = h("div", {}, !table.view.tutor && h("p", { class: "soft" }, t("page.tutor.none")),
      check(t("page.tutor.on"), settings, (now) => this.#switch(now)),
      this.verdict, h("div", { class: "row" }, this.button), this.list);
  }

  panel() {
    return { element: this.element, update: (view) => this.#update(view) };
  }

  close() {
    this.asking?.abort();
  }

  #switch(on) {
    this.on = on;
    setWish("tutor", on);
    if (!on) put(this.verdict);
  }

  #update(view) {
    this.button.disabled = !view.tutor || !view.your_turn || view.legal.length < 2;
    if (view.version !== this.about) {
      put(this.list);
      this.about = null;
    }
  }

  async show() {
    const { table } = this, { view } = table;
    this.asking?.abort();
    this.asking = new AbortController();
    this.about = view.version;
    put(this.list, h("p", { class: "soft busy" }, t("page.tutor.thinking")));
    try {
      const answer = await api.hint(table.id, table.seats, {}, this.asking.signal);
      if (table.view.version !== view.version) return;
      put(this.list, this.#candidates(answer));
    } catch (/** @type {any} */ error) {
      if (error.name === "AbortError") return;
      put(this.list);
      table.wrong(error);
    }
  }

  #candidates(answer) {
    const { play } = this.table;
    return h("ol", { class: "candidates" }, answer.candidates.slice(0, 6).map((candidate, n) => {
      const point = () => play.point?.(candidate);
      const away = () => play.point?.(null);
      const loss = candidate.cost === null ? "" : `−${worth(answer, candidate.cost)}`;
      const cost = n === 0 ? t("page.tutor.best") : loss;
      return h("li", { tabindex: 0, onmouseenter: point, onmouseleave: away, onfocus: point, onblur: away },
        h("span", { class: "text" }, pick(candidate.text)),
        h("span", { class: "number" }, figure(answer, candidate)),
        h("span", { class: `number cost ${n ? "loss" : "gain"}` }, cost));
    }));
  }

  /** Shows how much worse the move just played was than the best one. */
  async judge(before, action) {
    put(this.verdict);
    if (!this.on || before.legal.length < 2) return;
    try {
      const answer = await api.hint(this.table.id, this.table.seats, { at: before.version });
      const made = answer.candidates.find((candidate) => candidate.action === action.action);
      const [best] = answer.candidates;
      if (!made || !this.on) return;
      const fine = made.action === best.action || made.cost < NOTHING;
      const said = { text: pick(made.text), cost: worth(answer, made.cost), best: pick(best.text) };
      const verdict = t(fine ? "page.tutor.good" : "page.tutor.cost", said);
      put(this.verdict, h("span", { class: fine ? "gain" : "loss" }, verdict));
    } catch (/** @type {any} */ error) {
      if (error.status === undefined) throw error; // no verdict if the server is busy or unreachable
    }
  }
}
