// The score sheet of a game that is played over several rounds: a line for each, and the account below.

import { h, put } from "../dom.js";
import { number, pick, t } from "../i18n.js";
import { capital } from "../messages.js";

/** A sheet as a table. */
function drawn({ text: about, players, rows }) {
  const cell = (value) => h("td", { class: "figure" }, value === null ? "" : number(value).replace("-", "−"));
  const line = ({ kind, label, text, cells }) => {
    const isSum = kind === "sum" || kind === "total"; // without an explanation
    return h("tr", { class: `row-${kind}` }, h("th", { scope: "row", colspan: isSum ? 2 : null }, pick(label)),
      !isSum && h("td", { class: "text" }, pick(text)), cells.map(cell));
  };
  const table = h("table", { class: "sheet" },
    h("thead", {}, h("tr", {}, h("td", { colspan: 2 }),
      players.map(({ label }) => h("th", { scope: "col", class: "figure" }, capital(pick(label)))))),
    h("tbody", {}, rows.map(line)));
  return [pick(about) && h("p", { class: "soft" }, pick(about)), table];
}

/** The panel; `update` shows the sheet of a view. */
export function sheet() {
  const element = h("div", { class: "sheets", tabindex: 0, role: "group", "aria-label": t("page.sheet.title") });
  let shown = "";
  return {
    element,
    update({ sheet: found }) {
      const now = JSON.stringify(found);
      if (now === shown) return; // keep the place in a long sheet
      shown = now;
      put(element, found && drawn(found));
    },
  };
}
