// Another game with the same players and rules, with the sides swapped.

import * as api from "../api.js";
import { button, h } from "../dom.js";
import { t } from "../i18n.js";
import { keepTable, oldestSeat, titles } from "../store.js";

const moved = (list) => list.map((_, seat) => list[(seat + list.length - 1) % list.length]);

/** Begins the next game of a table whose people all play in this browser; `instead` maps players to others. */
async function begin(table, instead) {
  const { game, options, seats, tutor } = table.view;
  const players = moved(seats.map(({ player }) => instead[player] ?? player));
  const begun = await api.newTable({ game, options, tutor, seats: players }, oldestSeat());
  open(table, begun.table, begun.tokens);
}

/** Opens the next table, where everyone has moved on by one seat. */
function open(table, id, tokens) {
  keepTable(id, { ...titles(table.view), tokens, over: false });
  location.hash = `#/table/${id}`;
}

/** Whether everyone who plays here plays in this browser. */
const alone = (table) => table.view.seats.every(({ player }, seat) => player !== "human" || table.tokens[seat]);

/** Asks for a rematch, with people elsewhere, or begins it. */
export async function rematch(table, instead = {}) {
  if (alone(table)) return begin(table, instead);
  await table.gesture("rematch");
}

/** Goes to the rematch once everyone has agreed. */
export function follow(table, view) {
  const agreed = view.seats.some(({ you }, seat) => you && view.agreed.rematch.includes(seat));
  if (view.next && agreed) open(table, view.next, moved(table.tokens));
}

/** The button for a rematch, with what the other player thinks of it; null for spectators and records. */
export function rematchButton(table, view) {
  const mine = view.seats.findIndex(({ you }) => you), wanted = view.agreed.rematch;
  if (mine < 0) return null;
  const asked = wanted.includes(mine);
  const key = asked ? "page.rematch.asked" : wanted.length ? "page.rematch.wanted" : null;
  return [key && h("span", { class: "small" }, t(key)),
    button(t("page.play.rematch"), () => table.again(), { class: "primary", id: "rematch", disabled: asked })];
}
