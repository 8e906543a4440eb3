// The page of the rules. Most sections have a board where readers can change the dice and see the score of the throw.

import { post } from "../../js/api.js";
import { shape } from "../../js/board/geometry.js";
import { sectionsPage } from "../../js/board/sections.js";
import { button, h, put } from "../../js/dom.js";
import { t } from "../../js/i18n.js";
import { Board } from "./board.js";
import { janLine } from "./throws.js";

// White's men by field, Black's men by field, the initial dice, and the score on the board.
const DIAGRAMS = {
  way: [{ 1: 15 }, { 24: 15 }, [5, 3]],
  hit: [{ 1: 7, 4: 2, 6: 2, 8: 1, 9: 1, 10: 2 }, { 16: 1, 17: 1, 19: 2, 20: 1, 23: 2, 24: 8 }, [6, 4]],
  false: [{ 1: 5, 6: 2, 7: 2, 9: 2, 10: 2, 12: 2 }, { 14: 2, 16: 2, 19: 2, 20: 1, 24: 8 }, [6, 4]],
  fill: [{ 1: 4, 2: 2, 3: 2, 4: 2, 5: 2, 6: 1, 7: 2 }, { 18: 2, 19: 2, 20: 2, 24: 9 }, [4, 1]],
  keep: [{ 1: 1, 5: 2, 7: 2, 8: 2, 9: 2, 10: 2, 11: 2, 12: 2 }, { 13: 2, 17: 1, 19: 2, 20: 2, 23: 2, 24: 6 }, [2, 1]],
  corner: [{ 1: 4, 6: 2, 7: 2, 8: 1, 9: 2, 10: 2, 12: 2 }, { 18: 2, 19: 2, 20: 2, 24: 9 }, [5, 3]],
  opening: [{ 1: 13, 7: 1, 9: 1 }, { 24: 15 }, [5, 4]],
  helpless: [{ 7: 2, 8: 2, 9: 2, 10: 2, 11: 4, 12: 3 }, { 13: 2, 14: 2, 15: 2, 16: 2, 17: 2, 18: 2, 24: 3 }, [6, 1]],
  return: [{ 12: 2, 18: 2, 19: 2, 20: 2, 21: 2, 22: 2, 23: 2, 24: 1 },
    { 1: 4, 2: 3, 3: 2, 4: 2, 5: 2, 6: 1, 8: 1 }, [6, 2]],
  exit: [{ 22: 1, 24: 1 }, { 1: 3, 2: 3, 3: 2, 4: 2, 5: 2, 6: 2, 8: 1 }, [4, 3]],
  marks: [{ 1: 4, 5: 2, 6: 2, 8: 2, 9: 1, 10: 2, 12: 2 }, { 13: 2, 15: 2, 16: 1, 18: 2, 20: 2, 22: 1, 24: 5 }, [6, 3],
    { points: [4, 8], holes: [3, 5], bredouille: [false, true], pavillon: 1 }],
};

function men([white, black]) {
  return Array.from({ length: 24 }, (_, n) => (white[n + 1] ?? 0) - (black[n + 1] ?? 0));
}

class Diagram {
  constructor(name, title) {
    const diagram = DIAGRAMS[name];
    this.men = men(diagram);
    this.dice = [...diagram[2]];
    const off = [15 - this.men.reduce((sum, n) => sum + Math.max(n, 0), 0), 0];
    this.scene = { ...diagram[3], men: this.men, borne_off: off, thrower: 0 };
    this.board = new Board({ shape: shape(), label: title });
    this.numbers = [0, 1].map(() => h("output", {}));
    this.result = h("div", { "aria-live": "polite" });
    const picker = h("div", { class: "throw-picker", role: "group", "aria-label": t("trictrac.page.rules.throw") },
      [0, 1].map((n) => this.#stepper(n)), button(t("trictrac.page.rules.any"), () => this.#any()));
    this.element = h("div", { class: "live-board" }, this.board.svg, picker, this.result);
    this.asked = 0;
    this.#show();
  }

  #stepper(n) {
    const turn = (sign, key, by) => {
      const next = () => ((this.dice[n] + by + 5) % 6) + 1;
      return button(sign, () => this.#set(n, next()), { class: "square", "aria-label": t(key, { die: n + 1 }) });
    };
    return h("span", { class: "stepper" },
      turn("−", "trictrac.page.rules.less", -1), this.numbers[n], turn("+", "trictrac.page.rules.more", 1));
  }

  #set(n, number) {
    this.dice[n] = number;
    this.#show();
  }

  async #any() {
    this.dice = [0, 1].map(() => 1 + Math.floor(Math.random() * 6));
    await Promise.all([this.#show(), this.board.roll(this.dice, 0)]);
  }

  async #show() {
    const mine = ++this.asked;
    this.dice.forEach((number, n) => put(this.numbers[n], String(number)));
    this.board.show({ ...this.scene, dice: this.dice });
    const { jans, points } = await post("/throws", { board: this.men, dice: this.dice });
    if (mine !== this.asked) return;
    const [white, black] = points;
    put(this.result, h("p", { class: "total" }, t("trictrac.page.rules.total", { white, black })),
      h("ul", { class: "jans" }, jans.map((jan) => janLine(jan, this.board))));
  }
}

const diagram = (name, title) => new Diagram(name, title).element;

export const open = (main) => sectionsPage(main, "trictrac", diagram, "trictrac.rules.boards");
