// Backgammon's module for the page; web/static/js/play/module.js documents the interface.
// This folder is served at games/backgammon/, hence the relative paths to the page's modules in js/.

import { shape } from "../../js/board/geometry.js";
import { movesInWhite, ownColour } from "../../js/board/numbers.js";
import { h } from "../../js/dom.js";
import { t } from "../../js/i18n.js";
import { Board } from "./board.js";
import { sideName, token } from "./words.js";

export { Board } from "./board.js";
export { front } from "./front.js";

export const styles = ["../../css/board.css", "../../css/rules.css"];

/** A game being reviewed. */
export class Replay {
  constructor(view) {
    this.board = new Board({ shape: shape(), bottom: ownColour(view) });
    this.element = h("div", { class: "stage" }, this.board.svg);
  }

  show({ scene }) {
    this.board.show({ ...scene, thrower: scene.dice ? scene.mover : null });
    this.board.countFor(scene.mover);
  }

  point(mistake) {
    const player = mistake?.colour;
    const arrow = (kind) => ({ kind, player, moves: movesInWhite(mistake[kind].moves, player) });
    this.board.point(mistake ? ["played", "best"].map(arrow) : []);
  }
}

/** Name, colour and pips of a seat. */
export function plate({ scene }, seat) {
  const badge = (text) => h("span", { class: "badge" }, text);
  const n = scene.pips[seat], bar = scene.bar[seat], off = scene.borne_off[seat];
  const score = [
    h("span", {}, h("b", { class: "number" }, String(n)), " ", t("backgammon.page.pips", { n })),
    bar > 0 && badge(t("backgammon.page.on_bar", { n: bar })),
    off > 0 && badge(t("backgammon.page.borne_off", { n: off })),
  ];
  return { side: sideName(seat), sign: token(seat), score: score.filter(Boolean) };
}

export const sign = (view, colour, named) => token(colour, named);

/** What plays a game, loaded only at a table. */
export async function loadPlay() {
  const { Play } = await import("./play.js");
  return Play;
}

/** The rules, loaded only when opened. */
export async function rules(main) {
  const page = await import("./rules.js");
  await page.open(main);
}
