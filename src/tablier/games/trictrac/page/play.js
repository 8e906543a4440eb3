// Playing Trictrac on the board: picking men up, steps and undo, hold or leave, marking in schools.
// Its methods are documented in web/static/js/play/module.js.

import { button, calm, check, h, put } from "../../js/dom.js";
import { t } from "../../js/i18n.js";
import { setWish, wish } from "../../js/store.js";
import { Board } from "./board.js";
import { inWhite, movesInWhite } from "./field_numbers.js";
import { narrow, shape } from "./geometry.js";
import { hands } from "./hand.js";
import { marking } from "./marking.js";
import { Steps } from "./steps.js";
import { ThrowCard } from "./throws.js";

const pause = (time) => (calm() ? null : new Promise((done) => setTimeout(done, time)));

export class Play {
  constructor({ view, bar, send, say }) {
    this.bar = bar;
    this.send = send;
    this.say = say;
    this.board = new Board({ shape: shape(), live: true });
    this.card = new ThrowCard(this.board);
    this.element = h("div", { class: view.options.schools ? "stage schools" : "stage" }, this.board.svg);
    this.aside = this.card.element;
    this.most = 8;
    /** @type {Steps | null} */ this.steps = null;
    /** @type {number | null} */ this.picked = null;
    /** @type {number | null} */ this.mine = null;
    /** @type {(() => void) | null} */ this.again = null;
    this.ending = new AbortController();
    const on = (target, name, call) => target.addEventListener(name, call, { signal: this.ending.signal });
    on(narrow, "change", () => this.#relay(this.board.g.bottom));
    on(document, "keydown", (event) => event.key === "Escape" && this.#escape());
    this.free = hands(this.board, {
      choose: (field) => this.#choose(field),
      lift: (field) => this.#pickUp(field),
      drop: (from, to) => this.#drop(to),
    });
  }

  close() {
    this.ending.abort();
    this.free();
  }

  turn() {
    this.#relay(1 - this.board.g.bottom);
  }

  #relay(bottom) {
    this.board.lay(shape(), bottom);
    if (this.steps && !this.flying) this.#offer(); // keep a half-made move
    else if (!this.steps && this.resting) this.rest(this.view);
  }

  bottom({ scene }) {
    return scene.colours.indexOf(this.board.g.bottom);
  }

  focus() {
    const field = this.board.svg.querySelector(".field.source[tabindex='0']");
    (field ?? this.bar.querySelector("button:enabled"))?.focus();
  }

  refresh(view) {
    this.card.update(view);
  }

  point(candidate) {
    const moves = movesInWhite(candidate?.moves, this.view.scene.mover);
    this.board.point(candidate ? [{ moves, kind: "best" }] : []);
  }

  /** Shows the field numbers of the player the line is about. */
  read(entry) {
    this.board.readAs(entry?.colour ?? null);
  }

  settings() {
    const box = { id: "auto", checked: wish("auto", false) };
    return check(t("trictrac.page.play.auto"), box, (on) => setWish("auto", on));
  }

  still() {
    this.resting = false;
    this.flying = this.steps = this.picked = null;
    this.board.offer();
  }

  /** Animates dice and men; when a player leaves, shows the new setting. */
  async tell(entry, sceneThen) {
    if (entry.kind === "throw" && entry.dice && entry.colour !== null) {
      await this.board.roll(entry.dice, entry.colour);
      this.board.mark(entry);
      await pause(350);
    }
    if (entry.verb === "leave") {
      this.show(await sceneThen() ?? this.board.scene);
      await pause(400);
    }
    if (entry.kind === "move" && entry.moves) {
      for (const [from, to] of movesInWhite(entry.moves, entry.colour)) await this.board.move(from, to, entry.colour);
      await pause(200);
    }
  }

  show(scene) {
    this.board.show({ ...scene, thrower: scene.throw?.player ?? null });
  }

  /** Shows the field numbers of the player who is to act here, otherwise those of the player at the bottom. */
  #count({ your_turn: mine, to_move: seat, scene }) {
    this.board.countFor(mine ? scene.colours[seat] : this.board.g.bottom);
  }

  rest(view) {
    this.view = view;
    this.colour = view.to_move === null ? null : view.scene.colours[view.to_move];
    this.#count(view);
    this.show(view.scene);
    this.still();
    this.resting = true;
    if (!view.your_turn) return;
    const moves = view.legal.filter((action) => action.kind === "move");
    const leave = view.legal.find((action) => action.verb === "leave");
    if (leave && moves.length) this.#holdOrLeave(leave, moves);
    else if (moves.length) this.#begin(moves);
    else this.#choices();
  }

  /** Puts a person with a single seat at the bottom, whatever colour they have in this marqué. */
  sit(view) {
    const { seats, scene } = view;
    const mine = scene.colours.filter((colour, seat) => seats[seat].you && colour !== null);
    if (mine.length === 1 && mine[0] !== this.mine) {
      [this.mine] = mine;
      if (this.board.g.bottom !== this.mine) this.board.lay(shape(), this.mine);
    }
    this.#count(view);
  }

