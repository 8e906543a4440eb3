// The ladder of levels: when a player is told to try another one.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const kept = new Map();
const storage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
Object.defineProperty(globalThis, "localStorage", { get: () => storage, configurable: true });

const { nextLevel, noteResult } = await import("../../src/tablier/web/static/js/ladder.js");
const LEVELS = ["one", "two", "three"].map((player) => ({ player }));
const play = (player, results) => [...results].forEach((one) => noteResult("pig", player, one === "w"));

beforeEach(() => kept.clear());

test("three wins in a row lead to the next level", () => {
  play("two", "ww");
  assert.equal(nextLevel("pig", LEVELS), null);
  play("two", "w");
  assert.deepEqual(nextLevel("pig", LEVELS), { level: LEVELS[2], up: true });
});

test("three losses in a row lead to an easier one", () => {
  play("two", "wlll");
  assert.deepEqual(nextLevel("pig", LEVELS), { level: LEVELS[0], up: false });
});

test("a loss breaks a row of wins", () => {
  play("two", "wwlw");
  assert.equal(nextLevel("pig", LEVELS), null);
});

test("wins against another player, or in another game, do not count", () => {
  play("one", "ww");
  play("two", "w");
  assert.equal(nextLevel("pig", LEVELS), null);
  play("two", "ww");
  assert.equal(nextLevel("chess", LEVELS), null);
});

test("there is no level above the strongest or below the easiest, and none for a player off the ladder", () => {
  play("three", "www");
  assert.equal(nextLevel("pig", LEVELS), null);
  play("one", "lll");
  assert.equal(nextLevel("pig", LEVELS), null);
  play("mcts:sims=3", "www");
  assert.equal(nextLevel("pig", LEVELS), null);
});
