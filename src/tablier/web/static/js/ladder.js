// The ladder of levels: counts wins and losses in a row, and suggests the level to try next.

import { setWish, wish } from "./store.js";

const ENOUGH = 3; // games in a row

/** Counts a finished game against a player. */
export function noteResult(game, player, won) {
  const all = wish("streaks", {}), before = all[game]?.player === player ? all[game].run : 0;
  const run = won ? Math.max(before, 0) + 1 : Math.min(before, 0) - 1;
  setWish("streaks", { ...all, [game]: { player, run } });
}

/**
 * The level to try after some wins or losses in a row, or null. `levels` are those of the ladder, easiest first.
 * @returns {{level: any, up: boolean} | null}
 */
export function nextLevel(game, levels) {
  const { player = "", run = 0 } = wish("streaks", {})[game] ?? {};
  const up = run > 0, at = levels.findIndex((level) => level.player === player);
  const level = at < 0 || Math.abs(run) < ENOUGH ? null : levels[at + (up ? 1 : -1)];
  return level ? { level, up } : null;
}
