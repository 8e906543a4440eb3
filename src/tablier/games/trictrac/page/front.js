// Trictrac on the start page: an introduction and a board.

import { h } from "../../js/dom.js";
import { t } from "../../js/i18n.js";
import { Board } from "./board.js";

const SCENE = { // the middle of a game
  men: [4, 0, 1, 0, 2, 2, 1, 2, 0, 1, 0, 2, -2, 0, -2, 0, -2, -1, 0, -2, 0, 0, -1, -5],
  dice: [6, 4], thrower: 0, holes: [5, 7], points: [4, 8], bredouille: [false, true], pavillon: 1,
};

export function front() {
  const board = new Board({ label: t("trictrac.page.front.board") });
  board.show(SCENE);
  const hero = h("div", { class: "hero" },
    h("h1", {}, t("trictrac.title.trictrac")), h("p", { class: "lead" }, t("trictrac.page.front.lead")),
    h("p", { class: "row" }, h("a", { class: "button", href: "#/lessons" }, t("trictrac.page.front.lessons")),
      h("a", { href: "#/rules/trictrac" }, t("trictrac.page.front.learn"))));
  return [hero, board.svg];
}
