// An engine's evaluation of each move: visits, prior and value, as a table with bars.

import * as api from "../api.js";
import { h, put, s } from "../dom.js";
import { number, percent, pick, t } from "../i18n.js";
import { complaint } from "./complaint.js";
import { figure } from "./verdict.js";

const MOST = 20; // moves listed

function bar(share) {
  const width = Math.max(0, Math.min(1, share || 0)) * 60;
  return s("svg", { class: "meter", viewBox: "0 0 60 8", "aria-hidden": "true" },
    s("rect", { width: 60, height: 8, rx: 2, class: "bed" }), s("rect", { width, height: 8, rx: 2, class: "fill" }));
}

export function engine(table) {
  const strings = h("datalist", { id: "engine-players" });
  const input = h("input", {
    id: "engine-player", list: "engine-players", placeholder: "champion:ms=300", autocomplete: "off",
    spellcheck: "false",
  });
  const result = h("div", {});
  const button = h("button", { type: "submit" }, t("page.engine.ask"));
  let about = null;

  async function ask(event) {
    event.preventDefault();
    const { view } = table, player = input.value.trim();
    about = view.version;
    put(result, h("p", { class: "soft busy" }, t("page.tutor.thinking")));
    try {
      const answer = await api.hint(table.id, table.seats, player ? { player } : {});
      if (about === view.version) put(result, figures(answer));
    } catch (error) {
      put(result, complaint(error));
    }
  }

  function figures(answer) {
    const most = Math.max(1, ...answer.candidates.map((one) => one.visits ?? 0));
    const visited = answer.candidates.some((one) => one.visits);
    const priors = answer.candidates.some((one) => typeof one.prior === "number");
    const column = (key) => h("th", { scope: "col", class: "figure" }, t(key));
    const head = h("tr", {}, h("th", { scope: "col" }, t("page.engine.move")),
      visited && column("page.engine.visits"), priors && column("page.engine.prior"),
      column(answer.unit === "win" ? "page.engine.win" : "page.engine.value"));
    const point = (one) => table.play.point?.(one);
    const row = (one) => h("tr", { onmouseenter: () => point(one), onmouseleave: () => point(null) },
      h("td", {}, pick(one.text)),
      visited && h("td", { class: "figure" }, number(one.visits ?? 0), bar((one.visits ?? 0) / most)),
      priors && h("td", { class: "figure" }, percent(one.prior ?? 0, 0), bar(one.prior)),
      h("td", { class: "figure" }, figure(answer, one, table.view)));
    return [h("p", { class: "soft small" }, t("page.engine.by", { player: answer.by })),
      h("table", {}, h("thead", {}, head), h("tbody", {}, answer.candidates.slice(0, MOST).map(row)))];
  }

  const element = h("div", {},
    h("p", { class: "soft small" }, t("page.engine.about")),
    h("form", { class: "row ask", onsubmit: ask },
      h("label", { class: "hidden-text", for: "engine-player" }, t("page.engine.player")), input, strings, button),
    result);
  return {
    element,
    update(view) {
      button.disabled = !view.tutor || !view.your_turn;
      if (view.version !== about) put(result);
      put(strings, (table.levels?.levels ?? []).map(({ player }) => h("option", { value: player })));
    },
  };
}
