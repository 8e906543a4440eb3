// The page's words in English and French: one JSON file a language, and what the server sends in both.

const LANGUAGES = ["en", "fr"];
let language = "en";
let words = {};

export const current = () => language;

export async function useLanguage(wanted) {
  language = LANGUAGES.includes(wanted) ? wanted : "en";
  const answer = await fetch(`i18n/${language}.json`);
  words = await answer.json();
  document.documentElement.lang = language;
}

/** More words, for a page that not everyone opens. */
export async function moreWords(name) {
  const answer = await fetch(`i18n/${name}.${language}.json`);
  return answer.json();
}

/** The words for a key, with {names} filled in; a number picks "one" or "other" where the entry has both. */
export function t(key, values = {}) {
  let entry = words[key];
  if (entry === undefined) throw new Error(`no words for ${key}`);
  if (typeof entry === "object") {
    const single = language === "fr" ? Math.abs(values.n) < 2 : values.n === 1;
    entry = single ? entry.one : entry.other;
  }
  return entry.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** The text in the reader's language out of {en, fr}; plain strings stay as they are. */
export function pick(text) {
  if (text === null || text === undefined) return "";
  return typeof text === "string" ? text : text[language] ?? text.en ?? "";
}

export function percent(value, digits = 1) {
  const wanted = { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(language, wanted).format(value);
}

export function number(value, digits = 0) {
  return new Intl.NumberFormat(language, { minimumFractionDigits: 0, maximumFractionDigits: digits }).format(value);
}

/** A number in few characters: 1.2M, 40K, 0.015. */
export function brief(value) {
  return new Intl.NumberFormat(language, { notation: "compact", maximumSignificantDigits: 3 }).format(value);
}
