// The review of a game: step by step, with winning chances, error rates and luck, and mistakes to look at and to retry.

import { analyseTable } from "../analysis/address.js";
import * as api from "../api.js";
import { button, h, put } from "../dom.js";
import { Exercise } from "../exercise.js";
import { more, pick, t } from "../i18n.js";
import { keepMistakes } from "../learning.js";
import { complaint } from "../panels/complaint.js";
import { Reviewed } from "../panels/reviewed.js";
import { sheet } from "../panels/sheet.js";
import { reasonList } from "../panels/tutor.js";
import { gameModule, styleSheet } from "../play/module.js";
import { decision, judgeAgain } from "../retry.js";
import { tokens } from "../store.js";

const AGAIN = 700; // milliseconds between polls while a review is in progress

class Review {
  constructor(main, id, view, module) {
    this.main = main;
    this.id = id;
    this.seats = tokens(id).filter(Boolean).join();
    this.view = view;
    this.module = module;
    this.at = view.version;
    this.of = view.length;
    this.asked = 0;
    const own = view.seats.map((_, seat) => seat).filter((seat) => view.seats[seat].you);
    this.mine = own.length === 1 ? own[0] : null; // the reader's seat, unless they played all of them
    this.replay = new module.Replay(view);
    this.told = h("p", { class: "status", "aria-live": "polite" });
    this.why = h("div", { class: "why-better" });
    this.slider = h("input", {
      type: "range", min: 0, max: this.of, value: this.at, "aria-label": t("page.review.steps"),
      oninput: (event) => this.go(Number(event.target.value)),
    });
    this.where = h("span", { class: "soft small number" });
    this.result = h("div", {});
    this.sheet = sheet();
    /** @type {Reviewed | null} */
    this.reviewed = null;
    /** @type {Exercise | null} */
    this.exercise = null;
    this.keys = (event) => this.#key(event);
    document.addEventListener("keydown", this.keys);
  }

  close() {
    this.closed = true;
    this.exercise?.close();
    document.removeEventListener("keydown", this.keys);
  }

