// Playing Trictrac on the board: picking men up, steps and undo, hold or leave, marking in schools.

import { Board } from "../board/board.js";
import { inWhite, movesInWhite } from "../board/numbers.js";
import { button, calm, h, put } from "../dom.js";
import { t } from "../i18n.js";
import { wish } from "../store.js";
import { hands } from "./hand.js";
import { marking } from "./marking.js";
import { Steps } from "./steps.js";

const pause = (time) => (calm() ? null : new Promise((done) => setTimeout(done, time)));
const START = Array.from({ length: 24 }, (_, n) => ({ 0: 15, 23: -15 })[n] ?? 0);
const narrow = matchMedia("(max-width: 640px)");
const shape = () => (narrow.matches ? "tall" : "wide");

export class TrictracPlay {
  /** `send(action)` plays an action; `say(text)` tells it to a screen reader; `bar` is where buttons go. */
  constructor({ send, say, bar }) {
    Object.assign(this, { send, say, bar });
    this.board = new Board({ shape: shape(), live: true });
    this.element = h("div", { class: "stage" }, this.board.svg);
    this.steps = null;
    this.picked = null;
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
    if (this.steps && !this.flying) this.#offer(); // a move that is half made stays so
    else if (!this.steps && this.resting) this.rest(this.view);
  }

  /** Nothing can be pressed until the next view comes to rest. */
  still() {
    this.resting = false;
    this.flying = this.steps = this.picked = null;
    this.board.offer();
  }

  /** Plays one line of the log before the eyes: dice tumble, men fly. */
  async tell(entry) {
    if (entry.kind === "throw" && entry.dice && entry.colour !== null) {
      await this.board.roll(entry.dice, entry.colour);
      this.board.mark(entry);
      await pause(350);
    }
    if (entry.verb === "leave") {
      this.board.arrange(START);
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

  /** Numbers the fields for him who is to act here, else for him who sits below. */
  #count({ your_turn: mine, to_move: seat, scene }) {
    this.board.countFor(mine ? scene.colours[seat] : this.board.g.bottom);
  }

  /** Shows a view at rest, and what the person may do in it. */
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

  /** Who has one seat sits below the board, whatever colour he has in this marqué. */
  sit(view) {
    const { seats, scene } = view;
    const mine = scene.colours.filter((colour, seat) => seats[seat].you && colour !== null);
    if (mine.length === 1 && mine[0] !== this.mine) {
      [this.mine] = mine;
      if (this.board.g.bottom !== this.mine) this.board.lay(shape(), this.mine);
    }
    this.#count(view);
  }

  /** A field of the player to move in White's numbers, and the other way round. */
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
    this.#bar(t("play.hole"), h("div", { class: "choices" },
      choice("hold", t("play.hold"), t("play.hold.about"), () => this.#begin(moves, true)),
      choice("leave", t("play.leave"), t("play.leave.about"), () => this.#act(leave))));
    this.say(t("play.hole"));
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
      this.#bar(t("play.nothing"), h("div", { class: "row" },
        button(t("play.go-on"), () => this.#act(moves[0]), { class: "primary", id: "confirm" })));
      this.say(t("play.nothing"));
      return;
    }
    this.only = moves.length === 1 ? moves[0] : null;
    this.steps = new Steps(moves);
    this.start = [...this.view.scene.men];
    this.#offer();
  }

  #offer() {
    const { steps, board } = this;
    const targets = this.picked === null ? new Map() : steps.targets(this.#own(this.picked));
    board.arrange(this.#after());
    board.offer({
      sources: steps.sources().map((field) => this.#own(field)),
      targets: [...targets.keys()].map((field) => this.#own(field)),
      picked: this.picked,
    });
    const left = [...this.view.scene.dice];
    const spent = left.map(() => false);
    for (const [, , die] of steps.done) spent[left.findIndex((number, n) => number === die && !spent[n])] = true;
    board.spend(spent);
    this.#stepBar();
  }

  #after() {
    const men = [...this.start], sign = this.colour === 0 ? 1 : -1;
    for (const [from, to] of this.steps.done) {
      men[this.#own(from) - 1] -= sign;
      if (to) men[this.#own(to) - 1] += sign;
    }
    return men;
  }

  #stepBar() {
    const begun = this.steps.done.length > 0, still = Boolean(this.flying), forced = this.only && !begun && !still;
    const action = still ? null : this.steps.action();
    const undo = t(!begun && this.again ? "play.back" : "play.undo");
    this.#bar(t(this.#stage(action, begun, forced)), h("div", { class: "row" },
      button(undo, () => this.#undo(), { id: "undo", disabled: still || (!begun && !this.again) }),
      forced ? button(t("play.forced.do"), () => this.#playOnly(), { class: "primary", id: "forced" })
        : button(t("play.confirm"), () => this.#confirm(), { class: "primary", id: "confirm", disabled: !action })));
  }

  /** What the person is asked for, as a key of the words. */
  #stage(action, begun, forced) {
    if (action) return "play.confirm.ask";
    if (this.picked !== null || this.flying) return "play.to";
    return forced ? "play.forced" : begun ? "play.next" : "play.from";
  }

  async #playOnly() {
    const { only, view } = this;
    this.still();
    this.#bar(t("play.sending")); // the button is gone before the men fly: it cannot be pressed again
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
    if (field !== null) this.say(t("play.picked", { field: this.board.ownNumber(field), n: places }));
  }

  #drop(to) {
    if (to !== null && this.board.offered.targets.has(to)) this.#go(to, true);
    else this.#pickUp(null);
  }

  async #go(field, dragged = false) {
    const path = this.steps.targets(this.#own(this.picked)).get(this.#own(field));
    const byKey = this.board.svg.contains(document.activeElement) && document.activeElement.matches(":focus-visible");
    const { steps } = this;
    this.picked = null;
    this.flying = steps; // a man on his way can be neither taken back nor confirmed
    this.board.offer();
    this.#stepBar();
    if (!dragged) for (const [from, to] of path) await this.board.move(this.#own(from), this.#own(to), this.colour);
    if (this.steps !== steps) return; // the view changed meanwhile
    this.flying = null;
    steps.make(path);
    this.#offer();
    this.say(path.map(([from, to]) => t(to ? "play.went" : "play.went.off", { from, to })).join(". "));
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
      this.say(t("play.undone"));
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
