// The review of a game: step by step, with a graph of the winning chances and a list of mistakes.

import * as api from "../api.js";
import { chart } from "../chart.js";
import { button, h, put } from "../dom.js";
import { percent, pick, t } from "../i18n.js";
import { capital } from "../messages.js";
import { complaint } from "../panels/complaint.js";
import { worth } from "../panels/tutor.js";
import { gameModule, styleSheet } from "../play/module.js";
import { tokens } from "../store.js";

const AGAIN = 700; // milliseconds between polls while a review is in progress
const DOTS = 10; // mistakes marked in the graph

class Review {
  constructor(main, id, view, module) {
    this.main = main;
    this.id = id;
    this.view = view;
    this.module = module;
    this.at = view.version;
    this.of = view.length;
    this.asked = 0;
    this.replay = new module.Replay(view);
    this.told = h("p", { class: "status", "aria-live": "polite" });
    this.slider = h("input", {
      type: "range", min: 0, max: this.of, value: this.at, "aria-label": t("page.review.steps"),
      oninput: (event) => this.go(Number(event.target.value)),
    });
    this.where = h("span", { class: "soft small number" });
    this.result = h("div", {});
    this.mistakes = [];
    this.keys = (event) => this.#key(event);
    document.addEventListener("keydown", this.keys);
  }

  close() {
    this.closed = true;
    document.removeEventListener("keydown", this.keys);
  }

  draw() {
    const step = (id, to) => button(t(`page.review.${id}`), () => this.go(to()), { id });
    put(this.main,
      h("section", { class: "play", "aria-label": t("page.review.steps") },
        h("div", { class: "row" },
          h("h1", {}, t("page.review.title")), h("span", { class: "soft" }, pick(this.view.titles))),
        this.replay.element,
        h("div", { class: "card steps" }, this.told, this.slider, h("div", { class: "row" },
          step("first", () => 0), step("back", () => this.at - 1),
          step("next", () => this.at + 1), step("last", () => this.of)), this.where)),
      h("div", { class: "side" },
        h("section", { class: "card", "aria-label": t("page.review.title") }, this.result),
        this.replay.aside,
        h("div", { class: "row" },
          h("a", { class: "button", href: `#/table/${this.id}` }, t("page.review.return")),
          h("a", { class: "button", href: api.recordLink(this.id, "text"), download: true },
            t("page.review.record")))));
    this.#invite();
    this.#show(this.view);
  }

  #key(event) {
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.of }[event.key];
    if (to === undefined || event.target.closest("input, select, [role=tab]")) return;
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

  #show(view) {
    const entries = view.log.filter((entry) => entry.version === view.version);
    put(this.told, entries.length ? entries.map((entry) => pick(entry.text)).join(" ") : t("page.review.begin"));
    put(this.where, t("page.review.at", { at: this.at, of: this.of }));
    this.slider.setAttribute("aria-valuetext", t("page.review.at", { at: this.at, of: this.of }));
    this.replay.show(view);
    this.#point();
    this.graph?.at(this.at);
  }

  /** Shows the mistake made at this step, on the board and in the list. */
  #point() {
    const found = this.mistakes.find((one) => one.version === this.at);
    this.replay.point?.(found ?? null);
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
      const answer = await api.review(this.id, tokens(this.id).filter(Boolean).join());
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

  #line(one, cost) {
    return button([
      this.module.sign(this.view, one.colour, true),
      h("span", {}, pick(one.played.text)), h("span", { class: "cost number" }, `−${cost(one.cost)}`),
      h("span", { class: "better" }, t("page.review.better", { text: pick(one.best.text) })),
    ], () => this.go(one.version), { "data-mistake": one.version });
  }

  #tell(answer) {
    this.mistakes = answer.mistakes;
    const cost = (value) => worth(answer, value, this.view);
    const width = Math.max(300, this.result.clientWidth);
    const points = answer.chance, title = t("page.review.graph", { who: capital(pick(this.view.seats[0].label)) });
    this.graph = points.length > 1 ? chart({
      series: [{ points }], width, height: 200, range: [0, 1], even: 0.5, area: true,
      format: (value) => percent(value, 0), label: title, onpick: (version) => this.go(version),
    }) : null;
    const chances = new Map(points);
    const dearest = this.mistakes.slice(0, DOTS).filter((one) => chances.has(one.version));
    this.graph?.dots(dearest.map(({ version }) => [version, chances.get(version)]));
    put(this.result,
      this.graph && h("div", {}, h("h2", {}, title), this.graph.svg),
      h("h2", {}, t("page.review.mistakes")),
      this.mistakes.length
        ? h("ol", { class: "mistakes" }, this.mistakes.map((one) => h("li", {}, this.#line(one, cost))))
        : h("p", { class: "soft" }, t("page.review.none")),
      this.replay.point && h("p", { class: "legend" }, ["played", "best"].map((kind) =>
        h("span", {}, h("span", { class: `key ${kind}` }), t(`page.review.${kind}`)))));
    if (this.mistakes.length) this.go(this.mistakes[0].version);
  }
}

export async function open(main, [id, at]) {
  const seats = tokens(id).filter(Boolean).join();
  const [view] = await Promise.all([api.view(id, seats), styleSheet("css/table.css")]);
  const review = new Review(main, id, view, await gameModule(view.scene.kind));
  review.draw();
  if (at) review.go(Number(at) || 0);
  return () => review.close();
}
