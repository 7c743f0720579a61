import { suite } from "uvu";
import * as assert from "uvu/assert";
import { HOSTILE } from "../../../core/plan/testing/hostile.ts";
import { buildTimeline } from "../../../core/timeline/testing/build-timeline.ts";
import { UNSEEN } from "../../../core/values/escape.ts";
import { FORMS } from "../../session/report-forms.ts";
import { field, figure, items, list, notice, RANK, type Report, section } from "./model.ts";

const report = suite("a report, in any format");

const OPTIONS = { colour: false, width: 80, version: "0.1.0" };
const numbers = (count: number) => Array.from({ length: count }, (_, at) => `${at}`);

/** Every part there is, of one text. @param name of fields and columns, which are the code's own */
function everyPart(text: string, count = 3, name = text): Report {
  const many = numbers(count).map((number) => `${number} ${text}`);
  return {
    heading: { title: text, rest: [text], outcome: { word: text, mark: "bad", shown: true } },
    urgent: section(RANK.refusals, [
      {
        is: "findings",
        rows: items(many, "refusal", () => ({
          code: name,
          text,
          effect: "refused",
          remedies: [text, `Label:  ${text}`, "To run:  cdcctl plan x.yaml"],
          place: text,
        })),
      },
    ]),
    lead: [notice([text, { code: text }], "bad")],
    sections: [
      ...section(
        RANK.subject,
        [
          {
            is: "fields",
            rows: [
              {
                ...field(
                  name,
                  text,
                  "good",
                  items(many, "detail", (one) => one),
                ),
                remedies: [text],
                mark: "!",
              },
              field(
                "copied",
                text,
                undefined,
                items(many, "item", (one) => ({ text: one, copied: one })),
              ),
            ],
          },
        ],
        { title: text, outcome: { word: text, mark: "good" } },
      ),
      ...section(RANK.consequences, [
        {
          is: "table",
          caption: text,
          columns: [{ title: name }, { title: "at", wraps: true }, { title: "below", below: true }],
          rows: items(many, "row", (one) => ({
            cells: [one, { text: one, at: text, tone: "bad" }, { text: one, as: "code" }],
            mark: "!",
          })),
        },
        {
          is: "table",
          caption: text,
          columns: [{ title: "a" }, { title: "before" }, { title: "after" }, { title: "" }],
          change: true,
          rows: items(many, "row", (one) => ({ cells: [one, { text: one, at: text }, one, one] })),
        },
        ...list(many, "line", { sign: "!", extent: "few" }),
        { is: "code", language: "sql", lines: items(many, "command", (one) => one) },
        { is: "remedies", items: [text] },
      ]),
      ...section(RANK.steps, [
        {
          is: "steps",
          rows: [{ text, taken: { state: text, mark: "good", begun: text, took: text, note: text } }],
        },
        { is: "steps", rows: [{ text }] },
      ]),
      ...section(RANK.figure, figure(buildTimeline())),
    ],
    next: [`cdcctl apply ${text}`],
  };
}

const shown = (form: keyof typeof FORMS, one: Report, ...more: readonly Report[]) =>
  FORMS[form]({ what: "report", reports: [one, ...more] }, OPTIONS);

report("keeps every text in its place: no line break, markup or control character of it is output", () => {
  for (const form of ["text", "markdown", "html"] as const) {
    const hostile = shown(form, everyPart(HOSTILE), everyPart(HOSTILE));
    assert.not.match(hostile.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u, form);
    const plain = shown(form, everyPart("x"), everyPart("x"));
    if (form !== "text") {
      const markup = (of: string) => of.replaceAll(/^(`{3,})\w*\n[\s\S]*?^\1$/gm, "").match(/<[a-z]+/g) ?? [];
      const own = new Set(markup(plain));
      for (const tag of markup(hostile)) assert.ok(own.has(tag) || tag === "<code", `${form}: ${tag}`);
    }
    if (form === "html") assert.is(hostile.split("\n").length, plain.split("\n").length);
  }
});

report("has each row of a table as wide as its head in Markdown, and every fence closed", () => {
  const markdown = shown("markdown", everyPart(HOSTILE)).replaceAll(/^(`{3,})\w*\n[\s\S]*?^\1$/gm, "");
  assert.not.match(markdown, "```");
  for (const [table] of markdown.matchAll(/(?:^\|.*\|\n)+/gm)) {
    const cells = new Set(
      table
        .trimEnd()
        .split("\n")
        .map((row) => row.split("|").length),
    );
    assert.is(cells.size, 1, table);
  }
});

report("adds no invisible character to Markdown, so that copies match the original", () => {
  const decoded = shown("markdown", everyPart(`C##CDC@db \u202e\u200b|\`x\`${HOSTILE}`)).replaceAll(
    /&#(\d+);/g,
    (_, code: string) => String.fromCodePoint(Number(code)),
  );
  assert.match(decoded, "`C##CDC@db`");
  assert.not.match(decoded.replaceAll("\n", "").replaceAll("\u26a0\ufe0f", ""), UNSEEN);
});

report("is truncated by the renderer, which says by how much", () => {
  const long = everyPart("x", 5000);
  const text = shown("text", long);
  for (const what of ["refusals", "details", "items", "rows", "commands"])
    assert.match(text, `and 4,970 more ${what}; --format json has them all`);
  assert.match(text, "and 4,990 more lines; --format json has them all");
  const markdown = shown("markdown", long);
  assert.ok(Buffer.byteLength(markdown) <= 65_535);
  assert.match(markdown, /\*[\d]+ more rows left out\*/);
  assert.match(markdown, "Truncated to fit a comment");
  const html = shown("html", long);
  assert.match(html, "And 4,000 more refusals.");
  assert.match(html, "And 4,000 more rows.");
});

report("has no line wider than the terminal, except what is to be copied", () => {
  const words = "some words that are long enough to be broken at their blanks".repeat(3);
  for (const line of shown("text", everyPart(words, 3, "name")).split("\n"))
    assert.ok([...line].length <= 80 || /cdcctl|\d some words/.test(line), line);
});

report("builds only the shown part of a long list", () => {
  let made = 0;
  const rows = items(numbers(100_000), "row", (one) => {
    made++;
    return { cells: [one] };
  });
  const table = { is: "table", caption: "rows", columns: [{ title: "n" }], rows } as const;
  const one: Report = {
    heading: { title: "x", outcome: undefined },
    lead: [],
    sections: section(RANK.subject, [table]),
    next: [],
  };
  shown("text", one);
  assert.is(made, 30);
  shown("markdown", one);
  assert.is(made, 3030);
});

report.run();
