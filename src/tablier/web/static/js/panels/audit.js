// The audit of the dice: the server promises their seed by a hash before the game and reveals it after the end.

import * as api from "../api.js";
import { button, h, put } from "../dom.js";
import { t } from "../i18n.js";
import { hex, modulo, sha256 } from "../sha256.js";
import { tables } from "../store.js";

/** The hash of the seed as this browser first saw it. */
export const promised = (id, view) => tables().find((one) => one.id === id)?.promised ?? view.commitment;

/** Checks a revealed seed against the promise and against every roll: the message to show, and whether all is well. */
export function verdict({ seed, rolls }, commitment) {
  if (hex(sha256(seed)) !== commitment) return { key: "page.dice.broken", fine: false, params: {} };
  const drawn = ({ version, outcomes }) => modulo(sha256(`${seed} ${version}`), outcomes);
  const wrong = rolls.find((roll) => drawn(roll) !== roll.outcome);
  if (wrong) return { key: "page.dice.wrong", fine: false, params: { version: wrong.version } };
  return { key: "page.dice.right", fine: true, params: { n: rolls.length } };
}

/** The card about the dice in the Table tab. */
export function audit(table) {
  const told = h("p", { class: "small", role: "status" });
  const check = button(t("page.dice.check"), () => run(), { id: "dice-check" });
  const about = h("p", { class: "small soft" });
  const element = h("div", { class: "audit" }, h("h3", {}, t("page.dice.title")), about, check, told);

  async function run() {
    try {
      const answer = await api.dice(table.id);
      const { key, fine, params } = verdict(answer, promised(table.id, table.view));
      put(told, h("span", { class: fine ? "gain" : "loss" }, t(key, params)));
    } catch (/** @type {any} */ error) {
      table.wrong(error);
    }
  }

  return {
    element,
    update(view) {
      element.hidden = !view.commitment;
      put(about, t("page.dice.about"), " ", h("code", {}, (view.commitment ?? "").slice(0, 16)), "…");
      check.hidden = !view.over;
    },
  };
}
