// The result of a review: the graph of winning chances, how well each player decided and how lucky they were, and the
// list of mistakes.

import { chart } from "../chart.js";
import { button, check, h, put } from "../dom.js";
import { percent, pick, t } from "../i18n.js";
import { capital } from "../messages.js";
import { setWish, wish } from "../store.js";
import { worth } from "./verdict.js";

const DOTS = 10; // mistakes marked in the graph

/** The name of a seat: "You" for the reader's own. */
function seatName(view, seat, mine) {
  const side = capital(pick(view.seats[seat].label));
  return seat === mine ? t("page.review.you", { side }) : side;
}

const signed = (value, answer, view) => `${value < 0 ? "−" : "+"}${worth(answer, Math.abs(value), view)}`;

/** A table of error rates, levels and luck. */
function players(answer, view, mine) {
  if (!answer.players.some(({ decisions }) => decisions)) return null;
  const head = ["page.review.player", "page.review.error", "page.review.level", "page.review.luck"];
  const lucky = answer.players.some(({ luck }) => luck !== null);
  const columns = lucky ? head : head.slice(0, 3);
  const rate = (one) => (answer.unit === "win" ? percent(one.mean, 2) : worth(answer, one.mean, view));
  return h("div", {},
    h("table", { class: "rated" },
      h("thead", {}, h("tr", {}, columns.map((key) => h("th", { scope: "col" }, t(key))))),
      h("tbody", {}, answer.players.map((one, seat) => h("tr", {},
        h("th", { scope: "row" }, seatName(view, seat, mine)),
        h("td", { class: "number" }, rate(one)), h("td", {}, pick(one.level)),
        lucky && h("td", { class: "number" }, one.luck === null ? "" : signed(one.luck, answer, view)))))),
    h("p", { class: "soft small" }, t("page.review.error.about")));
}

/** The graph of the reader's chances, or of the first seat's. */
function graph(answer, view, mine, width, go) {
  const turned = mine === 1 && view.seats.length === 2;
  const points = answer.chance.map(([version, chance]) => [version, turned ? 1 - chance : chance]);
  if (points.length < 2) return null;
  const title = t("page.review.graph", { who: capital(pick(view.seats[turned ? 1 : 0].label)) });
  const drawn = chart({
    series: [{ points }], width, height: 200, range: [0, 1], even: 0.5, area: true,
    format: (value) => percent(value, 0), label: title, onpick: go,
  });
  const chances = new Map(points);
  const costliest = answer.mistakes.slice(0, DOTS).filter((one) => chances.has(one.version));
  drawn.dots(costliest.map(({ version }) => [version, chances.get(version)]));
  return { title, ...drawn };
}

export class Reviewed {
  /** `calls`: go(version) shows a step, retry(mistakes) takes decisions again. */
  constructor(answer, { view, module, mine, width, legend }, calls) {
    this.answer = answer;
    this.view = view;
    this.module = module;
    this.mine = mine;
    this.calls = calls;
    this.graph = graph(answer, view, mine, width, calls.go);
    this.list = h("div", {});
    const own = mine !== null && this.#own.length > 0;
    this.element = h("div", {},
      this.graph && h("div", {}, h("h2", {}, this.graph.title), this.graph.svg),
      players(answer, view, mine),
      h("h2", {}, t("page.review.mistakes")),
      own && button(t("page.review.learn"), () => calls.retry(this.#own), { class: "primary", id: "learn" }),
      mine !== null && answer.mistakes.length > 0 && this.#filter(),
      this.list, legend);
    this.#fill();
  }

  get #own() {
    return this.answer.mistakes.filter(({ player }) => player === this.mine);
  }

  /** The mistakes that are listed. */
  get shown() {
    return this.mine !== null && wish("only_mine", true) ? this.#own : this.answer.mistakes;
  }

  #filter() {
    return check(t("page.review.only_mine"), { id: "only-mine", checked: wish("only_mine", true) }, (on) => {
      setWish("only_mine", on);
      this.#fill();
    });
  }

  #fill() {
    const { shown } = this;
    put(this.list, shown.length
      ? h("ol", { class: "mistakes" }, shown.map((one) => h("li", {}, this.#line(one))))
      : h("p", { class: "soft" }, t("page.review.none")));
  }

  #line(one) {
    const cost = worth(this.answer, one.cost, this.view);
    return button([
      this.module.sign(this.view, one.colour, true),
      h("span", {}, pick(one.played.text)), h("span", { class: "cost number" }, `−${cost}`),
      h("span", { class: "better" }, t("page.review.better", { text: pick(one.best.text) })),
    ], () => this.calls.go(one.version), { "data-mistake": one.version });
  }
}
