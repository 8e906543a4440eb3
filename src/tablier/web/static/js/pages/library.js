// The reader's library: statistics over their games, the list of games, export and transfer.

import * as api from "../api.js";
import { button, h, put } from "../dom.js";
import { day, more, pick, t } from "../i18n.js";
import { code, shelveAll, use } from "../library.js";
import { capital } from "../messages.js";
import { complaint } from "../panels/complaint.js";
import { owned } from "../panels/owned.js";
import { rate, statistics } from "../panels/statistics.js";
import { styleSheet } from "../play/module.js";
import { setWish, wish } from "../store.js";

const AGAIN = 1500; // milliseconds between polls while a game is analysed
const FEW = 30; // games listed at first
const EMPTY = { code: null, games: [], statistics: [] };

/** Who played against the reader. */
function opponents({ opponents: others }) {
  if (!others.length) return t("page.library.both");
  return others.map(({ name, title, person, player }) =>
    name || capital(pick(title)) || (person ? t("page.library.person") : player)).join(", ");
}

class Library {
  constructor(main) {
    this.main = main;
    this.all = false;
    this.told = h("div", { role: "status" });
    this.work = h("div", { class: "work", role: "status" });
    this.wrong = h("div", { role: "alert" });
    this.summed = h("div", {});
    this.list = h("div", {});
    /** @type {Set<string>} */ this.waiting = new Set();
  }

  async load() {
    await shelveAll();
    const mine = code();
    this.answer = mine ? await api.library(mine) : EMPTY;
    const waiting = this.answer.games.filter(({ analysis }) => analysis === "waiting");
    this.waiting = new Set(waiting.map(({ table }) => table));
  }

  draw() {
    const { games } = this.answer;
    const again = async (message) => {
      put(this.told, h("p", { class: "notice" }, message));
      await this.#reload();
    };
    put(this.main, h("h1", {}, t("page.library.title")), h("p", { class: "lead" }, t("page.library.lead")),
      this.told, this.wrong,
      games.length ? [this.#which(), this.work, this.summed, this.list]
        : h("p", {}, t("page.library.empty"), " ", h("a", { href: "#/" }, t("page.library.play"))),
      owned(this.answer, again));
    this.#sum();
    this.#fill();
    this.#progress();
    if (this.waiting.size) this.#poll();
  }

  async #reload() {
    try {
      await this.load();
    } catch (error) {
      put(this.wrong, complaint(error));
      return;
    }
    if (!this.closed) this.draw();
  }

  get #game() {
    const { statistics: all } = this.answer;
    return all.find(({ game }) => game === wish("library_game")) ?? all[0];
  }

  /** The choice between games; nothing if only one was played. */
  #which() {
    const { statistics: all } = this.answer;
    const change = (event) => {
      setWish("library_game", event.target.value);
      this.#sum();
    };
    return all.length > 1 && h("div", { class: "row which" }, h("label", { for: "which" }, t("page.library.which")),
      h("select", { id: "which", onchange: change }, all.map(({ game, titles }) =>
        h("option", { value: game, selected: game === this.#game.game }, pick(titles)))));
  }

  #sum() {
    const review = (table) => { location.hash = `#/review/${table}`; };
    const width = Math.min(760, Math.max(320, this.main.clientWidth - 60));
    put(this.summed, this.#game && statistics(this.#game, width, review));
  }

  #fill() {
    const { games } = this.answer, shown = this.all ? games : games.slice(0, FEW);
    const rest = button(t("page.library.more", { n: games.length }), () => {
      this.all = true;
      this.#fill();
    }, { id: "all-games" });
    const head = ["date", "game", "opponent", "result", "error"];
    put(this.list, games.length > 0 && h("section", { class: "card shelf", "aria-label": t("page.library.games") },
      h("h2", {}, t("page.library.games")),
      h("table", { class: "games" },
        h("thead", {}, h("tr", {}, head.map((name) => h("th",
          { scope: "col", class: name === "error" ? "figure" : null }, t(`page.library.${name}`))), h("td", {}))),
        h("tbody", {}, shown.map((game) => this.#line(game)))),
      shown.length < games.length && rest));
  }

  #line(game) {
    const { table, ended, begun, outcome } = game, name = t("page.library.remove");
    const link = ended === null ? h("a", { href: `#/table/${table}` }, t("page.library.open"))
      : h("a", { href: `#/review/${table}` }, t("page.library.review"));
    return h("tr", { "data-table": table },
      h("td", { class: "date" }, day(ended ?? begun)), h("td", { class: "title" }, pick(game.titles)),
      h("td", { class: "against" }, opponents(game)),
      h("td", { class: `result ${outcome ?? ""}` }, pick(game.result) || t("page.library.running")),
      h("td", { class: "figure rate" }, this.waiting.has(table) ? "…" : rate(game.rate, game)),
      h("td", { class: "acts" }, link, button("×", () => this.#remove(table),
        { class: "plain square", title: name, "aria-label": name })));
  }

  async #remove(table) {
    try {
      await api.unshelve(code(), table);
      await this.#reload();
    } catch (error) {
      put(this.wrong, complaint(error));
    }
  }

  /** How many games are being analysed, or can be. */
  #progress() {
    const open = this.answer.games.filter(({ ended, analysis, table }) =>
      ended !== null && analysis === "none" && !this.waiting.has(table));
    put(this.work,
      this.waiting.size > 0 && h("p", { class: "busy" }, t("page.library.waiting", { n: this.waiting.size })),
      open.length > 0 && button(t("page.library.analyse", { n: open.length }), () => this.#analyse(open),
        { id: "analyse-all" }));
  }

  async #analyse(games) {
    put(this.wrong);
    for (const { table } of games) {
      try {
        await api.rate(code(), table);
        this.waiting.add(table);
      } catch (error) {
        put(this.wrong, complaint(error));
        break; // too many at once: the rest can be asked for later
      }
    }
    this.#progress();
    this.#fill();
    if (this.waiting.size) this.#poll();
  }

  /** Asks for one of the games that are being analysed; when it is done, draws the page again. */
  async #poll() {
    const [first] = this.waiting, mine = this.polling = {};
    await new Promise((done) => { setTimeout(done, AGAIN); });
    if (this.closed || this.polling !== mine) return;
    const game = await api.rate(code(), first).catch((error) => {
      put(this.wrong, complaint(error));
      return null;
    });
    if (this.closed || this.polling !== mine || !game) return;
    if (game.analysis === "waiting") this.#poll();
    else await this.#reload();
  }

  close() {
    this.closed = true;
  }
}

/** What to do about a library that the server does not know. */
function missing(main, error, again) {
  const forget = () => {
    use(null);
    again();
  };
  put(main, h("h1", {}, t("page.library.title")), h("div", { role: "alert" }, complaint(error)),
    h("p", {}, button(t("page.library.gone"), forget, { id: "new-library" })), owned({ code: null }, again));
}

export async function open(main) {
  await Promise.all([more("library"), styleSheet("css/library.css")]);
  const library = new Library(main);
  const begin = async () => {
    try {
      await library.load();
      library.draw();
    } catch (/** @type {any} */ error) {
      if (error.status !== 404 && error.status !== 422) throw error;
      missing(main, error, begin);
    }
  };
  await begin();
  return () => library.close();
}
