// The Table tab: invitation links, review, game record, flipping the board, and the options of this game.

import { analyseTable } from "../analysis/address.js";
import * as api from "../api.js";
import { button, h, put } from "../dom.js";
import { t } from "../i18n.js";
import { audit } from "./audit.js";
import { copying, invitation, links } from "./invite.js";
import { optionTold } from "./options.js";
import { settings } from "./settings.js";

export function about(table) {
  const special = h("div", { class: "small soft" }), others = h("div", { class: "row" });
  const dice = audit(table);
  const analyse = () => analyseTable(table.id, table.shown).catch((error) => table.wrong(error));
  const analysis = button(t("page.about.analyse"), analyse, { id: "analyse-here" });
  const element = h("div", { class: "stack" },
    links(table).map(({ link }, n) => copying(link, n ? `invite-${n + 1}` : "invite", "page.about.invite")),
    invitation(`${location.origin}${location.pathname}#/table/${table.id}`, "watch", "page.about.watch"),
    h("div", { class: "row" },
      h("a", { class: "button", href: `#/review/${table.id}` }, t("page.about.review")),
      analysis, table.play.turn && button(t("page.about.turn"), () => table.turn(), { id: "turn" })),
    h("div", { class: "row" },
      h("a", { class: "button", href: api.recordLink(table.id, "text"), download: true }, t("page.about.record")),
      h("a", { class: "button", href: api.recordLink(table.id, "json"), download: true }, t("page.about.json"))),
    others,
    settings(table),
    dice.element,
    special);
  tellGame(table, special, others);
  return {
    element,
    update(view) {
      analysis.disabled = !view.tutor && !view.over && !view.full; // as hints and reviews
      dice.update(view);
    },
  };
}

/** Lists the options that differ from their defaults, and the formats of other programs. */
async function tellGame({ id, view }, element, others) {
  const games = await api.games().catch(() => []);
  const { options: usual = [], formats = [] } = games.find((game) => game.name === view.game) ?? {};
  put(others, formats.map((format) => h("a",
    { class: "button", href: api.recordLink(id, format), download: true }, t("page.about.format", { format }))));
  const special = usual.filter((option) => view.options[option.name] !== option.default);
  const lines = special.map((option) => h("li", {}, optionTold(option, view.options[option.name])));
  put(element, lines.length > 0 && [t("page.about.options"), h("ul", { class: "options" }, lines)]);
}
