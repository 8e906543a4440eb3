// Playing backgammon on the board. A doublet is played in two halves, and the prompt says which.
// Its methods are documented in web/static/js/play/module.js.

import { shape } from "../../js/board/geometry.js";
import { BoardPlay } from "../../js/board/play.js";
import { Board } from "./board.js";
import { words } from "./words.js";

export class Play extends BoardPlay {
  constructor(settings) {
    super(new Board({ shape: shape(), live: true }), words, settings);
  }

  asked(stage) {
    const { dice, moves_left: left } = this.view.scene, text = words.play(stage);
    if (dice[0] !== dice[1]) return text;
    return words.play(left === 4 ? "first_half" : "second_half", { text });
  }
}
