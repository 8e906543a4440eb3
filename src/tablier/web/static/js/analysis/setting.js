// Setting up a position: the editor with the men, and the values beside it, such as points and who is to throw.

import { BoardEditor } from "../board/editor.js";
import { button, h } from "../dom.js";
import { pick, t } from "../i18n.js";
import { capital } from "../messages.js";

function control({ name, label, value, choices }) {
  const id = `set-up-${name.replace(".", "-")}`;
  return h("div", { class: "option" }, h("label", { class: "label", for: id }, pick(label)),
    h("select", { id, name }, choices.map((one) =>
      h("option", { value: one.value, selected: one.value === value }, capital(pick(one.text))))));
}

/**
 * The controls for a position. done(setUp) is called with the position; cancel() without one.
 * @param {{Board: any, view: any, start: any, say: (text: string) => void, done: (setUp: any) => void,
 *   cancel: () => void}} settings
 */
export function setting({ Board, view, start, say, done, cancel }) {
  const sides = view.seats.slice(0, 2).map(({ label }) => capital(pick(label)));
  const editor = new BoardEditor({ Board, setUp: view.set_up, sides, say });
  const { fields } = view.set_up;
  const own = (seat) => fields.filter((field) => field.seat === seat);
  const seats = sides.map((side, seat) => own(seat).length > 0
    && h("fieldset", {}, h("legend", {}, side), own(seat).map(control)));
  const form = h("form", { class: "card set-up-values", onsubmit: submit },
    h("h2", {}, t("page.set_up.values")), own(null).slice(0, 1).map(control),
    h("div", { class: "set-up-seats" }, seats), own(null).slice(1).map(control));
  const bar = h("section", { class: "bar", "aria-label": t("page.set_up.title") },
    editor.tools,
    h("div", { class: "row" },
      button(t("page.set_up.clear"), () => editor.clear(), { id: "clear" }),
      button(t("page.analysis.start"), () => editor.put(start), { id: "set-up-start" }),
      button(t("page.set_up.cancel"), cancel, { id: "set-up-cancel" }),
      button(t("page.set_up.done"), submit, { class: "primary", id: "set-up-done" })));

  function submit(event) {
    event?.preventDefault();
    const chosen = [...form.querySelectorAll("select")].map((select) => [select.name, Number(select.value)]);
    done({ men: editor.men, bar: editor.bar, values: Object.fromEntries(chosen) });
  }

  return { stage: editor.element, bar, form, close: () => editor.close() };
}
