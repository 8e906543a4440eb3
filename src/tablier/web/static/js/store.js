// What this browser keeps: seat tokens by table, the tables lately opened, and the reader's wishes.

const TABLES = "tablier.tables", WISHES = "tablier.wishes", MOST = 20; // finished and watched tables

function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch { /* a browser that keeps nothing still plays, only a reload ends it */ }
}

/** Tables lately opened, the newest first: {id, title, titles, tokens, invites, opened, over, missing, uninvited}. */
export const tables = () => read(TABLES, []);

export function tokens(id) {
  return tables().find((table) => table.id === id)?.tokens ?? [null, null];
}

/** Whether a game goes on in which this browser has a seat. */
export const hasSeat = (table) => !table.over && (table.tokens ?? []).some(Boolean);

/** What is kept of a game's name: in every language, and in English, which older versions of the page show. */
export const titles = (view) => ({ title: view.title, titles: view.titles });

/** Puts a table at the top of the list. Only finished and watched ones are ever dropped: a seat is nowhere else. */
export function keepTable(id, facts) {
  const others = tables().filter((table) => table.id !== id);
  const before = tables().find((table) => table.id === id) ?? { id, tokens: [null, null] };
  const all = [{ ...before, ...facts, opened: Date.now() }, ...others];
  const rest = all.filter((table) => !hasSeat(table)).slice(0, MOST);
  write(TABLES, all.filter((table) => hasSeat(table) || rest.includes(table)));
}

/** Changes what is kept of a table, if it is kept at all; its place in the list stays. */
export function noteTable(id, facts) {
  write(TABLES, tables().map((table) => (table.id === id ? { ...table, ...facts } : table)));
}

export function forgetTable(id) {
  write(TABLES, tables().filter((table) => table.id !== id));
}

export const wish = (name, otherwise) => read(WISHES, {})[name] ?? otherwise;

export function setWish(name, value) {
  write(WISHES, { ...read(WISHES, {}), [name]: value });
}
