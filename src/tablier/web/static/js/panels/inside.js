// Looking inside a player: every candidate with visits, prior and value, as a table with bars.

import * as api from "../api.js";
import { movesInWhite } from "../board/numbers.js";
import { h, put, s } from "../dom.js";
import { number, percent, pick, t } from "../i18n.js";
import { complaint } from "./small.js";
import { figure } from "./tutor.js";

const MOST = 20; // so many moves are listed

function bar(share) {
  const width = Math.max(0, Math.min(1, share || 0)) * 60;
  return s("svg", { class: "meter", viewBox: "0 0 60 8", "aria-hidden": "true" },
    s("rect", { width: 60, height: 8, rx: 2, class: "bed" }), s("rect", { width, height: 8, rx: 2, class: "fill" }));
}

export function inside(table) {
  const strings = h("datalist", { id: "inside-players" });
  const input = h("input", {
    id: "inside-player", list: "inside-players", placeholder: "gumbel:sims=200", autocomplete: "off",
    spellcheck: "false",
  });
  const result = h("div", {});
  const button = h("button", { type: "submit" }, t("inside.ask"));
  let about = null;

  async function ask(event) {
    event.preventDefault();
    const { view } = table, player = input.value.trim();
    about = view.version;
    put(result, h("p", { class: "soft busy" }, t("tutor.thinking")));
    try {
      const answer = await api.hint(table.id, table.seats, player ? { player } : {});
      if (about === view.version) put(result, figures(answer, view));
    } catch (error) {
      put(result, complaint(error));
    }
  }

  function figures(answer, view) {
    const { board } = table.play;
    const most = Math.max(1, ...answer.candidates.map((one) => one.visits ?? 0));
    const visited = answer.candidates.some((one) => one.visits);
    const priors = answer.candidates.some((one) => typeof one.prior === "number");
    const head = h("tr", {}, h("th", { scope: "col" }, t("inside.move")),
      visited && h("th", { scope: "col", class: "figure" }, t("inside.visits")),
      priors && h("th", { scope: "col", class: "figure" }, t("inside.prior")),
      h("th", { scope: "col", class: "figure" }, t(answer.unit === "win" ? "inside.win" : "inside.value")));
    const point = (one) => board?.point([{ moves: movesInWhite(one.moves, view.scene.mover), kind: "best" }]);
    const row = (one) => h("tr", { onmouseenter: () => point(one), onmouseleave: () => board?.point([]) },
      h("td", {}, pick(one.text)),
      visited && h("td", { class: "figure" }, number(one.visits ?? 0), bar((one.visits ?? 0) / most)),
      priors && h("td", { class: "figure" }, percent(one.prior ?? 0, 0), bar(one.prior)),
      h("td", { class: "figure" }, figure(answer, one)));
    return [h("p", { class: "soft small" }, t("inside.by", { player: answer.by })),
      h("table", {}, h("thead", {}, head), h("tbody", {}, answer.candidates.slice(0, MOST).map(row)))];
  }

  const element = h("div", {},
    h("p", { class: "soft small" }, t("inside.about")),
    h("form", { class: "row ask", onsubmit: ask },
      h("label", { class: "hidden-text", for: "inside-player" }, t("inside.player")), input, strings, button), result);
  return {
    element,
    update(view) {
      button.disabled = !view.tutor || !view.your_turn;
      if (view.version !== about) put(result);
      put(strings, (table.levels?.levels ?? []).map(({ player }) => h("option", { value: player })));
    },
  };
}
