// The page of a table: fetches the game, shows what happened step by step, sends the person's actions.

import * as api from "../api.js";
import { h, put } from "../dom.js";
import { pick, t } from "../i18n.js";
import { hurry, unhurry } from "../motion.js";
import { isNewer, News } from "../news.js";
import { about } from "../panels/about.js";
import { promised } from "../panels/audit.js";
import { Banner } from "../panels/banner.js";
import { Clocks } from "../panels/clock.js";
import { complaint } from "../panels/complaint.js";
import { countResult, ending, outcome, waiting } from "../panels/ending.js";
import { engine } from "../panels/engine.js";
import { history } from "../panels/history.js";
import { inviteCard, sitDown } from "../panels/invite.js";
import { keep } from "../panels/kept.js";
import { gestures, introduce, Sayings } from "../panels/people.js";
import { plates } from "../panels/plates.js";
import { follow, rematch } from "../panels/rematch.js";
import { sheet } from "../panels/sheet.js";
import { tabs } from "../panels/tabs.js";
import { Tutor } from "../panels/tutor.js";
import { gameModule, styleSheet } from "../play/module.js";
import { play as sound } from "../sound.js";
import { keepTable, noteTable, titles, tokens as keptTokens, wish } from "../store.js";

// The move that was half made when the page was closed; a switch of the language keeps it.
/** @type {{id: string, version: number, move: any} | null} */ let unfinished = null;

class Table {
  /** @type {HTMLElement} */ seeded;
  /** @type {HTMLElement} */ connection;
  /** @type {HTMLElement} */ live;

  constructor(main, id) {
    this.main = main;
    this.id = id;
    this.tokens = keptTokens(id);
    this.seats = this.tokens.filter(Boolean).join(); // a request can have tokens for several seats
    this.view = null;
    this.queue = Promise.resolve();
    this.card = inviteCard(this);
    this.banner = new Banner();
    this.people = gestures(this);
    const redraw = () => this.closed || plates(this, this.view);
    this.sayings = new Sayings(redraw);
    this.clocks = new Clocks(redraw, () => this.news.look());
    /** @type {{name: string, title: string, element: HTMLElement, update: (view: any) => void}[]} */
    this.panels = [];
    this.sent = null;
    this.news = new News(id, this.seats, {
      ask: async () => this.take(await api.view(id, this.seats)),
      known: (news) => !isNewer(news, this.view),
      lost: (error) => this.#lost(error),
    });
  }

  async open() {
    const view = await api.view(this.id, this.seats).catch((error) => {
      if (error.status !== 404) throw error;
      noteTable(this.id, { missing: true }); // it stays in the list, because it may come back
      throw new api.ApiError(404, t(this.seats ? "page.table.away" : "page.table.none"));
    });
    keepTable(this.id, { ...titles(view), over: view.over, missing: false, promised: promised(this.id, view) });
    this.view = view;
    this.module = await gameModule(view.scene.kind);
    this.Play = await (this.module.loadPlay?.() ?? this.module.Play);
    this.#build(view);
    this.shown = view.version;
    this.#settle(view);
    const kept = unfinished;
    unfinished = null;
    if (kept && kept.id === this.id && kept.version === view.version) this.play.resume?.(kept.move);
    this.levels = await api.players(view.game).catch(() => ({ levels: [], kinds: [] }));
    this.#refresh(this.view);
    keep(this, this.view); // the opponent has a name now
    if (!this.closed) this.news.begin();
    introduce(this);
  }

  close() {
    this.closed = true;
    unfinished = { id: this.id, version: this.shown, move: this.play.unfinished?.() };
    this.news.end();
    this.clocks.close();
    this.play.close();
    this.tutor?.close();
  }

