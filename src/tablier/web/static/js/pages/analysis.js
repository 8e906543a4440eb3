// The analysis board: any position of any game, from its start, from an id or a link, or set up by hand. Both sides are
// played freely, with chosen or random throws. The server keeps nothing: the page sends the start and all actions.

import * as api from "../api.js";
import { address, fromLink, optionsFromLink } from "../analysis/address.js";
import { chooser, plates } from "../analysis/chooser.js";
import { opinions } from "../analysis/opinions.js";
import { rollouts } from "../analysis/rollouts.js";
import { setting } from "../analysis/setting.js";
import { sharing } from "../analysis/sharing.js";
import { throwing } from "../analysis/throwing.js";
import { button, h, put } from "../dom.js";
import { more, pick, t } from "../i18n.js";
import { unhurry } from "../motion.js";
import { complaint } from "../panels/complaint.js";
import { history } from "../panels/history.js";
import { tabs } from "../panels/tabs.js";
import { gameModule, styleSheet } from "../play/module.js";
import { setWish, wish } from "../store.js";

const MOST = 400; // actions that the server accepts; a longer analysis begins anew from its position

// What was tried when the page was closed; a switch of the language keeps it.
/** @type {{hash: string, start: any, actions: number[], at: number} | null} */ let kept = null;

class Analysis {
  constructor(main, games, game, options) {
    this.main = main;
    this.games = games;
    this.game = game;
    this.options = options;
    /** @type {{position?: string, set_up?: any}} */ this.start = {};
    /** @type {number[]} */ this.actions = [];
    this.at = 0; // the actions that are made; the others were taken back
    /** @type {any} */ this.view = null;
    /** @type {any} */ this.module = null;
    /** @type {any} */ this.play = null;
    /** @type {ReturnType<typeof setting> | null} */ this.setting = null;
    this.above = h("div", { class: "others" });
    this.below = h("div", { class: "others" });
    this.bar = h("section", {});
    this.back = h("button", {});
    this.forth = h("button", {});
    /** @type {{name: string, title: string, element: any, update: (view: any) => void, close?: () => void}[]} */
    this.panels = [];
    this.address = "";
    this.wrong = h("div", { role: "alert" });
    this.told = h("div", { role: "status", class: "told" });
    this.live = h("div", { class: "hidden-text", "aria-live": "polite", id: "live" });
    this.keys = (event) => this.#key(event);
    document.addEventListener("keydown", this.keys);
  }

  close() {
    this.closed = true;
    kept = { hash: this.address, start: this.start, actions: this.actions, at: this.at };
    document.removeEventListener("keydown", this.keys);
    this.play?.close();
    this.setting?.close();
    for (const panel of this.panels) panel.close?.();
  }

  /** The position on the page, as a request names it. */
  wanted(at = this.at) {
    return { game: this.game, options: this.options, ...this.start, actions: this.actions.slice(0, at) };
  }

