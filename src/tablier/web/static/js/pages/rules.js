// The rules of the game in the address, or of the default game.

import * as api from "../api.js";
import { h, put } from "../dom.js";
import { pick, t } from "../i18n.js";
import { gameModule } from "../play/module.js";

export async function open(main, [wanted]) {
  const titles = new Map(); // games that share a module appear once, under the first one's name
  const games = await api.games();
  for (const game of games.toSorted((one, other) => Number(other.default) - Number(one.default))) {
    if (game.page && !titles.has(game.page)) titles.set(game.page, pick(game.titles));
  }
  const chosen = titles.has(wanted) ? wanted : [...titles.keys()][0];
  const { rules } = await gameModule(chosen ?? "picture");
  const link = ([page, title]) =>
    h("a", { href: `#/rules/${page}`, "aria-current": page === chosen ? "page" : null }, title);
  const body = h("div", {});
  put(main, titles.size > 1 && h("nav", { class: "row", "aria-label": t("page.rules.games") }, [...titles].map(link)),
    body);
  if (rules) await rules(body);
  else put(body, h("h1", {}, t("page.nav.rules")), h("p", { class: "soft" }, t("page.rules.none")));
}
