// The players' plates, his who sits below the board and the others above it, and the words for what happened.

import { h, put } from "../dom.js";
import { pick, t } from "../i18n.js";
import { token } from "./small.js";

/** A seat in words: the level's title, or who sits there. */
export function seatName(table, view, seat) {
  const { player } = view.seats[seat];
  if (player === "record") return t("seat.record");
  if (player === "human" && !table.tokens[seat]) return t("seat.other");
  if (player === "human") return t(table.tokens.filter(Boolean).length > 1 ? "seat.person" : "seat.you");
  const level = table.levels?.levels.find((one) => one.player === player);
  return level ? pick(level.title) : player;
}

const count = (key, n) => h("span", {}, h("b", { class: "number" }, String(n)), " ", t(key, { n }));

function plate(element, table, view, seat) {
  const { scene } = view;
  element.classList.toggle("turn", view.to_move === seat && !view.over);
  const name = h("strong", {}, seatName(table, view, seat));
  if (scene.kind !== "trictrac") {
    const which = t("seat.number", { n: seat + 1 });
    put(element, h("span", { class: "who" }, name, h("span", { class: "soft" }, ` ${which}`)));
    return;
  }
  const colour = scene.colours[seat], rests = colour === null;
  const called = t(rests ? "seat.rests" : colour === 0 ? "seat.white" : "seat.black");
  put(element,
    !rests && token(colour),
    h("span", { class: "who" }, name, h("span", { class: "soft" }, ` ${called}`)),
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
