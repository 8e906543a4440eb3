// Hears of a table's changes: by an event stream while the page is seen, where there is none by asking now and then.

import * as api from "./api.js";

const PAUSES = [1000, 2000, 4000, 8000, 15000]; // milliseconds before the next try, after one failure, two, and so on
const EVERY = 4000; // milliseconds between two questions while there is no stream
const STAYS = 3; // so many failures in a row mean that the connection is lost, not only shaken
const STREAMS = 4; // windows of one browser that hold a stream: a host gets six connections, and questions need some

/** One of the few streams that the windows of this browser share, as what gives it back; null if all are taken. */
async function slot() {
  if (!navigator.locks) return () => {}; // a page that came by plain HTTP from afar has no locks
  for (let n = 0; n < STREAMS; n++) {
    const back = await new Promise((got) => {
      const hold = (lock) => (lock ? new Promise((done) => got(done)) : got(null));
      navigator.locks.request(`tablier.stream.${n}`, { ifAvailable: true }, hold);
    });
    if (back) return back;
  }
  return null;
}

export class News {
  /** `ask()` looks at the table; `known()` is the version it has; `lost(error)` tells a break, `lost(null)` its end. */
  constructor(id, { ask, known, lost }) {
    Object.assign(this, { id, ask, known, lost });
    this.failed = 0;
    this.source = null;
    this.heard = false; // whether the stream is open
    this.ending = new AbortController();
  }

  begin() {
    const on = (target, name, call) => target.addEventListener(name, call, { signal: this.ending.signal });
    on(document, "visibilitychange", () => (document.hidden ? this.#rest() : this.look()));
    on(window, "online", () => this.look());
    if (!this.#awake) return;
    this.#listen();
    this.#later();
  }

  end() {
    this.ending.abort();
    this.#rest();
  }

  get #awake() {
    return !document.hidden && !this.ending.signal.aborted;
  }

  /** Asks for the table, and if it does not answer again and again, with growing pauses. */
  async look() {
    clearTimeout(this.timer);
    const mine = (this.asked = {});
    try {
      await this.ask();
      this.failed = 0;
      this.lost(null);
    } catch (error) {
      if (error.status === undefined) throw error; // a fault of the page, not of the connection
      this.failed += 1;
      if (this.failed >= STAYS) this.lost(error);
    }
    if (!this.#awake || mine !== this.asked) return;
    this.#listen();
    this.#later();
  }

  #later() {
    clearTimeout(this.timer);
    const pause = this.failed ? PAUSES[Math.min(this.failed, PAUSES.length) - 1] : EVERY;
    if (this.failed || !this.heard) this.timer = setTimeout(() => this.look(), pause);
  }

  /** Nobody sees the page: it lets go of its connection, which other windows may need. */
  #rest() {
    clearTimeout(this.timer);
    this.asked = null;
    this.#close();
  }

  #close() {
    this.source?.close();
    this.source = null;
    this.heard = false;
    this.release?.();
    this.release = null;
  }

  async #listen() {
    if (this.source || this.waiting) return;
    this.waiting = true;
    const release = await slot();
    this.waiting = false;
    if (!release || !this.#awake) return release?.();
    this.release = release;
    const source = (this.source = api.events(this.id));
    source.addEventListener("open", () => {
      this.heard = true;
      if (!this.failed) clearTimeout(this.timer);
    });
    source.addEventListener("message", (event) => JSON.parse(event.data).version > this.known() && this.look());
    source.addEventListener("error", () => {
      if (source !== this.source) return;
      const refused = source.readyState === EventSource.CLOSED; // else the browser itself tries again
      this.heard = false;
      if (refused) this.#close();
      if (this.failed) return; // the next look is on its way
      if (refused) this.#later();
      else this.look();
    });
  }
}
