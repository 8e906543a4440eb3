// Playing on the board: picking men up, steps and undo, confirmation. A game extends BoardPlay, whose methods are
// documented in ../play/module.js; `words` are its texts.

import { button, check, h, put } from "../dom.js";
import { t } from "../i18n.js";
import { play as sound } from "../sound.js";
import { setWish, wish } from "../store.js";
import { narrow, shape } from "./geometry.js";
import { hands } from "./hand.js";
import { inWhite, movesInWhite } from "./numbers.js";
import { BoardShow, lastMove } from "./showing.js";
import { Steps } from "./steps.js";

export class BoardPlay extends BoardShow {
  /**
   * `board` is the game's board, `words.play(name, params)` its texts. `explain(steps)`, if given, says why the last of
   * some steps is not legal; then the person can try any of their men.
   */
  constructor(board, words, { bar, send, say, sceneAt, explain = null }) {
    super(board, sceneAt);
    this.bar = bar;
    this.send = send;
    this.say = say;
    this.words = words;
    this.explain = explain;
    this.most = 8;
    /** @type {Steps | null} */ this.steps = null;
    /** @type {Steps | null} */ this.flying = null;
    /** @type {number | null} */ this.picked = null;
    /** @type {number | null} */ this.colour = null;
    /** @type {(() => void) | null} */ this.again = null;
    /** @type {any} */ this.only = null;
    /** @type {(() => void) | null} */ this.hold = null;
    this.ending = new AbortController();
    const on = (target, name, call) => target.addEventListener(name, call, { signal: this.ending.signal });
    on(narrow, "change", () => this.#relay(board.g.bottom));
    on(document, "keydown", (event) => event.key === "Escape" && this.#escape());
    this.free = hands(board, {
      choose: (field, byKey) => this.#choose(field, byKey),
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

  focus() {
    const field = this.board.svg.querySelector(".field.source[tabindex='0']");
    (field ?? this.bar.querySelector("button:enabled"))?.focus();
  }

  /** Shows the present again, with a half-made move. */
  restore() {
    super.restore();
    if (this.steps) this.#offer();
  }

  settings() {
    const box = (name, otherwise) => check(this.words.play(name), { id: name, checked: wish(name, otherwise) },
      (on) => setWish(name, on));
    return [box("auto", false), box("tap", true)];
  }

  /** The steps of a half-made move. */
  unfinished() {
    return this.steps?.done ?? null;
  }

  /** Continues a half-made move. */
  resume(done) {
    if (!done) return;
    if (!this.steps) this.hold?.();
    this.steps?.make(done);
    this.#offer();
  }

  still() {
    this.resting = this.rereading = false;
    this.flying = this.steps = this.picked = null;
    this.board.offer();
  }

  /** Plays an action that the view offers: first on the board, then for good. */
  async make(action, view) {
    const offered = view.legal.find((one) => one.action === action);
    if (!offered || this.view.version !== view.version || !this.resting || this.flying) return;
    this.show(view.scene);
    this.still();
    this.ask(t("page.play.sending")); // remove the buttons before the animation, so that nothing is played twice
    await this.fly(movesInWhite(offered.orders?.[0] ?? [], this.colour), this.colour);
    if (this.view.version === view.version) this.act(offered);
  }

  rest(view) {
    this.view = view;
    this.colour = view.to_move === null ? null : view.scene.colours[view.to_move];
    this.count(view);
    this.show(view.scene);
    this.still();
    this.resting = true;
    this.last = lastMove(view.log);
    this.board.trail(this.last);
    if (view.your_turn) this.decide(view);
  }

  /** Offers the person's legal actions; by default they are moves. */
  decide(view) {
    this.begin(view.legal);
  }

  /** Converts between White's field numbers and those of the player to move. */
  #own(field) {
    return inWhite(field, this.colour);
  }

  act(action) {
    this.send(action, this.view);
  }

  /**
   * Offers the steps of moves; `again` returns to the choice before them.
   * @param {any[]} moves
   * @param {(() => void) | null} [again]
   */
  begin(moves, again = null) {
    this.again = again;
    if (moves.length === 1 && !(moves[0].orders ?? []).some((order) => order.length)) {
      this.ask(this.words.play("nothing"), h("div", { class: "row" },
        button(this.words.play("go_on"), () => this.act(moves[0]), { class: "primary", id: "confirm" })));
      this.say(this.words.play("nothing"));
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
    board.arrange(steps.after(this.view.scene, this.colour));
    const sources = steps.sources().map((field) => this.#own(field));
    const tries = this.explain ? this.#men().filter((field) => !sources.includes(field)) : [];
    board.offer({
      sources, tries, targets: [...targets.keys()].map((field) => this.#own(field)), picked: this.picked,
    });
    board.spend(steps.spent(this.view.scene.dice));
    board.trail(steps.done.length ? null : this.last);
    this.#stepBar();
  }

  /** The fields with men of the player to move. */
  #men() {
    const { board, colour } = this, sign = colour === 0 ? 1 : -1;
    const fields = board.men.map((_, n) => n + 1).filter((field) => sign * board.men[field - 1] > 0);
    return colour !== null && board.onBar[colour] > 0 ? [...fields, 25] : fields;
  }

  /** Asks why a man cannot go to a field, or anywhere if that is null. */
  #ask(from, to) {
    const done = (this.steps?.done ?? []).map(([start, end]) => [start, end]);
    this.#pickUp(null);
    this.explain?.([...done, [this.#own(from), to === null ? null : this.#own(to)]]);
  }

  #stepBar() {
    const { steps } = this;
    if (!steps) return;
    const begun = steps.done.length > 0, still = Boolean(this.flying), forced = this.only && !begun && !still;
    const action = still ? null : steps.action();
    const undo = this.words.play(!begun && this.again ? "back" : "undo");
    const main = (name, act, more) => button(this.words.play(name), act, { class: "primary", ...more });
    this.ask(this.asked(this.#stage(action, begun, forced)), h("div", { class: "row" },
      button(undo, () => this.#undo(), { id: "undo", disabled: still || (!begun && !this.again) }),
      forced ? main("forced_do", () => this.make(this.only.action, this.view), { id: "forced" })
        : main("confirm", () => this.#confirm(), { id: "confirm", disabled: !action })));
  }

  /** The name of the prompt for the next step. */
  #stage(action, begun, forced) {
    if (action) return "ask";
    if (this.picked !== null || this.flying) return "to";
    return forced ? "forced" : begun ? "next" : "from";
  }

  /** The prompt for a stage: from, to, next, forced or ask. */
  asked(stage) {
    return this.words.play(stage);
  }

  #choose(field, byKey = false) {
    if (!this.steps || this.flying) return;
    const { targets, sources, tries } = this.board.offered;
    if (this.picked !== null && targets.has(field)) this.#go(field);
    else if (field === this.picked) this.#pickUp(null);
    else if (sources.has(field)) this.#take(field, byKey);
    else if (this.explain && this.picked !== null) this.#ask(this.picked, field);
    else if (tries.has(field)) this.#ask(field, null);
    else this.#pickUp(null);
  }

  /** Picks a man up, or moves it at once if it has only one place to go; a keyboard player hears the place first. */
  #take(field, byKey) {
    const places = [...this.steps?.targets(this.#own(field)).keys() ?? []];
    if (byKey || places.length !== 1 || !wish("tap", true)) return this.#pickUp(field);
    this.picked = field;
    this.#go(this.#own(places[0]));
  }

  #pickUp(field) {
    if (!this.steps || this.flying) return;
    this.picked = field;
    this.#offer();
    const places = this.board.offered.targets.size;
    if (field === null) return;
    const place = this.board.placeName(field);
    this.say(this.words.play("picked", { field: this.board.ownNumber(field), place, n: places }));
  }

  #drop(to) {
    if (to !== null && this.board.offered.targets.has(to)) this.#go(to, true);
    else if (this.explain && to !== null && to !== this.picked) this.#ask(this.picked, to);
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
    if (dragged) sound("man");
    else await this.fly(movesInWhite(path, this.colour), this.colour);
    if (this.steps !== steps) return; // the view has changed in the meantime
    this.flying = null;
    steps.make(path);
    this.#offer();
    this.say(path.map(([from, to]) => {
      const name = to ? (from === 25 ? "entered" : "went") : "went_off";
      return this.words.play(name, { from, to });
    }).join(" "));
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
      this.say(this.words.play("undone"));
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
    if (action && !this.flying) this.act(action);
  }

  /** Shows a question and its buttons. */
  ask(text, ...parts) {
    put(this.bar, h("p", { class: "status" }, text), parts);
  }
}
