// Filling in messages: values, capitals, plural forms, digit grouping.

import assert from "node:assert/strict";
import { test } from "node:test";

import { capital, Catalogue } from "../../src/tablier/web/static/js/messages.js";

const ENGLISH = new Catalogue("en", {
  "@group": ",",
  plain: "hello {name}",
  upper: "{Name} plays",
  braces: "{{name}} is {name}",
  men: { one: "{n} man", other: "{n} men" },
  long: ["First {name}.", "Then {name}."],
});
const FRENCH = new Catalogue("fr", { "@group": "\u202f", men: { one: "{n} dame", other: "{n} dames" } });

test("names are replaced, with a capital if the placeholder has one", () => {
  assert.equal(ENGLISH.say("plain", { name: "Ann" }), "hello Ann");
  assert.equal(ENGLISH.say("upper", { name: "élodie" }), "Élodie plays");
});

test("double braces stand for braces", () => {
  assert.equal(ENGLISH.say("braces", { name: "x" }), "{name} is x");
});

test("the plural form follows the language", () => {
  const forms = (catalogue) => [0, 1, 2].map((n) => catalogue.say("men", { n }));
  assert.deepEqual(forms(ENGLISH), ["0 men", "1 man", "2 men"]);
  assert.deepEqual(forms(FRENCH), ["0 dame", "1 dame", "2 dames"]);
});

test("large counts are grouped as the catalogue groups them", () => {
  assert.equal(ENGLISH.say("men", { n: 9999 }), "9999 men");
  assert.equal(ENGLISH.say("men", { n: 1234567 }), "1,234,567 men");
  assert.equal(FRENCH.say("men", { n: 10000 }), "10\u202f000 dames");
});

test("a value can be a message, or a list of parts", () => {
  const men = { code: "men", params: { n: 3 } };
  assert.equal(ENGLISH.say("plain", { name: men }), "hello 3 men");
  assert.equal(ENGLISH.say("plain", { name: ["my", "", men] }), "hello my 3 men");
});

test("paragraphs stay apart, and are joined by an empty line", () => {
  assert.deepEqual(ENGLISH.paragraphs("long", { name: "x" }), ["First x.", "Then x."]);
  assert.equal(ENGLISH.say("long", { name: "x" }), "First x.\n\nThen x.");
});

test("a missing message or value is an error that names it", () => {
  assert.throws(() => ENGLISH.say("nothing"), /no message nothing/);
  assert.throws(() => ENGLISH.say("plain", {}), /plain needs a value for name/);
  assert.equal(ENGLISH.has("toString"), false);
});

test("capital changes the first letter only, even outside the basic plane", () => {
  assert.equal(capital("œuvre Ab"), "Œuvre Ab");
  assert.equal(capital("𐐨x"), "𐐀x");
  assert.equal(capital(""), "");
});
