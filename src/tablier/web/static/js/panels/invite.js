// Invitation links for the other seats: in a card below the board until their owner plays, and in the Table tab.

import * as api from "../api.js";
import { button, h, put } from "../dom.js";
import { t } from "../i18n.js";
import { keepTable, noteTable, tables, titles, tokens } from "../store.js";

const kept = (id) => tables().find((one) => one.id === id);

/** The invitation links this browser holds, each with its seat. */
export function links(table) {
  const others = table.view.seats.map((_, seat) => seat).filter((seat) => !table.tokens[seat]);
  const away = (kept(table.id)?.invites ?? []).filter((token) => !table.tokens.includes(token)); // not used here
  return away.map((token, n) => (
    { seat: others[n], link: `${location.origin}${location.pathname}#/table/${table.id}/${token}` }));
}

const HERE = /^(localhost|127(\.\d+){3}|\[::1\])$/; // names that lead every machine to itself

/** A text with its title and a button that copies it; `more` are additional buttons. */
export function copying(text, id, title, ...more) {
  const field = h("input", { id, readonly: true, value: text, onfocus: () => field.select() });
  const told = h("span", { class: "small soft", role: "status" });

  async function copy() {
    field.select();
    const done = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    put(told, t(done ? "page.about.copied" : "page.about.selected"));
  }

  return h("div", { class: "invite" },
    h("label", { class: "label", for: id }, t(title)),
    h("div", { class: "row ask" }, field, button(t("page.about.copy"), copy), more), told);
}

/** An invitation link; it says if it works only on this computer. */
export function invitation(link, id, title = "page.about.invite", ...more) {
  const element = copying(link, id, title, ...more);
  if (HERE.test(location.hostname)) element.append(h("p", { class: "small soft here" }, t("page.about.here")));
  return element;
}

/** The card below the board, shown until the other player has acted or it is dismissed. */
export function inviteCard(table) {
  const element = h("section", { class: "card inviting", "aria-label": t("page.about.invite"), hidden: true });
  const name = t("page.about.dismiss");
  let shown = "";

  function dismiss() {
    noteTable(table.id, { uninvited: true });
    element.hidden = true;
  }

  function update(view) {
    const came = new Set(kept(table.id)?.came); // stored: the log is limited, and a third player may rest for long
    const before = came.size;
    for (const { player, kind } of view.log) if (player !== null && kind !== "throw") came.add(player);
    if (came.size > before) noteTable(table.id, { came: [...came] });
    const acted = (seat) => came.has(seat);
    const open = view.over || kept(table.id)?.uninvited ? [] : links(table).filter(({ seat }) => !acted(seat));
    element.hidden = !open.length;
    const now = open.map(({ link }) => link).join();
    if (now === shown) return; // do not disturb a link that is being copied
    shown = now;
    put(element, open.map(({ link, seat }, n) => invitation(link, `invite-card-${seat}`, "page.about.invite",
      n === 0 && button("×", dismiss, { class: "plain square", id: "dismiss", title: name, "aria-label": name }))));
  }

  return { element, update };
}

/** Takes the seat of an invitation and removes the token from the address; false if the token is not valid. */
export async function sitDown(id, token) {
  const view = /^[\w-]+$/.test(token) ? await api.view(id, token) : null;
  const seat = view?.seats.findIndex(({ you }) => you) ?? -1;
  if (seat >= 0) {
    const seats = [...tokens(id)];
    seats[seat] = token;
    keepTable(id, { ...titles(view), tokens: seats });
  }
  window.history.replaceState(null, "", `#/table/${id}`);
  return seat >= 0;
}
