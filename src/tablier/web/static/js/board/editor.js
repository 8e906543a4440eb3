// Setting up a position by hand: men are placed, moved and taken off by mouse, touch or keyboard. The server decides
// whether the position is possible.

import { h, put } from "../dom.js";
import { t } from "../i18n.js";
import { narrow, shape } from "./geometry.js";
import { hands } from "./hand.js";
import { token } from "./token.js";

const BAR = 25;
const TAKE = "take"; // the tool that takes men off; the others are colours

export class BoardEditor {
  /**
   * `Board` is the game's board and `setUp` the position from the server; say(text) speaks to screen readers.
   * @param {{Board: any, setUp: any, sides: string[], say: (text: string) => void}} settings
   */
  constructor({ Board, setUp, sides, say }) {
    this.board = new Board({ shape: shape(), live: true });
    this.board.svg.classList.add("editing");
    this.most = setUp.most;
    this.sides = sides;
    this.say = say;
    /** @type {number | "take"} */ this.tool = 0;
    /** @type {number[]} */ this.men = [];
    /** @type {number[]} */ this.bar = [];
    this.counts = h("p", { class: "small soft", id: "men-placed" });
    this.element = h("div", { class: "stage" }, this.board.svg);
    this.tools = this.#tools();
    this.ending = new AbortController();
    const on = (target, name, call) => target.addEventListener(name, call, { signal: this.ending.signal });
    on(narrow, "change", () => this.#lay());
    on(this.board.svg, "keydown", (event) => this.#key(event));
    this.free = hands(this.board, {
      choose: (field) => this.#use(field), lift: () => {}, drop: (from, to) => this.#carry(from, to),
    });
    this.put(setUp);
  }

  close() {
    this.ending.abort();
    this.free();
  }

  /** Shows a position: {men, bar}. */
  put({ men, bar }) {
    this.men = [...men];
    this.bar = [...(bar ?? [0, 0])];
    this.#draw();
  }

  clear() {
    this.put({ men: Array(24).fill(0), bar: [0, 0] });
  }

  #lay() {
    this.board.lay(shape(), this.board.g.bottom);
    this.#draw();
  }

  /** The men of a colour on the board and on the bar. */
  #placed(colour) {
    const sign = colour === 0 ? 1 : -1;
    return this.bar[colour] + this.men.reduce((sum, count) => sum + Math.max(0, sign * count), 0);
  }

  #draw() {
    const { board, men, bar, most } = this;
    const off = [0, 1].map((colour) => Math.max(0, most - this.#placed(colour)));
    const mover = this.tool === TAKE ? (bar[0] ? 0 : 1) : this.tool; // whose bar is meant
    board.show({ men, bar, borne_off: off, mover });
    const occupied = men.flatMap((count, n) => (count ? [n + 1] : []));
    const rest = Array.from({ length: 24 }, (_, n) => n + 1).filter((field) => !men[field - 1]);
    const bars = board.kind.hasBar ? [BAR] : [];
    board.offer({ tries: [...occupied, ...rest, ...bars] }); // every field reacts
    put(this.counts, [0, 1].map((colour) => t("page.set_up.placed", {
      side: this.sides[colour], n: this.#placed(colour), of: most })).join(" · "));
  }

  #tools() {
    const choose = (value) => {
      this.tool = value;
      for (const input of group.querySelectorAll("input")) input.checked = input.value === String(value);
      this.#draw();
    };
    const tool = (value, sign, text) => h("label", { class: "tool" },
      h("input", { type: "radio", name: "tool", value, checked: value === this.tool, onchange: () => choose(value) }),
      sign, h("span", {}, text));
    const group = h("div", { class: "tools", role: "radiogroup", "aria-label": t("page.set_up.tools") },
      [0, 1].map((colour) => tool(colour, token(colour), this.sides[colour])),
      tool(TAKE, h("span", { class: "eraser", "aria-hidden": "true" }, "×"), t("page.set_up.take")));
    return h("div", { class: "editing-tools" }, group, this.counts);
  }

  #key(event) {
    const area = event.target.closest("[data-field]");
    if (!area || (event.key !== "Delete" && event.key !== "Backspace")) return;
    event.preventDefault();
    this.#take(Number(area.dataset.field));
    this.#tell(Number(area.dataset.field));
  }

  /** Places a man of the chosen colour on a field, or takes one off. */
  #use(field) {
    if (!field) return;
    if (this.tool === TAKE) this.#take(field);
    else this.#place(field, this.tool);
    this.#tell(field);
  }

  #tell(field) {
    this.#draw();
    this.say(this.board.described(field));
  }

  #place(field, colour) {
    if (this.#placed(colour) >= this.most) {
      this.say(t("page.set_up.all_placed"));
      return;
    }
    this.#add(field, colour);
  }

  #add(field, colour) {
    const sign = colour === 0 ? 1 : -1;
    if (field === BAR) this.bar[colour] += 1;
    else this.men[field - 1] = sign * this.men[field - 1] < 0 ? sign : this.men[field - 1] + sign; // others make room
  }

  /** Takes a man off a field; returns its colour, or null if there is none. */
  #take(field) {
    const colour = field === BAR ? this.board.scene.mover : this.men[field - 1] < 0 ? 1 : 0;
    if (field === BAR ? !this.bar[colour] : !this.men[field - 1]) return null;
    if (field === BAR) this.bar[colour] -= 1;
    else this.men[field - 1] -= Math.sign(this.men[field - 1]);
    return colour;
  }

  /** Moves a man; one that is dropped beside the board is taken off. */
  #carry(from, to) {
    if (to !== from) {
      const colour = this.#take(from);
      if (colour !== null && to) this.#add(to, colour);
    }
    this.#tell(to || from);
  }
}
