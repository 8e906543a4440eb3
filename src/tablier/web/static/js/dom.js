// Creates HTML and SVG elements; text is always inserted as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";
const STATES = new Set(["value", "checked", "disabled", "selected"]); // set as properties, not as attributes

/** @returns {any} */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (STATES.has(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

/**
 * Creates an HTML element: h("p", {class: "note"}, "text", other). Attributes named on... are listeners.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} attributes
 * @param {...any} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * Creates an SVG element, with the arguments of h().
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} attributes
 * @param {...any} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Creates a button with a label and a click listener. */
export function button(words, act, attributes = {}) {
  return h("button", { type: "button", ...attributes, onclick: act }, words);
}

/** Creates a checkbox with a label; `changed` is called with its new state. */
export function check(words, attributes, changed) {
  const box = h("input", { type: "checkbox", ...attributes, onchange: (event) => changed?.(event.target.checked) });
  return h("label", { class: "check" }, box, words);
}

/** A text whose parts between backticks are code. */
export const withCode = (text) => text.split("`").map((part, n) => (n % 2 ? h("code", {}, part) : part));

/** Replaces all children of an element. */
export function put(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}
