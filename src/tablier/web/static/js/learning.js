// What the reader has learnt, in local storage: steps of lessons, puzzles, and mistakes found by reviews.

import { read, write } from "./store.js";

const KEY = "tablier.learning", MOST = 200; // mistakes to remember

const all = () => read(KEY, {});
/** Everything that is stored here, for an export. */
export const everything = all;

const keep = (facts) => write(KEY, { ...all(), ...facts });
const at = (game, name) => `${game}/${name}`;

/** The names of the steps of a lesson that are done. */
export const stepsDone = (game, lesson) => all().steps?.[at(game, lesson)] ?? [];

export function keepStep(game, lesson, step) {
  const done = new Set([...stepsDone(game, lesson), step]);
  keep({ steps: { ...all().steps, [at(game, lesson)]: [...done] } });
}

/** Whether a puzzle was solved: true, false after a wrong answer, undefined if it was not tried. */
export const solved = (game, puzzle) => all().puzzles?.[at(game, puzzle)];

/** Stores the result of a puzzle; once solved, it stays solved. */
export function keepPuzzle(game, puzzle, right) {
  keep({ puzzles: { ...all().puzzles, [at(game, puzzle)]: right || solved(game, puzzle) === true } });
}

/** The reader's own mistakes, newest game first, worst first: {table, version, titles, cost, unit, mended}. */
export const mistakes = () => all().mistakes ?? [];

const same = (one, other) => one.table === other.table && one.version === other.version;

/** Stores the reader's mistakes in a game; those already mended stay mended. */
export function keepMistakes(table, found) {
  const before = mistakes();
  const mended = (version) => before.find((old) => same(old, { table, version }))?.mended;
  const now = found.map((one) => ({ ...one, table, mended: mended(one.version) }));
  keep({ mistakes: [...now, ...before.filter((one) => one.table !== table)].slice(0, MOST) });
}

/** Marks a mistake as mended. */
export function mend(table, version) {
  keep({ mistakes: mistakes().map((one) => (same(one, { table, version }) ? { ...one, mended: true } : one)) });
}

/** Removes the mistakes of a table, which no longer exists. */
export function forgetMistakes(table) {
  keep({ mistakes: mistakes().filter((one) => one.table !== table) });
}
