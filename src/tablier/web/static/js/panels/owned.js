// What the reader can do with their library: export it, open it in another browser by its code, or delete it.

import * as api from "../api.js";
import { button, h, put } from "../dom.js";
import { t } from "../i18n.js";
import { everything } from "../learning.js";
import { code, ownCode, use } from "../library.js";
import { wishes } from "../store.js";
import { complaint } from "./complaint.js";

const FILE = "tablier-library.json";

/** Saves a value as a file. */
function save(value) {
  const address = URL.createObjectURL(new Blob([JSON.stringify(value, null, 1)], { type: "application/json" }));
  h("a", { href: address, download: FILE }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The code in a field, hidden until it is asked for, because others may see the screen. */
function shownCode(shown) {
  const told = h("span", { class: "small soft", role: "status" });
  const field = h("input", { id: "library-code", readonly: true, value: shown, onfocus: () => field.select() });

  async function copy() {
    field.select();
    const done = await navigator.clipboard?.writeText(shown).then(() => true, () => false);
    put(told, t(done ? "page.library.copied" : "page.library.selected"));
  }

  const row = h("div", { hidden: true }, h("label", { class: "label", for: "library-code" }, t("page.library.code")),
    h("div", { class: "row ask" }, field, button(t("page.library.copy"), copy, { id: "copy-code" })), told);
  const show = button(t("page.library.show"), () => {
    row.hidden = false;
    show.hidden = true;
    field.focus();
  }, { id: "show-code" });
  return [show, row];
}

/** The card; `again(message)` draws the page again and shows a message. */
export function owned({ code: shown }, again) {
  const wrong = h("div", { role: "alert" });
  const attempt = (work) => async (event) => {
    event.preventDefault();
    put(wrong);
    try {
      await work();
    } catch (error) {
      put(wrong, complaint(error));
    }
  };
  const other = h("input", { id: "other-code", autocomplete: "off", spellcheck: "false", required: true });

  const join = attempt(async () => {
    const { games } = await api.joinLibrary(await ownCode(), other.value);
    use(other.value.trim());
    await again(t("page.library.joined", { n: games }));
  });
  const download = attempt(async () => {
    save({ ...await api.exported(code()), learning: everything(), settings: wishes() });
  });
  const remove = attempt(async () => {
    await api.deleteLibrary(code());
    use(null);
    await again(t("page.library.deleted"));
  });

  function askDelete() {
    put(removing, h("p", { class: "small" }, t("page.library.delete.about")), h("div", { class: "row" },
      button(t("page.library.delete.really"), remove, { class: "loss", id: "really-delete" }),
      button(t("page.library.delete.cancel"), offerDelete, { id: "keep-library" })));
    document.getElementById("keep-library")?.focus();
  }

  function offerDelete() {
    put(removing, button(t("page.library.delete"), askDelete, { class: "plain", id: "delete-library" }));
  }

  const removing = h("div", { class: "removing" });
  offerDelete();
  return h("section", { class: "card owned", "aria-label": t("page.library.data") },
    h("h2", {}, t("page.library.data")), wrong,
    shown && h("div", {}, h("p", { class: "soft small" }, t("page.library.export.about")),
      button(t("page.library.export"), download, { id: "export" })),
    shown && h("div", {}, h("p", { class: "soft small" }, t("page.library.code.about")), shownCode(shown)),
    h("form", { onsubmit: join }, h("label", { class: "label", for: "other-code" }, t("page.library.other")),
      h("div", { class: "row ask" }, other, h("button", { type: "submit", id: "join" }, t("page.library.join"))),
      h("p", { class: "soft small" }, t("page.library.join.about"))),
    shown && removing);
}
