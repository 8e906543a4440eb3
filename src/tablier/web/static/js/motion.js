// The pace of the page: animations and pauses at the reader's speed. A click skips what is under way.

import { setWish, wish } from "./store.js";

/** How long animations and pauses take, compared with normal speed. */
export const SPEEDS = { slow: 2.5, normal: 1, fast: 0.5, instant: 0 };
const LONGEST_READ = 1.5; // slow readers get this much more time for a banner
const running = new Set(); // functions that end what is under way
let hurried = false;

/** Whether the reader prefers reduced motion. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The name of the chosen speed. */
export const speed = () => (Object.hasOwn(SPEEDS, wish("speed", "")) ? wish("speed", "") : "normal");

export const setSpeed = (name) => setWish("speed", name);

const factor = () => (calm() ? 0 : SPEEDS[speed()]);

/** Runs an animation and waits for its end; does nothing if there should be no motion. */
export async function run(element, frames, { duration, delay = 0, ...options }) {
  const times = hurried ? 0 : factor();
  if (!times || !element.animate) return;
  const animation = element.animate(frames, { ...options, duration: duration * times, delay: delay * times });
  await untilSkipped(animation.finished.catch(() => {}), () => animation.finish?.());
}

/** Waits for some milliseconds at normal speed. */
export async function pause(time) {
  const times = hurried ? 0 : factor();
  if (times) await wait(time * times);
}

/** Whether the game waits for its reader; without motion it goes on at once. */
export const waits = () => factor() > 0;

/** Waits until a text has been read. */
export const reading = (text) => wait((800 + 40 * text.length) * Math.min(factor(), LONGEST_READ));

function wait(time) {
  let end = () => {};
  const over = new Promise((done) => {
    end = () => done(null);
    setTimeout(end, time);
  });
  return untilSkipped(over, end);
}

async function untilSkipped(over, end) {
  running.add(end);
  await over;
  running.delete(end);
}

/** Ends everything under way, and skips what follows until `unhurry`. */
export function hurry() {
  hurried = true;
  for (const end of [...running]) end();
}

export function unhurry() {
  hurried = false;
}