  /** Queues a view; each one is shown completely before the next. */
  take(view) {
    if (this.closed || isNewer(this.view, view)) return;
    this.view = view;
    this.queue = this.queue.then(() => this.#present(view)).catch((error) => this.wrong(error));
  }

  async #present(view) {
    if (this.closed) return;
    if (view.version <= this.shown) return this.#gestured(view);
    const news = view.log.filter((entry) => entry.version > this.shown);
    const own = this.sent;
    this.sent = null;
    const told = news.slice(-(this.play.most));
    if (news.length) {
      this.play.still();
      put(this.bar, h("p", { class: "status" }, t("page.play.watch")));
    }
    const skipped = told.length < news.length && await this.#sceneAt(told[0].version - 1);
    if (skipped && !this.closed) this.play.show(skipped); // without animating what led to it
    this.banner.hide();
    let dice = null;
    for (const [n, entry] of told.entries()) {
      if (this.closed) return;
      const then = () => this.#sceneAt(entry.version, view), next = told[n + 1];
      if (!next && entry.kind === "throw" && view.your_turn && this.play.land) dice = entry;
      else if (entry.version !== own) await this.play.tell(entry, then);
      this.say(this.module.spoken(entry));
      const read = entry.event && !next?.event?.sums_up && this.#announce(entry.event, view, !next);
      if (entry.reset) await this.play.reset?.(then);
      await read;
    }
    this.shown = view.version;
    unhurry();
    this.#settle(view);
    if (dice && !this.closed) this.play.land(dice);
  }

