// A page of rules: an introduction, contents, and sections of text, most beside a board.

import { button, h, put } from "../dom.js";
import { more, paragraphs, t } from "../i18n.js";

/**
 * Fills the rules page of the home `key`, whose sections.json lists {name, diagram}; the texts are <key>.rules.<name>.
 * diagram(name, title) makes the board of a section; `note` names a further paragraph of the introduction.
 */
export async function sectionsPage(main, key, diagram, note = "") {
  const [answer] = await Promise.all([fetch(`games/${key}/sections.json`), more("rules")]);
  const [intro, ...rest] = await answer.json();
  const title = (name) => t(`${key}.rules.${name}.title`);
  const lead = (paragraph) => h("p", { class: "lead" }, paragraph);
  const section = ({ name, diagram: drawn }) =>
    h("section", { class: "rule", id: `rule-${name}`, tabindex: -1, "aria-label": title(name) },
      h("div", { class: "words" }, h("h2", {}, title(name)),
        paragraphs(`${key}.rules.${name}`).map((paragraph) => h("p", {}, paragraph))),
      drawn && diagram(drawn, title(name)));
  const elements = rest.map(section);

  function go(element) {
    element.scrollIntoView();
    element.focus({ preventScroll: true });
  }

  put(main, h("h1", {}, title(intro.name)),
    h("div", { class: "intro" }, paragraphs(`${key}.rules.${intro.name}`).map(lead), note && lead(t(note))),
    h("ul", { class: "contents", "aria-label": t("page.rules.contents") }, rest.map(({ name }, n) =>
      h("li", {}, button(title(name), () => go(elements[n]))))),
    elements);
}
