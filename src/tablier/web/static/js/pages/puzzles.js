// Puzzles: the sets with the reader's progress, the puzzle of the day, one puzzle at a time, and the reader's mistakes.

import * as api from "../api.js";
import { button, h, put } from "../dom.js";
import { Exercise } from "../exercise.js";
import { more, pick, t } from "../i18n.js";
import { forgetMistakes, keepPuzzle, mistakes, solved } from "../learning.js";
import { gameModule, styleSheet } from "../play/module.js";
import { decision, judgeAgain } from "../retry.js";
import { tokens } from "../store.js";

const LEVELS = [1, 2, 3];
const address = (game, name) => `#/puzzles/${game}/${name}`;

/** Today's date where the reader is, as 2026-11-17. */
function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

const count = (game, puzzles) => puzzles.filter(({ name }) => solved(game, name)).length;

/** The next puzzle after one: the next unsolved one of the same level, otherwise of the whole set. */
function following(game, puzzles, now = null) {
  const at = puzzles.findIndex(({ name }) => name === now);
  const turned = [...puzzles.slice(at + 1), ...puzzles.slice(0, at + 1)].filter(({ name }) => name !== now);
  const open = turned.filter(({ name }) => !solved(game, name));
  const level = puzzles[at]?.level;
  return open.find((one) => one.level === level) ?? open[0] ?? turned[0];
}

function setCard(game, { name, title, about, puzzles }) {
  const levels = LEVELS.map((level) => [level, puzzles.filter((one) => one.level === level)])
    .filter(([, found]) => found.length);
  return h("section", { class: "card puzzle-set", "aria-label": pick(title), "data-set": name },
    h("h2", {}, pick(title)), h("p", { class: "soft" }, pick(about)),
    h("p", { class: "small number" }, t("page.puzzles.solved", { n: count(game, puzzles), of: puzzles.length })),
    h("div", { class: "row" }, levels.map(([level, found]) =>
      h("a", { class: "button", href: address(game, following(game, found).name), "data-level": level },
        t(`page.puzzles.level.${level}`)))));
}

function mistakesCard() {
  const open = mistakes().filter((one) => !one.mended).length;
  return h("section", { class: "card puzzle-set", "aria-label": t("page.puzzles.mistakes"), "data-set": "mistakes" },
    h("h2", {}, t("page.puzzles.mistakes")), h("p", { class: "soft" }, t("page.puzzles.mistakes.about")),
    open ? h("p", {}, h("a", { class: "button", href: "#/puzzles/mistakes" }, t("page.puzzles.retry", { n: open })))
      : h("p", { class: "small" }, t(mistakes().length ? "page.puzzles.mended" : "page.puzzles.no_mistakes")));
}

function dailyCard(game, daily, sets) {
  const { title } = sets.find((one) => one.puzzles.some(({ name }) => name === daily)), done = solved(game, daily);
  return h("a", { class: "card lesson daily", id: "daily", href: address(game, daily) },
    h("span", { class: "place", "aria-hidden": "true" }, done ? "✓" : "☀"),
    h("span", {}, h("strong", {}, t("page.puzzles.daily")), h("span", { class: "soft small" }, pick(title))),
    h("span", { class: "soft small" }, done && t("page.puzzles.daily.done")));
}

function list(main, all) {
  put(main, h("h1", {}, t("page.puzzles.title")), h("p", { class: "lead" }, t("page.puzzles.lead")),
    all.map(({ game, titles, daily, sets }) => h("section", { "aria-label": pick(titles) },
      all.length > 1 && h("h2", {}, pick(titles)),
      dailyCard(game, daily, sets),
      h("div", { class: "puzzle-sets" }, sets.map((one) => setCard(game, one)), mistakesCard()))),
    !all.length && h("p", { class: "soft" }, t("page.puzzles.none")));
}

/** Shows an exercise under a heading. */
async function show(main, posed, heading, settings) {
  const module = await gameModule(posed.view.scene.kind);
  const Play = await (module.loadPlay?.() ?? module.Play);
  const exercise = new Exercise({ posed, Play, module, ...settings });
  put(main, h("div", { class: "lesson-head" }, h("a", { href: "#/puzzles" }, t("page.puzzles.all")), heading),
    exercise.element);
  return () => exercise.close();
}

async function puzzle(main, all, game, name) {
  const posed = await api.puzzle(game, name);
  const { sets } = all.find((one) => one.game === game);
  const { title, puzzles } = sets.find((one) => one.puzzles.some((other) => other.name === name));
  const { level } = puzzles.find((one) => one.name === name);

  async function judge(answer) {
    const { right, told, log, solution } = await api.solve(game, name, answer);
    keepPuzzle(game, name, right);
    return { right, told: told.map(pick), log, solution };
  }

  const next = () => {
    const href = address(game, following(game, puzzles, name).name);
    return [h("a", { class: "button primary", id: "next", href }, t("page.puzzles.next"))];
  };
  const heading = [h("h1", {}, pick(title)), h("span", { class: "soft" }, t(`page.puzzles.level.${level}`))];
  return show(main, posed, heading, { judge, onward: next });
}

/** The reader's mistakes, one after the other. */
async function retries(main) {
  const [one] = mistakes().filter(({ mended }) => !mended);
  if (!one) {
    location.hash = "#/puzzles";
    return undefined;
  }
  const seats = tokens(one.table).filter(Boolean).join();
  const posed = await decision(one.table, one.version, seats).catch((error) => {
    if (error.status !== 404) throw error;
    forgetMistakes(one.table); // its table is gone
    return null;
  });
  if (!posed) return retries(main);
  let close = () => {};
  const again = async () => {
    close();
    close = await retries(main) ?? close;
  };
  const heading = [h("h1", {}, t("page.puzzles.mistakes")), h("span", { class: "soft" }, pick(one.titles))];
  close = await show(main, posed, heading, {
    judge: (action) => judgeAgain(one.table, one.version, seats, posed, action),
    onward: () => [button(t("page.puzzles.next"), again, { class: "primary", id: "next" }),
      h("a", { class: "button", href: `#/review/${one.table}` }, t("page.play.review"))],
  });
  return () => close();
}

export async function open(main, [game, name]) {
  const sheets = ["css/table.css", "css/learning.css"].map(styleSheet);
  const [all] = await Promise.all([api.puzzles(today()), more("learning"), ...sheets]);
  if (game === "mistakes") return retries(main);
  return name ? puzzle(main, all, game, name) : list(main, all);
}