  /** Shows a view that differs by gestures only: a takeback, the end of the game, or something said. */
  #gestured(view) {
    const back = view.version < this.shown, ends = view.over && !this.over;
    if (ends) this.#announce(view.log.at(-1).event, view, true);
    this.shown = view.version;
    if (back) this.acted = null; // the same version can be acted on again
    if (back || ends) this.#settle(view);
    else this.#refresh(view); // do not disturb a move in progress
    if (view.over) this.#waiting(view);
  }

  /** Sends a gesture: resign, takeback, say, name, tutor or rematch. */
  async gesture(kind, value = "") {
    try {
      this.take(await api.gesture(this.id, this.seats, kind, value, this.view.version));
    } catch (error) {
      this.wrong(error);
    }
  }

  /** Tells an event in the banner; the game waits until it is read, unless nothing follows. */
  async #announce({ kind, text }, view, last) {
    const told = kind === "end" ? outcome(view) : pick(text);
    sound("bell");
    unhurry(); // a skipped animation does not skip what it led to
    if (last) this.banner.pass(told, kind);
    else await this.banner.hold(told, kind);
  }

  /** Begins another game with the sides swapped; `instead` replaces players of the machine. */
  again(instead = {}) {
    rematch(this, instead).catch((error) => this.wrong(error));
  }

  /** The scene at a version; null if it cannot be fetched. */
  async #sceneAt(version, view = this.view) {
    if (version === view.version) return view.scene;
    const then = await api.viewAt(this.id, version).catch(() => null);
    return then?.scene ?? null;
  }

  #settle(view) {
    if (this.closed) return;
    this.play.sit(view);
    if (view.over && !this.over && this.over !== undefined) countResult(view);
    this.over = view.over;
    this.#refresh(view);
    this.#waiting(view);
    this.play.rest(view);
    if (view.your_turn && this.byKey) {
      this.byKey = false;
      this.play.focus(); // keyboard players continue where they act next
    }
    this.main.dataset.version = view.version; // this version is on screen and can be acted on
    keep(this, view);
  }

  #refresh(view) {
    this.sayings.note(view, !this.main.dataset.version);
    this.clocks.set(view);
    plates(this, view);
    this.people.update(view);
    follow(this, view);
    this.play.refresh?.(view);
    this.seeded.hidden = !view.seeded || !view.log.some((entry) => entry.kind === "throw");
    this.card.update(view);
    for (const panel of this.panels) panel.update(view);
  }

  #waiting(view) {
    if (view.over || view.full) {
      const text = view.full ? t("page.play.full") : outcome(view);
      put(this.bar, h("p", { class: "status result" }, text), ending(this, view));
      if (!this.told) this.say(text);
      this.told = true;
    } else put(this.bar, waiting(this.tokens, view));
  }

  /** Plays an action that a view offered. Each view accepts one action, so a second click does nothing. */
  async send(action, view) {
    if (this.acted === view.version) return;
    this.acted = view.version;
    this.byKey = document.activeElement?.matches(":focus-visible");
    this.play.still();
    this.banner.hide();
    put(this.bar, h("p", { class: "status" }, t("page.play.sending")));
    try {
      this.sent = action.kind === "move" ? view.version + 1 : null;
      const next = await api.act(this.id, this.seats, action.action, view.version);
      this.tutor?.judge(view, action);
      this.take(next);
    } catch (error) {
      this.acted = this.sent = null;
      this.wrong(error);
      await this.news.look();
      if (this.view.version === this.shown) this.#settle(this.view); // otherwise the news is being shown
    }
  }

  /** A click takes the banner away or, while the game is being shown, skips the animation. */
  #skipped() {
    if (!this.banner.element.hidden) this.banner.hide();
    else if (this.shown < this.view.version) hurry();
  }

  turn() {
    this.play.turn();
    this.#refresh(this.view);
  }

  wrong(error) {
    put(this.errors, complaint(error));
    setTimeout(() => put(this.errors), 8000);
  }

  /** Reports that the connection is lost, or back. */
  #lost(error) {
    const broken = error && (error.status === 0 || error.status === 429 || error.status >= 500);
    const text = broken ? t("page.play.lost") : error?.message;
    if (this.connection.textContent === (text ?? "")) return;
    put(this.connection, text && h("p", { class: "notice wrong" }, text));
  }

  say(text) {
    if (!text) return;
    this.live.append(h("p", {}, text));
    while (this.live.children.length > 12) this.live.firstChild?.remove();
  }

  #build(view) {
    const title = pick(view.titles);
    this.bar = h("section", { class: "bar", "aria-label": t("page.play.bar") });
    this.live = h("div", { class: "hidden-text", "aria-live": "polite", id: "live" });
    this.errors = h("div", { role: "alert" });
    this.notices = h("div", { role: "status" });
    this.connection = h("div", { role: "status", class: "connection" });
    this.above = h("div", { class: "others" });
    this.below = h("div", { class: "plate" });
    this.seeded = h("p", { class: "seeded small", hidden: true }, t("page.table.seeded"));
    const calls = { send: (action, seen) => this.send(action, seen), say: (text) => this.say(text) };
    this.play = new this.Play({ view, bar: this.bar, sceneAt: (version) => this.#sceneAt(version), ...calls });
    this.tutor = new Tutor(this, view.tutor && wish("tutor", true));
    this.panels = [
      { name: "tutor", title: t("page.tutor.title"), ...this.tutor.panel() },
      { name: "engine", title: t("page.engine.title"), ...engine(this) },
      { name: "history", title: t("page.history.title"), ...history(this) },
      { name: "about", title: t("page.about.title"), ...about(this) },
    ];
    if (view.sheet) this.panels.splice(1, 0, { name: "sheet", title: t("page.sheet.title"), ...sheet() });
    put(this.main,
      h("h1", { class: "hidden-text" }, title),
      h("section", { class: "play", "aria-label": title, onpointerdown: () => this.#skipped() },
        this.above, this.play.element, this.banner.element, this.below,
        h("div", {}, this.notices, this.errors, this.connection),
        this.card.element, this.bar, this.people.element),
      h("div", { class: "side" }, this.play.aside, this.seeded,
        h("section", { class: "card panels", "aria-label": t("page.table.panels") }, tabs(this.panels))),
      this.live);
  }
}

export async function open(main, [id, token]) {
  const [seated] = await Promise.all([!token || sitDown(id, token), styleSheet("css/table.css")]);
  const table = new Table(main, id);
  await table.open();
  if (!seated) put(table.notices, h("p", { class: "notice" }, t("page.table.no_seat")));
  return () => table.close();
}
