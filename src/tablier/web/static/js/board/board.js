// The board as an SVG element: draws a scene, animates moves and throws, shows which fields can be clicked.
// It contains no rules: `offer` sets which fields are live. Fields have White's numbers; 25 is the bar, 0 is off.
// A game extends it: `words` are its texts, layout() its geometry, fittings() and drawMarks() what only it has.

import { put, s } from "../dom.js";
import { areas, rove } from "./areas.js";
import { arrows, trail } from "./arrows.js";
import { described } from "./describing.js";
import { definitions, furniture, newKey } from "./furniture.js";
import { geometry } from "./geometry.js";
import { barStack, borneOff, cue, dice, fly, landing, stack, tumble, woods } from "./pieces.js";

const LIVE = new Set(["fields", "exit"]);
const BAR = 25, OFF = 0;
const LAYERS = ["glow", "labels", "fields", "marks", "men", "trail", "landing", "dice", "exit", "arrows", "air"];
const EMPTY = { men: Array(24).fill(0), bar: [0, 0], borne_off: [0, 0], dice: null, mover: 0 };

export class BaseBoard {
  /** Whether hit men wait on the bar. */
  static hasBar = false;

  /**
   * What a scene of the game has at least, beside the men and the dice.
   * @type {Record<string, any>}
   */
  static empty = {};

  /** `words` has the texts of the game: board(name, params) and men(wood, params). */
  constructor(words, { shape = "wide", bottom = 0, label = words.board("name"), live = false } = {}) {
    this.words = words;
    this.key = newKey();
    this.live = live;
    this.svg = s("svg", { class: "board", role: live ? "group" : "img", "aria-label": label });
    /** @type {any} */ this.scene = { ...EMPTY, ...this.kind.empty };
    this.men = [...this.scene.men];
    this.onBar = [...this.scene.bar];
    this.numbering = bottom;
    /** @type {number | null} */ this.reading = null;
    /** @type {number | null} */ this.carried = null;
    /** @type {Record<string, SVGElement>} */
    this.layers = {};
    /** @type {Map<number, SVGElement>} */
    this.areas = new Map();
    this.woods = woods(false);
    /** @type {{sources: Set<number>, targets: Set<number>, tries: Set<number>, picked: number | null}} */
    this.offered = { sources: new Set(), targets: new Set(), tries: new Set(), picked: null };
    this.lay(shape, bottom);
  }

  /** The class of the game's board. */
  get kind() {
    return /** @type {typeof BaseBoard} */ (this.constructor);
  }

  /** The layout of the game's board. */
  layout(shape, bottom) {
    return geometry(shape, bottom);
  }

  /**
   * Further static parts of the game's board.
   * @returns {SVGElement | null}
   */
  fittings() {
    return null;
  }

  /** Draws the marks of the score. */
  drawMarks() {
    put(this.layers.marks, borneOff(this.g, this.scene.borne_off, this.woods));
  }

  /** Rebuilds the board in a shape, with the player `bottom` at the bottom. */
  lay(shape, bottom) {
    /** @type {any} */
    const g = (this.g = this.layout(shape, bottom));
    this.svg.setAttribute("viewBox", `0 0 ${g.width} ${g.height}`);
    this.svg.classList.toggle("tall", shape === "tall");
    this.layers = {};
    for (const name of LAYERS) {
      this.layers[name] = s("g", { class: name, "aria-hidden": LIVE.has(name) ? null : "true" });
    }
    put(this.svg, definitions(this.key), furniture(g, this.key), this.fittings(), Object.values(this.layers));
    this.areas = this.live ? areas(this) : new Map();
    this.#draw();
  }

  /** Shows a scene without animation. */
  show(scene) {
    this.scene = { ...EMPTY, ...this.kind.empty, ...scene };
    this.men = [...this.scene.men];
    this.onBar = [...this.scene.bar];
    this.#draw();
  }

