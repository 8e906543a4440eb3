// The reader's language: which catalogue is loaded, and how numbers and multilingual texts are formatted.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

const CATALOGUES = {
  "messages/languages.json": [{ code: "en", name: "English" }, { code: "fr", name: "Français" }],
  "messages/en.json": { greeting: "hello {name}" },
  "messages/fr.json": { greeting: "bonjour {name}" },
};
const page = { documentElement: { lang: "" } };
Object.assign(globalThis, { document: page, fetch: mock.fn(async (url) => ({ json: async () => CATALOGUES[url] })) });

const i18n = await import("../../src/tablier/web/static/js/i18n.js");

beforeEach(() => i18n.useLanguage("fr"));

test("a language is loaded and set on the page", () => {
  assert.equal(i18n.current(), "fr");
  assert.equal(page.documentElement.lang, "fr");
  assert.equal(i18n.t("greeting", { name: "Zoé" }), "bonjour Zoé");
  assert.deepEqual([i18n.has("greeting"), i18n.has("other")], [true, false]);
});

test("a language without translation falls back to English", async () => {
  await i18n.useLanguage("de");
  assert.equal(i18n.t("greeting", { name: "Zoé" }), "hello Zoé");
});

test("a text in several languages gives the reader's, else English, else nothing", () => {
  assert.equal(i18n.pick({ en: "draw", fr: "nul" }), "nul");
  assert.equal(i18n.pick({ en: "draw" }), "draw");
  assert.equal(i18n.pick("plain"), "plain");
  assert.equal(i18n.pick(null), "");
});

test("numbers are written as the language writes them", async () => {
  assert.equal(i18n.percent(0.4567), "45,7\u00a0%");
  assert.equal(i18n.number(1234.567, 2), "1\u202f234,57");
  await i18n.useLanguage("en");
  assert.equal(i18n.percent(0.4567, 0), "46%");
  assert.equal(i18n.number(1234.567), "1,235");
  assert.deepEqual([1_234_567, 40_000, 0.0151].map(i18n.brief), ["1.23M", "40K", "0.0151"]);
});
