// The backgammon board: the shared board with a wider bar for hit men. Men move from 24 to 1.

import { BaseBoard } from "../../js/board/board.js";
import { geometry } from "../../js/board/geometry.js";
import { words } from "./words.js";

const SIZES = { wide: { bar: 56 }, tall: { bar: 58 } };

export class Board extends BaseBoard {
  static hasBar = true;

  constructor(settings = {}) {
    super(words, settings);
  }

  layout(shape, bottom) {
    return geometry(shape, bottom, { sizes: SIZES, descends: true });
  }
}
