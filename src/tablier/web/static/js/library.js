// The reader's library: its secret code, in local storage, and the games that enter it.

import * as api from "./api.js";
import { hasToken, noteTable, read, tables, write } from "./store.js";

const KEY = "tablier.library", MOST = 40; // games to add at once
/** @type {Promise<string> | null} */
let creating = null;

/** The code of this browser's library; null before the first game. */
export const code = () => read(KEY, {}).code ?? null;

/** Uses the library with this code from now on; null forgets it. */
export const use = (now) => write(KEY, now ? { code: now } : {});

async function create() {
  const made = await api.newLibrary();
  use(made.code);
  return made.code;
}

/** The code of this browser's library, which is created if there is none. */
export async function ownCode() {
  const known = code();
  if (known) return known;
  creating ??= create().finally(() => { creating = null; });
  return creating;
}

/** Adds a game in which the reader has a seat, or tells the library that it is over. */
async function put(id, seats, mine) {
  const game = await api.shelve(mine, id, seats);
  noteTable(id, { shelved: mine, settled: game.ended !== null });
}

/** The same in the background: if it fails, the page of the library tries again. */
export async function shelve(id, seats, isOver) {
  const kept = tables().find((table) => table.id === id);
  if (!kept || (kept.shelved === code() && kept.shelved && (kept.settled || !isOver))) return;
  await ownCode().then((mine) => put(id, seats, mine)).catch(() => {});
}

/** Adds the games of this browser that the library does not know yet. */
export async function shelveAll() {
  const known = code();
  const missing = tables().filter((table) => hasToken(table) && !table.missing && !(known && table.shelved === known));
  for (const { id, tokens } of missing.slice(0, MOST)) {
    const mine = await ownCode();
    await put(id, tokens.filter(Boolean).join(), mine).catch((error) => {
      if (error.status === 404) noteTable(id, { missing: true });
    });
  }
}
