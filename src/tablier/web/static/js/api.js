// Talks to the server: one function a question, errors as one sentence for people.

import { current } from "./i18n.js";

const BASE = "api/v1";

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function ask(path, { method = "GET", body, token, text, signal } = {}) {
  const headers = { "Accept-Language": current() }; // refusals come in the page's language
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = text ? "text/plain; charset=utf-8" : "application/json";
  let answer;
  try {
    const sent = body === undefined || text ? body : JSON.stringify(body);
    answer = await fetch(`${BASE}${path}`, { method, headers, signal, body: sent });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "offline");
  }
  const data = await answer.json().catch(() => null);
  const detail = typeof data?.detail === "string" ? data.detail : `${answer.status}`;
  if (!answer.ok) throw new ApiError(answer.status, detail);
  return data;
}

const table = (id) => `/tables/${encodeURIComponent(id)}`;

export const games = () => ask("/games");
export const players = (game) => ask(`/players?game=${encodeURIComponent(game)}`);
export const newTable = (wanted) => ask("/tables", { method: "POST", body: wanted });
export const view = (id, token) => ask(table(id), { token });
export const viewAt = (id, at) => ask(`${table(id)}?at=${at}`);
export const act = (id, token, action, version) =>
  ask(`${table(id)}/actions`, { method: "POST", token, body: { action, version } });
export const hint = (id, token, wanted, signal) =>
  ask(`${table(id)}/hint`, { method: "POST", token, body: wanted, signal });
export const review = (id, token) => ask(`${table(id)}/review`, { method: "POST", token });
export const recordLink = (id, format) => `${BASE}${table(id)}/record?format=${format}`;
export const upload = (record) => ask("/records", { method: "POST", body: record, text: true });
export const score = (board, dice, options) => ask("/throws", { method: "POST", body: { board, dice, options } });
export const runs = () => ask("/runs");
export const metrics = (name, names) =>
  ask(`/runs/${encodeURIComponent(name)}/metrics?names=${encodeURIComponent(names.join(","))}`);

/** The versions of a table as they come, the present one first, also after a break. */
export const events = (id) => new EventSource(`${BASE}${table(id)}/events`);
