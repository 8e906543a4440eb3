// The reader's language: its message catalogue, texts from the server, and number formats.

import { Catalogue, locale } from "./messages.js";

const DEFAULT = "en";
/** @type {{code: string, name: string}[]} */
let known = []; // [{code, name}] of every language, the default first
let language = DEFAULT;
/** @type {Catalogue} */
let catalogue;

const load = async (name) => (await fetch(`messages/${name}.json`)).json();

export const current = () => language;
export const languages = () => known;

/** Switches to a language, or to the default if there is no such translation. */
export async function useLanguage(wanted) {
  if (!known.length) known = await load("languages");
  language = known.some(({ code }) => code === wanted) ? wanted : DEFAULT;
  catalogue = new Catalogue(language, await load(language));
  document.documentElement.lang = language;
}

/** Loads a part of the catalogue that only some pages need, such as the rules. */
export async function more(part) {
  const wanted = language, templates = await load(`${wanted}.${part}`);
  if (wanted === language) catalogue.add(templates);
}

/** Whether the catalogue has a message with this key. */
export const has = (key) => catalogue.has(key);

/** The message with this key in the reader's language. */
export const t = (key, values) => catalogue.say(key, values);

/** The paragraphs of a longer message. */
export const paragraphs = (key, values) => catalogue.paragraphs(key, values);

/** Picks the reader's language from {en, fr, ...}; plain strings are returned unchanged. */
export function pick(text) {
  if (text === null || text === undefined) return "";
  return typeof text === "string" ? text : text[language] ?? text[DEFAULT] ?? "";
}

const format = (value, style) =>
  new Intl.NumberFormat(locale(language), style).format(value).replace("-", "−"); // a minus, as in costs

export function percent(value, digits = 1) {
  return format(value, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function number(value, digits = 0) {
  return format(value, { minimumFractionDigits: 0, maximumFractionDigits: digits });
}

/** A day, such as 17 Nov 2026, from a Unix time in seconds. */
export const day = (time) => new Intl.DateTimeFormat(locale(language), { dateStyle: "medium" }).format(1000 * time);

/** A number in short form: 1.2M, 40K, 0.015. */
export function brief(value) {
  return format(value, { notation: "compact", maximumSignificantDigits: 3 });
}
