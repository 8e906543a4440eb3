// A move played in single steps, and the numbering of the fields.

import assert from "node:assert/strict";
import { test } from "node:test";

import { inWhite, movesInWhite } from "../../src/tablier/web/static/js/board/numbers.js";
import { Steps } from "../../src/tablier/web/static/js/board/steps.js";

const BOTH = { action: 1, orders: [[[1, 4, 3], [1, 6, 5]], [[1, 6, 5], [1, 4, 3]]] }; // two men, 3 and 5
const ONE = { action: 2, orders: [[[1, 4, 3], [4, 9, 5]], [[1, 6, 5], [6, 9, 3]]] }; // one man, 3 and 5 together
const OFF = { action: 3, orders: [[[24, 0, 1]]] };

test("each player counts from their own talon", () => {
  assert.deepEqual([1, 12, 24].map((field) => inWhite(field, 0)), [1, 12, 24]);
  assert.deepEqual([1, 12, 24].map((field) => inWhite(field, 1)), [24, 13, 1]);
  for (let field = 1; field <= 24; field++) assert.equal(inWhite(inWhite(field, 1), 1), field);
});

test("off the board is 0 and the bar 25 for both players", () => {
  assert.deepEqual([0, 25].flatMap((field) => [inWhite(field, 0), inWhite(field, 1)]), [0, 0, 25, 25]);
  assert.deepEqual(movesInWhite([[1, 4], [24, 0], [25, 20]], 1), [[24, 21], [1, 0], [25, 5]]);
  assert.deepEqual(movesInWhite(undefined, 0), []);
});

test("a man can go by one number or by both", () => {
  const steps = new Steps([BOTH, ONE]);
  assert.deepEqual(steps.sources(), [1]);
  assert.deepEqual([...steps.targets(1).keys()].sort((a, b) => a - b), [4, 6, 9]);
  assert.deepEqual(steps.targets(1).get(9), [[1, 4, 3], [4, 9, 5]]);
  assert.equal(steps.targets(2).size, 0);
});

test("after a step only what continues it is offered, until nothing is left", () => {
  const steps = new Steps([BOTH, ONE]);
  steps.make([[1, 4, 3]]);
  assert.deepEqual(steps.sources(), [1, 4]);
  assert.equal(steps.action(), null);
  steps.make([[4, 9, 5]]);
  assert.deepEqual(steps.sources(), []);
  assert.equal(steps.action(), ONE);
});

test("undo takes back the last step", () => {
  const steps = new Steps([BOTH]);
  steps.make([[1, 4, 3], [1, 6, 5]]);
  assert.equal(steps.action(), BOTH);
  steps.undo();
  assert.equal(steps.action(), null);
  assert.deepEqual([...steps.targets(1).keys()], [6]);
});

test("the men after the steps, by White's numbers, for either player", () => {
  const white = Array(24).fill(0), black = Array(24).fill(0);
  white[0] = 2;
  black[23] = -2;
  const steps = new Steps([BOTH]);
  steps.make([[1, 4, 3]]);
  const held = (men) => men.flatMap((count, n) => (count ? [[n + 1, count]] : []));
  assert.deepEqual(held(steps.after({ men: white }, 0).men), [[1, 1], [4, 1]]);
  assert.deepEqual(held(steps.after({ men: black }, 1).men), [[21, -1], [24, -1]]);
  assert.equal(white[0], 2, "the board that was given stays as it was");
});

test("a man borne off lands nowhere", () => {
  const men = Array(24).fill(0);
  men[23] = 1;
  const steps = new Steps([OFF]);
  steps.make([[24, 0, 1]]);
  assert.deepEqual(steps.after({ men }, 0), { men: Array(24).fill(0), bar: [0, 0], borne_off: [1, 0] });
});

test("played dice are told apart, doublets too", () => {
  const steps = new Steps([BOTH]);
  steps.make([[1, 6, 5]]);
  assert.deepEqual(steps.spent([3, 5]), [false, true]);
  const doublet = new Steps([]);
  doublet.make([[1, 5, 4]]);
  assert.deepEqual(doublet.spent([4, 4]), [true, false]);
});

test("a man from the bar enters, and the man it hits goes to the bar", () => {
  const men = Array(24).fill(0);
  men[4] = 1; // White's single man on 5, which is Black's 20
  const steps = new Steps([]);
  steps.make([[25, 20, 5]]);
  const after = steps.after({ men, bar: [0, 2], borne_off: [3, 0] }, 1);
  assert.equal(after.men[4], -1);
  assert.deepEqual([after.bar, after.borne_off], [[1, 1], [3, 0]]);
});
