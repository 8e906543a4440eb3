// The page of one table: fetches what the server says, lets it be seen step by step, sends what the person chooses.

import * as api from "../api.js";
import { h, put } from "../dom.js";
import { pick, t } from "../i18n.js";
import { feed, plates } from "../panels/plates.js";
import { complaint } from "../panels/small.js";
import { throws } from "../panels/throws.js";
import { tabs } from "../panels/tabs.js";
import { Tutor } from "../panels/tutor.js";
import { inviteCard } from "../panels/invite.js";
import { inside } from "../panels/inside.js";
import { history } from "../panels/history.js";
import { about } from "../panels/about.js";
import { News } from "../news.js";
import { PicturePlay } from "../play/picture.js";
import { TrictracPlay } from "../play/trictrac.js";
import { keepTable, noteTable, tokens as keptTokens, wish } from "../store.js";

const MANY = 8; // of more news than this only the last are shown one by one

class Table {
  constructor(main, id) {
    this.main = main;
    this.id = id;
    this.tokens = keptTokens(id);
    this.seats = this.tokens.filter(Boolean).join(); // one request may speak for both seats
    this.view = null;
    this.queue = Promise.resolve();
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
      noteTable(this.id, { missing: true }); // only the reader takes a table off his list: it may come back
      throw new api.ApiError(404, t(this.seats ? "play.not-here" : "play.no-table"));
    });
    keepTable(this.id, { title: view.title, over: view.over, missing: false });
    this.view = view;
    const mine = view.seats.map((_, seat) => seat).filter((seat) => this.tokens[seat]);
    this.bottom = mine.length === 1 ? mine[0] : 0; // the seat; at Trictrac its colour decides, which may change
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

  /** Takes news in turn: each is shown to its end before the next begins. */
  take(view) {
    if (this.closed || view.version < this.view.version) return;
    this.view = view;
    this.queue = this.queue.then(() => this.#present(view)).catch((error) => this.wrong(error));
  }

  async #present(view) {
    if (this.closed || view.version <= this.shown) return; // what is on show may be half played: leave it alone
    const news = view.log.filter((entry) => entry.version > this.shown);
    const own = this.sent;
    this.sent = null;
    const told = news.slice(-(this.play.most ?? MANY));
    if (news.length) {
      this.play.still();
      put(this.bar, h("p", { class: "status" }, t("play.watch")));
    }
    if (told.length < news.length) await this.#skip(told[0].version - 1);
    for (const entry of told) {
      if (this.closed) return;
      if (entry.version !== own) await this.play.tell(entry, () => this.#sceneAt(entry.version, view));
      this.say(feed(entry));
    }
    this.shown = view.version;
    this.#settle(view);
  }

  /** What lay on the table after so many actions; null if it cannot be had. */
  async #sceneAt(version, view) {
    if (version === view.version) return view.scene;
    const then = await api.viewAt(this.id, version).catch(() => null);
    return then?.scene ?? null;
  }

  /** Passes over what happened while nobody looked: the board stands as it stood then. */
  async #skip(version) {
    const scene = await this.#sceneAt(version, this.view);
    if (scene && !this.closed) this.play.show(scene);
  }

  #settle(view) {
    if (this.closed) return;
    this.play.sit?.(view);
    this.#refresh(view);
    this.#waiting(view);
    this.play.rest(view);
    if (view.your_turn && this.byKey) this.#focus();
    this.main.dataset.version = view.version; // tells that this version is on show and can be acted on
    if (view.over || view.full) noteTable(this.id, { over: true });
  }

  /** Who plays by the keyboard finds himself where the next thing is to be done. */
  #focus() {
    this.byKey = false;
    const field = this.play.board?.svg.querySelector(".field.source[tabindex='0']");
    (field ?? this.bar.querySelector("button:enabled") ?? this.play.element.querySelector(".live"))?.focus();
  }

  #refresh(view) {
    plates(this, view);
    throws(this.throwCard, view, this.play.board);
    this.seeded.hidden = !view.seeded || !(view.scene.dice || view.log.some((entry) => entry.kind === "throw"));
    this.card.update(view);
    for (const panel of this.panels) panel.update(view);
  }

  #waiting(view) {
    if (view.over || view.full) {
      const text = view.full ? t("play.full") : pick(view.result) || t("play.over");
      put(this.bar, h("p", { class: "status result" }, text), h("div", { class: "row" },
        h("a", { class: "button", href: "#/" }, t("play.new")),
        h("a", { class: "button", href: `#/review/${this.id}` }, t("play.review"))));
      this.say(text);
      return;
    }
    const watching = !this.tokens.some(Boolean);
    const who = view.to_move === null ? null : view.seats[view.to_move];
    const text = watching ? t("play.watching") : who?.player === "human" ? t("play.wait") : t("play.thinking");
    put(this.bar, h("p", { class: view.thinking ? "status busy" : "status" }, text));
  }

  /** Plays an action that a view offered. Each view can be acted on once: a second press does nothing. */
  async send(action, view) {
    if (this.acted === view.version) return;
    this.acted = view.version;
    this.byKey = document.activeElement?.matches(":focus-visible");
    this.play.still();
    put(this.bar, h("p", { class: "status" }, t("play.sending")));
    try {
      this.sent = action.kind === "move" ? view.version + 1 : null;
      const next = await api.act(this.id, this.seats, action.action, view.version);
      this.tutor?.judge(view, action);
      this.take(next);
    } catch (error) {
      this.acted = this.sent = null;
      this.wrong(error);
      await this.news.look();
      if (this.view.version === this.shown) this.#settle(this.view); // else the news are being shown
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

  /** Tells that the server is out of reach, or no longer is. */
  #lost(error) {
    const broken = error && (error.status === 0 || error.status === 429 || error.status >= 500);
    const text = broken ? t("play.lost") : error?.message;
    if (this.connection.textContent === (text ?? "")) return;
    put(this.connection, text && h("p", { class: "notice wrong" }, text));
  }

  say(text) {
    if (!text) return;
    this.live.append(h("p", {}, text));
    while (this.live.children.length > 12) this.live.firstChild.remove();
  }

  #build(view) {
    this.bar = h("section", { class: "bar", "aria-label": t("play.bar") });
    this.live = h("div", { class: "hidden-text", "aria-live": "polite", id: "live" });
    this.errors = h("div", { role: "alert" });
    this.notices = h("div", { role: "status" });
    this.connection = h("div", { role: "status", class: "connection" });
    this.above = h("div", { class: "others" });
    this.below = h("div", { class: "plate" });
    this.seeded = h("p", { class: "seeded small", hidden: true }, t("throw.seeded"));
    this.throwCard = h("section", { class: "card throws", "aria-label": t("throw.title") });
    const calls = { send: (action, seen) => this.send(action, seen), say: (text) => this.say(text) };
    const settings = { bar: this.bar, ...calls };
    const trictrac = view.scene.kind === "trictrac";
    this.play = trictrac ? new TrictracPlay(settings) : new PicturePlay(settings);
    this.tutor = new Tutor(this, view.tutor && wish("tutor", true));
    this.card = inviteCard(this);
    this.panels = [
      { name: "tutor", title: t("tutor.title"), ...this.tutor.panel() },
      { name: "inside", title: t("inside.title"), ...inside(this) },
      { name: "history", title: t("history.title"), ...history(this.play.board) },
      { name: "about", title: t("about.title"), ...about(this) },
    ];
    put(this.main,
      h("h1", { class: "hidden-text" }, view.title),
      h("section", { class: view.options.schools ? "play schools" : "play", "aria-label": view.title },
        this.above, this.play.element, this.below, h("div", {}, this.notices, this.errors, this.connection),
        this.card.element, this.bar),
      h("div", { class: "side" }, this.throwCard, this.seeded,
        h("section", { class: "card panels", "aria-label": t("panels.label") }, tabs(this.panels))),
      this.live);
    this.throwCard.hidden = !trictrac;
  }
}

/** Takes the seat of an invitation; false if there is none. Such a token then leaves the address. */
async function sitDown(id, token) {
  const view = /^[\w-]+$/.test(token) ? await api.view(id, token) : null;
  const seat = view?.seats.findIndex(({ you }) => you) ?? -1;
  if (seat >= 0) {
    const seats = [...keptTokens(id)];
    seats[seat] = token;
    keepTable(id, { tokens: seats, title: view.title });
  }
  window.history.replaceState(null, "", `#/table/${id}`);
  return seat >= 0;
}

export async function open(main, [id, token]) {
  const seated = !token || await sitDown(id, token);
  const table = new Table(main, id);
  await table.open();
  if (!seated) put(table.notices, h("p", { class: "notice" }, t("play.no-seat")));
  return () => table.close();
}
