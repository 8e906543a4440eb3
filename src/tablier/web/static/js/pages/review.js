// A game looked at again: step by step, with the graph of the chances and the mistakes to click through.

import * as api from "../api.js";
import { Board } from "../board/board.js";
import { movesInWhite } from "../board/numbers.js";
import { chart } from "../chart.js";
import { button, h, put } from "../dom.js";
import { number, percent, pick, t } from "../i18n.js";
import { complaint, token } from "../panels/small.js";
import { throws } from "../panels/throws.js";
import { picture } from "../play/picture.js";
import { tokens } from "../store.js";

const AGAIN = 700; // milliseconds until a review that is being made is asked for again
const DOTS = 10; // so many mistakes are marked in the graph
const narrow = matchMedia("(max-width: 640px)");

class Review {
  constructor(main, id, view) {
    Object.assign(this, { main, id, view, at: view.version, of: view.length, asked: 0 });
    this.trictrac = view.scene.kind === "trictrac";
    this.board = this.trictrac ? new Board({ shape: narrow.matches ? "tall" : "wide" }) : null;
    this.stage = h("div", { class: this.trictrac ? "stage" : "stage picture" }, this.board?.svg);
    this.told = h("p", { class: "status", "aria-live": "polite" });
    this.slider = h("input", {
      type: "range", min: 0, max: this.of, value: this.at, "aria-label": t("review.steps"),
      oninput: (event) => this.go(Number(event.target.value)),
    });
    this.where = h("span", { class: "soft small number" });
    this.result = h("div", {});
    this.throwCard = h("section", { class: "card throws", "aria-label": t("throw.title") });
    this.mistakes = [];
    this.keys = (event) => this.#key(event);
    document.addEventListener("keydown", this.keys);
  }

  close() {
    this.closed = true;
    document.removeEventListener("keydown", this.keys);
  }

  draw() {
    const step = (id, to) => button(t(`review.${id}`), () => this.go(to()), { id });
    this.throwCard.hidden = !this.trictrac;
    put(this.main,
      h("section", { class: "play", "aria-label": t("review.steps") },
        h("div", { class: "row" }, h("h1", {}, t("review.title")), h("span", { class: "soft" }, this.view.title)),
        this.stage,
        h("div", { class: "card steps" }, this.told, this.slider, h("div", { class: "row" },
          step("first", () => 0), step("back", () => this.at - 1),
          step("next", () => this.at + 1), step("last", () => this.of)), this.where)),
      h("div", { class: "side" },
        h("section", { class: "card", "aria-label": t("review.title") }, this.result),
        this.throwCard,
        h("div", { class: "row" },
          h("a", { class: "button", href: `#/table/${this.id}` }, t("review.return")),
          h("a", { class: "button", href: api.recordLink(this.id, "text"), download: true }, t("review.record")))));
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
    this.slider.value = at;
    const view = await api.viewAt(this.id, at);
    if (mine === this.asked && !this.closed) this.#show(view);
  }

  #show(view) {
    const entries = view.log.filter((entry) => entry.version === view.version);
    put(this.told, entries.length ? entries.map((entry) => pick(entry.text)).join(" ") : t("review.begin"));
    put(this.where, t("review.at", { at: this.at, of: this.of }));
    this.slider.setAttribute("aria-valuetext", t("review.at", { at: this.at, of: this.of }));
    if (this.trictrac) {
      this.board.show({ ...view.scene, thrower: view.scene.throw?.player ?? null });
      this.board.countFor(view.scene.mover ?? 0);
      throws(this.throwCard, view, this.board);
    } else put(this.stage, picture(view.scene.svg) ?? h("pre", {}, view.scene.text));
    this.#point();
    this.graph?.at(this.at);
  }

  /** Arrows for the mistake made here, and its line in the list. */
  #point() {
    const found = this.mistakes.find((one) => one.version === this.at);
    this.board?.point(found ? [
      { moves: movesInWhite(found.played.moves, found.colour), kind: "played" },
      { moves: movesInWhite(found.best.moves, found.colour), kind: "best" }] : []);
    for (const line of this.result.querySelectorAll("[data-mistake]")) {
      line.setAttribute("aria-current", Number(line.dataset.mistake) === this.at);
    }
  }

  #invite() {
    put(this.result, h("p", { class: "soft" }, t("review.about")),
      button(t("review.start"), () => this.#ask(), { class: "primary", id: "analyse" }));
  }

  async #ask() {
    if (this.closed) return;
    try {
      const answer = await api.review(this.id, tokens(this.id).filter(Boolean).join());
      if (this.closed) return;
      if (answer.state === "done") return this.#tell(answer);
      put(this.result, h("p", { role: "status" }, t("review.working", { done: answer.done, of: answer.of })),
        h("progress", { value: answer.done, max: answer.of || 1, "aria-label": t("review.start") }));
      setTimeout(() => this.#ask(), AGAIN);
    } catch (error) {
      const told = complaint(error);
      this.#invite();
      this.result.prepend(h("div", { role: "alert" }, told));
    }
  }

  #line(one, cost) {
    return button([
      token(one.colour, true),
      h("span", {}, pick(one.played.text)), h("span", { class: "cost number" }, `−${cost(one.cost)}`),
      h("span", { class: "better" }, t("review.better", { text: pick(one.best.text) })),
    ], () => this.go(one.version), { "data-mistake": one.version });
  }

  #tell(answer) {
    this.mistakes = answer.mistakes;
    const cost = (value) => (answer.unit === "win" ? percent(value) : number(value, 2));
    const width = Math.max(300, this.result.clientWidth);
    const points = answer.chance;
    this.graph = points.length > 1 ? chart({
      series: [{ points }], width, height: 200, range: [0, 1], even: 0.5, area: true,
      format: (value) => percent(value, 0), label: t("review.graph"), onpick: (version) => this.go(version),
    }) : null;
    const chances = new Map(points);
    const dearest = this.mistakes.slice(0, DOTS).filter((one) => chances.has(one.version));
    this.graph?.dots(dearest.map(({ version }) => [version, chances.get(version)]));
    put(this.result,
      this.graph && h("div", {}, h("h2", {}, t("review.graph")), this.graph.svg),
      h("h2", {}, t("review.mistakes")),
      this.mistakes.length
        ? h("ol", { class: "mistakes" }, this.mistakes.map((one) => h("li", {}, this.#line(one, cost))))
        : h("p", { class: "soft" }, t("review.none")),
      this.trictrac && h("p", { class: "legend" }, ["played", "best"].map((kind) =>
        h("span", {}, h("span", { class: `key ${kind}` }), t(`review.${kind}`)))));
    if (this.mistakes.length) this.go(this.mistakes[0].version);
  }
}

export async function open(main, [id]) {
  const review = new Review(main, id, await api.view(id, tokens(id).filter(Boolean).join()));
  review.draw();
  return () => review.close();
}
