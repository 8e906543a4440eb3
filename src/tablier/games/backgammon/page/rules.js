// The page of the rules: sections of text, most beside a board.

import { shape } from "../../js/board/geometry.js";
import { sectionsPage } from "../../js/board/sections.js";
import { h } from "../../js/dom.js";
import { Board } from "./board.js";

// White's men by point, Black's men by White's points, and the rest of the scene.
const DIAGRAMS = {
  way: [{ 6: 5, 8: 3, 13: 5, 24: 2 }, { 1: 2, 12: 5, 17: 3, 19: 5 }, {}, []],
  throw: [{ 6: 5, 8: 3, 13: 5, 24: 2 }, { 1: 2, 12: 5, 17: 3, 19: 5 }, { dice: [3, 1] }, [[8, 5], [6, 5]]],
  hit: [{ 6: 4, 8: 3, 13: 5, 24: 2, 20: 1 }, { 1: 2, 4: 1, 12: 5, 17: 2, 19: 5 }, { dice: [4, 2] }, [[8, 4], [6, 4]]],
  bar: [{ 6: 5, 8: 3, 13: 5, 24: 1 }, { 1: 2, 12: 4, 17: 2, 19: 3, 20: 2, 22: 2 }, { dice: [5, 4], bar: [1, 0] },
    [[25, 21]]],
  home: [{ 1: 2, 2: 3, 4: 2, 5: 2 }, { 19: 2, 20: 3, 22: 2, 23: 3 }, { dice: [6, 4], borne_off: [6, 5] },
    [[5, 0], [4, 0]]],
  score: [{}, { 3: 1, 12: 2, 17: 3, 19: 5, 20: 2, 22: 2 }, { borne_off: [15, 0] }, []],
  others: [{ 22: 1, 23: 1, 24: 1 }, { 1: 1, 2: 1, 3: 1 }, {}, []],
};

function diagram(name, label) {
  const [white, black, more, moves] = DIAGRAMS[name];
  const men = Array.from({ length: 24 }, (_, n) => (white[n + 1] ?? 0) - (black[n + 1] ?? 0));
  const board = new Board({ shape: shape(), label });
  board.show({ men, thrower: 0, ...more });
  board.point([{ moves, kind: "best", player: 0 }]);
  return h("div", { class: "live-board" }, board.svg);
}

export const open = (main) => sectionsPage(main, "backgammon", diagram);
