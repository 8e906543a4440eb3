// A message catalogue in one language: templates by key. tablier/messages/catalogue.py renders the same files by the
// same rules.

const GROUPED = 10_000; // from here on, counts have a thousands separator
const GAP = /\{\{|\}\}|\{(\w+)\}/g;

/** Capitalizes the first letter of a text. */
export const capital = (text) => text.replace(/^./su, (letter) => letter.toUpperCase());

/** The locale for a language; English if the browser does not support it. */
export const locale = (language) => (Intl.PluralRules.supportedLocalesOf([language]).length ? language : "en");

export class Catalogue {
  /** `templates` by key: a text with {placeholders}, plural forms {one, other, ...}, or a list of paragraphs. */
  constructor(language, templates) {
    this.templates = templates;
    this.plurals = new Intl.PluralRules(locale(language));
  }

  /** Adds further templates. */
  add(templates) {
    this.templates = { ...this.templates, ...templates };
  }

  has(key) {
    return Object.hasOwn(this.templates, key);
  }

  /** The paragraphs of a longer message. */
  paragraphs(key, values = {}) {
    return [this.#entry(key, values)].flat().map((text) => this.#fill(key, text, values));
  }

  /** Renders a message; its values are texts, numbers, or messages {code, params}. */
  say(key, values = {}) {
    return this.paragraphs(key, values).join("\n\n");
  }

  /** The template; if it has plural forms, the one for the value `n`. */
  #entry(key, values) {
    if (!this.has(key)) throw new Error(`the catalogue has no message ${key}`);
    const entry = this.templates[key];
    if (typeof entry === "string" || Array.isArray(entry)) return entry;
    return entry[this.plurals.select(Math.abs(Math.trunc(values.n)))] ?? entry.other;
  }

  /** Replaces {name} with its value and {Name} with the capitalized value; {{ and }} are literal braces. */
  #fill(key, text, values) {
    return text.replace(GAP, (gap, name) => {
      if (!name) return gap[0];
      const value = values[name[0].toLowerCase() + name.slice(1)];
      if (value === undefined) throw new Error(`the message ${key} needs a value for ${name}`);
      const said = name === "n" && Math.abs(value) >= GROUPED ? this.#grouped(value) : this.#value(value);
      return name[0] === name[0].toLowerCase() ? said : capital(said);
    });
  }

  #grouped(count) {
    return String(count).replace(/\B(?=(\d{3})+$)/g, this.templates["@group"]);
  }

  #value(value) {
    if (Array.isArray(value)) return value.map((part) => this.#value(part)).filter(Boolean).join(" ");
    return typeof value === "object" ? this.say(value.code, value.params) : String(value);
  }
}
