// Input on the board: turns clicks, drags and keys into the choice of a man and of a destination.

import { s } from "../dom.js";
import { disc } from "./furniture.js";

const FAR = 6; // pixels after which a press becomes a drag

/** Listens to a board; `calls`: choose(field, byKey), lift(field), drop(from, to). Returns a function that stops it. */
export function hands(board, calls) {
  const ending = new AbortController();
  const on = (target, name, call) => target.addEventListener(name, call, { signal: ending.signal });
  /** @type {{field: number, x: number, y: number, man: SVGElement | null, id: number} | null} */
  let held = null;

  const fieldAt = (event) => {
    const area = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-field]");
    return area && board.svg.contains(area) ? Number(area.getAttribute("data-field")) : null;
  };

  function point(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.svg.getScreenCTM().inverse());
    return [at.x, at.y];
  }

  // Touching a man that can move starts a drag instead of scrolling. Chromium ignores touch-action on parts of an SVG.
  board.svg.addEventListener("touchstart", (event) => {
    if (event.touches.length === 1 && board.holds(fieldAt(event.touches[0]))) event.preventDefault();
  }, { passive: false, signal: ending.signal });

  on(board.svg, "pointerdown", (event) => {
    const field = fieldAt(event);
    if (field === null || event.button > 0) return;
    held = { field, x: event.clientX, y: event.clientY, man: null, id: event.pointerId };
    if (board.holds(field)) board.svg.setPointerCapture(event.pointerId);
  });

  on(board.svg, "pointermove", (event) => {
    if (!held || event.pointerId !== held.id || !board.holds(held.field)) return;
    if (!held.man && Math.hypot(event.clientX - held.x, event.clientY - held.y) < FAR) return;
    if (!held.man) {
      calls.lift(held.field);
      board.carry(held.field);
      const wood = board.woods[board.playerOn(held.field)];
      held.man = s("g", { class: "dragged" }, disc(board.key, [0, 0], board.g.man * 1.08, wood, "man"));
      board.layers.air.append(held.man);
    }
    const [x, y] = point(event);
    held.man?.setAttribute("transform", `translate(${x} ${y})`);
  });

  on(board.svg, "pointerup", (event) => {
    if (!held || event.pointerId !== held.id) return;
    const { field, man } = held;
    held = null;
    man?.remove();
    board.carry(null);
    const there = fieldAt(event);
    if (man) calls.drop(field, there);
    else if (there === field) calls.choose(field);
  });

  on(board.svg, "pointercancel", () => {
    if (held?.man) {
      held.man.remove();
      board.carry(null);
      calls.drop(held.field, null);
    }
    held = null;
  });

  on(board.svg, "keydown", (event) => {
    const area = event.target.closest("[data-field]");
    if (!area) return;
    const field = Number(area.dataset.field);
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      calls.choose(field, true);
    } else if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") {
      event.preventDefault();
      board.focusField(next(board, field, event.key));
    }
  });
  return () => ending.abort();
}

/** The next field for an arrow key: among the destinations while a man is picked, otherwise the neighbouring field. */
function next(board, field, arrow) {
  const { targets, picked } = board.offered, { g } = board;
  if (picked !== null && targets.size) {
    const ring = [picked, ...targets];
    const at = ring.indexOf(field), step = arrow === "ArrowLeft" || arrow === "ArrowUp" || arrow === "Home" ? -1 : 1;
    return ring[(at + step + ring.length) % ring.length];
  }
  if (field === 0 || field === 25) return field === 0 ? g.last(g.bottom) : g.last(1 - g.bottom);
  const own = g.own(field), left = own <= 12 ? 1 : -1;
  const facing = 25 - own, first = own <= 12 ? 1 : 13;
  const along = (to) => Math.max(first, Math.min(first + 11, to)); // stays on its side
  const to = { ArrowLeft: along(own + left), ArrowRight: along(own - left), Home: 1, End: 24 };
  return g.own(to[arrow] ?? facing);
}