  draw() {
    const step = (id, to) => button(t(`page.review.${id}`), () => this.go(to()), { id });
    put(this.main,
      h("section", { class: "play", "aria-label": t("page.review.steps") },
        h("div", { class: "row" },
          h("h1", {}, t("page.review.title")), h("span", { class: "soft" }, pick(this.view.titles))),
        this.replay.element,
        h("div", { class: "card steps" }, this.told, this.why, this.slider, h("div", { class: "row" },
          step("first", () => 0), step("back", () => this.at - 1),
          step("next", () => this.at + 1), step("last", () => this.of)), this.where)),
      h("div", { class: "side" },
        h("section", { class: "card", "aria-label": t("page.review.title") }, this.result),
        this.replay.aside,
        this.view.sheet && h("section", { class: "card", "aria-label": t("page.sheet.title") },
          h("h2", {}, t("page.sheet.title")), this.sheet.element),
        h("div", { class: "row" },
          button(t("page.about.analyse"), () => this.#analyse(), { id: "analyse-here" }),
          h("a", { class: "button", href: `#/table/${this.id}` }, t("page.review.return")),
          h("a", { class: "button", href: api.recordLink(this.id, "text"), download: true },
            t("page.review.record")))));
  }

  /** Shows the page of a game that has not been reviewed yet. */
  begin() {
    this.draw();
    this.#invite();
    this.#show(this.view);
  }

  #key(event) {
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.of }[event.key];
    if (to === undefined || this.exercise || event.target.closest("input, select, [role=tab]")) return;
    event.preventDefault();
    this.go(to);
  }

  async go(to) {
    const at = Math.max(0, Math.min(this.of, to)), mine = ++this.asked;
    this.at = at;
    this.slider.value = String(at);
    const view = await api.viewAt(this.id, at);
    if (mine === this.asked && !this.closed) this.#show(view);
  }

  /** Shows a step picked in the list or the graph, which on a phone are far below the board. */
  #lookAt(version) {
    this.replay.element.scrollIntoView({ block: "nearest" });
    return this.go(version);
  }

  #show(view) {
    const entries = view.log.filter((entry) => entry.version === view.version);
    put(this.told, entries.length ? entries.map((entry) => pick(entry.text)).join(" ") : t("page.review.begin"));
    put(this.where, t("page.review.at", { at: this.at, of: this.of }));
    this.slider.setAttribute("aria-valuetext", t("page.review.at", { at: this.at, of: this.of }));
    this.replay.show(view);
    this.sheet.update(view);
    this.#point();
    this.reviewed?.graph?.at(this.at);
  }

  async #analyse() {
    try {
      await analyseTable(this.id, this.at);
    } catch (error) {
      this.result.prepend(h("div", { role: "alert" }, complaint(error)));
    }
  }

  /** Shows the mistake made at this step: on the board, in the list, and why the other move is better. */
  #point() {
    const found = this.reviewed?.answer.mistakes.find((one) => one.version === this.at);
    this.replay.point?.(found ?? null);
    put(this.why, found && [
      h("p", {}, t("page.review.was", { played: pick(found.played.text), best: pick(found.best.text) })),
      reasonList(found.reasons),
      button(t("page.review.retry"), () => this.#retry([found]), { id: "retry" })]);
    for (const line of this.result.querySelectorAll("[data-mistake]")) {
      line.setAttribute("aria-current", String(Number(line.getAttribute("data-mistake")) === this.at));
    }
  }

  #invite() {
    put(this.result, h("p", { class: "soft" }, t("page.review.about")),
      button(t("page.review.start"), () => this.#ask(), { class: "primary", id: "analyse" }));
  }

  async #ask() {
    if (this.closed) return;
    try {
      const answer = await api.review(this.id, this.seats);
      if (this.closed) return;
      if (answer.state === "done") return this.#tell(answer);
      put(this.result, h("p", { role: "status" }, t("page.review.working", { done: answer.done, of: answer.of })),
        h("progress", { value: answer.done, max: answer.of || 1, "aria-label": t("page.review.start") }));
      setTimeout(() => this.#ask(), AGAIN);
    } catch (error) {
      const told = complaint(error);
      this.#invite();
      this.result.prepend(h("div", { role: "alert" }, told));
    }
  }

  #tell(answer) {
    const { view, module, mine } = this, width = Math.max(300, this.result.clientWidth);
    const legend = this.replay.point && h("p", { class: "legend" }, ["played", "best"].map((kind) =>
      h("span", {}, h("span", { class: `key ${kind}` }), t(`page.review.${kind}`))));
    const calls = { go: (version) => this.#lookAt(version), retry: (mistakes) => this.#retry(mistakes) };
    this.reviewed = new Reviewed(answer, { view, module, mine, width, legend }, calls);
    put(this.result, this.reviewed.element);
    const { titles } = view, { unit } = answer;
    if (mine !== null) {
      const own = answer.mistakes.filter(({ player }) => player === mine);
      keepMistakes(this.id, own.map(({ version, cost }) => ({ version, cost, unit, titles })));
    }
    const [first] = this.reviewed.shown;
    if (first) this.go(first.version);
  }

  /** Lets the reader take decisions again, one after the other; then returns to the review. */
  async #retry(mistakes) {
    const [one, ...rest] = mistakes;
    const [posed, Play] = await Promise.all([
      decision(this.id, one.version, this.seats), this.module.loadPlay?.() ?? this.module.Play,
      styleSheet("css/learning.css"),
    ]);
    if (this.closed) return;
    const away = (id, kind) =>
      button(t("page.review.back_to"), () => this.#back(one.version), { id, class: kind });
    const words = t("page.review.next_mistake", { n: rest.length });
    const next = rest.length > 0 && button(words, () => this.#retry(rest), { class: "primary", id: "next-mistake" });
    this.exercise?.close();
    this.exercise = new Exercise({
      posed, Play, module: this.module, onward: () => [next, away("back-to", next ? null : "primary")],
      judge: (action) => judgeAgain(this.id, one.version, this.seats, posed, action),
    });
    const head = h("div", { class: "lesson-head" }, h("h1", {}, t("page.review.retry")), away("leave-retry", "plain"));
    put(this.main, h("div", { class: "retrying" }, head, this.exercise.element));
    this.main.querySelector("h1")?.scrollIntoView();
  }

  #back(version) {
    this.exercise?.close();
    this.exercise = null;
    this.draw();
    this.go(version);
  }
}

export async function open(main, [id, at]) {
  const seats = tokens(id).filter(Boolean).join();
  const texts = ["review", "learning"].map(more); // mistakes are retried as exercises
  const [view] = await Promise.all([api.view(id, seats), styleSheet("css/table.css"), ...texts]);
  const review = new Review(main, id, view, await gameModule(view.scene.kind));
  review.begin();
  if (at) review.go(Number(at) || 0);
  return () => review.close();
}
