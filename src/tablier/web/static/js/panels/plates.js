// The two players' plates above and below the board, and the words for what happened.

import { h, put } from "../dom.js";
import { pick, t } from "../i18n.js";

/** A seat in words: the level's title, or who sits there. */
export function seatName(table, view, seat) {
  const { player } = view.seats[seat] ?? { player: "" };
  if (player === "human") return table.tokens[seat] && !table.tokens[1 - seat] ? t("seat.you") : table.tokens[seat] ? t("seat.person") : t("seat.other");
  const level = table.levels?.levels.find((one) => one.player === player);
  return level ? pick(level.title) : player || t("seat.nobody");
}

function plate(element, table, view, seat) {
  const { scene } = view;
  element.classList.toggle("turn", view.to_move === seat && !view.over);
  const trictrac = scene.kind === "trictrac";
  const colour = t(seat === 0 ? "seat.white" : "seat.black");
  put(element,
    trictrac && h("span", { class: `token ${seat === 0 ? "ivory" : "ebony"}`, "aria-hidden": "true" }),
    h("span", { class: "who" }, h("strong", {}, seatName(table, view, seat)), trictrac ? h("span", { class: "soft" }, ` ${colour}`) : ""),
    trictrac && h("span", { class: "score" },
      h("span", {}, h("b", { class: "number" }, String(scene.holes[seat])), " ", t("score.holes", { n: scene.holes[seat] })),
      h("span", {}, h("b", { class: "number" }, String(scene.points[seat])), " ", t("score.points", { n: scene.points[seat] })),
      scene.tokens && h("span", {}, t("score.tokens", { n: scene.tokens[seat] })),
      scene.bredouille[seat] && scene.points[seat] > 0 && h("span", { class: "badge" }, t("score.bredouille")),
      scene.pavillon === seat && h("span", { class: "badge flag" }, t("score.pavillon")),
      scene.borne_off[seat] > 0 && h("span", { class: "badge" }, t("score.off", { n: scene.borne_off[seat] }))));
}

export function plates(table, view) {
  const bottom = table.play.board?.g.bottom ?? table.bottom;
  plate(table.above, table, view, 1 - bottom);
  plate(table.below, table, view, bottom);
}

/** A line of the log for a screen reader, with its jans. */
export function feed(entry) {
  const jans = (entry.jans ?? []).map((jan) => `${pick(jan.title)}, ${t("score.points.n", { n: jan.points })}`);
  return [pick(entry.text), ...jans].join(". ");
}
