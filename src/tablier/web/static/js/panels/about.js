// The table itself: links for the other seats, the record, the review, turning the board, small wishes.

import * as api from "../api.js";
import { button, check, h, put } from "../dom.js";
import { t } from "../i18n.js";
import { setWish, wish } from "../store.js";
import { invitation, links } from "./invite.js";

export function about(table) {
  const rules = h("p", { class: "small soft" });
  const element = h("div", { class: "stack" },
    links(table).map(({ link }, n) => invitation(link, n ? `invite-${n + 1}` : "invite")),
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

/** Names the options in which this game differs from the usual one. */
async function tellOptions(view, rules) {
  const games = await api.games().catch(() => []);
  const usual = games.find((game) => game.name === view.game)?.options ?? [];
  const special = usual.filter((option) => view.options[option.name] !== option.default);
  const words = special.map(({ name }) => `${name} = ${view.options[name]}`).join(", ");
  put(rules, words && `${t("about.options")} ${words}`);
}
