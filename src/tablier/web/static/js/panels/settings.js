// How the board behaves: speed, sound, and the settings of the game's own board.

import { check, h } from "../dom.js";
import { t } from "../i18n.js";
import { setSpeed, speed, SPEEDS } from "../motion.js";
import { setSound, soundOn } from "../sound.js";
import { setWish, wish } from "../store.js";

export function settings(table) {
  const names = Object.keys(SPEEDS);

  function named(event) {
    const name = event.target.value.trim();
    setWish("name", name);
    if (name && table.tokens.some(Boolean)) table.gesture("name", name);
  }

  return h("div", { class: "settings" }, h("h3", {}, t("page.settings.title")),
    h("div", { class: "option" },
      h("label", { class: "label", for: "speed" }, t("page.settings.speed")),
      h("select", { id: "speed", onchange: (event) => setSpeed(event.target.value) }, names.map((name) =>
        h("option", { value: name, selected: name === speed() }, t(`page.settings.speed.${name}`))))),
    h("div", { class: "option" },
      h("label", { class: "label", for: "name" }, t("page.settings.name")),
      h("input", { id: "name", maxlength: 24, autocomplete: "nickname", value: wish("name", ""), onchange: named })),
    check(t("page.settings.sound"), { id: "sound", checked: soundOn() }, setSound),
    table.play.settings?.());
}
