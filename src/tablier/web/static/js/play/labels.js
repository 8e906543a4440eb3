// What a picture shows, in the reader's words: the pictures themselves are made for every reader.

import { t } from "../i18n.js";

function pig({ scene, options }) {
  const [first, second, turn] = scene.text.match(/\d+/g) ?? [];
  return t("picture.pig", { goal: options.win_score, first, second, turn });
}

function ticTacToe({ scene }) {
  const squares = [...scene.text.replace(/\s/g, "")];
  const places = (sign) => squares.map((found, n) => found === sign
    && t("picture.square", { row: Math.floor(n / 3) + 1, column: (n % 3) + 1 })).filter(Boolean).join(", ");
  const none = t("picture.none");
  return t("picture.tic-tac-toe", { crosses: places("x") || none, noughts: places("o") || none });
}

const LABELS = { pig, tic_tac_toe: ticTacToe };

/** The words for the picture of a view; null where it has none but its own. */
export const label = (view) => LABELS[view.game]?.(view) ?? null;
