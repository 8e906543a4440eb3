// The opponents to choose from: the ladder of levels with a picture of their strength, and people.

import { h, put, s } from "../dom.js";
import { pick, t } from "../i18n.js";
import { nextLevel } from "../ladder.js";

const CHAMPION = "champion"; // it needs no number
const WIDTH = 5, GAP = 2, HIGH = 22;

/** Bars that rise from the weakest to the strongest player, filled up to this one. */
function strength(rank, of) {
  const width = of * (WIDTH + GAP) - GAP;
  return s("svg", { class: "strength", viewBox: `0 0 ${width} ${HIGH}`, "aria-hidden": "true" },
    Array.from({ length: of }, (_, n) => {
      const height = (HIGH * (n + 2)) / (of + 1);
      return s("rect", { x: n * (WIDTH + GAP), y: HIGH - height, width: WIDTH, height, rx: 1,
        class: n < rank ? "full" : "empty" });
    }));
}

/**
 * The opponents of a game as radio buttons; `choose(value)` is called with a player string or the name in `others`.
 * @param {{game: string, levels: any[], others: string[], chosen: string, choose: (value: string) => void}} wanted
 */
export function opponents({ game, levels, others, chosen, choose }) {
  const about = h("p", { class: "soft small about", "aria-live": "polite" });
  const ladder = levels.filter(({ rank }) => rank !== null), more = levels.filter(({ rank }) => rank === null);
  const texts = new Map(levels.map((level) => [level.player, pick(level.about)]));

  function tell(value) {
    put(about, texts.get(value) ?? t(`page.start.${value}.about`));
  }

  function radio(value, ...words) {
    const change = () => {
      choose(value);
      tell(value);
    };
    return h("label", { class: "level" },
      h("input", { type: "radio", name: "opponent", value, checked: value === chosen, onchange: change }), words);
  }

  const rung = ({ player, title, rank }) => radio(player, strength(rank, ladder.length),
    h("span", { class: "name" }, player !== CHAMPION && [h("b", {}, String(rank)), " "], pick(title)));
  const other = (name) => radio(name, h("strong", {}, t(`page.start.${name}`)));
  const found = nextLevel(game, ladder), next = found && t(found.up ? "page.ladder.up" : "page.ladder.down",
    { level: pick(found.level.title), rank: found.level.rank });
  tell(chosen);
  return {
    element: h("fieldset", { class: "levels" }, h("legend", { class: "label" }, t("page.start.opponent")),
      h("div", { class: "ladder" }, ladder.map(rung)),
      h("div", { class: "people" }, others.map(other)),
      about, next && h("p", { class: "notice small" }, next)),
    advanced: more.map(({ player, title }) => radio(player, h("strong", {}, pick(title)))),
    free: other("free"),
  };
}
