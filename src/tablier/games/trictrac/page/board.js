// The board as an SVG element: draws a scene, animates moves and throws, shows which fields can be clicked.
// It contains no rules: `offer` sets which fields are live. Fields have White's numbers; 0 is off the board.

import { put, s } from "../../js/dom.js";
import { t } from "../../js/i18n.js";
import { arrows } from "./arrows.js";
import { definitions, furniture, newKey } from "./furniture.js";
import { geometry } from "./geometry.js";
import { borneOff, cue, dice, fly, marks, playerOn, stack, tumble, woods } from "./pieces.js";

const TALON = "trictrac.page.board.talon", CORNER = "trictrac.page.board.corner";
const LIVE = new Set(["fields", "exit"]);
const commas = (texts) => texts.reduce((first, last) => t("list.comma", { first, last }));
const EMPTY = {
  men: Array(24).fill(0), dice: null, holes: [0, 0], points: [0, 0], bredouille: [false, false], pavillon: null,
  borne_off: [0, 0],
};

export class Board {
  constructor({ shape = "wide", bottom = 0, label = t("trictrac.page.board.name"), live = false } = {}) {
    this.key = newKey();
    this.live = live;
    this.svg = s("svg", { class: "board", role: live ? "group" : "img", "aria-label": label });
    this.scene = EMPTY;
    this.men = [...EMPTY.men];
    this.numbering = bottom;
    /** @type {number | null} */
    this.reading = null;
    /** @type {Record<string, SVGElement>} */
    this.layers = {};
    /** @type {Map<number, SVGElement>} */
    this.areas = new Map();
    this.woods = woods(false);
    /** @type {{sources: Set<number>, targets: Set<number>, picked: number | null}} */
    this.offered = { sources: new Set(), targets: new Set(), picked: null };
    this.lay(shape, bottom);
  }

  /** Rebuilds the board in a shape, with the player `bottom` at the bottom. */
  lay(shape, bottom) {
    const g = (this.g = geometry(shape, bottom));
    this.svg.setAttribute("viewBox", `0 0 ${g.width} ${g.height}`);
    this.svg.classList.toggle("tall", shape === "tall");
    this.layers = {};
    for (const name of ["glow", "labels", "fields", "marks", "men", "landing", "dice", "exit", "arrows", "air"]) {
      this.layers[name] = s("g", { class: name, "aria-hidden": LIVE.has(name) ? null : "true" });
    }
    put(this.svg, definitions(this.key), furniture(g, this.key), Object.values(this.layers));
    this.areas = new Map();
    if (this.live) this.#layAreas();
    this.#draw();
  }

