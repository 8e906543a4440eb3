// What this browser keeps: seat tokens by table, the tables lately opened, and the reader's wishes.

const TABLES = "tablier.tables", WISHES = "tablier.wishes", MOST = 20;

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

/** Tables lately opened, the newest first: {id, title, tokens, opened, over}. */
export const tables = () => read(TABLES, []);

export function tokens(id) {
  return tables().find((table) => table.id === id)?.tokens ?? [null, null];
}

export function keepTable(id, facts) {
  const others = tables().filter((table) => table.id !== id);
  const before = tables().find((table) => table.id === id) ?? { id, tokens: [null, null] };
  write(TABLES, [{ ...before, ...facts, opened: Date.now() }, ...others].slice(0, MOST));
}

export function forgetTable(id) {
  write(TABLES, tables().filter((table) => table.id !== id));
}

export const wish = (name, otherwise) => read(WISHES, {})[name] ?? otherwise;

export function setWish(name, value) {
  write(WISHES, { ...read(WISHES, {}), [name]: value });
}
