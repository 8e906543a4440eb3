// Which module shows a game, and what such a module offers.
//
// A game that the page draws itself has a folder `page` in its home (tablier/games/<game>/page), served at
// games/<key>/. The page imports games/<key>/table.js for scenes of the kind <key>; all other games are shown by
// picture.js, the server's picture with buttons. A module exports as much of the following as it does better:
//
// styles                   names of style sheets in its folder, loaded before anything is shown
// Play                     class: a game being played; new Play({view, bar, send, say}), where `bar` is the element for
//                          questions and buttons, send(action, view) plays an action that the view offered, and
//                          say(text) tells a screen reader
//   element                what lies between the players' plates
//   most                   of more news than this only the last are shown one by one
//   show(scene)            shows a position; nothing in it can be pressed
//   tell(entry, sceneThen) lets a line of the log be seen; sceneThen() fetches the scene that it led to, or null
//   sit(view)              a view comes to rest: turns the board if the person's side has changed
//   rest(view)             shows the view; if it is the person's turn, offers what they may do
//   still()                nothing can be pressed until the next rest()
//   focus()                moves the keyboard's focus to where the person acts next
//   bottom(view)           the seat whose plate is below
//   close()                the page is left
//   aside?, refresh?(view) a card beside the board, and how it follows the view
//   point?(candidate)      shows a candidate of the tutor on the board; null takes it away
//   read?(entry)           a line of the log is being pointed at; null: no longer
//   turn?()                turns the board round
//   settings?()            controls for the tab of the table
// Replay                   class: a game being reviewed; new Replay(view)
//   element, aside?        as above
//   show(view)             shows a position
//   point?(mistake)        shows what was played and what was better; null takes it away
// plate(view, seat)        {side, sign, score} for a player's plate: what the seat is called, a mark of its colour or
//                          null, and a list of elements
// sign(view, colour, named) a mark that says who acted; `named` gives it a name for screen readers
// spoken(entry)            a line of the log for a screen reader
// front()                  elements for the first page, an <h1> among them
// rules                    async function that fills the page of the rules; null if there is none

import { h } from "../dom.js";
import * as picture from "./picture.js";

/** The module for scenes of a kind. */
export async function gameModule(kind) {
  if (kind === "picture") return picture;
  const own = await import(`../../games/${kind}/table.js`);
  await Promise.all((own.styles ?? []).map((name) => styleSheet(`games/${kind}/${name}`)));
  return { ...picture, ...own };
}

const loaded = new Map();

function styleSheet(href) {
  if (!loaded.has(href)) {
    loaded.set(href, new Promise((done, failed) => {
      document.head.append(h("link", { rel: "stylesheet", href, onload: done, onerror: failed }));
    }));
  }
  return loaded.get(href);
}
