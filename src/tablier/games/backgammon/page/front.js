// Backgammon on the start page: an introduction and a board.

import { h } from "../../js/dom.js";
import { t } from "../../js/i18n.js";
import { Board } from "./board.js";

const SCENE = { // the opening throw 3-1, before it is played
  men: [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2], dice: [3, 1], thrower: 0,
};

export function front() {
  const board = new Board({ label: t("backgammon.page.front.board") });
  board.show(SCENE);
  const hero = h("div", { class: "hero" },
    h("h1", {}, t("backgammon.title.backgammon")), h("p", { class: "lead" }, t("backgammon.page.front.lead")),
    h("p", {}, h("a", { href: "#/rules/backgammon" }, t("backgammon.page.front.learn"))));
  return [hero, board.svg];
}
