// Sharing a position: a link, the game's id, and a picture as SVG or PNG.

import * as api from "../api.js";
import { button, h, put } from "../dom.js";
import { t } from "../i18n.js";
import { complaint } from "../panels/complaint.js";
import { copying, invitation } from "../panels/invite.js";
import { address } from "./address.js";

const SCALE = 2; // pixels of a PNG for each unit of the drawing

function save(blob, name) {
  const href = URL.createObjectURL(blob);
  h("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

/** Paints an SVG document into a PNG. */
async function painted(svg) {
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await picture.decode();
  const canvas = h("canvas", { width: SCALE * picture.naturalWidth, height: SCALE * picture.naturalHeight });
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  /** @type {Blob | null} */
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return blob ?? new Blob();
}

/** The panel for sharing; `page` is the analysis board. */
export function sharing(page) {
  const texts = h("div", { class: "stack" }), wrong = h("div", { role: "alert" });

  async function download(kind) {
    put(wrong);
    try {
      const { svg } = await api.picture(page.wanted());
      const blob = kind === "png" ? await painted(svg) : new Blob([svg], { type: "image/svg+xml" });
      save(blob, `${page.game}.${kind}`);
    } catch (error) {
      put(wrong, complaint(error));
    }
  }

  const picture = (kind) => button(t(`page.share.${kind}`), () => download(kind), { id: `picture-${kind}` });
  return {
    element: h("div", { class: "stack" }, texts, h("div", { class: "row" }, picture("png"), picture("svg")), wrong),
    update(view) {
      const link = `${location.origin}${location.pathname}${address(view.game, view.position, page.options)}`;
      put(texts, invitation(link, "share-link", "page.share.link"),
        view.id && copying(view.id, "share-id", "page.share.id"));
    },
  };
}
