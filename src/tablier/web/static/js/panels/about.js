// The table itself: the link for the other seat, the record, the review, turning the board, small wishes.

import * as api from "../api.js";
import { h, put } from "../dom.js";
import { t } from "../i18n.js";
import { setWish, tables, wish } from "../store.js";

export function about(table) {
  const invite = tables().find((one) => one.id === table.id)?.invite;
  const link = invite ? `${location.origin}${location.pathname}#/table/${table.id}/${invite}` : null;
  const told = h("span", { class: "small soft", role: "status" });

  async function copy() {
    await navigator.clipboard?.writeText(link).catch(() => {});
    document.getElementById("invite").select();
    put(told, t("about.copied"));
  }

  const rules = h("p", { class: "small soft" });
  const element = h("div", { class: "stack" },
    link && h("div", { class: "invite" },
      h("label", { class: "label", for: "invite" }, t("about.invite")),
      h("div", { class: "row ask" }, h("input", { id: "invite", readonly: true, value: link }), h("button", { type: "button", onclick: copy }, t("about.copy"))), told),
    h("div", { class: "row" },
      h("a", { class: "button", href: `#/review/${table.id}` }, t("about.review")),
      table.play.turn && h("button", { type: "button", id: "turn", onclick: () => table.turn() }, t("about.turn"))),
    h("div", { class: "row" },
      h("a", { class: "button", href: api.recordLink(table.id, "text"), download: true }, t("about.record")),
      h("a", { class: "button", href: api.recordLink(table.id, "json"), download: true }, t("about.json"))),
    table.play.turn && h("label", { class: "check" }, h("input", { type: "checkbox", id: "auto", checked: wish("auto", false), onchange: (event) => setWish("auto", event.target.checked) }), t("about.auto")),
    rules);
  tellOptions(table.view, rules);
  return { element, update() {} };
}

/** Names the options in which this game differs from the usual one. */
async function tellOptions(view, rules) {
  const games = await api.games().catch(() => []);
  const usual = games.find((game) => game.name === view.game)?.options ?? [];
  const special = usual.filter((option) => view.options[option.name] !== option.default).map(({ name }) => `${name} = ${view.options[name]}`);
  put(rules, special.length ? `${t("about.options")} ${special.join(", ")}` : "");
}
