// An exercise: a position on the board, a question, and the reply to the answer. Lessons, puzzles and reviews use it.

import { button, h, put } from "./dom.js";
import { pick, t } from "./i18n.js";
import { complaint } from "./panels/complaint.js";

/** @typedef {{right: boolean, told: string[], again?: boolean, log?: any[], solution?: number | null}} Reply */

/** The scores of all seats. */
function scores(module, view) {
  return view.seats.map((_, seat) => {
    const { side, sign, score } = module.plate(view, seat);
    return h("div", { class: "plate" }, sign, h("span", { class: "who" }, side), h("span", { class: "score" }, score));
  });
}

export class Exercise {
  /**
   * `posed` is an exercise from the server, `module` the game's module and `Play` its class. `judge(answer)` resolves
   * to the reply; `onward` are the buttons to show once the exercise is done.
   * @param {{posed: any, module: any, Play: any, judge: (answer: number) => Promise<Reply>,
   *   onward: () => any[]}} settings
   */
  constructor({ posed, module, Play, judge, onward }) {
    this.posed = posed;
    this.judge = judge;
    this.onward = onward;
    this.view = { version: 0, length: 0, over: false, full: false, tutor: false, log: [], ...posed.view };
    this.bar = h("section", { class: "bar", "aria-label": t("page.exercise.answer") });
    this.live = h("div", { class: "hidden-text", "aria-live": "polite" });
    this.aside = h("div", { class: "aside" });
    const calls = { send: (action) => this.#answer(action.action), say: (text) => this.#say(text) };
    this.play = new Play({ view: this.view, bar: this.bar, sceneAt: async () => null, ...calls });
    this.element = h("div", { class: "exercise" },
      h("section", { class: "card asked", "aria-label": t("page.exercise.question") },
        h("p", { class: "ask", id: "ask" }, pick(posed.ask)),
        posed.score && h("div", { class: "scores" }, scores(module, this.view)),
        posed.source && h("p", { class: "soft small" }, pick(posed.source))),
      h("div", { class: "play" }, this.play.element, this.bar),
      this.aside, this.live);
    this.play.sit(this.view);
    this.#pose();
  }

  close() {
    this.play.close();
  }

  #say(text) {
    put(this.live, h("p", {}, text));
  }

  /** Asks the question, or asks it again. */
  #pose() {
    this.busy = false;
    this.play.rest(this.view);
    if (this.posed.question !== "pick") return;
    put(this.bar, h("div", { class: "answers", role: "group", "aria-labelledby": "ask" },
      this.posed.options.map(({ value, text }) =>
        button(pick(text), () => this.#answer(value), { "data-answer": value }))));
  }

  async #answer(value) {
    if (this.busy) return;
    this.busy = true;
    this.play.still();
    try {
      const reply = await this.judge(value);
      this.#reply(reply);
    } catch (error) {
      const told = complaint(error);
      put(this.bar, told, this.#again());
    }
  }

  #again() {
    const words = t("page.exercise.again");
    return h("div", { class: "row" }, button(words, () => this.#pose(), { class: "primary", id: "again" }));
  }

  /** @param {Reply} reply */
  #reply({ right, told, again = false, log, solution = null }) {
    const verdict = t(right ? "page.exercise.right" : "page.exercise.wrong");
    const show = again && solution !== null
      && button(t("page.exercise.show"), () => this.#solve(solution), { id: "solution" });
    const buttons = again ? [this.#again(), show] : this.onward();
    put(this.bar, h("div", { class: "reply" },
      h("strong", { class: right ? "gain" : "loss" }, verdict), told.map((text) => h("p", {}, text))),
    h("div", { class: "row" }, buttons));
    this.#say([verdict, ...told].join(" "));
    if (log) this.#explain(log);
    if (!again && !right && solution !== null) this.#point(solution);
    const next = this.bar.querySelector(".primary");
    if (next instanceof HTMLElement) next.focus();
  }

  /** Shows the throw and what it scores. */
  #explain(log) {
    this.play.refresh?.({ ...this.view, log });
    put(this.aside, this.play.aside);
  }

  /** Draws the arrows of a move. */
  #point(answer) {
    this.play.rest({ ...this.view, your_turn: false, legal: [] });
    const move = this.posed.view.legal.find(({ action }) => action === answer);
    if (move) this.play.point?.(move);
  }

  /** Asks again, with the answer marked. */
  #solve(answer) {
    this.#pose();
    if (this.posed.question === "move") {
      const move = this.posed.view.legal.find(({ action }) => action === answer);
      this.play.point?.(move ?? null);
    } else {
      const found = this.bar.querySelector(`[data-answer="${answer}"]`);
      found?.classList.add("primary");
      if (found instanceof HTMLElement) found.focus();
    }
  }
}
