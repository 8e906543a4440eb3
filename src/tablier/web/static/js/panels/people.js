// What people do at a table besides playing: take a move back, resign, say something.

import { button, h, put } from "../dom.js";
import { t } from "../i18n.js";
import { wish } from "../store.js";

export const SAYINGS = ["hello", "good_luck", "well_played", "thanks", "oops", "one_moment", "goodbye"];
const HEARD = 8000; // milliseconds that a saying stays beside its player

/** The row of buttons below the board. */
export function gestures(table) {
  const element = h("div", { class: "row gestures" });
  let shown = "", asked = false;

  function ask(on) {
    asked = on;
    update(table.view);
  }

  function saying(name) {
    return button(t(`page.say.${name}`), () => {
      element.querySelector("details")?.removeAttribute("open");
      table.gesture("say", name);
    }, { "data-say": name });
  }

  function resign() {
    asked = false;
    table.gesture("resign");
  }

  function update(view) {
    const mine = view.seats.filter(({ you }) => you).length;
    const others = view.seats.some(({ you, player }) => !you && player === "human");
    const resigns = mine > 0 && !view.over && !view.full && view.seats.length === 2;
    const now = JSON.stringify([view.takeback, resigns, others && mine > 0, asked]);
    if (now === shown) return; // do not close a menu that is being used
    shown = now;
    put(element,
      view.takeback && button(t("page.gesture.takeback"), () => table.gesture("takeback"), { id: "takeback" }),
      resigns && !asked && button(t("page.gesture.resign"), () => ask(true), { id: "resign" }),
      resigns && asked && [button(t("page.gesture.really"), resign, { id: "really", class: "loss" }),
        button(t("page.gesture.cancel"), () => ask(false), { id: "cancel" })],
      others && mine > 0 && h("details", { class: "say" }, h("summary", { class: "button" }, t("page.gesture.say")),
        h("div", { class: "sayings" }, SAYINGS.map(saying))));
    element.hidden = !element.children.length;
  }

  return { element, update };
}

/** Tells the other people at a table the name that the reader has chosen. */
export function introduce(table) {
  const { seats } = table.view, mine = seats.filter(({ you }) => you), name = wish("name", "");
  const others = seats.some(({ you, player }) => !you && player === "human");
  if (name && others && mine.length === 1 && mine[0].name !== name) table.gesture("name", name);
}

/** Remembers what was said, for as long as it is heard. */
export class Sayings {
  constructor(changed) {
    this.changed = changed;
    this.last = -1;
    /** @type {Map<number, string>} */ this.heard = new Map();
  }

  /** Notes what is new in a view; on the first view, nothing is. */
  note(view, first) {
    for (const { n, seat, say } of view.said) {
      if (n <= this.last) continue;
      this.last = n;
      if (first || !SAYINGS.includes(say)) continue;
      this.heard.set(seat, say);
      setTimeout(() => this.#fade(seat, say), HEARD);
    }
  }

  /** What a seat has just said, or "". */
  of(seat) {
    const say = this.heard.get(seat);
    return say ? t(`page.say.${say}`) : "";
  }

  #fade(seat, say) {
    if (this.heard.get(seat) === say) this.heard.delete(seat);
    this.changed();
  }
}
