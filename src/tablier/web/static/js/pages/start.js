// The start page: choose a game and an opponent, continue a table, import a record.

import * as api from "../api.js";
import { button, h, put } from "../dom.js";
import { pick, t } from "../i18n.js";
import { capital } from "../messages.js";
import { complaint } from "../panels/complaint.js";
import { opponents } from "../panels/levels.js";
import { optionControls } from "../panels/options.js";
import { gameModule } from "../play/module.js";
import { forgetTable, hasSeat, keepTable, oldestSeat, setWish, tables, titles, wish } from "../store.js";

const PEOPLE = ["person", "link"];
const FREE = "free"; // any player string
const FEW = 12; // tables listed, more only if the reader has a seat at them
const ANY = "any";
const CLOCKS = [[300, 5], [600, 10], [1200, 15]]; // seconds for the game, and for each decision
const FIRST = 1; // the place of a newcomer's opponent on the ladder, counted from 0

class Start {
  /** @type {ReturnType<typeof optionControls>} */
  first;

  /** @type {ReturnType<typeof optionControls>} */
  later;

  /** @type {ReturnType<typeof opponents>} */
  rivals;

  /** @type {HTMLInputElement} */
  string;

  /** @type {HTMLElement} */
  freeRow;

  /** @type {HTMLSelectElement} */
  side;

  /** @type {HTMLInputElement} */
  tutor;

  /** @type {HTMLSelectElement} */
  clock;

  /** @type {HTMLElement} */
  clockRow;

  /** `first` is preselected for readers who have not chosen a game yet. */
  constructor(games, first) {
    this.games = games;
    this.game = games.find((game) => game.name === wish("game")) ?? first;
    this.variant = this.game.variants.find(({ name }) => name === wish("variant")) ?? null;
    this.opponent = wish("opponent", null);
    this.form = h("form", { class: "card setup", onsubmit: (event) => this.#begin(event) });
    this.form.addEventListener("invalid", (event) => unfold(event.target), true); // otherwise its error stays hidden
    this.wrong = h("div", { role: "alert" });
  }

  async draw() {
    const { levels } = await api.players(this.game.name);
    const names = [...levels.map(({ player }) => player), ...PEOPLE, FREE];
    if (!names.includes(this.opponent)) this.opponent = names[Math.min(FIRST, levels.length - 1)];
    this.rivals = opponents({
      game: this.game.name, levels, others: PEOPLE, chosen: this.opponent,
      choose: (value) => {
        this.opponent = value;
        this.#follow();
      },
    });
    put(this.form,
      h("h2", {}, t("page.start.new")),
      h("label", { class: "label", for: "game" }, t("page.start.game")),
      h("select", { id: "game", onchange: (event) => this.#choose(event.target.value) }, this.#titles()),
      this.rivals.element,
      this.wrong,
      h("button", { class: "primary wide", type: "submit", id: "begin" }, t("page.start.begin")),
      this.#more(),
      this.#advanced());
    this.#follow();
  }

  /** The games, each followed by its variants; values are "game" or "game/variant". */
  #titles() {
    return this.games.flatMap((game) => [null, ...game.variants].map((variant) => {
      const selected = game === this.game && variant === this.variant;
      const value = variant ? `${game.name}/${variant.name}` : game.name;
      return h("option", { value, selected }, pick(variant ? variant.titles : game.titles));
    }));
  }

  /** Opponents for experts: networks trained on this machine, and any player string. */
  #advanced() {
    this.string = h("input", {
      id: "string", placeholder: "mcts:sims=500", autocomplete: "off", spellcheck: "false", value: wish("string", ""),
    });
    this.freeRow = h("div", {}, h("label", { class: "label", for: "string" }, t("page.start.string")), this.string);
    const open = Boolean(this.rivals.advanced.concat(this.rivals.free).find((one) => one.querySelector(":checked")));
    return h("details", { class: "more advanced", open }, h("summary", {}, t("page.start.advanced")),
      this.rivals.advanced, this.rivals.free, this.freeRow,
      h("p", { class: "small" }, h("a", { href: "#/runs" }, t("page.start.runs"))));
  }

  /** Side, tutor and rule options: the ones the game offers first, then the others, collapsed. */
  #more() {
    const { sides } = this.game, set = this.variant?.options ?? {};
    const options = this.game.options.map((option) => ({ ...option, default: set[option.name] ?? option.default }));
    const offered = (when) => options.filter((option) => option.offered === when && option.choices.length !== 1);
    const [first, later] = [offered("first"), offered("later")];
    this.first = optionControls(first);
    this.later = optionControls(later);
    this.side = h("select", { id: "side" }, h("option", { value: ANY }, t("page.start.side.any")),
      sides.map((side, seat) => h("option", { value: seat }, capital(pick(side)))));
    this.tutor = h("input", { type: "checkbox", id: "tutor", checked: wish("tutor", true) });
    this.clock = h("select", { id: "clock" }, h("option", { value: "" }, t("page.start.clock.none")),
      CLOCKS.map(([base, increment]) => h("option", { value: `${base}+${increment}` },
        t("page.start.clock.some", { minutes: base / 60, seconds: increment }))));
    this.clockRow = h("div", { class: "option" }, h("label", { for: "clock" }, t("page.start.clock")), this.clock);
    return h("details", { class: "more" }, h("summary", {}, t("page.start.more")),
      h("div", { class: "grid" },
        h("div", { class: "option" }, h("label", { for: "side" }, t("page.start.side")), this.side),
        this.clockRow,
        this.first.fields),
      h("label", { class: "check" }, this.tutor, t("page.start.tutor")),
      this.first.boxes,
      later.length > 0
        && h("details", { class: "more rules-of" }, h("summary", {}, t("page.start.rules")), this.later.all));
  }

  #follow() {
    this.freeRow.hidden = !(this.string.required = this.opponent === FREE);
    this.side.disabled = this.opponent === "person";
    const people = PEOPLE.includes(this.opponent);
    this.clock.disabled = !people;
    this.clockRow.hidden = !people; // players of the machine do not run out of time
  }

  async #choose(value) {
    const [name, variant] = value.split("/");
    this.game = this.games.find((game) => game.name === name);
    this.variant = this.game.variants.find((one) => one.name === variant) ?? null;
    setWish("game", name);
    setWish("variant", variant ?? null);
    await this.draw();
    document.getElementById("game")?.focus();
  }

