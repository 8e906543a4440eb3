// Fields in words, for screen readers.

import { t } from "../i18n.js";

const commas = (texts) => texts.reduce((first, last) => t("list.comma", { first, last }));

/** Describes a field with `count` men: "field 6: 3 white men, can move". */
export function described(board, field, count) {
  const { offered, words } = board, notes = [];
  if (offered.picked === field) notes.push(words.board("picked"));
  else if (offered.targets.has(field)) notes.push(words.board("target"));
  else if (offered.sources.has(field)) notes.push(words.board("source"));
  const name = board.placeName(field);
  if (!field) return commas([name, ...notes]);
  const men = count ? words.men(board.woods[board.playerOn(field)], { n: count }) : words.men("none");
  return commas([words.board("holds", { field: name, men }), ...notes]);
}
