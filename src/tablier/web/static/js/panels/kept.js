// What this browser and the reader's library keep of a table: the opponent, the score, and whether the game is over.

import { shelve } from "../library.js";
import { noteTable } from "../store.js";
import { against } from "./plates.js";

export function keep(table, view) {
  const { id, module, play, seats } = table, isOver = view.over || view.full;
  const opponent = table.levels ? { against: against(table, view) } : {};
  const facts = { ...opponent, score: module.score?.(view, play.bottom(view)) };
  noteTable(id, isOver ? { ...facts, over: true } : facts);
  if (view.seats.some(({ you }) => you)) shelve(id, seats, isOver);
}
