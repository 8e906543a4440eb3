// Rule options: controls to choose them, and texts for the chosen values.

import { check, h } from "../dom.js";
import { pick, t } from "../i18n.js";
import { capital } from "../messages.js";

function field(option, id) {
  if (option.choices.length) {
    return h("select", { id }, option.choices.map(({ value, text }) =>
      h("option", { value, selected: value === option.default }, pick(text))));
  }
  const { min, max } = option;
  return h("input", { id, type: "number", min, max, step: 1, required: true, value: option.default });
}

/** A control: its element, whether it is a checkbox, and its current value. */
function control(option) {
  const id = `option-${option.name}`, words = capital(pick(option.doc));
  if (typeof option.default === "boolean") {
    const element = check(words, { id, checked: option.default });
    return { element, box: true, value: () => Boolean(element.querySelector("input")?.checked) };
  }
  const input = field(option, id);
  const element = h("div", { class: "option" }, h("label", { for: id }, words), input);
  return { element, box: false, value: () => (input.type === "number" ? Number(input.value) : input.value) };
}

/** Controls for options, checkboxes and other fields; `changed()` returns the values that differ from the default. */
export function optionControls(options) {
  const controls = options.map((option) => ({ option, ...control(option) }));
  const elements = (wanted) => controls.filter(wanted).map(({ element }) => element);
  return {
    all: elements(() => true),
    boxes: elements(({ box }) => box),
    fields: elements(({ box }) => !box),
    changed: () => Object.fromEntries(controls.filter(({ option, value }) => value() !== option.default)
      .map(({ option, value }) => [option.name, value()])),
  };
}

/** The text for an option and its value. */
export function optionTold(option, value) {
  const name = pick(option.doc);
  if (typeof value === "boolean") return t(value ? "page.option.on" : "page.option.off", { option: name });
  const choice = option.choices.find((one) => one.value === value);
  return t("page.option.value", { option: name, value: choice ? pick(choice.text) : value });
}
