// The bar when the person has nothing to play: whom they wait for and, at the end, the result, what to learn from it, a
// rematch, and the level to try next.

import { button, h } from "../dom.js";
import { pick, t } from "../i18n.js";
import { nextLevel, noteResult } from "../ladder.js";
import { rematchButton } from "./rematch.js";

/** The result of the game, for the person if they have one seat. */
export function outcome(view) {
  const mine = view.seats.findIndex(({ you }) => you), alone = view.seats.filter(({ you }) => you).length === 1;
  return pick(alone && view.results ? view.results[mine] : view.result) || t("page.play.over");
}

/** Counts a game against a player of the machine for the ladder of levels. */
export function countResult({ game, seats, winner }) {
  const other = seats.find(({ you }) => !you), mine = seats.findIndex(({ you }) => you);
  if (seats.length === 2 && mine >= 0 && other && other.player !== "human" && winner !== null) {
    noteResult(game, other.player, winner === mine);
  }
}

/** The costliest move that the tutor saw, with a link to it. */
function lesson({ id, tutor }) {
  const worst = tutor?.worst;
  return worst && h("p", { class: "small learn" }, t("page.play.learn", { text: worst.text, cost: worst.lost }), " ",
    h("a", { href: `#/review/${id}/${worst.version}` }, t("page.play.look")));
}

/** The level to try next, as a sentence and a button that begins the game. */
function ladder(table, { game, seats }) {
  const next = nextLevel(game, table.levels?.levels.filter(({ rank }) => rank !== null) ?? []);
  const plays = next && seats.find(({ you, player }) => !you && player !== "human");
  if (!plays) return null;
  const name = { level: pick(next.level.title), rank: next.level.rank };
  return h("div", { class: "row next" }, h("span", {}, t(next.up ? "page.ladder.up" : "page.ladder.down", name)),
    button(t("page.ladder.play", name), () => table.again({ [plays.player]: next.level.player }), { id: "next" }));
}

/** What can be done after a game. */
export function ending(table, view) {
  return [h("div", { class: "row" }, rematchButton(table, view),
    h("a", { class: "button", href: `#/review/${table.id}` }, t("page.play.review")),
    h("a", { class: "button", href: "#/" }, t("page.play.new"))),
  view.over && [lesson(table), ladder(table, view)]];
}

/** Who is being waited for, while it is not the person's turn. */
export function waiting(tokens, view) {
  const person = view.to_move !== null && view.seats[view.to_move].player === "human";
  const key = !tokens.some(Boolean) ? "page.play.watching" : person ? "page.play.wait" : "page.play.thinking";
  return h("p", { class: view.thinking ? "status busy" : "status" }, t(key));
}
