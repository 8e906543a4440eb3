// What the browser stores: tables and their tokens, and the reader's preferences.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const kept = new Map();
const storage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
Object.defineProperty(globalThis, "localStorage", { get: () => storage, configurable: true });

const store = await import("../../src/tablier/web/static/js/store.js");
const ids = () => store.tables().map(({ id }) => id);

beforeEach(() => kept.clear());

test("an empty browser has no tables, tokens or preferences", () => {
  assert.deepEqual(store.tables(), []);
  assert.deepEqual(store.tokens("a"), [null, null]);
  assert.equal(store.wish("theme", "light"), "light");
});

test("a table that is opened again moves to the top and stays what it was", () => {
  store.keepTable("a", { tokens: ["secret", null], title: "Pig" });
  store.keepTable("b", { tokens: [null, null] });
  store.keepTable("a", { over: true });
  assert.deepEqual(ids(), ["a", "b"]);
  assert.deepEqual(store.tokens("a"), ["secret", null]);
  assert.equal(store.tables()[0].title, "Pig");
});

test("only finished and watched tables are dropped, the oldest first", () => {
  store.keepTable("mine", { tokens: ["secret", null] });
  for (let n = 0; n < 25; n++) store.keepTable(`watched-${n}`, {});
  assert.equal(ids().length, 21);
  assert.equal(ids()[0], "watched-24");
  assert.ok(ids().includes("mine"));
  assert.ok(!ids().includes("watched-4"));
});

test("a note changes a stored table in place and stores no other", () => {
  store.keepTable("a", {});
  store.keepTable("b", {});
  store.noteTable("a", { over: true });
  store.noteTable("c", { over: true });
  assert.deepEqual(ids(), ["b", "a"]);
  assert.equal(store.tables()[1].over, true);
  store.forgetTable("b");
  assert.deepEqual(ids(), ["a"]);
});

test("a seat counts until the game is over", () => {
  assert.equal(store.hasSeat({ tokens: [null, "secret"] }), true);
  assert.equal(store.hasSeat({ tokens: [null, "secret"], over: true }), false);
  assert.equal(store.hasSeat({}), false);
});

test("preferences are kept one by one", () => {
  store.setWish("theme", "dark");
  store.setWish("tutor", false);
  assert.deepEqual([store.wish("theme"), store.wish("tutor", true)], ["dark", false]);
});

test("unreadable or refused storage is an empty one", (context) => {
  kept.set("tablier.tables", "{ not JSON");
  assert.deepEqual(store.tables(), []);
  context.mock.method(storage, "setItem", () => { throw new Error("full"); });
  assert.doesNotThrow(() => store.setWish("theme", "dark"));
});
