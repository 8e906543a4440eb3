// Trictrac's module for the page; web/static/js/play/module.js documents the interface.
// This folder is served at games/trictrac/, hence the relative paths to the page's modules in js/.

import { shape } from "../../js/board/geometry.js";
import { movesInWhite, ownColour } from "../../js/board/numbers.js";
import { h } from "../../js/dom.js";
import { pick, t } from "../../js/i18n.js";
import { Board } from "./board.js";
import { ThrowCard } from "./throws.js";
import { sideName, token } from "./words.js";

export { Board } from "./board.js";
export { front } from "./front.js";

export const styles = ["../../css/board.css", "../../css/rules.css", "table.css"];

/** A game being reviewed. */
export class Replay {
  constructor(view) {
    this.board = new Board({ shape: shape(), bottom: ownColour(view) });
    this.card = new ThrowCard(this.board);
    this.element = h("div", { class: "stage" }, this.board.svg);
    this.aside = this.card.element;
  }

  show(view) {
    this.board.show({ ...view.scene, thrower: view.scene.throw?.player ?? null });
    this.board.countFor(view.scene.mover ?? 0);
    this.card.update(view);
  }

  point(mistake) {
    const player = mistake?.colour;
    const arrow = (kind) => ({ kind, player, moves: movesInWhite(mistake[kind].moves, player) });
    this.board.point(mistake ? ["played", "best"].map(arrow) : []);
  }
}

const count = (key, n) => h("span", {}, h("b", { class: "number" }, String(n)), " ", t(key, { n }));

/** Name, colour and score of a seat; a third player who sits out has no colour. */
export function plate({ scene }, seat) {
  const colour = scene.colours[seat];
  const tokens = scene.tokens && h("span", {}, t("trictrac.page.tokens", { n: scene.tokens[seat] }));
  if (colour === null) return { side: t("trictrac.page.rests"), sign: null, score: [tokens].filter(Boolean) };
  const off = scene.borne_off[colour], badge = (kind, text) => h("span", { class: `badge ${kind}` }, text);
  const score = [
    count("trictrac.page.holes", scene.holes[colour]),
    count("trictrac.page.points", scene.points[colour]),
    tokens,
    scene.bredouille[colour] && scene.points[colour] > 0 && badge("", t("trictrac.page.bredouille")),
    scene.pavillon === colour && badge("flag", t("trictrac.page.pavillon")),
    off > 0 && badge("", t("trictrac.page.borne_off", { n: off })),
  ];
  return { side: sideName(colour), sign: token(colour), score: score.filter(Boolean) };
}

/** The holes of a seat and of its opponent. */
export function score({ scene }, seat) {
  const colour = scene.colours[seat] ?? 0;
  return `${scene.holes[colour]}–${scene.holes[1 - colour]}`;
}

export const sign = (view, colour, named) => token(colour, named);

/** A line of the log for screen readers, with its jans. */
export function spoken(entry) {
  const jans = (entry.jans ?? []).map(({ title, points: n }) => t("trictrac.page.jan", { title: pick(title), n }));
  return [pick(entry.text), ...jans].join(" ");
}

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
