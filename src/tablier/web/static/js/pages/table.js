// The page of a table: fetches the game, shows what happened step by step, sends the person's actions.

import * as api from "../api.js";
import { h, put } from "../dom.js";
import { pick, t } from "../i18n.js";
import { News } from "../news.js";
import { about } from "../panels/about.js";
import { complaint } from "../panels/complaint.js";
import { engine } from "../panels/engine.js";
import { history } from "../panels/history.js";
import { inviteCard } from "../panels/invite.js";
import { plates } from "../panels/plates.js";
import { tabs } from "../panels/tabs.js";
import { Tutor } from "../panels/tutor.js";
import { gameModule } from "../play/module.js";
import { keepTable, noteTable, titles, tokens as keptTokens, wish } from "../store.js";

class Table {
  /** @type {HTMLElement} */
  seeded;

  /** @type {HTMLElement} */
  connection;

  /** @type {HTMLElement} */
  live;

  constructor(main, id) {
    this.main = main;
    this.id = id;
    this.tokens = keptTokens(id);
    this.seats = this.tokens.filter(Boolean).join(); // a request can have tokens for several seats
    this.view = null;
    this.queue = Promise.resolve();
    this.card = inviteCard(this);
    /** @type {{name: string, title: string, element: HTMLElement, update: (view: any) => void}[]} */
    this.panels = [];
    this.sent = null;
    this.news = new News(id, {
      ask: async () => this.take(await api.view(id, this.seats)),
      known: () => this.view.version,
      lost: (error) => this.#lost(error),
    });
  }

  async open() {
    const view = await api.view(this.id, this.seats).catch((error) => {
      if (error.status !== 404) throw error;
      noteTable(this.id, { missing: true }); // it stays in the list, because it may come back
      throw new api.ApiError(404, t(this.seats ? "page.table.away" : "page.table.none"));
    });
    keepTable(this.id, { ...titles(view), over: view.over, missing: false });
    this.view = view;
    this.module = await gameModule(view.scene.kind);
    this.Play = await (this.module.loadPlay?.() ?? this.module.Play);
    this.#build(view);
    this.shown = view.version;
    this.#settle(view);
    this.levels = await api.players(view.game).catch(() => ({ levels: [], kinds: [] }));
    this.#refresh(this.view);
    if (!this.closed) this.news.begin();
  }

  close() {
    this.closed = true;
    this.news.end();
    this.play.close();
    this.tutor?.close();
  }

  /** Queues a view; each one is shown completely before the next. */
  take(view) {
    if (this.closed || view.version < this.view.version) return;
    this.view = view;
    this.queue = this.queue.then(() => this.#present(view)).catch((error) => this.wrong(error));
  }

  async #present(view) {
    if (this.closed || view.version <= this.shown) return; // do not disturb a move in progress
    const news = view.log.filter((entry) => entry.version > this.shown);
    const own = this.sent;
    this.sent = null;
    const told = news.slice(-(this.play.most));
    if (news.length) {
      this.play.still();
      put(this.bar, h("p", { class: "status" }, t("page.play.watch")));
    }
    if (told.length < news.length) await this.#skip(told[0].version - 1);
    for (const entry of told) {
      if (this.closed) return;
      if (entry.version !== own) await this.play.tell(entry, () => this.#sceneAt(entry.version, view));
      this.say(this.module.spoken(entry));
    }
    this.shown = view.version;
    this.#settle(view);
  }

  /** The scene at a version; null if it cannot be fetched. */
  async #sceneAt(version, view) {
    if (version === view.version) return view.scene;
    const then = await api.viewAt(this.id, version).catch(() => null);
    return then?.scene ?? null;
  }

  /** Shows the scene at a version without animating what led to it. */
  async #skip(version) {
    const scene = await this.#sceneAt(version, this.view);
    if (scene && !this.closed) this.play.show(scene);
  }

  #settle(view) {
    if (this.closed) return;
    this.play.sit(view);
    this.#refresh(view);
    this.#waiting(view);
    this.play.rest(view);
    if (view.your_turn && this.byKey) {
      this.byKey = false;
      this.play.focus(); // keyboard players continue where they act next
    }
    this.main.dataset.version = view.version; // this version is on screen and can be acted on
    if (view.over || view.full) noteTable(this.id, { over: true });
  }

  #refresh(view) {
    plates(this, view);
    this.play.refresh?.(view);
    this.seeded.hidden = !view.seeded || !view.log.some((entry) => entry.kind === "throw");
    this.card.update(view);
    for (const panel of this.panels) panel.update(view);
  }

  #waiting(view) {
    if (view.over || view.full) {
      const text = view.full ? t("page.play.full") : pick(view.result) || t("page.play.over");
      put(this.bar, h("p", { class: "status result" }, text), h("div", { class: "row" },
        h("a", { class: "button", href: "#/" }, t("page.play.new")),
        h("a", { class: "button", href: `#/review/${this.id}` }, t("page.play.review"))));
      this.say(text);
      return;
    }
    const watching = !this.tokens.some(Boolean);
    const person = view.to_move !== null && view.seats[view.to_move].player === "human";
    const key = watching ? "page.play.watching" : person ? "page.play.wait" : "page.play.thinking";
    put(this.bar, h("p", { class: view.thinking ? "status busy" : "status" }, t(key)));
  }

  /** Plays an action that a view offered. Each view accepts one action, so a second click does nothing. */
  async send(action, view) {
    if (this.acted === view.version) return;
    this.acted = view.version;
    this.byKey = document.activeElement?.matches(":focus-visible");
    this.play.still();
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
    this.play = new this.Play({ view, bar: this.bar, ...calls });
    this.tutor = new Tutor(this, view.tutor && wish("tutor", true));
    this.panels = [
      { name: "tutor", title: t("page.tutor.title"), ...this.tutor.panel() },
      { name: "engine", title: t("page.engine.title"), ...engine(this) },
      { name: "history", title: t("page.history.title"), ...history(this) },
      { name: "about", title: t("page.about.title"), ...about(this) },
    ];
    put(this.main,
      h("h1", { class: "hidden-text" }, title),
      h("section", { class: "play", "aria-label": title },
        this.above, this.play.element, this.below, h("div", {}, this.notices, this.errors, this.connection),
        this.card.element, this.bar),
      h("div", { class: "side" }, this.play.aside, this.seeded,
        h("section", { class: "card panels", "aria-label": t("page.table.panels") }, tabs(this.panels))),
      this.live);
  }
}

/** Takes the seat of an invitation and removes the token from the address; false if the token is not valid. */
async function sitDown(id, token) {
  const view = /^[\w-]+$/.test(token) ? await api.view(id, token) : null;
  const seat = view?.seats.findIndex(({ you }) => you) ?? -1;
  if (seat >= 0) {
    const seats = [...keptTokens(id)];
    seats[seat] = token;
    keepTable(id, { ...titles(view), tokens: seats });
  }
  window.history.replaceState(null, "", `#/table/${id}`);
  return seat >= 0;
}

export async function open(main, [id, token]) {
  const seated = !token || await sitDown(id, token);
  const table = new Table(main, id);
  await table.open();
  if (!seated) put(table.notices, h("p", { class: "notice" }, t("page.table.no_seat")));
  return () => table.close();
}
