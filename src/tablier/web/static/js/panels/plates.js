// The players' plates, his who sits below the board and the others above it, and the words for what happened.

import { h, put } from "../dom.js";
import { pick, t } from "../i18n.js";
import { token } from "./small.js";

const SIGNS = { tic_tac_toe: ["seat.cross", "seat.nought"] };

/** A seat as the log calls it: White or Black, Cross or Nought, Player 2. */
function sideName(view, seat) {
  const colour = view.scene.colours?.[seat];
  if (colour === null) return t("seat.rests");
  if (colour !== undefined) return t(colour === 0 ? "seat.white" : "seat.black");
  const sign = SIGNS[view.game]?.[seat];
  return sign ? t(sign) : t("seat.number", { n: seat + 1 });
}

/** Who sits there; empty if the name of the side says enough, as when both play at this screen or one only watches. */
function seatName(table, view, seat) {
  const { player } = view.seats[seat];
  if (player === "record") return "";
  const mine = table.tokens.filter(Boolean).length, crowd = view.seats.length > 2;
  const number = crowd ? t("seat.number", { n: seat + 1 }) : "";
  if (player === "human" && mine !== 1) return number;
  const level = table.levels?.levels.find((one) => one.player === player);
  const who = player !== "human" ? pick(level?.title) || player : t(table.tokens[seat] ? "seat.you" : "seat.other");
  return crowd ? `${who} (${number})` : who; // of three any two may be called alike
}

const count = (key, n) => h("span", {}, h("b", { class: "number" }, String(n)), " ", t(key, { n }));

function plate(element, table, view, seat) {
  const { scene } = view;
  element.classList.toggle("turn", view.to_move === seat && !view.over);
  const name = seatName(table, view, seat), side = sideName(view, seat);
  const who = h("span", { class: "who" }, h("strong", {}, name || side),
    name && name !== side && h("span", { class: "soft" }, ` ${side}`));
  if (scene.kind !== "trictrac") {
    put(element, who);
    return;
  }
  const colour = scene.colours[seat], rests = colour === null;
  put(element,
    !rests && token(colour),
    who,
    h("span", { class: "score" },
      !rests && count("score.holes", scene.holes[colour]),
      !rests && count("score.points", scene.points[colour]),
      scene.tokens && h("span", {}, t("score.tokens", { n: scene.tokens[seat] })),
      scene.bredouille[colour] && scene.points[colour] > 0 && h("span", { class: "badge" }, t("score.bredouille")),
      !rests && scene.pavillon === colour && h("span", { class: "badge flag" }, t("score.pavillon")),
      scene.borne_off[colour] > 0 && h("span", { class: "badge" }, t("score.off", { n: scene.borne_off[colour] }))));
}

export function plates(table, view) {
  const { board } = table.play;
  const bottom = board ? view.scene.colours.indexOf(board.g.bottom) : table.bottom;
  const others = view.seats.map((_, seat) => seat).filter((seat) => seat !== bottom);
  const rows = others.map(() => h("div", { class: "plate" }));
  rows.forEach((row, n) => plate(row, table, view, others[n]));
  put(table.above, rows);
  plate(table.below, table, view, bottom);
}

/** A line of the log for a screen reader, with its jans. */
export function feed(entry) {
  const jans = (entry.jans ?? []).map((jan) => `${pick(jan.title)}, ${t("score.points.n", { n: jan.points })}`);
  return [pick(entry.text), ...jans].join(". ");
}
