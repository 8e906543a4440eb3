// Playing Trictrac: the shared play on the board, with hold or leave, marking in schools, and the throw's score.
// Its methods are documented in web/static/js/play/module.js.

import { shape } from "../../js/board/geometry.js";
import { BoardPlay } from "../../js/board/play.js";
import { button, h } from "../../js/dom.js";
import { Board } from "./board.js";
import { marking } from "./marking.js";
import { ThrowCard } from "./throws.js";
import { words } from "./words.js";

export class Play extends BoardPlay {
  constructor(settings) {
    super(new Board({ shape: shape(), live: true }), words, settings);
    this.card = new ThrowCard(this.board);
    this.element.classList.toggle("schools", Boolean(settings.view.options.schools));
    this.aside = this.card.element;
  }

  refresh(view) {
    this.card.update(view);
  }

  thrown(entry) {
    this.board.mark(entry);
  }

  thrower(scene) {
    return scene.throw?.player ?? null;
  }

  decide(view) {
    const moves = view.legal.filter((action) => action.kind === "move");
    const leave = view.legal.find((action) => action.verb === "leave");
    if (leave && moves.length) this.#holdOrLeave(leave, moves);
    else if (moves.length) this.begin(moves);
    else this.#choices();
  }

  #holdOrLeave(leave, moves) {
    const choice = (id, name, about, act) =>
      button([h("strong", {}, name), h("span", { class: "small" }, about)], act, { class: "choice", id });
    const again = () => this.#holdOrLeave(leave, moves);
    this.steps = null;
    this.hold = () => this.begin(moves, again);
    this.board.offer();
    this.ask(words.play("hole"), h("div", { class: "choices" },
      choice("hold", words.play("hold"), words.play("hold.about"), this.hold),
      choice("leave", words.play("leave"), words.play("leave.about"), () => this.act(leave))));
    this.say(words.play("hole"));
  }

  #choices() {
    const { text, parts } = marking(this.view, this.colour, (action) => this.act(action));
    this.ask(text, parts);
    this.say(text);
  }
}