  /** Opens the position of a link, with the moves tried from there before. */
  async visit(position) {
    if (kept?.hash === location.hash) {
      ({ start: this.start, actions: this.actions, at: this.at } = kept);
    } else if (position) this.start = { position };
    try {
      await this.#open(await api.analyse(this.wanted()));
    } catch (error) {
      const told = complaint(error);
      Object.assign(this, { start: {}, actions: [], at: 0 });
      await this.#open(await api.analyse(this.wanted()).catch(() => { // the options are wrong too
        this.options = {};
        return api.analyse(this.wanted());
      }));
      put(this.wrong, told);
    }
  }

  /** Shows the first position of a game. */
  async #open(view) {
    this.play?.close();
    for (const panel of this.panels) panel.close?.();
    this.module = await gameModule(view.scene.kind);
    const Play = await (this.module.loadPlay?.() ?? this.module.Play);
    if (this.closed) return;
    this.bar = h("section", { class: "bar", "aria-label": t("page.analysis.bar") });
    this.view = view;
    this.play = new Play({
      view, bar: this.bar, sceneAt: (version) => this.#sceneAt(version), say: (text) => this.say(text),
      send: (action) => this.act(action.action), explain: (tried) => this.#explain(tried),
    });
    this.#build();
    this.#show(view);
  }

  async #sceneAt(version) {
    const view = await api.analyse(this.wanted(version)).catch(() => null);
    return view?.scene ?? null;
  }

  say(text) {
    put(this.live, h("p", {}, text));
  }

  /** Makes an action: a move, or a throw. */
  async act(action) {
    if (this.busy) return;
    const before = { actions: this.actions, at: this.at, start: this.start }, byKey = this.#byKey();
    if (this.at >= MOST) Object.assign(this, { start: { position: this.view.position }, actions: [], at: 0 });
    this.actions = [...this.actions.slice(0, this.at), action];
    this.at += 1;
    await this.#step(before, byKey);
  }

  #byKey() {
    return Boolean(document.activeElement?.matches(":focus-visible"));
  }

  /** Takes actions back, or makes them again. */
  async go(at) {
    const to = Math.max(0, Math.min(this.actions.length, at));
    if (this.busy || to === this.at || this.setting) return;
    const before = { at: this.at };
    this.at = to;
    await this.#step(before, false);
  }

  /** Fetches and shows the position after a step; restores what was before if the server refuses it. */
  async #step(before, byKey) {
    this.busy = true;
    this.play.still();
    put(this.told);
    put(this.wrong);
    try {
      const view = await api.analyse(this.wanted());
      const news = view.version > this.view.version ? view.log.filter((one) => one.version === view.version) : [];
      for (const entry of news) {
        if (this.closed) return;
        if (entry.kind === "throw") await this.play.tell(entry, async () => view.scene);
        this.say(this.module.spoken(entry));
      }
      unhurry();
      this.busy = false;
      if (!this.closed) this.#show(view);
      if (byKey) this.#focus();
    } catch (error) {
      Object.assign(this, before);
      this.busy = false;
      put(this.wrong, complaint(error));
      this.#show(this.view);
    }
  }

  #focus() {
    if (this.view.your_turn) this.play.focus();
    else document.getElementById("throw")?.focus();
  }

  async #explain(tried) {
    try {
      const { told } = await api.whyNot(this.wanted(), tried);
      put(this.told, h("div", { class: "notice" }, told.map((text) => h("p", {}, pick(text)))));
    } catch (error) {
      put(this.wrong, complaint(error));
    }
  }

  #show(view) {
    this.view = view;
    this.address = address(this.game, view.position, this.options);
    window.history.replaceState(null, "", this.address);
    this.play.sit(view);
    plates(this);
    this.play.refresh?.(view);
    put(this.bar);
    this.play.rest(view);
    if (view.throws.length) put(this.bar, throwing(view, (outcome) => this.act(outcome)));
    if (view.over) put(this.bar, h("p", { class: "status result" }, pick(view.result)));
    this.back.disabled = this.at === 0;
    this.forth.disabled = this.at === this.actions.length;
    for (const panel of this.panels) panel.update(view);
    this.main.dataset.version = view.version;
  }

  #build() {
    this.back = button(t("page.analysis.back"), () => this.go(this.at - 1), { id: "back" });
    this.forth = button(t("page.analysis.forth"), () => this.go(this.at + 1), { id: "forth" });
    this.panels = [
      { name: "moves", title: t("page.analysis.moves"), ...opinions(this) },
      { name: "rollout", title: t("page.rollout.title"), ...rollouts(this) },
      { name: "history", title: t("page.history.title"), ...history(this) },
      { name: "share", title: t("page.share.title"), ...sharing(this) },
    ];
    put(this.main,
      h("section", { class: "play", "aria-label": t("page.analysis.title") },
        h("h1", { class: "hidden-text" }, t("page.analysis.title")),
        this.above, this.play.element, this.below, h("div", {}, this.wrong, this.told), this.bar,
        h("div", { class: "row walk" }, this.back, this.forth,
          this.play.turn && button(t("page.about.turn"), () => this.#turn(), { id: "turn" }))),
      h("div", { class: "side" }, chooser(this),
        h("section", { class: "card panels", "aria-label": t("page.analysis.panels") }, tabs(this.panels)),
        this.play.aside),
      this.live);
  }

  #turn() {
    this.play.turn();
    plates(this);
  }

  /** Changes to another game, at its start. */
  async change(game, options) {
    const before = { game: this.game, options: this.options };
    Object.assign(this, { game, options });
    setWish("game", game);
    if (!await this.begin({})) Object.assign(this, before);
    document.getElementById("game")?.focus();
  }

  /** Starts anew from a position; returns whether the server accepted it. */
  async begin(start) {
    const before = { start: this.start, actions: this.actions, at: this.at };
    Object.assign(this, { start, actions: [], at: 0 });
    put(this.wrong);
    put(this.told);
    try {
      await this.#open(await api.analyse(this.wanted()));
      return true;
    } catch (error) {
      Object.assign(this, before);
      put(this.wrong, complaint(error));
      return false;
    }
  }

  /** Lets the reader set a position up by hand. */
  async setUp() {
    const { set_up: start } = await api.analyse({ game: this.game, options: this.options });
    this.play.still();
    put(this.told);
    put(this.wrong);
    const back = () => {
      this.setting?.close();
      this.setting = null;
    };
    const made = this.setting = setting({
      Board: this.module.Board, view: this.view, start, say: (text) => this.say(text),
      done: async (setUp) => {
        if (!await this.begin({ set_up: setUp })) return;
        back();
        document.getElementById("throw")?.focus();
      },
      cancel: () => {
        back();
        this.#build();
        this.#show(this.view);
        document.getElementById("set-up")?.focus();
      },
    });
    put(this.main,
      h("section", { class: "play", "aria-label": t("page.set_up.title") },
        h("h1", { class: "hidden-text" }, t("page.set_up.title")), made.stage,
        h("div", {}, this.wrong), made.bar),
      h("div", { class: "side" }, made.form,
        h("p", { class: "soft small" }, t("page.set_up.about"))),
      this.live);
    this.main.querySelector("[name=tool]")?.focus();
  }

  #key(event) {
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1 }[event.key];
    if (to === undefined || event.target.closest("input, select, [role=tab], [data-field], .history")) return;
    event.preventDefault();
    this.go(to);
  }
}

export async function open(main, [game, position, options]) {
  const [games] = await Promise.all([
    api.games(), more("analysis"), styleSheet("css/table.css"), styleSheet("css/analysis.css"),
  ]);
  const usual = games.find(({ name }) => name === wish("game")) ?? games.find((one) => one.default) ?? games[0];
  const known = !game || games.some(({ name }) => name === game);
  const page = new Analysis(main, games, known && game ? game : usual.name, optionsFromLink(options));
  await page.visit(position && fromLink(position));
  if (!known) put(page.wrong, h("p", { class: "notice wrong" }, t("page.analysis.no_game", { name: game })));
  return () => page.close();
}
