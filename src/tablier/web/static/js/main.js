// Entry point: sets language and theme, draws the header, and opens the page for the address.

import { button, h, put } from "./dom.js";
import { current, languages, t, useLanguage } from "./i18n.js";
import { complaint } from "./panels/complaint.js";
import { setWish, wish } from "./store.js";

const PAGES = {
  "": () => import("./pages/start.js"),
  table: () => import("./pages/table.js"),
  lessons: () => import("./pages/lessons.js"),
  puzzles: () => import("./pages/puzzles.js"),
  analysis: () => import("./pages/analysis.js"),
  library: () => import("./pages/library.js"),
  review: () => import("./pages/review.js"),
  rules: () => import("./pages/rules.js"),
  runs: () => import("./pages/runs.js"),
};
const NAVIGATION = [
  ["", "page.nav.play"],
  ["lessons", "page.nav.lessons"],
  ["puzzles", "page.nav.puzzles"],
  ["analysis", "page.nav.analysis"],
  ["library", "page.nav.library"],
  ["rules", "page.nav.rules"],
];

/** @type {(selector: string) => any} */
const part = (selector) => document.querySelector(selector); // all of them are in index.html or made by header()
const main = part("#main");
const dark = matchMedia("(prefers-color-scheme: dark)");
/** @type {(() => void) | null} */
let close = null;
let turn = 0;

function useTheme() {
  document.documentElement.dataset.theme = wish("theme", dark.matches ? "dark" : "light");
}

function address() {
  try {
    return location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  } catch {
    return [""]; // a malformed address opens the start page
  }
}

function header() {
  const [page] = address();
  const isDark = document.documentElement.dataset.theme === "dark";
  const light = t(isDark ? "page.nav.light" : "page.nav.dark");
  part(".skip").textContent = t("page.nav.skip");
  put(part("#nav"), NAVIGATION.map(([to, key]) =>
    h("a", { href: `#/${to}`, "aria-current": page === to ? "page" : null }, t(key))));
  part("#nav").setAttribute("aria-label", t("page.nav.label"));
  put(part("#switches"),
    languageSwitch(),
    button(isDark ? "☀" : "☾", otherTheme, { class: "plain square", id: "theme", title: light, "aria-label": light }));
  part("#nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }); // not all fit on a phone
  fade();
}

/** Fades the ends of the navigation out where it goes on; on a phone not all pages fit. */
function fade() {
  const { classList, scrollLeft, clientWidth, scrollWidth } = part("#nav");
  classList.toggle("before", scrollLeft > 1);
  classList.toggle("after", scrollLeft + clientWidth < scrollWidth - 1);
}

/** A button for the other language if there are two, a list if there are more. */
function languageSwitch() {
  const others = languages().filter(({ code }) => code !== current());
  if (others.length > 1) {
    return h("select", { id: "language", "aria-label": t("page.nav.language"), onchange: choose }, languages().map(
      ({ code, name }) => h("option", { value: code, lang: code, selected: code === current() }, name)));
  }
  return others.map(({ code, name }) =>
    button([h("span", { class: "long" }, name), h("span", { class: "short" }, code.toUpperCase())],
      () => speak(code), { class: "plain", id: "language", lang: code, "aria-label": name }));
}

const choose = (event) => speak(event.target.value);

async function speak(language) {
  setWish("language", language);
  await useLanguage(language);
  await open();
  part("#language").focus();
}

function otherTheme() {
  setWish("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  useTheme();
  header();
  part("#theme").focus();
}

async function open() {
  const mine = ++turn;
  const [name, ...rest] = address();
  const known = Object.hasOwn(PAGES, name) ? name : "";
  close?.();
  close = null;
  header();
  const module = await PAGES[known]();
  if (mine !== turn) return;
  // Each page gets its own element, so that a page that loads late cannot change the next one.
  const page = h("div", { class: `page ${known || "start"}` });
  put(main, page);
  try {
    const closing = await module.open(page, rest);
    if (mine !== turn) return closing?.();
    close = closing ?? null;
    const title = page.querySelector("h1")?.textContent;
    document.title = title ? `${title} · Tablier` : "Tablier";
  } catch (error) {
    document.title = "Tablier";
    put(page, h("div", {}, h("div", { role: "alert" }, complaint(error)),
      h("p", {}, h("a", { href: "#/" }, t("page.nav.home")))));
  }
}

part(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

part("#nav").addEventListener("scroll", fade, { passive: true });
addEventListener("resize", fade);

useTheme();
await useLanguage(wish("language", navigator.language.slice(0, 2)));
dark.addEventListener("change", () => {
  useTheme();
  header();
});
addEventListener("hashchange", async () => {
  await open();
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
});
await open();
