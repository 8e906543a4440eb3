// The banner over the board: tells an event in a sentence until it is read or clicked.

import { button, put } from "../dom.js";
import { t } from "../i18n.js";
import { reading, run, waits } from "../motion.js";

const RISE = [{ opacity: 0, transform: "translateY(0.6rem)" }, { opacity: 1, transform: "none" }];

export class Banner {
  constructor() {
    /** @type {(value?: any) => void} */ this.release = () => {};
    this.element = button("", () => this.hide(), { class: "banner", hidden: true, title: t("page.banner.close") });
  }

  /** Shows a text, after the one that is still shown, while the game goes on; clicks go through to the board. */
  pass(text, kind) {
    const before = this.element.hidden ? "" : `${this.element.textContent} `;
    this.#show(before + text, kind, true);
  }

  /** Shows a text and waits until it has been read or clicked. */
  async hold(text, kind) {
    if (!waits()) return this.pass(text, kind);
    this.#show(text, kind, false);
    await Promise.race([reading(text), new Promise((done) => { this.release = done; })]);
    if (this.element.textContent === text) this.hide();
  }

  hide() {
    this.element.hidden = true;
    this.release();
  }

  #show(text, kind, passing) {
    this.element.className = `banner ${kind}${passing ? " passing" : ""}`;
    put(this.element, text);
    this.element.hidden = false;
    run(this.element, RISE, { duration: 180, easing: "ease-out" });
  }
}
