// Statistics over the games of a library: results, error rate and its course, points by kind, choices before the move.

import { chart } from "../chart.js";
import { h } from "../dom.js";
import { number, percent, pick, t } from "../i18n.js";
import { capital } from "../messages.js";
import { worth } from "./verdict.js";

const TOGETHER = 10; // games in the mean that the bold line shows
const DIGITS = 2;

/** An error rate in its unit: a share of the chance of winning, or the unit of the game, such as tokens. */
export function rate(value, { unit, game, page }) {
  if (value === null) return "";
  return unit === "win" ? percent(value, DIGITS) : worth({ unit }, value, { game, scene: { kind: page ?? "picture" } });
}

const card = (name, title, ...rest) =>
  h("section", { class: `card ${name}`, "aria-label": title }, h("h2", {}, title), rest);

function results({ results: { won, drawn, lost } }) {
  const told = (key, n) => h("span", {}, t(key, { n }));
  return card("figure", t("page.library.results"), h("p", { class: "big number" }, `${won}–${lost}`),
    h("p", { class: "soft small parts" }, told("page.library.won", won), told("page.library.lost", lost),
      drawn > 0 && told("page.library.drawn", drawn)));
}

function error(one) {
  const about = one.mean === null ? t("page.library.error.none")
    : t("page.library.error.about", { n: one.analysed });
  return card("figure", t("page.library.error"),
    h("p", { class: "big number" }, one.mean === null ? "–" : rate(one.mean, one), " ",
      one.level && h("span", { class: "level-name" }, pick(one.level))),
    h("p", { class: "soft small" }, about));
}

/** The mean of each game and the ones before it. */
function smoothed(values) {
  return values.map((_, n) => {
    const last = values.slice(Math.max(0, n + 1 - TOGETHER), n + 1);
    return last.reduce((sum, value) => sum + value, 0) / last.length;
  });
}

function course(one, width, go) {
  const values = one.rates.map(({ mean }) => mean), title = t("page.library.over_time");
  if (values.length < 2) return card("course", title, h("p", { class: "soft" }, t("page.library.few")));
  const points = (list) => list.map((value, n) => /** @type {[number, number]} */ ([n + 1, value]));
  const drawn = chart({
    series: [{ points: points(values), colour: 3 }, { points: points(smoothed(values)) }], width, height: 220,
    range: [0, 1.1 * Math.max(...values) || 1], label: title,
    format: (value) => (one.unit === "win" ? percent(value, 1) : number(value, DIGITS)),
    onpick: (x) => go(one.rates[x - 1].table),
  });
  return card("course", title, drawn.svg, h("p", { class: "soft small" }, t("page.library.over_time.about")));
}

/** A table: `columns` are keys of messages, `rows` lists of a title and numbers. */
function figures(columns, rows) {
  const [first, ...rest] = columns.map((key) => t(`page.library.${key}`));
  return h("table", {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, first),
      rest.map((title) => h("th", { scope: "col", class: "figure" }, title)))),
    h("tbody", {}, rows.map(([title, ...values]) => h("tr", {}, h("th", { scope: "row" }, title),
      values.map((value) => h("td", { class: "figure" }, number(value, value < 10 ? 1 : 0)))))));
}

function points({ points: kinds }) {
  return kinds.length > 0 && card("points", t("page.library.points"),
    figures(["kind", "made", "missed", "against"],
      kinds.map(({ title, made, missed, against }) => [capital(pick(title)), made, missed, against])),
    h("p", { class: "soft small" }, t("page.library.points.about")));
}

function choices({ choices: kinds }) {
  return kinds.map(({ title, sides }) => card("sides", capital(pick(title)),
    figures(["side", "taken", "wrong"], sides.map(({ title: side, taken, wrong }) => [pick(side), taken, wrong])),
    h("p", { class: "soft small" }, t("page.library.choices.about"))));
}

function marking({ marking: marked }) {
  return marked && card("marked", t("page.library.marking"), h("p", {}, t("page.library.marking.about",
    { n: marked.n, wrong: marked.wrong, points: number(marked.points) })));
}

/** The cards of a game's statistics; `go(table)` is called with the game of a point in the curve. */
export function statistics(one, width, go) {
  return h("div", { class: "statistics" },
    h("div", { class: "figures" }, results(one), error(one)),
    h("div", { class: "column" }, course(one, width, go), points(one)),
    (one.choices.length > 0 || one.marking) && h("div", { class: "column" }, choices(one), marking(one)));
}