  /** The person's seat. */
  #seat(players) {
    if (this.opponent === "person") return 0;
    return this.side.value === ANY ? Math.floor(Math.random() * players) : Number(this.side.value);
  }

  /** The clock of the new table, or null. */
  #clock() {
    const [base, increment] = this.clock.value.split("+").map(Number);
    return base && PEOPLE.includes(this.opponent) ? { base, increment } : null;
  }

  async #begin(event) {
    event.preventDefault();
    const { opponent } = this;
    const people = opponent === "person" || opponent === "link";
    const other = people ? "human" : opponent === FREE ? this.string.value.trim() : opponent;
    const options = { ...this.variant?.options, ...this.first.changed(), ...this.later.changed() };
    const players = options.players ?? this.game.players; // an option named `players` sets the number of seats
    const side = this.#seat(players);
    setWish("opponent", opponent);
    setWish("string", this.string.value);
    setWish("tutor", this.tutor.checked);
    const seats = Array.from({ length: players }, (_, seat) => (seat === side ? "human" : other));
    try {
      const game = this.game.name, linked = opponent === "link";
      const tutor = this.tutor.checked && !linked; // between people it is off until both agree
      const wanted = { game, options, seats, tutor, clock: this.#clock() };
      const { table, tokens, view } = await api.newTable(wanted, oldestSeat());
      const kept = linked ? tokens.map((token, seat) => (seat === side ? token : null)) : tokens;
      const invites = linked ? tokens.filter((_, seat) => seat !== side) : [];
      keepTable(table, { ...titles(view), tokens: kept, invites, over: false });
      location.hash = `#/table/${table}`;
    } catch (error) {
      put(this.wrong, complaint(error));
    }
  }
}

/** Opens the details elements around an element. */
function unfold(element) {
  for (let place = element.closest("details"); place; place = place.parentElement.closest("details")) place.open = true;
}

function recent() {
  const list = h("ul", { class: "recent" });
  const name = t("page.start.forget");

  function forget(table) {
    forgetTable(table.id);
    draw();
  }

  /** All tables where the reader has a seat, then a few others. */
  function listed() {
    const all = tables(), seated = all.filter(hasSeat);
    const others = all.filter((table) => !seated.includes(table)).slice(0, Math.max(0, FEW - seated.length));
    return all.filter((table) => seated.includes(table) || others.includes(table));
  }

  function state(table) {
    return t(table.missing ? "page.start.missing" : table.over ? "page.start.over" : "page.start.running");
  }

  /** What tells a game from others: the opponent, the score, whether it is over, and when it was played. */
  const facts = (table) => [pick(table.against), table.score, state(table), when(table.opened)].filter(Boolean);

  function draw() {
    put(list, listed().map((table) => h("li", {},
      h("a", { href: `#/table/${table.id}` }, pick(table.titles) || table.title || table.id),
      h("span", { class: "soft small" }, facts(table).join(" · ")),
      button("×", () => forget(table), { class: "plain square", title: name, "aria-label": name }))));
  }

  draw();
  return tables().length ? h("section", { class: "card" }, h("h2", {}, t("page.start.recent")), list,
    h("p", { class: "small" }, h("a", { href: "#/library" }, t("page.start.library")))) : null;
}

function when(time) {
  const minutes = Math.round((Date.now() - (time ?? Date.now())) / 60000);
  if (minutes < 1) return t("page.start.now");
  if (minutes < 60) return t("page.start.minutes", { n: minutes });
  if (minutes < 2880) return t("page.start.hours", { n: Math.round(minutes / 60) });
  return t("page.start.days", { n: Math.round(minutes / 1440) });
}

function importing() {
  const wrong = h("div", { role: "alert" });
  async function read(event) {
    const [file] = event.target.files;
    if (!file) return;
    try {
      const { table } = await api.upload(await file.text(), oldestSeat());
      location.hash = `#/review/${table}`;
    } catch (error) {
      put(wrong, complaint(error));
    }
  }
  return h("section", { class: "card" },
    h("h2", {}, t("page.start.record")), h("p", { class: "soft small" }, t("page.start.record.about")),
    // The browser's own button speaks the browser's language, not the page's.
    h("input", { type: "file", id: "upload", class: "hidden-text", accept: ".txt,.json,.mat,.sgf", onchange: read }),
    h("label", { class: "button", for: "upload" }, t("page.start.file")), wrong);
}

export async function open(main) {
  const games = await api.games();
  const shown = games.find((game) => game.default) ?? games.find(({ page }) => page) ?? games[0];
  const start = new Start(games, shown);
  const { front } = await gameModule(shown.page ?? "picture");
  put(main,
    h("section", { class: "front" }, front()),
    h("div", { class: "desk" }, start.form, recent(), importing()));
  await start.draw();
}