  #draw() {
    this.#drawLabels();
    this.woods = woods(this.scene.swapped);
    this.drawMarks();
    this.#drawMen();
    this.drawDice(this.scene.dice, this.scene.thrower ?? null);
    this.point([]);
    this.trail(null);
    this.#describe();
  }

  #drawLabels() {
    put(this.layers.labels, Array.from({ length: 24 }, (_, n) => {
      const [x, y] = this.g.label(n + 1);
      const number = this.ownNumber(n + 1, this.reading ?? this.numbering);
      return s("text", { x, y, "font-size": this.g.size, "data-label": n + 1 }, String(number));
    }));
  }

  /** The number of men on a field, or of the mover's men on the bar. */
  #count(field) {
    return field === BAR ? this.onBar[this.scene.mover] : Math.abs(this.men[field - 1]);
  }

  /**
   * The position of the man in a place of a field, or of a player's bar.
   * @returns {[number, number]}
   */
  #spot(field, place, count, player = this.scene.mover) {
    return field === BAR ? [this.g.barX, this.g.barY(player, place)] : [this.g.x(field), this.g.y(field, place, count)];
  }

  /** The player whose men are on a field; on the bar, the mover. */
  playerOn(field) {
    return field === BAR ? this.scene.mover : this.men[field - 1] < 0 ? 1 : 0;
  }

  /** Takes a man off its field while it is dragged; null puts it back. */
  carry(field) {
    this.carried = field;
    this.#drawMen();
  }

  /** The men to draw: all but the one that is dragged. */
  #standing() {
    const men = [...this.men], bar = [...this.onBar], field = this.carried;
    if (field === BAR) bar[this.scene.mover] -= 1;
    else if (field) men[field - 1] -= Math.sign(men[field - 1]);
    return { men, bar };
  }

  #drawMen() {
    const { g, key } = this, { men, bar } = this.#standing();
    const stacks = men.map((count, n) => count !== 0 && stack(g, key, men, n + 1, this.woods));
    const bars = bar.map((count, player) => count > 0 && barStack(g, key, player, count, this.woods));
    put(this.layers.men, stacks, bars);
    const stackOn = (field) => this.layers.men.querySelector(
      field === BAR ? `[data-bar="${this.scene.mover}"]` : `[data-stack="${field}"]`);
    const { picked, sources } = this.offered;
    for (const field of sources) {
      if (field === this.carried) continue;
      const count = this.#count(field);
      stackOn(field)?.append(...cue(g, this.#spot(field, count - 1, count)));
    }
    if (picked) stackOn(picked)?.classList.add("picked");
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

  /** Animates the move of one man, and of a man it hits; to 0 bears it off. */
  async move(from, to, player) {
    const { g, men } = this, sign = player === 0 ? 1 : -1;
    const count = from === BAR ? this.onBar[player] : Math.max(0, sign * this.men[from - 1]);
    if (!count) return;
    const start = this.#spot(from, count - 1, count, player);
    if (from === BAR) this.onBar[player] -= 1;
    else this.men[from - 1] -= sign;
    this.#drawMen();
    const hits = to > 0 && this.men[to - 1] === -sign;
    const there = to ? (hits ? 1 : Math.abs(this.men[to - 1]) + 1) : 0;
    const end = to ? this.#spot(to, there - 1, there) : g.out(player);
    await fly(g, this.key, this.layers.air, this.woods[player], start, end);
    if (this.men !== men) return; // the board was redrawn during the flight
    if (to) men[to - 1] = hits ? sign : men[to - 1] + sign;
    this.#drawMen();
    if (hits) {
      const other = 1 - player, bar = this.#spot(BAR, this.onBar[other], 0, other);
      await fly(g, this.key, this.layers.air, this.woods[other], end, bar);
      if (this.men !== men) return;
      this.onBar[other] += 1;
      this.#drawMen();
    }
    this.#describe();
  }

  /** Shows the men during an unfinished move, without animation. */
  arrange({ men, bar, borne_off: off }) {
    this.men = [...men];
    this.onBar = [...bar];
    this.scene = { ...this.scene, borne_off: off };
    this.drawMarks();
    this.#drawMen();
    this.#describe();
  }

  /**
   * Sets which fields can be clicked: men that can move, destinations of the picked man, and men that cannot move but
   * can be tried, to be told why.
   * @param {{sources?: number[], targets?: number[], tries?: number[], picked?: number | null}} [offered]
   */
  offer({ sources = [], targets = [], tries = [], picked = null } = {}) {
    this.offered = { sources: new Set(sources), targets: new Set(targets), tries: new Set(tries), picked };
    for (const [field, area] of this.areas) {
      area.classList.toggle("source", this.offered.sources.has(field));
      area.classList.toggle("target", this.offered.targets.has(field));
      area.classList.toggle("picked", picked === field);
    }
    this.#drawMen();
    put(this.layers.landing, landing(this));
    this.#describe();
    rove(this);
  }

  /** Whether a man of this field can be taken in hand. */
  holds(field) {
    return this.offered.sources.has(field) || this.offered.tries.has(field);
  }

  /** Moves the keyboard focus to a field. */
  focusField(field) {
    rove(this, field);
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

  /** Draws arrows for [{moves, kind, player}]. */
  point(lists) {
    put(this.layers.arrows, lists.map(({ moves, kind, player }) => arrows(this.g, this.men, moves, kind, player)));
  }

  /** Marks the move that led to this position: {moves, player}, or null for none. */
  trail(made) {
    put(this.layers.trail, made ? trail(this.g, this.men, made.moves, made.player) : []);
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
    const { targets } = this.offered;
    for (const [field, area] of this.areas) {
      area.setAttribute("aria-label", this.described(field));
      area.setAttribute("aria-disabled", String(!this.holds(field) && !targets.has(field)));
    }
  }

  /** The name of a field, the bar or off the board. */
  placeName(field) {
    if (field === OFF || field === BAR) return this.words.board(field === OFF ? "off" : "bar");
    return this.words.board("field", { field: this.ownNumber(field) });
  }

  /** Describes a field for screen readers: "field 6: 3 white men, can move". */
  described(field) {
    return described(this, field, this.#count(field));
  }
}
