// Training curves of the runs in the server's folder, one chart per metric.

import * as api from "../api.js";
import { chart } from "../chart.js";
import { check, h, put, s, withCode } from "../dom.js";
import { more, number, t } from "../i18n.js";

const MOST = 6; // runs drawn together, each in its own colour
const FIRST = ["loss", "win_rate", "policy_loss", "value_loss", "games_per_second"]; // shown before the other metrics

export async function open(main) {
  const [runs] = await Promise.all([api.runs(), more("runs")]);
  const lead = t(runs.length ? "page.runs.lead" : "page.runs.none");
  put(main, h("h1", {}, t("page.runs.title")), h("p", { class: "soft" }, withCode(lead)));
  if (!runs.length) return;
  const shown = new Set(runs.slice(-3).map((run) => run.name));
  const curves = h("div", { class: "curves" });
  const colour = (run) => runs.indexOf(run) % MOST;

  async function draw() {
    const chosen = runs.filter((run) => shown.has(run.name));
    const names = [...new Set(chosen.flatMap((run) => run.metrics))];
    names.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
    const data = []; // one after another: a client has only a part of the server's queue
    for (const run of chosen) data.push(await api.metrics(run.name, run.metrics));
    put(curves, names.map((name) => curve(name, chosen, data, colour)));
  }

  function toggle(run, on) {
    if (on) shown.add(run.name);
    else shown.delete(run.name);
    draw();
  }

  function line(run) {
    const facts = t("page.runs.facts", { ...run, steps: number(run.steps), minutes: number(run.minutes, 1) });
    const swatch = s("svg", { class: "swatch", viewBox: "0 0 20 6", "aria-hidden": "true" },
      s("path", { d: "M0 3H20", class: `line c${colour(run)}` }));
    const words = h("span", {}, h("strong", {}, run.name), h("span", { class: "soft small" }, ` ${facts}`));
    return check([swatch, words], { checked: shown.has(run.name) }, (on) => toggle(run, on));
  }

  main.append(h("fieldset", { class: "card run-list" },
    h("legend", { class: "hidden-text" }, t("page.runs.shown")), runs.map(line)), curves);
  await draw();
}

function rank(name) {
  const at = FIRST.indexOf(name);
  return at < 0 ? FIRST.length : at;
}

function curve(name, runs, data, colour) {
  const series = runs.map((run, n) => ({
    colour: colour(run),
    points: (data[n][name] ?? []).map((value, at) => [data[n].steps[at], value]).filter(([, value]) => value !== null),
  })).filter(({ points }) => points.length > 1);
  return h("section", { class: "card curve" }, h("h2", {}, name),
    series.length ? chart({ series, width: 430, height: 200, label: name }).svg
      : h("p", { class: "soft small" }, t("page.runs.empty")));
}
