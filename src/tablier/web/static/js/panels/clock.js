// The clocks of two people, counted down between views; the server decides who is out of time.

const TICK = 250; // milliseconds

export class Clocks {
  /** `changed()` is called when the display changes, `over()` when a clock on the screen has run out. */
  constructor(changed, over) {
    this.changed = changed;
    this.over = over;
    this.clock = null;
    this.at = 0;
  }

  /** Takes the clocks of a view. */
  set({ clock, over }) {
    this.clock = clock;
    this.at = performance.now();
    clearInterval(this.timer);
    if (clock && clock.running !== null && !over) this.timer = setInterval(() => this.#tick(), TICK);
  }

  close() {
    clearInterval(this.timer);
  }

  #left(seat) {
    const { left, running } = this.clock, gone = running === seat ? (performance.now() - this.at) / 1000 : 0;
    return Math.max(0, left[seat] - gone);
  }

  #tick() {
    this.changed();
    if (this.#left(this.clock.running) > 0) return;
    clearInterval(this.timer);
    this.over();
  }

  /** A seat's time as m:ss, or "" without a clock. */
  of(seat) {
    if (!this.clock) return "";
    const seconds = Math.ceil(this.#left(seat));
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}
