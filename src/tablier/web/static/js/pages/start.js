// The first page: choose a game and an opponent, go on with a table, bring a record.

import * as api from "../api.js";
import { Board } from "../board/board.js";
import { button, h, put } from "../dom.js";
import { number, pick, t } from "../i18n.js";
import { optionControls } from "../panels/options.js";
import { complaint } from "../panels/small.js";
import { forgetTable, hasSeat, keepTable, setWish, tables, wish } from "../store.js";

const FRONT = { // a game in its middle, to look at
  men: [4, 0, 1, 0, 2, 2, 1, 2, 0, 1, 0, 2, -2, 0, -2, 0, -2, -1, 0, -2, 0, 0, -1, -5],
  dice: [6, 4], thrower: 0, holes: [5, 7], points: [4, 8], bredouille: [false, true], pavillon: 1,
};
const OTHERS = ["person", "link", "free"];
const ABOVE = ["schools", "holes_to_win"]; // options that have a place of their own
const FEW = 6; // tables listed, unless the reader has a seat in more
const MACHINES = ["utility", "encoding"]; // options that only learners know

class Start {
  constructor(games) {
    this.games = games;
    this.game = games.find((game) => game.name === wish("game", "trictrac")) ?? games[0];
    this.opponent = wish("opponent", null);
    this.form = h("form", { class: "card setup", onsubmit: (event) => this.#begin(event) });
    this.form.addEventListener("invalid", (event) => unfold(event.target), true); // else nobody sees what is wrong
    this.wrong = h("div", { role: "alert" });
  }

  async draw() {
    const { levels } = await api.players(this.game.name);
    const names = [...levels.map(({ player }) => player), ...OTHERS];
    if (!names.includes(this.opponent)) this.opponent = names[Math.min(2, levels.length - 1)];
    put(this.form,
      h("h2", {}, t("start.new")),
      h("label", { class: "label", for: "game" }, t("start.game")),
      h("select", { id: "game", onchange: (event) => this.#choose(event.target.value) }, this.games.map((game) =>
        h("option", { value: game.name, selected: game === this.game }, game.title))),
      h("fieldset", { class: "levels" }, h("legend", { class: "label" }, t("start.opponent")),
        levels.map((level) => this.#radio(level.player, pick(level.title), pick(level.about))),
        OTHERS.map((other) => this.#radio(other, t(`start.${other}`), t(`start.${other}.about`)))),
      this.#free(),
      this.#more(),
      this.wrong,
      h("button", { class: "primary wide", type: "submit", id: "begin" }, t("start.begin")));
    this.#follow();
  }

  #radio(value, title, about) {
    const choose = () => {
      this.opponent = value;
      this.#follow();
    };
    const checked = value === this.opponent;
    return h("label", { class: "level" },
      h("input", { type: "radio", name: "opponent", value, checked, onchange: choose }),
      h("span", {}, h("strong", {}, title), h("span", { class: "soft small" }, about)));
  }

  #free() {
    this.string = h("input", {
      id: "string", placeholder: "mcts:sims=500", autocomplete: "off", spellcheck: "false", value: wish("string", ""),
    });
    this.freeRow = h("div", {}, h("label", { class: "label", for: "string" }, t("start.string")), this.string);
    return this.freeRow;
  }

  #more() {
    const trictrac = this.game.options.some((option) => option.name === "schools");
    const sides = ["any", "0", "1"].map((side) => h("option", { value: side }, t(`start.side.${side}`)));
    this.side = h("select", { id: "side" }, sides);
    this.tutor = h("input", { type: "checkbox", id: "tutor", checked: wish("tutor", true) });
    this.schools = trictrac ? h("input", { type: "checkbox", id: "schools" }) : null;
    this.holes = trictrac && this.game.options.some((option) => option.name === "holes_to_win")
      ? h("select", { id: "holes" }, [12, 6, 3].map((n) => h("option", { value: n }, t("start.holes", { n })))) : null;
    return h("details", { class: "more" }, h("summary", {}, t("start.more")),
      h("div", { class: "grid" },
        h("div", {}, h("label", { class: "label", for: "side" }, t("start.side")), this.side),
        this.holes && h("div", {}, h("label", { class: "label", for: "holes" }, t("start.length")), this.holes)),
      h("label", { class: "check" }, this.tutor, t("start.tutor")),
      this.schools && h("label", { class: "check" }, this.schools, t("start.schools")),
      this.#rules());
  }

  /** Every other rule of the game that can be chosen. */
  #rules() {
    const offered = this.game.options.filter(({ name, choices }) =>
      ![...ABOVE, ...MACHINES].includes(name) && choices.length !== 1);
    this.rules = optionControls(offered);
    return offered.length
      ? h("details", { class: "more rules-of" }, h("summary", {}, t("start.rules")), this.rules.elements) : null;
  }

  #follow() {
    this.freeRow.hidden = !(this.string.required = this.opponent === "free");
    this.side.disabled = this.opponent === "person";
  }

  async #choose(name) {
    this.game = this.games.find((game) => game.name === name);
    setWish("game", name);
    await this.draw();
    this.form.querySelector("#game").focus();
  }

