import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { painter } from "./colour.ts";
import { element } from "./html-elements.ts";
import { remedyLines } from "./layout.ts";
import { fenced, figure, md, tableHead, tableRow } from "./markdown.ts";
import { overwritten, textOf } from "./rendered.ts";

const rendered = suite("rendered text");

const hostile = fc.string({
  unit: fc.constantFrom("a", " ", "\n", "\r", "\u2028", "\u001b", "[2J", "`", "|", "<", ":  "),
});

rendered("has as many lines as a view gave, whatever is in them", () => {
  fc.assert(
    fc.property(fc.array(hostile), (lines) => {
      const text = textOf(lines);
      assert.is(text.split(/[\n\r\u2028]/).length, lines.length + 1);
      assert.not.match(text.replaceAll("\n", ""), /\p{Cc}/u);
    }),
  );
});

rendered("keeps cdcctl's own colours", () => {
  const line = painter(true)("bad", "x");
  assert.is(textOf([line]), `${line}\n`);
  assert.is(overwritten("\r", "a\r\nb", 4), "\ra\\r\\");
});

rendered("a remedy is one line of a text, and several are one line each", () => {
  assert.equal(remedyLines("a\nb", 0, 80), ["a\\nb"]);
  assert.equal(remedyLines("say a\nrefused:  cdcctl x", 2, 80), ["  say a\\nrefused:  cdcctl x"]);
});

rendered("a plain text is not accepted as Markdown", () => {
  const name: string = "<b>";
  // @ts-expect-error A value gets in through `inline`, `code`, `figure` or `fenced`.
  assert.is(md`${name}`, "<b>");
  assert.equal([figure("1.6 GB"), figure("1. <b>")], ["1.6 GB", "1&#46; &#60;b&#62;"]);
  assert.equal(tableHead([{ title: "" }, { title: "a|b", end: true }]), ["| | a&#124;b |", "| --- | ---: |"]);
  assert.is(tableRow([figure("1"), figure("2")]), "| 1 | 2 |");
});

rendered("a line in a code block cannot end the block", () => {
  const { open, lines, close } = fenced(["a", "````", "b\n`````\nc"], "sh");
  assert.equal([open, ...lines, close], ["``````sh", "a", "````", "b\\n`````\\nc", "``````"]);
});

rendered("a text in a page is one line", () => {
  assert.is(element("span", {}, "a\nb").html, "<span>a\\nb</span>");
});

rendered.run();
