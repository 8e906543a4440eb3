// A catalogue of messages in one language: keys to templates. Python fills the same files by the same rules
// (tablier/messages/catalogue.py).

const GROUPED = 10_000; // counts from here on are written in groups of three digits
const GAP = /\{\{|\}\}|\{(\w+)\}/g;

/** A text with its first letter in upper case. */
export const capital = (text) => text.replace(/^./su, (letter) => letter.toUpperCase());

/** The locale for a language; English if the browser does not know it. */
export const locale = (language) => (Intl.PluralRules.supportedLocalesOf([language]).length ? language : "en");

export class Catalogue {
  /** `templates`: key to a text with {names}, to plural forms {one, other, ...}, or to a list of paragraphs. */
  constructor(language, templates) {
    this.templates = templates;
    this.plurals = new Intl.PluralRules(locale(language));
  }

  has(key) {
    return Object.hasOwn(this.templates, key);
  }

  /** The paragraphs of a longer message. */
  paragraphs(key, values = {}) {
    return [this.#entry(key, values)].flat().map((text) => this.#fill(key, text, values));
  }

  /** The message of a key, with its values filled in: texts, numbers, or messages {code, params} again. */
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

  /** Replaces {name} by a value and {Name} by the same with a capital; {{ and }} stand for braces. */
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
