// Builds a move step by step: which men can move next, and where. No DOM; fields have the player's own numbers.

import { inWhite } from "./numbers.js";

const key = (step) => step.slice(0, 3).join();
const begins = (order, done) => done.every((step, n) => order[n] && key(order[n]) === key(step));

export class Steps {
  /** `legal`: actions with `orders`, lists of steps [from, to, die] that make the action's move. */
  constructor(legal) {
    this.ways = legal.flatMap((action) => (action.orders ?? []).map((order) => ({ action, order })));
    this.done = [];
  }

  get #open() {
    return this.ways.filter(({ order }) => begins(order, this.done));
  }

  /** Fields from which a man can move next. */
  sources() {
    return [...new Set(this.#open.map(({ order }) => order[this.done.length]).filter(Boolean).map(([from]) => from))];
  }

  /** Where a man can go: a Map from field (0: off) to the one or two steps that lead there. */
  targets(from) {
    const found = new Map(), at = this.done.length;
    for (const { order } of this.#open) {
      if (order[at]?.[0] === from) found.set(order[at][1], [order[at]]);
    }
    for (const { order } of this.#open) {
      const first = order[at], second = order[at + 1];
      const goesOn = first?.[0] === from && second?.[0] === first[1];
      if (goesOn && !found.has(second[1])) found.set(second[1], [first, second]);
    }
    return found;
  }

  make(steps) {
    this.done.push(...steps);
  }

  undo() {
    return this.done.pop();
  }

  /** The men on the board by White's numbers, on the bar and borne off, after the steps of the player of a colour. */
  after({ men, bar = [0, 0], borne_off: off = [0, 0] }, colour) {
    const now = { men: [...men], bar: [...bar], borne_off: [...off] }, sign = colour === 0 ? 1 : -1;
    for (const [from, to] of this.done) {
      const start = inWhite(from, colour), end = inWhite(to, colour);
      if (start === 25) now.bar[colour] -= 1;
      else now.men[start - 1] -= sign;
      if (!end) now.borne_off[colour] += 1;
      else if (now.men[end - 1] === -sign) { // a hit
        now.men[end - 1] = sign;
        now.bar[1 - colour] += 1;
      } else now.men[end - 1] += sign;
    }
    return now;
  }

  /** For each die, whether it has been played. */
  spent(dice) {
    const spent = dice.map(() => false);
    for (const [, , die] of this.done) spent[dice.findIndex((number, n) => number === die && !spent[n])] = true;
    return spent;
  }

  /** The action that the steps make up; null while there is more to play. */
  action() {
    const open = this.#open;
    const whole = open.find(({ order }) => order.length === this.done.length);
    return whole && !this.sources().length ? whole.action : null;
  }
}
