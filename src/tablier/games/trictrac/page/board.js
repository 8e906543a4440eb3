// Trictrac's board: the shared board with tokens, pegs and the flag, and names for the talons and rest corners.

import { BaseBoard } from "../../js/board/board.js";
import { borneOff } from "../../js/board/pieces.js";
import { put } from "../../js/dom.js";
import { t } from "../../js/i18n.js";
import { geometry } from "./geometry.js";
import { fittings, marks } from "./marks.js";
import { words } from "./words.js";

const NAMES = { 1: "talon", 24: "talon", 12: "corner", 13: "corner" };

export class Board extends BaseBoard {
  static empty = { holes: [0, 0], points: [0, 0], bredouille: [false, false], pavillon: null };

  constructor(settings = {}) {
    super(words, settings);
  }

  layout(shape, bottom) {
    return geometry(shape, bottom);
  }

  fittings() {
    return fittings(this.g, this.key);
  }

  drawMarks() {
    const { g, key, scene, woods } = this;
    put(this.layers.marks, marks(g, key, scene, woods), borneOff(g, scene.borne_off, woods));
  }

  /** Moves tokens and pegs to a new score. */
  mark({ points, holes }) {
    this.scene = { ...this.scene, points, holes };
    this.drawMarks();
  }

  placeName(field) {
    const name = NAMES[field], number = this.ownNumber(field);
    return name ? t("trictrac.page.board.named", { field: number, name: words.board(name) }) : super.placeName(field);
  }
}
