// Showing a game on the board: the last move, dice and men in motion, and moves of the log. A person's own moves are in
// play.js. The methods are documented in ../play/module.js.

import { h } from "../dom.js";
import { pause } from "../motion.js";
import { play as sound } from "../sound.js";
import { shape } from "./geometry.js";
import { movesInWhite } from "./numbers.js";
import { tumble } from "./pieces.js";

const DWELL = 80; // milliseconds on a line of the log before the board shows its move

/** The last move of a log in White's numbers, unless the men have been set up again since. */
export function lastMove(log) {
  const at = log.findLastIndex((entry) => entry.reset || entry.moves?.length);
  if (at < 0 || log[at].reset) return null;
  return { moves: movesInWhite(log[at].moves, log[at].colour), player: log[at].colour };
}

export class BoardShow {
  /** @type {any} */
  view;

  /** `board` is the game's board; sceneAt(version) fetches an earlier scene. */
  constructor(board, sceneAt) {
    this.board = board;
    this.sceneAt = sceneAt;
    this.element = h("div", { class: "stage" }, board.svg);
    /** @type {number | null} */ this.mine = null;
    /** @type {any} */ this.last = null;
    /** @type {any} */ this.line = null;
    this.rereading = false;
    this.resting = false;
  }

  bottom({ scene }) {
    return scene.colours.indexOf(this.board.g.bottom);
  }

  point(candidate) {
    const player = this.view.scene.mover, moves = movesInWhite(candidate?.moves, player);
    this.board.point(candidate ? [{ moves, kind: "best", player }] : []);
  }

  /** Shows the field numbers of the player the line is about, and its move on the board before it. */
  async read(entry) {
    this.board.readAs(entry?.colour ?? null);
    this.line = entry;
    if (!this.resting || (!entry?.moves?.length && !this.rereading)) return;
    if (!entry?.moves?.length) return this.restore();
    await new Promise((done) => setTimeout(done, DWELL));
    const scene = this.line === entry && await this.sceneAt(entry.version - 1);
    if (!scene || this.line !== entry || !this.resting) return;
    this.rereading = true;
    this.board.offer();
    this.show(scene);
    this.board.point([{ moves: movesInWhite(entry.moves, entry.colour), kind: "played", player: entry.colour }]);
  }

  /** Shows the present again after a line of the log was read. */
  restore() {
    this.rereading = false;
    this.show(this.view.scene);
    this.board.trail(this.last);
  }

  /** Animates dice and men. */
  async tell(entry, _sceneThen) {
    if (entry.kind === "throw" && entry.dice && entry.colour !== null) {
      this.board.trail(null);
      sound("dice");
      await this.board.roll(entry.dice, entry.colour);
      this.thrown(entry);
      await pause(60);
    }
    if (entry.kind === "move" && entry.moves) {
      await this.fly(movesInWhite(entry.moves, entry.colour), entry.colour);
      await pause(60);
    }
  }

  /** Animates the steps of a move, in White's numbers. */
  async fly(moves, player) {
    for (const [from, to] of moves) {
      await this.board.move(from, to, player);
      sound("man");
    }
  }

  /** Rolls the dice that the person has to play, while they can already move. */
  land(entry) {
    if (!entry.dice || entry.colour === null) return;
    sound("dice");
    tumble(this.board.g, this.board.layers.dice, entry.colour);
  }

  /** Sets the men up again, visibly if the board can sweep them. */
  async reset(sceneThen) {
    const [scene] = await Promise.all([sceneThen(), this.board.sweep?.()]);
    if (scene) this.show(scene);
  }

  /** Called when the dice of a throw have come to rest. */
  thrown(_entry) {}

  /** The player who threw the dice of a scene, or null. */
  thrower(scene) {
    return scene.dice ? scene.mover : null;
  }

  show(scene) {
    this.board.show({ ...scene, thrower: this.thrower(scene) });
  }

  /** Shows the field numbers of the player who is to act here, otherwise those of the player at the bottom. */
  count({ your_turn: mine, to_move: seat, scene }) {
    this.board.countFor(mine ? scene.colours[seat] : this.board.g.bottom);
  }

  /** Puts a person with a single seat at the bottom, whatever colour they have. */
  sit(view) {
    const { seats, scene } = view;
    const mine = scene.colours.filter((colour, seat) => seats[seat].you && colour !== null);
    if (mine.length === 1 && mine[0] !== this.mine) {
      [this.mine] = mine;
      if (this.board.g.bottom !== this.mine) this.board.lay(shape(), this.mine);
    }
    this.count(view);
  }
}
