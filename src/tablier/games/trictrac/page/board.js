// Trictrac's board: the shared board with tokens, pegs and the flag, and names for the talons and rest corners.

import { BaseBoard } from "../../js/board/board.js";
import { borneOff } from "../../js/board/pieces.js";
import { put } from "../../js/dom.js";
import { t } from "../../js/i18n.js";
import { run } from "../../js/motion.js";
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

  /** Sweeps all men back to their talons. */
  async sweep() {
    const { g, layers, woods } = this;
    for (const count of layers.men.querySelectorAll(".count")) count.remove();
    const at = (x, y) => ({ transform: `translate(${x}px, ${y}px)` });
    /** @type {NodeListOf<SVGGElement>} */
    const men = layers.men.querySelectorAll(".man");
    await Promise.all([...men].map((man, n) => {
      const talon = man.classList.contains(woods[0]) ? 1 : 24;
      const { e: x, f: y } = man.transform.baseVal.getItem(0).matrix;
      const pace = { duration: 420, delay: 14 * n, easing: "ease-in-out", fill: "both" };
      return run(man, [at(x, y), at(g.x(talon), g.y(talon, n % 15, 15))], pace);
    }));
  }

  placeName(field) {
    const name = NAMES[field], number = this.ownNumber(field);
    return name ? t("trictrac.page.board.named", { field: number, name: words.board(name) }) : super.placeName(field);
  }
}
