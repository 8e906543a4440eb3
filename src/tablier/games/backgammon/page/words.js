// The texts of the backgammon board and of a move, by name, and the names of the colours.

import { token as shared } from "../../js/board/token.js";
import { t } from "../../js/i18n.js";

export const words = {
  board: (name, params) => t(`backgammon.page.board.${name}`, params),
  men: (name, params) => t(`backgammon.page.men.${name}`, params),
  play: (name, params) => t(`backgammon.page.play.${name}`, params),
};

/** The name of a colour: White or Black. */
export const sideName = (colour) => t(`backgammon.side.${colour}`);

/** A small man in a colour; `named` adds the colour's name for screen readers. */
export const token = (colour, named = false) => shared(colour, named ? sideName(colour) : "");
