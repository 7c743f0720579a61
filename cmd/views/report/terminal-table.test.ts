import { suite } from "uvu";
import * as assert from "uvu/assert";
import { widthOf } from "../layout.ts";
import { END, tableOf } from "./model.ts";
import { renderParts } from "./terminal.ts";

const table = suite("a table on a terminal");

type Line = readonly [name: string, count: string, note: string];

function shown(rows: readonly Line[], width = 80, colour = false): readonly string[] {
  const part = tableOf<Line>("rows", rows, { what: "row" }, [
    ["Name", ([name]) => name],
    ["Count", ([, count]) => ({ text: count, tone: "good" }), END],
    ["Note", ([, , note]) => note, { wraps: true }],
  ]);
  return renderParts([part], { colour, width }).split("\n").slice(0, -1);
}

const LONG = "a note of several words that needs more than the one line that is left for it";

table("has no borders: two spaces between columns, figures end below each other", () => {
  assert.equal(
    shown([
      ["orders", "1", "x"],
      ["parts", "34,511", ""],
    ]),
    ["Name     Count  Note", "orders       1  x", "parts   34,511"],
  );
});

table("counts a wide character as two columns, also where it breaks a word that has no spaces", () => {
  assert.equal(
    shown([
      ["注文", "1", "x"],
      ["orders", "2", "y"],
    ]),
    ["Name    Count  Note", "注文        1  x", "orders      2  y"],
  );
  const lines = shown([["注文", "1", "取引".repeat(60)]]);
  assert.ok(lines.length > 3);
  for (const line of lines) assert.ok(widthOf(line) <= 80, line);
  assert.is(lines.join("").match(/[取引]/g)?.length, 120);
});

table("looks the same with 100 rows and with more, which the library would be slow to draw", () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, at): Line => [`注文-${at % 7}`, `${10 ** (at % 5)}`, at % 3 === 0 ? LONG : ""]);
  const [drawn, padded] = [shown(rows(99), 80, true), shown(rows(400), 80, true)];
  assert.ok(drawn.length > 99);
  assert.equal(padded.slice(0, drawn.length), drawn);
});

table("loses no character of a cell, and no code of a text reaches the terminal", () => {
  const name = "orders-cdc-of-a-name-that-is-longer-than-its-column-has-room-for-at-80";
  const lines = shown([[name, "1", `${LONG}\u001b[31m\u0007 end`]]);
  assert.is(lines[1], name);
  assert.ok(lines.every((line) => !line.includes("…")));
  assert.match(lines.slice(2).join(" ").replaceAll(/ +/g, " "), `${LONG}\\x1b[31m\\x07 end`);
});

table.run();
