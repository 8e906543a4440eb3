// Lessons: the list of them with the reader's progress, and one lesson step by step.

import * as api from "../api.js";
import { button, h, put } from "../dom.js";
import { Exercise } from "../exercise.js";
import { more, pick, t } from "../i18n.js";
import { keepStep, stepsDone } from "../learning.js";
import { gameModule, styleSheet } from "../play/module.js";

const address = (game, lesson) => `#/lessons/${game}/${lesson}`;

function card(game, { name, title, about, steps }, n) {
  const done = Math.min(steps, stepsDone(game, name).length);
  const state = t(done === steps ? "page.lessons.done" : "page.lessons.progress", { done, of: steps });
  return h("li", {}, h("a", { class: done === steps ? "card lesson done" : "card lesson", href: address(game, name) },
    h("span", { class: "place number", "aria-hidden": "true" }, done === steps ? "✓" : String(n + 1)),
    h("span", {}, h("strong", {}, pick(title)), h("span", { class: "soft small" }, pick(about))),
    h("span", { class: "soft small number" }, state)));
}

function list(main, taught) {
  const sections = taught.map(({ game, titles, lessons }) => {
    const next = lessons.find(({ name, steps }) => stepsDone(game, name).length < steps);
    const begun = lessons.some(({ name }) => stepsDone(game, name).length);
    const key = begun ? "page.lessons.continue" : "page.lessons.begin";
    return h("section", { "aria-label": pick(titles) },
      taught.length > 1 && h("h2", {}, pick(titles)),
      next
        ? h("p", {}, h("a", { class: "button primary", id: "continue", href: address(game, next.name) }, t(key)))
        : h("p", {}, t("page.lessons.finished"), " ", h("a", { href: "#/" }, t("page.lessons.play"))),
      h("ol", { class: "lesson-list" }, lessons.map((lesson, n) => card(game, lesson, n))));
  });
  put(main, h("h1", {}, t("page.lessons.title")), h("p", { class: "lead" }, t("page.lessons.lead")),
    sections.length ? sections : h("p", { class: "soft" }, t("page.lessons.none")));
}

class Path {
  /** `following` is the next lesson, if there is one; `Play` the class of the game's module. */
  constructor(main, game, lesson, following, module, Play) {
    this.game = game;
    this.lesson = lesson;
    this.following = following;
    this.module = module;
    this.Play = Play;
    this.place = h("div", {});
    this.steps = h("ol", { class: "dots" });
    put(main,
      h("div", { class: "lesson-head" }, h("a", { href: "#/lessons" }, t("page.lessons.all")),
        h("h1", {}, pick(lesson.title)), this.steps),
      this.place);
  }

  /** Opens a step. */
  go(n) {
    const { game, lesson, module, Play } = this, step = lesson.steps[n];
    this.exercise?.close();
    this.exercise = new Exercise({
      posed: step, module, Play, judge: async (answer) => this.#judge(step, answer), onward: () => this.#onward(n),
    });
    put(this.place, this.exercise.element);
    this.#dots(n);
    history.replaceState(null, "", `${address(game, lesson.name)}/${n + 1}`);
  }

  close() {
    this.exercise?.close();
  }

  #dots(now) {
    const { game, lesson } = this, done = stepsDone(game, lesson.name);
    put(this.steps, lesson.steps.map(({ name }, n) => {
      const label = t("page.lessons.step", { n: n + 1, of: lesson.steps.length });
      const state = done.includes(name) ? "plain done" : "plain";
      return h("li", {}, button(done.includes(name) ? "✓" : String(n + 1), () => this.go(n), {
        class: state, "aria-label": label, title: label, "aria-current": n === now ? "step" : null,
      }));
    }));
  }

  #judge(step, answer) {
    const right = step.right.includes(answer);
    if (!right) return { right, told: [pick(step.hint)], again: true, solution: step.right[0] };
    keepStep(this.game, this.lesson.name, step.name);
    this.#dots(this.lesson.steps.indexOf(step));
    return { right, told: [pick(step.why)], log: step.log };
  }

  #onward(n) {
    const { game, lesson, following } = this, more = n + 1 < lesson.steps.length;
    if (more) return [button(t("page.lessons.next"), () => this.go(n + 1), { class: "primary", id: "next" })];
    const [href, words] = following
      ? [address(game, following.name), t("page.lessons.following", { title: pick(following.title) })]
      : ["#/", t("page.lessons.play")];
    return [h("a", { class: "button primary", id: "next", href }, words)];
  }
}

export async function open(main, [game, name, step]) {
  const sheets = ["css/table.css", "css/learning.css"].map(styleSheet);
  const [taught] = await Promise.all([api.lessons(), more("learning"), ...sheets]);
  if (!name) return list(main, taught);
  const lesson = await api.lesson(game, name);
  const module = await gameModule(lesson.steps[0].view.scene.kind);
  const Play = await (module.loadPlay?.() ?? module.Play);
  const { lessons } = taught.find((one) => one.game === game);
  const path = new Path(main, game, lesson, lessons[lessons.findIndex((one) => one.name === name) + 1], module, Play);
  const done = stepsDone(game, name);
  const first = Math.max(0, lesson.steps.findIndex((one) => !done.includes(one.name)));
  const wanted = Number(step) - 1;
  path.go(lesson.steps[wanted] ? wanted : first);
  return () => path.close();
}
