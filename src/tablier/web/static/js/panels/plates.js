// The players' plates: one below the board, the others above it.

import { h, put } from "../dom.js";
import { pick, t } from "../i18n.js";
import { capital } from "../messages.js";

/** The name of a seat's player; empty if the side's name is enough, as when everyone plays on this screen. */
function seatName(table, view, seat) {
  const { player } = view.seats[seat];
  if (player === "record") return "";
  const mine = table.tokens.filter(Boolean).length, crowd = view.seats.length > 2;
  const number = crowd ? capital(t("seat.number", { number: seat + 1 })) : "";
  if (player === "human" && mine !== 1) return number;
  const level = table.levels?.levels.find((one) => one.player === player);
  const person = view.seats[seat].name || t(table.tokens[seat] ? "page.seat.you" : "page.seat.other");
  const who = player === "human" ? person : pick(level?.title) || player;
  return crowd ? `${who} (${number})` : who; // with three players, two may have the same name
}

/** Who plays against the person, in words by language; null for spectators and on one screen. */
export function against(table, view) {
  const mine = table.tokens.filter(Boolean).length, other = view.seats.find((_, seat) => !table.tokens[seat]);
  if (mine !== 1 || !other) return null;
  const level = table.levels?.levels.find((one) => one.player === other.player);
  return level?.title ?? (other.player === "human" ? other.name : other.player);
}

function fill(element, table, view, seat) {
  element.classList.toggle("turn", view.to_move === seat && !view.over);
  const { side, sign, score } = table.module.plate(view, seat), name = seatName(table, view, seat);
  const more = name && name !== side && h("span", { class: "soft" }, ` ${side}`);
  const said = table.sayings.of(seat), time = table.clocks.of(seat);
  put(element, sign, h("span", { class: "who" }, h("strong", {}, name || side), more,
    said && h("span", { class: "saying" }, said)),
  time && h("span", { class: "time number", role: "timer" }, time),
    score.length > 0 && h("span", { class: "score" }, score));
}

export function plates(table, view) {
  const bottom = table.play.bottom(view);
  const others = view.seats.map((_, seat) => seat).filter((seat) => seat !== bottom);
  const rows = others.map(() => h("div", { class: "plate" }));
  rows.forEach((row, n) => fill(row, table, view, others[n]));
  put(table.above, rows);
  fill(table.below, table, view, bottom);
}
