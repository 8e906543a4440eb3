// Positions on the board of Trictrac and on the board of backgammon, in both layouts and from both sides.

import assert from "node:assert/strict";
import { test } from "node:test";

import { gamePage } from "./served.js";

const { geometry: shared, shape } = await import("../../src/tablier/web/static/js/board/geometry.js");
const { geometry } = await gamePage("trictrac", "geometry.js");
const backgammon = (name, bottom) => shared(name, bottom, { sizes: { wide: { bar: 56 } }, descends: true });
const BOARDS = ["wide", "tall"].flatMap((name) => [0, 1].map((bottom) => geometry(name, bottom)));
const FIELDS = Array.from({ length: 24 }, (_, n) => n + 1);

test("a wide screen has the wide board", () => {
  assert.equal(shape(), "wide");
});

test("the talon of the player below is at the lower right", () => {
  for (const g of BOARDS) {
    const talon = g.own(1), last = g.own(24);
    assert.ok(g.below(talon) && !g.below(last));
    assert.equal(g.x(talon), Math.max(...FIELDS.map(g.x)));
    assert.equal(g.x(talon), g.x(last), "field 24 faces field 1");
  }
});

test("either player sees the same board", () => {
  for (const name of ["wide", "tall"]) {
    const [white, black] = [geometry(name, 0), geometry(name, 1)];
    for (const field of FIELDS) {
      assert.equal(white.triangle(field), black.triangle(25 - field));
      assert.deepEqual(white.area(field), black.area(25 - field));
    }
  }
});

test("every man of every stack lies between the rails", () => {
  for (const g of BOARDS) {
    for (const field of FIELDS) {
      for (let place = 0; place < 15; place++) {
        const y = g.y(field, place, 15);
        assert.ok(y - g.man >= g.top && y + g.man <= g.low);
        assert.equal(y > g.middle, g.below(field), "a full stack stays on its side");
      }
    }
  }
});

test("clickable areas do not overlap", () => {
  for (const g of BOARDS) {
    const areas = FIELDS.map(g.area);
    areas.forEach((a, n) => areas.slice(n + 1).forEach((b) => {
      const apart = a.x + a.width <= b.x + 1e-9 || b.x + b.width <= a.x + 1e-9
        || a.y + a.height <= b.y || b.y + b.height <= a.y;
      assert.ok(apart);
    }));
  }
});

test("jetons move left with the points, fichets with the holes", () => {
  for (const g of BOARDS) {
    for (const player of [0, 1]) {
      const jetons = [0, 2, 4, 6, 8, 10].map((points) => g.mark(player, points)[0]);
      const fichets = FIELDS.slice(0, 12).map((holes) => g.hole(player, holes)[0]);
      for (const xs of [jetons, fichets]) assert.deepEqual(xs, [...xs].sort((a, b) => b - a));
      assert.deepEqual(g.hole(player, 13), g.hole(player, 12), "more than twelve holes stay at the last");
      assert.equal(g.mark(player, 4)[1] > g.middle, player === g.bottom);
    }
  }
});

test("the dice lie nearer to the player who throws", () => {
  for (const g of BOARDS) {
    assert.equal(g.dice(null)[1], g.middle);
    assert.ok(g.dice(g.bottom)[1] > g.middle && g.dice(1 - g.bottom)[1] < g.middle);
  }
});

test("men leave beside their last field, which is the first in backgammon", () => {
  for (const name of ["wide", "tall"]) {
    for (const bottom of [0, 1]) {
      const up = geometry(name, bottom), down = backgammon(name, bottom);
      for (const player of [0, 1]) {
        assert.equal(up.last(player), player === 0 ? 24 : 1);
        assert.equal(down.last(player), player === 0 ? 1 : 24);
        assert.equal(down.out(player)[1] > down.middle, player === bottom, "beside the player's own home");
        assert.equal(up.out(player)[1] > up.middle, player !== bottom);
      }
    }
  }
});

test("men on the bar are within it, on their player's side, and never outside the board", () => {
  for (const bottom of [0, 1]) {
    const g = backgammon("wide", bottom);
    assert.ok(g.bar >= 2 * g.man && Math.abs(g.barX - (g.barLeft + g.bar / 2)) < 1e-9);
    for (const player of [0, 1]) {
      for (let place = 0; place < 15; place++) {
        const y = g.barY(player, place);
        assert.equal(y > g.middle, player === bottom);
        assert.ok(y - g.man >= g.top && y + g.man <= g.low);
      }
    }
  }
});
