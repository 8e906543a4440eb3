// The interface between the page and the module of a game.
//
// A game that draws its own board has a `page` folder in its home (tablier/games/<game>/page), served at games/<key>/.
// For scenes of the kind <key> the page imports games/<key>/table.js; it shows any other game with picture.js, which
// uses the server's picture and buttons. A module exports any of the following; picture.js provides the rest:
//
// styles                     style sheets in the module's folder, loaded first
// Play                       class: a game being played. new Play({view, bar, send, say, sceneAt}): `bar` is the
//                            element for questions and buttons, send(action, view) plays an action that the view
//                            offers, say(text) speaks to screen readers, sceneAt(version) fetches an earlier scene.
//                            On the analysis board also explain(steps): says why the last of some steps [from, to] in
//                            the mover's numbers is not legal; `to` is null for a man that cannot move at all
//   element                  the board, placed between the players' plates
//   most                     maximum number of new log lines to animate; earlier ones are skipped
//   show(scene)              shows a position that cannot be clicked
//   tell(entry, sceneThen)   animates a line of the log; sceneThen() fetches the scene after it, or null
//   sit(view)                called before rest(view): flips the board if the person's side has changed
//   rest(view)               shows a view after all animations; on the person's turn, offers the legal actions
//   still()                  makes everything unclickable until the next rest()
//   focus()                  moves the keyboard focus to where the person acts next
//   land?(entry)             shows that the person's dice roll; they can already act
//   reset?(sceneThen)        shows that the pieces are set up again
//   make?(action, view)      plays an action of the view, as if the person had chosen it
//   bottom(view)             the seat whose plate is below the board
//   close()                  called when the reader leaves the page
//   aside?, refresh?(view)   a card beside the board, and how to update it
//   point?(candidate)        shows a candidate of the tutor or the engine on the board; null removes it
//   read?(entry)             called while a line of the log is hovered or focused; with null afterwards
//   turn?()                  flips the board
//   settings?()              controls for the Table tab
//   unfinished?()            a half-made move, to pass to resume?(move) of a new instance on the same view
// loadPlay()                 instead of Play: async function that returns the class, so that only tables load it
// Board?                     class: the live board (board/board.js), on which positions are set up by hand
// Replay                     class: a game being reviewed. new Replay(view)
//   element, aside?          as in Play
//   show(view)               shows a position
//   point?(mistake)          shows what was played and what was better; null removes it
// plate(view, seat)          a player's plate: {side, sign, score}: the seat's name, a mark of its colour or null, and
//                            a list of elements
// sign(view, colour, named)  a mark for the player who acted; `named` adds a name for screen readers
// spoken(entry)              a line of the log for screen readers
// score?(view, seat)         the score in a few figures, from the side of a seat
// front()                    elements for the start page, with an <h1>
// rules                      async function that fills the rules page; null if there is none

import { h } from "../dom.js";
import * as picture from "./picture.js";

/** Loads the module for scenes of a kind. */
export async function gameModule(kind) {
  if (kind === "picture") return picture;
  const own = await import(`../../games/${kind}/table.js`);
  await Promise.all((own.styles ?? []).map((name) => styleSheet(`games/${kind}/${name}`)));
  return { ...picture, ...own };
}

const loaded = new Map();

/** Loads a style sheet once. */
export function styleSheet(href) {
  if (!loaded.has(href)) {
    loaded.set(href, new Promise((done) => { // an unstyled page is better than none
      document.head.append(h("link", { rel: "stylesheet", href, onload: done, onerror: done }));
    }));
  }
  return loaded.get(href);
}
