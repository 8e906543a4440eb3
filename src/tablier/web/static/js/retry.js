// A decision of a played game, to be taken again: the exercise, and how an answer is judged.

import * as api from "./api.js";
import { pick, t } from "./i18n.js";
import { mend } from "./learning.js";
import { judged, worth } from "./panels/verdict.js";

/** Fetches the decision after `version` actions of a table. */
export const decision = (table, version, seats) => api.exercise(table, version, seats);

/** Judges a move by the tutor's evaluation: right if it is no mistake. */
export async function judgeAgain(table, version, seats, posed, action) {
  const answer = await api.hint(table, seats, { at: version });
  const made = answer.candidates.find((one) => one.action === action), [best] = answer.candidates;
  const kind = judged(made.cost, made === best), right = kind !== "cost";
  if (right) mend(table, version);
  const said = { text: pick(made.text), cost: worth(answer, made.cost, posed.view), best: pick(best.text) };
  const told = [t(`page.tutor.${kind}`, said), ...(right ? [] : made.reasons.map(pick))];
  return { right, told, log: posed.log, again: !right, solution: best.action };
}