  /** Converts between White's field numbers and those of the player to move. */
  #own(field) {
    return inWhite(field, this.colour);
  }

  #act(action) {
    this.send(action, this.view);
  }

  // Choices

  #holdOrLeave(leave, moves) {
    const choice = (id, name, about, act) =>
      button([h("strong", {}, name), h("span", { class: "small" }, about)], act, { class: "choice", id });
    this.again = () => this.#holdOrLeave(leave, moves);
    this.steps = null;
    this.board.offer();
    this.#bar(t("trictrac.page.play.hole"), h("div", { class: "choices" },
      choice("hold", t("trictrac.page.play.hold"), t("trictrac.page.play.hold.about"), () => this.#begin(moves, true)),
      choice("leave", t("trictrac.page.play.leave"), t("trictrac.page.play.leave.about"), () => this.#act(leave))));
    this.say(t("trictrac.page.play.hole"));
  }

  #choices() {
    const { text, parts } = marking(this.view, this.colour, (action) => this.#act(action));
    this.#bar(text, parts);
    this.say(text);
  }

  // Steps

  #begin(moves, chosen = false) {
    this.again = chosen ? this.again : null;
    if (moves.length === 1 && !(moves[0].orders ?? []).some((order) => order.length)) {
      this.#bar(t("trictrac.page.play.nothing"), h("div", { class: "row" },
        button(t("trictrac.page.play.go_on"), () => this.#act(moves[0]), { class: "primary", id: "confirm" })));
      this.say(t("trictrac.page.play.nothing"));
      return;
    }
    this.only = moves.length === 1 ? moves[0] : null;
    this.steps = new Steps(moves);
    this.#offer();
  }

  #offer() {
    const { steps, board } = this;
    if (!steps) return;
    const targets = this.picked === null ? new Map() : steps.targets(this.#own(this.picked));
    board.arrange(steps.after(this.view.scene.men, this.colour));
    board.offer({
      sources: steps.sources().map((field) => this.#own(field)),
      targets: [...targets.keys()].map((field) => this.#own(field)),
      picked: this.picked,
    });
    board.spend(steps.spent(this.view.scene.dice));
    this.#stepBar();
  }

  #stepBar() {
    const { steps } = this;
    if (!steps) return;
    const begun = steps.done.length > 0, still = Boolean(this.flying), forced = this.only && !begun && !still;
    const action = still ? null : steps.action();
    const undo = t(!begun && this.again ? "trictrac.page.play.back" : "trictrac.page.play.undo");
    const main = (key, act, more) => button(t(key), act, { class: "primary", ...more });
    this.#bar(t(this.#stage(action, begun, forced)), h("div", { class: "row" },
      button(undo, () => this.#undo(), { id: "undo", disabled: still || (!begun && !this.again) }),
      forced ? main("trictrac.page.play.forced_do", () => this.#playOnly(), { id: "forced" })
        : main("trictrac.page.play.confirm", () => this.#confirm(), { id: "confirm", disabled: !action })));
  }

  /** The key of the prompt for the next step. */
  #stage(action, begun, forced) {
    if (action) return "trictrac.page.play.ask";
    if (this.picked !== null || this.flying) return "trictrac.page.play.to";
    return forced ? "trictrac.page.play.forced" : begun ? "trictrac.page.play.next" : "trictrac.page.play.from";
  }

  async #playOnly() {
    const { only, view } = this;
    this.still();
    this.#bar(t("page.play.sending")); // remove the button before the animation, so that it cannot be clicked twice
    for (const [from, to] of only.orders[0]) await this.board.move(this.#own(from), this.#own(to), this.colour);
    if (this.view === view) this.#act(only);
  }

  #choose(field) {
    if (!this.steps || this.flying) return;
    const { targets, sources } = this.board.offered;
    if (this.picked !== null && targets.has(field)) this.#go(field);
    else if (field === this.picked) this.#pickUp(null);
    else if (sources.has(field)) this.#pickUp(field);
    else this.#pickUp(null);
  }

  #pickUp(field) {
    if (!this.steps || this.flying) return;
    this.picked = field;
    this.#offer();
    const places = this.board.offered.targets.size;
    if (field !== null) this.say(t("trictrac.page.play.picked", { field: this.board.ownNumber(field), n: places }));
  }

  #drop(to) {
    if (to !== null && this.board.offered.targets.has(to)) this.#go(to, true);
    else this.#pickUp(null);
  }

  async #go(field, dragged = false) {
    const { steps } = this;
    if (!steps) return;
    const path = steps.targets(this.#own(this.picked)).get(this.#own(field));
    const byKey = this.board.svg.contains(document.activeElement) && document.activeElement?.matches(":focus-visible");
    this.picked = null;
    this.flying = steps; // no undo or confirm during the animation
    this.board.offer();
    this.#stepBar();
    if (!dragged) for (const [from, to] of path) await this.board.move(this.#own(from), this.#own(to), this.colour);
    if (this.steps !== steps) return; // the view has changed in the meantime
    this.flying = null;
    steps.make(path);
    this.#offer();
    this.say(path.map(([from, to]) =>
      t(to ? "trictrac.page.play.went" : "trictrac.page.play.went_off", { from, to })).join(" "));
    if (steps.action() && wish("auto", false)) this.#confirm();
    else if (byKey && steps.action()) document.getElementById("confirm")?.focus();
    else if (byKey) this.board.focusField([...this.board.offered.sources][0]);
  }

  #undo() {
    if (this.flying) return;
    if (this.steps?.done.length) {
      this.steps.undo();
      this.picked = null;
      this.#offer();
      this.say(t("trictrac.page.play.undone"));
      const first = [...this.board.offered.sources][0];
      if (document.activeElement === document.body && first) this.board.focusField(first);
    } else this.again?.();
  }

  #escape() {
    if (!this.steps) return;
    if (this.picked !== null) this.#pickUp(null);
    else this.#undo();
  }

  #confirm() {
    const action = this.steps?.action();
    if (action && !this.flying) this.#act(action);
  }

  #bar(text, ...parts) {
    put(this.bar, h("p", { class: "status" }, text), parts);
  }
}
