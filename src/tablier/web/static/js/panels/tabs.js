// Tabs: a row of buttons, one visible panel; arrow keys move between the tabs.

import { button, h } from "../dom.js";

/** Creates tabs for `panels`: [{name, title, element, opened?()}]. */
export function tabs(panels) {
  const buttons = panels.map(({ name, title }) =>
    button(title, () => choose(name), { role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}` }));
  const sheets = panels.map(({ name, element }) =>
    h("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, tabindex: -1 }, element));

  function choose(name, focus = false) {
    panels.forEach((panel, n) => {
      const chosen = panel.name === name;
      buttons[n].setAttribute("aria-selected", chosen);
      buttons[n].tabIndex = chosen ? 0 : -1;
      sheets[n].hidden = !chosen;
      if (chosen && focus) buttons[n].focus();
    });
    panels.find((panel) => panel.name === name).opened?.();
  }

  function key(event) {
    const at = buttons.indexOf(document.activeElement), step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (at < 0 || !step) return;
    event.preventDefault();
    choose(panels[(at + step + panels.length) % panels.length].name, true);
  }

  choose(panels[0].name);
  return [h("div", { class: "tabs", role: "tablist", onkeydown: key }, buttons), ...sheets];
}
