// Around the analysis board: the card with which another position is chosen, and the plates of the players.

import { button, h, put } from "../dom.js";
import { pick, t } from "../i18n.js";

/** Opens an id, or a link to a position, that was typed or pasted. */
async function read(page, typed) {
  const [, link] = typed.split("#/analysis/");
  if (link) location.hash = `#/analysis/${link}`;
  else if (await page.begin({ position: typed })) document.getElementById("position")?.focus();
}

/** The list of games, each followed by its variants. */
function games(page) {
  const values = page.games.flatMap((game) => [null, ...game.variants].map((variant) => ({ game, variant })));
  const key = ({ game, variant }) => (variant ? `${game.name}/${variant.name}` : game.name);
  const same = ({ game, variant }) => game.name === page.game
    && JSON.stringify(variant?.options ?? {}) === JSON.stringify(page.options);
  const now = values.find(same) ?? values.find(({ game, variant }) => game.name === page.game && !variant);
  const choose = (event) => {
    const found = values.find((one) => key(one) === event.target.value);
    if (found) page.change(found.game.name, found.variant?.options ?? {});
  };
  return h("select", { id: "game", onchange: choose }, values.map((one) =>
    h("option", { value: key(one), selected: one === now }, pick((one.variant ?? one.game).titles))));
}

/** The card with which another position is chosen; `page` is the analysis board. */
export function chooser(page) {
  const input = h("input", {
    id: "position", autocomplete: "off", spellcheck: "false", required: true, maxlength: 1000,
  });
  const submit = (event) => {
    event.preventDefault();
    read(page, input.value.trim());
  };
  return h("section", { class: "card chooser", "aria-label": t("page.analysis.position") },
    h("label", { class: "label", for: "game" }, t("page.start.game")), games(page),
    h("div", { class: "row" },
      button(t("page.analysis.start"), () => page.begin({}), { id: "start" }),
      page.view.set_up && page.module.Board && button(t("page.set_up.title"), () => page.setUp(), { id: "set-up" })),
    h("form", { onsubmit: submit },
      h("label", { class: "label", for: "position" }, t("page.analysis.id")),
      h("div", { class: "row ask" }, input, h("button", { type: "submit", id: "open" }, t("page.analysis.open")))));
}

/** Draws the players' plates above and below the board. */
export function plates({ view, module, play, above, below }) {
  const bottom = play.bottom(view);
  const plate = (seat) => {
    const { side, sign, score } = module.plate(view, seat);
    const turn = seat === (view.to_move ?? view.to_throw) ? " turn" : "";
    return h("div", { class: `plate${turn}` }, sign, h("span", { class: "who" }, h("strong", {}, side)),
      score.length > 0 && h("span", { class: "score" }, score));
  };
  put(above, view.seats.map((_, seat) => seat).filter((seat) => seat !== bottom).map(plate));
  put(below, plate(bottom));
}
