// The module for games without their own: the server's picture with clickable parts, and a button for each action.

import { button, h, put } from "../dom.js";
import { pick, t } from "../i18n.js";
import { capital } from "../messages.js";
import { calm, pause, run } from "../motion.js";
import { play as sound } from "../sound.js";

const SAFE = new Set([
  "svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "title", "desc",
  "defs", "linearGradient", "radialGradient", "stop",
]);
const UNSAFE = /^(on|style$|href$|xlink:)/i; // attributes that run, load, or violate the content security policy
const FEW = 4; // up to this many actions have buttons even if the picture offers them too

const ROLL = [
  { transform: "translate(70px, -50px) rotate(400deg) scale(1.2)", opacity: 0 },
  { transform: "translate(18px, 6px) rotate(110deg) scale(1.08)", opacity: 1, offset: 0.65 },
  { transform: "none", opacity: 1 },
];

/** Parses a picture and keeps only shapes and text, nothing that runs or loads. */
function picture(source) {
  const parsed = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
  if (parsed.nodeName !== "svg") return null;
  const clean = document.importNode(parsed, true);
  for (const element of [clean, ...clean.querySelectorAll("*")]) {
    if (!SAFE.has(element.nodeName)) element.remove();
    for (const { name } of [...element.attributes]) if (UNSAFE.test(name)) element.removeAttribute(name);
  }
  return clean;
}

/** Shows a scene's picture, or its text if it has none; returns the picture. */
function draw(element, scene) {
  const svg = picture(scene.svg);
  svg?.classList.add("drawn");
  svg?.setAttribute("role", "img");
  svg?.setAttribute("aria-label", pick(scene.label));
  put(element, svg ?? h("pre", {}, scene.text));
  return svg;
}

export class Play {
  constructor({ bar, send }) {
    this.bar = bar;
    this.send = send;
    this.element = h("div", { class: "stage picture" });
    this.most = 20; // a turn may have many lines, and each is short
  }

  close() {}

  sit() {}

  bottom({ seats }) {
    const mine = seats.map((_, seat) => seat).filter((seat) => seats[seat].you);
    return mine.length === 1 ? mine[0] : 0;
  }

  focus() {
    (this.bar.querySelector("button:enabled") ?? this.element.querySelector(".live"))?.focus();
  }

  /** Shows a line's text and the picture after it; animates the element `.die`, if any. */
  async tell(entry, sceneThen) {
    put(this.bar, h("p", { class: "status" }, pick(entry.text)));
    if (calm()) return;
    const scene = await sceneThen();
    if (scene) this.show(scene);
    const die = entry.kind === "throw" && this.element.querySelector(".die");
    sound(die ? "dice" : "man");
    if (die) await run(die, ROLL, { duration: 300, easing: "cubic-bezier(.2,.7,.3,1)" });
    await pause(entry.kind === "throw" ? 220 : 260);
  }

  show(scene) {
    draw(this.element, scene);
  }

  make(action, view) {
    const offered = view.legal.find((one) => one.action === action);
    if (offered) this.send(offered, view);
  }

  still() {
    for (const part of this.element.querySelectorAll(".live")) {
      part.classList.remove("live");
      for (const name of ["role", "tabindex", "aria-label"]) part.removeAttribute(name);
    }
  }

  rest(view) {
    const svg = draw(this.element, view.scene);
    svg?.setAttribute("role", "group"); // its parts are buttons
    if (!view.your_turn) return;
    const play = (action) => this.send(action, view);
    const drawn = new Set();
    for (const part of svg?.querySelectorAll("[data-action]") ?? []) {
      const action = view.legal.find((one) => one.action === Number(part.getAttribute("data-action")));
      if (action) this.#live(part, action, play);
      drawn.add(action);
    }
    const few = view.legal.length <= FEW;
    const others = view.legal.filter((action) => few || !drawn.has(action)); // those the picture does not offer
    put(this.bar, h("p", { class: "status" }, t(others.length ? "page.play.choose" : "page.play.picture")),
      others.length > 0 && h("div", { class: "row" }, others.map((action) =>
        button(pick(action.text), () => play(action), { "data-choice": action.action }))));
  }

  #live(part, action, play) {
    part.classList.add("live");
    part.setAttribute("role", "button");
    part.setAttribute("tabindex", "0");
    part.setAttribute("aria-label", pick(action.text));
    part.addEventListener("click", () => play(action));
    part.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      play(action);
    });
  }
}

export class Replay {
  constructor() {
    this.element = h("div", { class: "stage picture" });
  }

  show(view) {
    draw(this.element, view.scene);
  }
}

const side = (view, seat) => capital(pick(view.seats[seat].label));

export const plate = (view, seat) => ({ side: side(view, seat), sign: null, score: [] });

export const sign = (view, seat) => h("span", { class: "soft small" }, side(view, seat)); // a name, not a mark

export const spoken = (entry) => pick(entry.text);

export const front = () => h("div", { class: "hero" },
  h("h1", {}, t("page.start.title")), h("p", { class: "lead" }, t("page.start.lead")));

export const rules = null;
