// Lets tests import a game's page modules, which are served at games/<key>/ and import ../../js/ from there.

import { registerHooks } from "node:module";

const STATIC = new URL("../../src/tablier/web/static/", import.meta.url);

registerHooks({
  resolve(specifier, context, next) {
    const shared = specifier.startsWith("../../js/") && context.parentURL?.includes("/page/");
    return next(shared ? new URL(specifier.slice("../../".length), STATIC).href : specifier, context);
  },
});
globalThis.matchMedia ??= /** @type {any} */ (() => ({ matches: false }));

/** Imports a page module of a game. */
export const gamePage = (key, file) => import(`../../src/tablier/games/${key}/page/${file}`);
