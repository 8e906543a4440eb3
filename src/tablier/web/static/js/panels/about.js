// The table itself: links for the other seats, the record, the review, turning the board, small wishes.

import * as api from "../api.js";
import { button, check, h, put } from "../dom.js";
import { t } from "../i18n.js";
import { setWish, tables, wish } from "../store.js";

export function about(table) {
  const invites = tables().find((one) => one.id === table.id)?.invites ?? [];
  const rules = h("p", { class: "small soft" });
  const element = h("div", { class: "stack" },
    invites.map((token, n) => invitation(`${location.origin}${location.pathname}#/table/${table.id}/${token}`, n)),
    h("div", { class: "row" },
      h("a", { class: "button", href: `#/review/${table.id}` }, t("about.review")),
      table.play.turn && button(t("about.turn"), () => table.turn(), { id: "turn" })),
    h("div", { class: "row" },
      h("a", { class: "button", href: api.recordLink(table.id, "text"), download: true }, t("about.record")),
      h("a", { class: "button", href: api.recordLink(table.id, "json"), download: true }, t("about.json"))),
    table.play.turn
      && check(t("about.auto"), { id: "auto", checked: wish("auto", false) }, (on) => setWish("auto", on)),
    rules);
  tellOptions(table.view, rules);
  return { element, update() {} };
}

/** The link for another seat, to be copied. */
function invitation(link, n) {
  const id = n ? `invite-${n + 1}` : "invite";
  const field = h("input", { id, readonly: true, value: link });
  const told = h("span", { class: "small soft", role: "status" });

  async function copy() {
    await navigator.clipboard?.writeText(link).catch(() => {});
    field.select();
    put(told, t("about.copied"));
  }

  return h("div", { class: "invite" },
    h("label", { class: "label", for: id }, t("about.invite")),
    h("div", { class: "row ask" }, field, button(t("about.copy"), copy)), told);
}

/** Names the options in which this game differs from the usual one. */
async function tellOptions(view, rules) {
  const games = await api.games().catch(() => []);
  const usual = games.find((game) => game.name === view.game)?.options ?? [];
  const special = usual.filter((option) => view.options[option.name] !== option.default);
  const words = special.map(({ name }) => `${name} = ${view.options[name]}`).join(", ");
  put(rules, words && `${t("about.options")} ${words}`);
}
