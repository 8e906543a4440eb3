// SHA-256 of the page against Node's, and the audit of the dice.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { hex, modulo, sha256 } from "../../src/tablier/web/static/js/sha256.js";

const known = (text) => createHash("sha256").update(text).digest("hex");

test("texts of every length around the size of a block have the right hash", () => {
  for (let length = 0; length < 200; length++) {
    const text = "tablier".repeat(30).slice(0, length);
    assert.equal(hex(sha256(text)), known(text), String(length));
  }
});

test("letters beyond ASCII are hashed as UTF-8", () => {
  assert.equal(hex(sha256("jan de retour, école 🎲")), known("jan de retour, école 🎲"));
});

test("a hash modulo a small number is that of the whole number", () => {
  for (const by of [1, 2, 6, 21, 36]) {
    const bytes = sha256(`seed ${by}`);
    assert.equal(modulo(bytes, by), Number(BigInt(`0x${hex(bytes)}`) % BigInt(by)));
  }
});