  async #begin(event) {
    event.preventDefault();
    const { opponent } = this;
    const people = opponent === "person" || opponent === "link";
    const other = people ? "human" : opponent === "free" ? this.string.value.trim() : opponent;
    const options = this.rules.changed();
    const players = options.players ?? this.game.players;
    const wanted = this.side.value === "any" ? Math.floor(Math.random() * players) : Number(this.side.value);
    const side = opponent === "person" || players === 1 ? 0 : wanted;
    if (this.schools?.checked) options.schools = true;
    if (this.holes && this.holes.value !== "12") options.holes_to_win = Number(this.holes.value);
    setWish("opponent", opponent);
    setWish("string", this.string.value);
    setWish("tutor", this.tutor.checked);
    const seats = Array.from({ length: players }, (_, seat) => (seat === side ? "human" : other));
    try {
      const game = this.game.name, tutor = this.tutor.checked, linked = opponent === "link";
      const { table, tokens, view } = await api.newTable({ game, options, seats, tutor });
      const kept = linked ? tokens.map((token, seat) => (seat === side ? token : null)) : tokens;
      const invites = linked ? tokens.filter((_, seat) => seat !== side) : [];
      keepTable(table, { title: view.title, tokens: kept, invites, over: false });
      location.hash = `#/table/${table}`;
    } catch (error) {
      put(this.wrong, complaint(error));
    }
  }
}

/** Opens whatever an element is folded away in. */
function unfold(element) {
  for (let place = element.closest("details"); place; place = place.parentElement.closest("details")) place.open = true;
}

function recent() {
  const list = h("ul", { class: "recent" });
  const name = t("start.forget");

  function forget(table) {
    forgetTable(table.id);
    draw();
  }

  /** Every game in which the reader has a seat, then others up to a few. */
  function listed() {
    const all = tables(), seated = all.filter(hasSeat);
    const others = all.filter((table) => !seated.includes(table)).slice(0, Math.max(0, FEW - seated.length));
    return all.filter((table) => seated.includes(table) || others.includes(table));
  }

  function state(table) {
    return t(table.missing ? "start.missing" : table.over ? "start.over" : "start.running");
  }

  function draw() {
    put(list, listed().map((table) => h("li", {},
      h("a", { href: `#/table/${table.id}` }, table.title ?? table.id),
      h("span", { class: "soft small" }, `${state(table)} · ${when(table.opened)}`),
      button("×", () => forget(table), { class: "plain square", title: name, "aria-label": name }))));
  }

  draw();
  return tables().length ? h("section", { class: "card" }, h("h2", {}, t("start.recent")), list) : null;
}

function when(time) {
  const minutes = Math.round((Date.now() - (time ?? Date.now())) / 60000);
  if (minutes < 60) return t("start.minutes", { n: minutes });
  if (minutes < 2880) return t("start.hours", { n: number(minutes / 60) });
  return t("start.days", { n: number(minutes / 1440) });
}

function bring() {
  const wrong = h("div", { role: "alert" });
  async function read(event) {
    const [file] = event.target.files;
    if (!file) return;
    try {
      const { table } = await api.upload(await file.text());
      location.hash = `#/review/${table}`;
    } catch (error) {
      put(wrong, complaint(error));
    }
  }
  return h("section", { class: "card" },
    h("h2", {}, t("start.record")), h("p", { class: "soft small" }, t("start.record.about")),
    h("label", { class: "label", for: "upload" }, t("start.file")),
    h("input", { type: "file", id: "upload", accept: ".txt,.json", onchange: read }), wrong);
}

export async function open(main) {
  const start = new Start(await api.games());
  const board = new Board({ label: t("start.picture") });
  board.show(FRONT);
  put(main,
    h("section", { class: "front" },
      h("div", { class: "hero" }, h("h1", {}, t("start.title")), h("p", { class: "lead" }, t("start.lead")),
        h("p", {}, h("a", { href: "#/rules" }, t("start.learn")))), board.svg),
    h("div", { class: "desk" }, start.form, recent(), bring()));
  await start.draw();
}
