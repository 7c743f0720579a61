/** Tables of 200,000 rows: what comes from outside may be of any size. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { element, facts, list, table } from "./html-elements.ts";
import { items } from "./report/model.ts";
import { renderParts } from "./report/terminal.ts";

const many = suite("many rows");
const ROWS = 200_000;
const numbers = Array.from({ length: ROWS }, (_, i) => `${i}`);

const columns = (rows: readonly (readonly string[])[]) =>
  renderParts(
    [
      {
        is: "table",
        caption: "rows",
        columns: (rows[0] ?? []).map(() => ({ title: "" })),
        rows: items(rows, "row", (cells) => ({ cells }), "all"),
        bare: true,
      },
    ],
    { colour: false },
  )
    .split("\n")
    .slice(0, -1);

many("columns of text are as wide as their widest cell", () => {
  const lines = columns(numbers.map((number) => [number, "applied", "x"]));
  assert.is(lines.length, ROWS);
  assert.is(lines[0], "0       applied  x");
  assert.is(lines.at(-1), "199999  applied  x");
  assert.equal(columns([]), []);
  assert.equal(columns([["a", ""], ["bc"]]), ["a", "bc"]);
});

many("an HTML table, a list and a list of facts have all of them", () => {
  const count = (html: string, tag: string) => html.split(`<${tag}`).length - 1;
  assert.is(
    count(
      table(
        "rows",
        ["number"],
        numbers.map((number) => [number]),
      ).html,
      "tr",
    ),
    ROWS + 1,
  );
  assert.is(count(element("div", {}, list("ul", numbers)).html, "li"), ROWS);
  assert.is(count(facts(numbers.map((number) => [number, "value"])).html, "dt"), ROWS);
});

many.run();
