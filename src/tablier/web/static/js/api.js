// Requests to the server, one function each. A refusal becomes an ApiError with a message for the reader.

import { current, has, t } from "./i18n.js";

const BASE = "api/v1";

/** A failed request; its message is for the reader. Status 0 means that the server could not be reached. */
export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Whether the catalogue has a message and all messages among its values. */
function known(message) {
  if (Array.isArray(message)) return message.every(known);
  if (message === null || typeof message !== "object") return true;
  return has(message.code) && Object.values(message.params ?? {}).every(known);
}

/** The reason for a refusal in the reader's language, or else the server's text. */
function refusal(status, data) {
  if (data?.code && known(data)) return t(data.code, data.params);
  return typeof data?.detail === "string" ? data.detail : String(status);
}

/**
 * @param {string} path
 * @param {{method?: string, body?: any, token?: string, text?: boolean, signal?: AbortSignal,
 *   seat?: {id: string, token: string}, library?: string}} request
 */
async function ask(path, { method = "GET", body, token, text, signal, seat, library } = {}) {
  /** @type {Record<string, string>} */
  const headers = { "Accept-Language": current() };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (seat) Object.assign(headers, { "Tablier-Table": seat.id, Authorization: `Bearer ${seat.token}` });
  if (library) headers["Tablier-Library"] = library;
  if (body !== undefined) headers["Content-Type"] = text ? "text/plain; charset=utf-8" : "application/json";
  let answer;
  try {
    const sent = body === undefined || text ? body : JSON.stringify(body);
    answer = await fetch(`${BASE}${path}`, { method, headers, signal, body: sent });
  } catch (/** @type {any} */ error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, t("page.error.offline"));
  }
  const data = await answer.json().catch(() => null);
  if (!answer.ok) throw new ApiError(answer.status, refusal(answer.status, data));
  return data;
}

const table = (id) => `/tables/${encodeURIComponent(id)}`;

/** Posts to any endpoint; games use it for their own. */
export const post = (path, body) => ask(path, { method: "POST", body });

export const games = () => ask("/games");
export const players = (game) => ask(`/players?kinds=false&game=${encodeURIComponent(game)}`);
/** Starts a table; a seat at an older one shows a crowded server that this is no stranger. */
export const newTable = (wanted, seat) => ask("/tables", { method: "POST", body: wanted, seat });
/** A table; a link that was cut off, or has more than its id, is refused in words. */
export const view = async (id, token) => {
  if (!/^[\w-]{22}$/.test(id)) throw new ApiError(422, t("page.table.cut"));
  return ask(table(id), { token });
};
export const viewAt = (id, at) => ask(`${table(id)}?at=${at}`);
export const act = (id, token, action, version) =>
  ask(`${table(id)}/actions`, { method: "POST", token, body: { action, version } });
export const hint = (id, token, wanted, signal) =>
  ask(`${table(id)}/hint`, { method: "POST", token, body: wanted, signal });
export const review = (id, token) => ask(`${table(id)}/review`, { method: "POST", token });
export const gesture = (id, token, kind, value, version) =>
  ask(`${table(id)}/gestures`, { method: "POST", token, body: { kind, value, version } });
export const dice = (id) => ask(`${table(id)}/dice`);
export const recordLink = (id, format) => `${BASE}${table(id)}/record?format=${format}`;
export const upload = (record, seat) => ask("/records", { method: "POST", body: record, text: true, seat });
export const lessons = () => ask("/lessons");
export const lesson = (game, name) => ask(`/lessons/${encodeURIComponent(game)}/${encodeURIComponent(name)}`);
export const puzzles = (day) => ask(`/puzzles?day=${encodeURIComponent(day)}`);
const puzzlePath = (game, name) => `/puzzles/${encodeURIComponent(game)}/${encodeURIComponent(name)}`;
export const puzzle = (game, name) => ask(puzzlePath(game, name));
export const solve = (game, name, answer) => post(`${puzzlePath(game, name)}/answer`, { answer });
export const exercise = (id, at, token) => ask(`${table(id)}/exercise?at=${at}`, { token });
/** The analysis board; `wanted` names the game and the position. */
export const analyse = (wanted) => post("/analysis", wanted);
export const whyNot = (wanted, tried) => post("/analysis/why-not", { ...wanted, tried });
export const candidates = (wanted, signal) => ask("/analysis/candidates", { method: "POST", body: wanted, signal });
export const rollOut = (wanted, most) => post("/analysis/rollouts", { ...wanted, games: most });
export const rollout = (id) => ask(`/analysis/rollouts/${id}`);
export const cancelRollout = (id) => post(`/analysis/rollouts/${id}/cancel`, {});
export const picture = (wanted) => post("/analysis/picture", { ...wanted, lang: current() });
export const tablePosition = (id, at) => ask(`${table(id)}/position?at=${at}`);
const shelf = (id) => `/library/games/${encodeURIComponent(id)}`;
export const newLibrary = () => ask("/library", { method: "POST" });
export const library = (code) => ask("/library", { library: code });
export const deleteLibrary = (code) => ask("/library", { method: "DELETE", library: code });
export const joinLibrary = (code, other) =>
  ask("/library/join", { method: "POST", body: { code: other }, library: code });
export const shelve = (code, id, token) => ask(shelf(id), { method: "PUT", token, library: code });
export const unshelve = (code, id) => ask(shelf(id), { method: "DELETE", library: code });
export const rate = (code, id) => ask(`${shelf(id)}/analysis`, { method: "POST", library: code });
export const exported = (code) => ask("/library/export", { library: code });
export const runs = () => ask("/runs");
export const metrics = (name, names) =>
  ask(`/runs/${encodeURIComponent(name)}/metrics?names=${encodeURIComponent(names.join(","))}`);

/**
 * The stream of a table's versions, starting with the current one. It ends if the server refuses it, the connection is
 * lost, or `signal` aborts it. (An EventSource cannot send the token that tells players from watchers.)
 * @param {string} id
 * @param {string} token
 * @param {AbortSignal} signal
 */
export async function* events(id, token, signal) {
  /** @type {Record<string, string>} */
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  try {
    const answer = await fetch(`${BASE}${table(id)}/events`, { headers, signal, cache: "no-store" });
    if (!answer.ok || !answer.body) return;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; ;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (text + value).split("\n\n");
      text = parts.pop() ?? "";
      for (const part of parts) if (part.startsWith("data: ")) yield JSON.parse(part.slice(6));
    }
  } catch {
    // the connection is lost
  }
}
