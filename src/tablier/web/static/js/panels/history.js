// The log of the game, newest line first. The board can react to the line that is hovered or focused.

import { h, put } from "../dom.js";
import { pick, t } from "../i18n.js";

export function history(table) {
  const list = h("ol", { class: "history", tabindex: 0, "aria-label": t("page.history.title"), onkeydown: walk });

  /** Moves between lines with the arrow keys, so that the list is a single tab stop. */
  function walk(event) {
    const lines = [...list.querySelectorAll("li")], at = lines.findIndex((line) => line === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    lines[Math.max(0, Math.min(lines.length - 1, to))].focus();
  }

  function line(entry) {
    const read = () => table.play.read?.(entry);
    const done = () => table.play.read?.(null);
    const shows = { onmouseenter: read, onmouseleave: done, onfocus: read, onblur: done };
    const sign = Number.isInteger(entry.colour) && table.module.sign(table.view, entry.colour, false);
    const kind = entry.event ? `${entry.kind} event` : entry.kind;
    return h("li", { class: kind, tabindex: -1, ...shows }, sign, pick(entry.text));
  }

  return {
    element: h("div", {}, list),
    update(view) {
      const lines = [...view.log].reverse().map(line);
      put(list, lines.length ? lines : h("li", { class: "soft" }, t("page.history.empty")));
    },
  };
}
