// The rules of a game as controls: a box to tick, a list or a number for every option.

import { check, h } from "../dom.js";
import { pick } from "../i18n.js";

function control(option, id) {
  if (option.choices.length) {
    return h("select", { id }, option.choices.map(({ value, text }) =>
      h("option", { value, selected: value === option.default }, pick(text))));
  }
  const { min, max } = option;
  return h("input", { id, type: "number", min, max, step: 1, required: true, value: option.default });
}

/** One control: its element, and what it says now. */
function row(option) {
  const id = `option-${option.name}`;
  const title = option.name, words = h("span", { class: "words small", title }, pick(option.doc));
  if (typeof option.default === "boolean") {
    const element = check(words, { id, checked: option.default });
    return { element, value: () => element.querySelector("input").checked };
  }
  const field = control(option, id);
  const element = h("div", { class: "option" }, h("label", { for: id }, words), field);
  return { element, value: () => (field.type === "number" ? Number(field.value) : field.value) };
}

/** Controls for these options; `changed()` gives those that differ from the default. */
export function optionControls(options) {
  const rows = options.map((option) => ({ option, ...row(option) }));
  return {
    elements: rows.map(({ element }) => element),
    changed: () => Object.fromEntries(rows.filter(({ option, value }) => value() !== option.default)
      .map(({ option, value }) => [option.name, value()])),
  };
}
