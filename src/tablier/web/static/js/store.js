// Local storage: seat tokens by table, recently opened tables, and the reader's preferences.

const TABLES = "tablier.tables", WISHES = "tablier.wishes", MOST = 20; // finished and watched tables to remember

/** Reads what is stored under a key; `otherwise` if nothing is, or if it is damaged. */
export function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Stores a value under a key. */
export function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch { /* without storage the page still works until it is reloaded */ }
}

/**
 * Recently opened tables, newest first: {id, title, titles, tokens, invites, opened, over, missing, uninvited, shelved,
 * against, score}.
 */
export const tables = () => read(TABLES, []);

export function tokens(id) {
  return tables().find((table) => table.id === id)?.tokens ?? [null, null];
}

/** Whether this browser has a seat in a game. */
export const hasToken = (table) => (table.tokens ?? []).some(Boolean);

/** Whether this browser has a seat in a game that is not over. */
export const hasSeat = (table) => !table.over && hasToken(table);

/** The oldest seat of this browser: a table and its token, or undefined. */
export function oldestSeat() {
  const table = tables().findLast(hasToken);
  return table && { id: table.id, token: table.tokens.find(Boolean) };
}

/** The game's name to store: in every language, and in English for older versions of the page. */
export const titles = (view) => ({ title: view.title, titles: view.titles });

/** Moves a table to the top. Tables with an open seat are never dropped, because their tokens exist nowhere else. */
export function keepTable(id, facts) {
  const others = tables().filter((table) => table.id !== id);
  const before = tables().find((table) => table.id === id) ?? { id, tokens: [null, null] };
  const all = [{ ...before, ...facts, opened: Date.now() }, ...others];
  const rest = all.filter((table) => !hasSeat(table)).slice(0, MOST);
  write(TABLES, all.filter((table) => hasSeat(table) || rest.includes(table)));
}

/** Updates a stored table without moving it in the list; does nothing if it is not stored. */
export function noteTable(id, facts) {
  write(TABLES, tables().map((table) => (table.id === id ? { ...table, ...facts } : table)));
}

export function forgetTable(id) {
  write(TABLES, tables().filter((table) => table.id !== id));
}

/** All settings, for an export. */
export const wishes = () => read(WISHES, {});

export const wish = (name, otherwise) => read(WISHES, {})[name] ?? otherwise;

export function setWish(name, value) {
  write(WISHES, { ...read(WISHES, {}), [name]: value });
}