  #layAreas() {
    const g = this.g;
    // The tab order follows the bottom player's direction of play: from the talon to the last field, then off.
    for (let own = 1; own <= 24; own++) {
      const field = g.own(own);
      this.#area(field, g.area(field), s("path", { d: g.triangle(field), class: "aim" }));
    }
    const exit = g.exit, x = exit.x + exit.width / 2, y = exit.y + exit.height / 2 + g.size * 0.4;
    this.#area(0, exit, [
      s("rect", { ...exit, rx: 10, class: "aim" }),
      s("text", { x, y, "font-size": g.size * 1.25, class: "word" }, t("trictrac.page.board.exit")),
    ]);
  }

  #area(field, box, aim) {
    const area = s("g", { class: "field", role: "button", tabindex: -1, "data-field": field },
      s("rect", { ...box, class: "touch" }), aim,
      s("rect", { x: box.x + 2, y: box.y + 2, width: box.width - 4, height: box.height - 4, rx: 6, class: "focus" }));
    this.areas.set(field, area);
    this.layers[field ? "fields" : "exit"].append(area); // the exit is drawn over the tokens
  }

  /** Shows a scene without animation. */
  show(scene) {
    this.scene = { ...EMPTY, ...scene };
    this.men = [...this.scene.men];
    this.#draw();
  }

  #draw() {
    this.#drawLabels();
    this.woods = woods(this.scene.swapped);
    this.#drawMarks();
    this.#drawMen();
    this.drawDice(this.scene.dice, this.scene.thrower ?? null);
    this.point([]);
    this.#describe();
  }

  #drawLabels() {
    put(this.layers.labels, Array.from({ length: 24 }, (_, n) => {
      const [x, y] = this.g.label(n + 1);
      const number = this.ownNumber(n + 1, this.reading ?? this.numbering);
      return s("text", { x, y, "font-size": this.g.size, "data-label": n + 1 }, String(number));
    }));
  }

  #drawMarks() {
    const { g, key, scene, woods: kinds } = this;
    put(this.layers.marks, marks(g, key, scene, kinds), borneOff(g, scene.borne_off, kinds));
  }

  #drawMen() {
    const stacks = this.men.map((count, n) => count !== 0 && stack(this.g, this.key, this.men, n + 1, this.woods));
    put(this.layers.men, stacks);
    const stackOn = (field) => this.layers.men.querySelector(`[data-stack="${field}"]`);
    const { picked, sources } = this.offered;
    for (const field of sources) stackOn(field)?.append(...cue(this.g, this.men, field));
    if (picked) stackOn(picked)?.classList.add("picked");
  }

  /** Draws a ring on each field where the picked man can land. */
  #drawLanding() {
    const { g } = this;
    put(this.layers.landing, [...this.offered.targets].filter(Boolean).map((field) => {
      const count = Math.abs(this.men[field - 1]);
      return s("circle", { cx: g.x(field), cy: g.y(field, count, count + 1), r: g.man * 0.86 });
    }));
  }

  drawDice(numbers, player) {
    put(this.layers.dice, numbers ? dice(this.g, this.key, numbers, player) : []);
  }

  /** Dims the dice that have been played. */
  spend(played) {
    [...this.layers.dice.children].forEach((die, n) => die.classList.toggle("spent", Boolean(played[n])));
  }

  async roll(numbers, player) {
    this.drawDice(numbers, player);
    await tumble(this.g, this.layers.dice, player);
  }

  /** Moves tokens and pegs to a new score. */
  mark({ points, holes }) {
    this.scene = { ...this.scene, points, holes };
    this.#drawMarks();
  }

  /** Animates the move of one man; to 0 bears it off. */
  async move(from, to, player) {
    const { g, men } = this, sign = player === 0 ? 1 : -1;
    const count = Math.abs(this.men[from - 1]);
    if (!count || Math.sign(this.men[from - 1]) !== sign) return;
    const start = [g.x(from), g.y(from, count - 1, count)];
    this.men[from - 1] -= sign;
    this.#drawMen();
    const there = to ? Math.abs(this.men[to - 1]) + 1 : 0;
    const out = [g.right + g.side, g.below(player === 0 ? 24 : 1) ? g.low - 40 : g.top + 40];
    const end = to ? [g.x(to), g.y(to, there - 1, there)] : out;
    await fly(g, this.key, this.layers.air, this.woods[player], start, end);
    if (this.men !== men) return; // the board was redrawn during the flight
    if (to) men[to - 1] += sign;
    this.#drawMen();
    this.#describe();
  }

  /** Shows the men during an unfinished move, without animation. */
  arrange(men) {
    this.men = [...men];
    this.#drawMen();
    this.#describe();
  }

  /**
   * Sets which fields can be clicked: men that can move, and destinations of the picked man.
   * @param {{sources?: number[], targets?: number[], picked?: number | null}} [offered]
   */
  offer({ sources = [], targets = [], picked = null } = {}) {
    this.offered = { sources: new Set(sources), targets: new Set(targets), picked };
    for (const [field, area] of this.areas) {
      area.classList.toggle("source", this.offered.sources.has(field));
      area.classList.toggle("target", this.offered.targets.has(field));
      area.classList.toggle("picked", picked === field);
    }
    this.#drawMen();
    this.#drawLanding();
    this.#describe();
    this.#rove();
  }

  #rove() {
    const held = this.svg.querySelector('[data-field][tabindex="0"]');
    const keep = held === document.activeElement && held;
    const first = keep || this.areas.get([...this.offered.targets, ...this.offered.sources][0] ?? this.g.own(1));
    for (const area of this.areas.values()) area.setAttribute("tabindex", area === first ? "0" : "-1");
  }

  /** Moves the keyboard focus to a field. */
  focusField(field) {
    for (const [other, area] of this.areas) area.setAttribute("tabindex", other === field ? "0" : "-1");
    this.areas.get(field)?.focus();
  }

  highlight(fields) {
    const inside = fields.filter((field) => field >= 1 && field <= 24);
    put(this.layers.glow, inside.map((field) => s("path", { d: this.g.triangle(field) })));
    for (const part of [...this.layers.labels.children, ...this.layers.men.children]) {
      const field = part.getAttribute("data-label") ?? part.getAttribute("data-stack");
      part.classList.toggle("lit", inside.includes(Number(field)));
    }
  }

  /** Draws arrows for [{moves, kind}]. */
  point(lists) {
    put(this.layers.arrows, lists.map(({ moves, kind }) => arrows(this.g, this.men, moves, kind)));
  }

  /** Shows this player's field numbers. */
  countFor(player) {
    if (this.numbering === player) return;
    this.numbering = player;
    this.#drawLabels();
    this.#describe();
  }

  /** Temporarily shows this player's field numbers, while the reader is on a line about them; null restores. */
  readAs(player) {
    if (this.reading === player) return;
    this.reading = player;
    this.#drawLabels();
  }

  ownNumber(field, player = this.numbering) {
    return player === 0 ? field : 25 - field;
  }

  #describe() {
    const { sources, targets } = this.offered;
    for (const [field, area] of this.areas) {
      area.setAttribute("aria-label", this.words(field));
      area.setAttribute("aria-disabled", String(!sources.has(field) && !targets.has(field)));
    }
  }

  /** Describes a field for screen readers: "field 6: 3 white men, can move". */
  words(field) {
    const notes = [];
    if (this.offered.picked === field) notes.push(t("trictrac.page.board.picked"));
    else if (this.offered.targets.has(field)) notes.push(t("trictrac.page.board.target"));
    else if (this.offered.sources.has(field)) notes.push(t("trictrac.page.board.source"));
    if (!field) return commas([t("trictrac.page.board.off"), ...notes]);
    const count = Math.abs(this.men[field - 1]);
    const men = count ? t(`trictrac.page.men.${this.woods[playerOn(this.men, field)]}`, { n: count })
      : t("trictrac.page.men.none");
    const name = { 1: TALON, 24: TALON, 12: CORNER, 13: CORNER }[field];
    const number = this.ownNumber(field);
    const where = name ? t("trictrac.page.board.named", { field: number, name: t(name) })
      : t("trictrac.page.board.field", { field: number });
    return commas([t("trictrac.page.board.holds", { field: where, men }), ...notes]);
  }
}
