// Follows the changes of a table with an event stream while the page is visible, or by polling without a stream.

import * as api from "./api.js";

const PAUSES = [1000, 2000, 4000, 8000, 15000]; // milliseconds to wait after one failure, two, and so on
const EVERY = 4000; // milliseconds between polls while there is no stream
const STAYS = 3; // failures in a row after which the connection counts as lost
const STREAMS = 4; // streams per browser: it opens six connections per host, and requests need some of them

/** Reserves one of the streams shared by the browser's windows; returns a function that releases it, or null. */
async function slot() {
  if (!navigator.locks) return () => {}; // locks need HTTPS or localhost
  for (let n = 0; n < STREAMS; n++) {
    const back = await new Promise((got) => {
      const hold = (lock) => (lock ? new Promise((done) => got(done)) : got(null));
      navigator.locks.request(`tablier.stream.${n}`, { ifAvailable: true }, hold);
    });
    if (back) return back;
  }
  return null;
}

/** Whether a view or an event is newer than another: a takeback lowers the version, but raises the revision. */
export const isNewer = (one, other) =>
  one.revision > other.revision || (one.revision === other.revision && one.version > other.version);

export class News {
  /**
   * `ask()` fetches the table, `known(news)` tells whether the page has what {version, revision} announce,
   * `lost(error)` reports a lost connection and `lost(null)` a working one.
   * @param {string} id
   * @param {string} token - of a seat, or several separated by commas, or empty
   * @param {{ask: () => Promise<void>, known: (news: any) => boolean, lost: (error: any) => void}} calls
   */
  constructor(id, token, { ask, known, lost }) {
    this.id = id;
    this.token = token;
    this.ask = ask;
    this.known = known;
    this.lost = lost;
    this.failed = 0;
    this.stream = null; // what ends the stream
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

  /** Fetches the table; retries with growing pauses if that fails. */
  async look() {
    clearTimeout(this.timer);
    const mine = (this.asked = {});
    try {
      await this.ask();
      this.failed = 0;
      this.lost(null);
    } catch (/** @type {any} */ error) {
      if (error.status === undefined) throw error; // a bug in the page, not a network error
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

  /** Closes the stream while the page is hidden, because other windows may need the connection. */
  #rest() {
    clearTimeout(this.timer);
    this.asked = null;
    this.#close();
  }

  #close() {
    this.stream?.abort();
    this.stream = null;
    this.heard = false;
    this.release?.();
    this.release = null;
  }

  async #listen() {
    if (this.stream || this.waiting) return;
    this.waiting = true;
    const release = await slot();
    this.waiting = false;
    if (!release || !this.#awake) return release?.();
    this.release = release;
    const stream = (this.stream = new AbortController());
    for await (const news of api.events(this.id, this.token, stream.signal)) {
      this.heard = true;
      if (!this.failed) clearTimeout(this.timer);
      if (!this.known(news)) this.look();
    }
    if (stream !== this.stream) return;
    this.#close();
    this.#later();
  }
}
