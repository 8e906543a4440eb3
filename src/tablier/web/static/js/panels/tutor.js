// The tutor: shows the best moves on request, and after each move what it cost and why another is better.

import * as api from "../api.js";
import { button, check, h, put } from "../dom.js";
import { pick, t } from "../i18n.js";
import { setWish } from "../store.js";
import { figure, judged, MISTAKE, worth } from "./verdict.js";

/** A list of reasons; nothing without any. */
export function reasonList(reasons) {
  return reasons.length > 0 && h("ul", { class: "reasons" }, reasons.map((text) => h("li", {}, pick(text))));
}

/** The best moves, and why the best is better than the one pointed at, at first the second. A click plays a move. */
export function candidateList(answer, view, play) {
  const why = h("div", { class: "why-better" });
  const explain = (one) => put(why, one?.reasons.length > 0
    && [h("p", { class: "small" }, t("page.tutor.why", { text: pick(one.text) })), reasonList(one.reasons)]);
  const lines = answer.candidates.slice(0, 6).map((candidate, n) => {
    const point = () => {
      play.point?.(candidate);
      if (n > 0) explain(candidate);
    };
    const away = () => play.point?.(null);
    const cost = n === 0 ? t("page.tutor.best") : `−${worth(answer, candidate.cost, view)}`;
    const colour = n === 0 ? "gain" : candidate.cost >= MISTAKE ? "loss" : "";
    const shows = { onmouseenter: point, onmouseleave: away, onfocus: point, onblur: away };
    return h("li", {}, button([
      h("span", { class: "text" }, pick(candidate.text)),
      h("span", { class: "number" }, figure(answer, candidate, view)),
      h("span", { class: `number cost ${colour}` }, cost),
    ], () => play.make?.(candidate.action, view), { ...shows, title: t("page.tutor.play") }));
  });
  explain(answer.candidates[1]);
  return [h("ol", { class: "candidates" }, lines), why];
}

export class Tutor {
  constructor(table, on) {
    this.table = table;
    this.on = on;
    /** @type {HTMLElement} */ this.none;
    this.list = h("div", { "aria-live": "polite" });
    this.verdict = h("div", { class: "verdict", "aria-live": "polite" });
    this.asking = null;
    /** @type {{cost: number, unit: string, version: number, text: string, lost: string} | null} */ this.worst = null;
    this.button = button(t("page.tutor.show"), () => this.show(), { id: "hint" });
    const settings = { id: "tutor-on", checked: on, disabled: !table.view.tutor };
    this.none = h("div", {});
    this.box = check(t("page.tutor.on"), settings, (now) => this.#switch(now));
    this.asks = h("div", { class: "row" }, this.button);
    this.element = h("div", {}, this.none, this.box,
      this.verdict, this.asks, this.list);
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

  /** Between people the tutor is off until everyone agrees. */
  #agree(view) {
    const people = view.seats.filter(({ player }) => player === "human").length;
    const mine = view.seats.findIndex(({ you }) => you), agreed = view.agreed.tutor;
    if (people < 2 || mine < 0 || view.over) return h("p", { class: "soft" }, t("page.tutor.none"));
    const key = agreed.includes(mine) ? "page.tutor.asked" : agreed.length ? "page.tutor.wanted" : "page.tutor.off";
    return [h("p", { class: "soft" }, t(key)), !agreed.includes(mine)
      && h("p", {}, button(t("page.tutor.agree"), () => this.table.gesture("tutor"), { id: "tutor-agree" }))];
  }

  #update(view) {
    put(this.none, !view.tutor && this.#agree(view));
    const box = this.box.querySelector("input");
    if (box) box.disabled = !view.tutor;
    this.box.hidden = this.asks.hidden = !view.tutor || !view.seats.some(({ you }) => you);
    this.button.disabled = !view.tutor || !view.your_turn || view.legal.length < 2;
    if (view.version !== this.about) {
      put(this.list);
      this.about = null;
    }
  }

  /** Whether a cost is the largest so far. A chance of winning outranks other units, such as points marked wrongly. */
  #isWorst(unit, cost) {
    const { worst } = this;
    return cost > 0 && (!worst || (unit === worst.unit ? cost > worst.cost : unit === "win"));
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
      put(this.list, candidateList(answer, view, table.play));
    } catch (/** @type {any} */ error) {
      if (error.name === "AbortError") return;
      put(this.list);
      table.wrong(error);
    }
  }

  /** Shows how much worse the move just played was than the best one, and why; coloured if it was a mistake. */
  async judge(before, action) {
    put(this.verdict);
    if (!this.on || before.legal.length < 2) return;
    try {
      const answer = await api.hint(this.table.id, this.table.seats, { at: before.version });
      const made = answer.candidates.find((candidate) => candidate.action === action.action);
      const [best] = answer.candidates;
      if (!made || !this.on) return;
      if (this.#isWorst(answer.unit, made.cost)) {
        const lost = worth(answer, made.cost, before), text = pick(made.text);
        this.worst = { cost: made.cost, unit: answer.unit, version: before.version, text, lost };
      }
      const kind = judged(made.cost, made.action === best.action);
      const said = { text: pick(made.text), cost: worth(answer, made.cost, before), best: pick(best.text) };
      put(this.verdict, h("p", { class: kind === "cost" ? "loss" : null }, t(`page.tutor.${kind}`, said)),
        kind === "cost" && reasonList(made.reasons));
    } catch (/** @type {any} */ error) {
      if (error.status === undefined) throw error; // no verdict if the server is busy or unreachable
    }
  }
}
