// Rollouts of a position: their progress, and the results with error bars.

import * as api from "../api.js";
import { button, h, put, s } from "../dom.js";
import { number, percent, pick, t } from "../i18n.js";
import { capital } from "../messages.js";
import { complaint } from "../panels/complaint.js";

const AGAIN = 300; // milliseconds between polls
const GAMES = [144, 648, 1296];
const SURE = 1.96; // standard errors in half a 95% interval
const WIDTH = 120, MARGIN = 6; // of an error bar's picture

/** Draws the intervals of all candidates on one scale, each as a bar with its mean. */
function scale(candidates) {
  const ends = candidates.flatMap(({ value, error }) => [value - SURE * error, value + SURE * error]);
  const least = Math.min(...ends), wide = Math.max(...ends) - least || 1;
  return (value) => MARGIN + (WIDTH - 2 * MARGIN) * ((value - least) / wide);
}

function errorBar({ value, error }, at) {
  const [from, to] = [at(value - SURE * error), at(value + SURE * error)];
  return s("svg", { class: "error-bar", viewBox: `0 0 ${WIDTH} 14`, "aria-hidden": "true" },
    s("path", { d: `M${from} 7H${to}M${from} 3v8M${to} 3v8`, class: "whisker" }),
    s("circle", { cx: at(value), cy: 7, r: 3.4 }));
}

/** The panel of rollouts; `page` is the analysis board. */
export function rollouts(page) {
  const result = h("div", { class: "rolled" });
  const most = h("select", { id: "rollout-games" }, GAMES.map((n) =>
    h("option", { value: n, selected: n === GAMES[1] }, number(n))));
  const start = button(t("page.rollout.start"), begin, { id: "rollout", class: "primary" });
  /** @type {{id: string} | null} */
  let running = null;

  const figure = (unit, value) => (unit === "win" ? percent(value) : number(value, 2));

  function told(answer, view) {
    const at = scale(answer.candidates);
    const who = capital(pick(view.seats[answer.seat].label));
    const row = (one) => h("tr", {
      onmouseenter: () => one.action !== null && page.play.point?.(one), onmouseleave: () => page.play.point?.(null),
    },
    h("th", { scope: "row" }, one.text ? pick(one.text) : t("page.rollout.position", { who })),
    h("td", { class: "figure" }, `${figure(answer.unit, one.value)} ± ${figure(answer.unit, SURE * one.error)}`,
      errorBar(one, at)),
    h("td", { class: "figure" }, number(one.games)));
    return h("table", { class: "rollout" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("page.engine.move")),
        h("th", { scope: "col", class: "figure" }, t(answer.unit === "win" ? "page.engine.win" : "page.engine.value")),
        h("th", { scope: "col", class: "figure" }, t("page.rollout.games")))),
      h("tbody", {}, answer.candidates.map(row)));
  }

  function show(answer, view) {
    const works = answer.state === "working";
    const progress = t("page.rollout.working", { done: answer.done, of: answer.of });
    put(result,
      works && [h("p", { role: "status" }, progress),
        h("progress", { value: answer.done, max: answer.of, "aria-label": t("page.rollout.title") })],
      answer.candidates.length > 0 && [told(answer, view), h("p", { class: "soft small" }, t("page.rollout.about"))],
      works ? h("div", { class: "row" }, button(t("page.rollout.stop"), stop, { id: "rollout-stop" }))
        : answer.state === "cancelled" && h("p", { class: "soft small" }, t("page.rollout.stopped")));
    start.disabled = works;
  }

  async function begin() {
    const { view } = page;
    start.disabled = true;
    try {
      follow(await api.rollOut(page.wanted(), Number(most.value)), view);
    } catch (error) {
      start.disabled = false;
      put(result, complaint(error));
    }
  }

  /** Polls until the rollout ends or the page shows another position. */
  async function follow(answer, view) {
    const mine = running = { id: answer.id };
    try {
      while (running === mine && page.view === view) {
        show(answer, view);
        if (answer.state !== "working") break;
        await new Promise((done) => setTimeout(done, AGAIN));
        if (running === mine) answer = await api.rollout(mine.id);
      }
    } catch (error) {
      if (running === mine) put(result, complaint(error));
    }
    if (running === mine) running = null;
    start.disabled = page.view.over || !page.view.rollouts;
  }

  async function stop() {
    const mine = running, { view } = page;
    running = null;
    if (!mine) return;
    try {
      show(await api.cancelRollout(mine.id), view);
    } catch (error) {
      put(result, complaint(error));
    }
    start.focus();
  }

  /** Gives a rollout up whose position is no longer shown. */
  function leave() {
    const mine = running;
    running = null;
    if (mine) api.cancelRollout(mine.id).catch(() => null); // the server gives up by itself a little later
  }

  return {
    element: h("div", {}, h("p", { class: "soft small" }, t("page.rollout.lead")),
      h("div", { class: "row rollout-ask" },
        h("label", { for: "rollout-games" }, t("page.rollout.games")), most, start), result),
    update(view) {
      leave();
      start.disabled = view.over || !view.rollouts;
      put(result, !view.rollouts && h("p", { class: "soft small" }, t("page.rollout.none")));
    },
    close: leave,
  };
}
