import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { codeSpan, escapeHtml, escapeMarkdown, escapeTerminal, pathPart, urlPart } from "./escape.ts";

const escaping = suite("external text, escaped");

/** Any UTF-16 text, with harmful characters far more often than by chance. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "\u001b[31m",
        "\u009b2J",
        "\u202e",
        "\u2066",
        "\u200b",
        "\ud800",
        "\u{e0041}",
        "\r\n",
        "\n",
        "\u2028",
        "|",
        "\\|",
        "`",
        "``",
        "<!--",
        "</code>",
        "<img src=x>",
        "&#124;",
        "[a](b)",
        "@everyone",
        "#12",
        "gh-7",
        "https://evil.test",
        "www.evil.test",
        "a@b.test",
        "- ",
        "1. ",
        "    ",
        "***",
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

const HARMFUL = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

escaping("no control, format or half character survives any of them", async () => {
  await fc.assert(
    fc.property(hostile, (text) => {
      for (const shown of [escapeTerminal(text), escapeMarkdown(text), codeSpan(text), escapeHtml(text)])
        assert.not.match(shown, HARMFUL);
    }),
    { numRuns: 2000 },
  );
});

escaping("the terminal shows what the text contains", () => {
  assert.is(escapeTerminal("a\u001b[2Jb"), "a\\x1b[2Jb");
  assert.is(escapeTerminal("\u009b"), "\\x9b");
  assert.is(escapeTerminal("\u202eCBA"), "\\u202eCBA");
  assert.is(escapeTerminal("a\u200bb\ufeff"), "a\\u200bb\\ufeff");
  assert.is(escapeTerminal("\u{e0041}"), "\\u{e0041}");
  assert.is(escapeTerminal("one\ntwo\r\n\tthree"), "one\\ntwo\\r\\n\\tthree");
});

escaping("ordinary text, accents and other scripts stay unchanged", () => {
  for (const text of ["orders-cdc", "Müller & Söhne", "注文", "заказ 7", "a_b$c#d"])
    assert.is(escapeTerminal(text), text);
  assert.is(
    escapeMarkdown("2230000 is 25,489 SCNs ahead (21 min 40 s): see spec.allowSkip"),
    "`2230000` is 25,489 SCNs ahead (21 min 40 s): see spec.allowSkip",
  );
  assert.is(codeSpan("cdc.topic.prefix=a"), "`cdc.topic.prefix=a`");
});

escaping("a Markdown table row stays one row of as many cells", async () => {
  await fc.assert(
    fc.property(fc.array(hostile, { minLength: 1, maxLength: 4 }), (cells) => {
      const row = `| ${cells.map((cell) => `${escapeMarkdown(cell)} ${codeSpan(cell)}`).join(" | ")} |`;
      assert.is(row.split(/\r\n|\r|\n/).length, 1);
      // No pipe is left in a cell, so that no interpretation of backslashes can find another cell.
      assert.is(row.split("|").length, cells.length + 2);
    }),
    { numRuns: 2000 },
  );
});

escaping("running Markdown text contains nothing that opens markup, HTML, a link or a mention", async () => {
  await fc.assert(
    fc.property(hostile, (text) => {
      const whole = escapeMarkdown(text);
      assert.not.match(whole, "|");
      const shown = whole.replaceAll(/<code>[^<`]*<\/code>|`[^`]+`/g, "");
      assert.not.match(shown, /[`|<>~$]/);
      assert.not.match(shown, /(?<!\\)[*_[\]]/);
      assert.not.match(shown, /&(?!#\d+;)/);
      assert.not.match(shown, /\\(?![*_[\]])/);
      assert.not.match(shown, /@|(?<!&)#|:\/\/|www\.|mailto:|gh-\d/i);
      assert.not.match(whole, /^(?: |[-+=]|\d{1,9}[.)])/);
    }),
    { numRuns: 2000 },
  );
});

/** The text as a browser shows it, and as it is copied from there. */
function copied(markdown: string): string {
  const [span, ...decoded] = [/`([^`]*)`/, /<\/?code>/, /\\([*_[\]])/, /&#(\d+);/].map(({ source }) => source);
  return markdown.replaceAll(
    new RegExp(`${span}|${decoded.join("|")}`, "g"),
    (_, inSpan?: string, sign?: string, code?: string) =>
      inSpan ?? sign ?? (code === undefined ? "" : String.fromCodePoint(Number(code))),
  );
}

escaping("text copied from Markdown is what was shown: no invisible character is added", async () => {
  await fc.assert(
    fc.property(hostile, (text) => {
      assert.is(copied(escapeMarkdown(text)), escapeTerminal(text));
      assert.is(copied(codeSpan(text)), escapeTerminal(text));
    }),
    { numRuns: 2000 },
  );
  assert.is(
    escapeMarkdown("grant it to C##CDC (ana@host), see https://x.test/a."),
    "grant it to `C##CDC` (`ana@host`), see `https://x.test/a`.",
  );
});

escaping("identifiers in a sentence become code: SCNs, transactions, redo addresses, runs and tables", () => {
  for (const [text, shown] of [
    ["from 2204511 to 2230000, then (2190412).", "from `2204511` to `2230000`, then (`2190412`)."],
    ["transaction 3:4.9.771 at 0x00002a.00000f1c.0010 / 3", "transaction `3:4.9.771` at `0x00002a.00000f1c.0010` / 3"],
    ["after run 2026-11-21T05-29-10Z-128c;", "after run `2026-11-21T05-29-10Z-128c`;"],
    ["ORCLPDB1.SALES.ORDERS, SALES.LINES_2", "`ORCLPDB1.SALES.ORDERS`, `SALES.LINES_2`"],
    ["34,511 SCNs, 1.6 GB, 4.1 kB, port 1521, 2026-11-20 19:02:11Z", undefined],
    ["Oracle 19.22.0.0.0, CDC-2002, spec.scn", undefined],
  ] as const)
    assert.is(escapeMarkdown(text), shown ?? text);
});

escaping("text in code cannot end the code", async () => {
  await fc.assert(
    fc.property(hostile, (text) => {
      const shown = codeSpan(text);
      const html = /^<code>(.*)<\/code>$/.exec(shown)?.[1];
      if (html !== undefined) assert.not.match(html, /[<>`|\\*_[\]@:]|&(?!#\d+;)/);
      else assert.match(shown, /^`[^`|\\]+`$/);
    }),
    { numRuns: 2000 },
  );
});

escaping("an empty text and a blank one are code too", () => {
  assert.is(codeSpan(""), "<code></code>");
  assert.is(codeSpan(" a"), "<code> a</code>");
});

escaping("HTML keeps its text in one place", () => {
  assert.is(escapeHtml(`<a href="x" b='y'>&\n`), "&#60;a href=&#34;x&#34; b=&#39;y&#39;&#62;&#38;\\n");
});

escaping.run();

const parts = suite("a part of a URL");

parts("is percent-encoded, with a half of a surrogate pair as the replacement character", () => {
  for (const [text, encoded] of [
    ["orders-cdc", "orders-cdc"],
    ["a/b ?#", "a%2Fb%20%3F%23"],
    ["\u{1f600}", "%F0%9F%98%80"],
    ["a\ud83d", "a%EF%BF%BD"],
    ["\ude00b", "%EF%BF%BDb"],
  ] as const)
    assert.is(urlPart(text), encoded);
});

parts("is a name of a file without what a shell expands, and never a folder's own", () => {
  for (const [text, encoded] of [
    ["orders-cdc", "orders-cdc"],
    ["..", "%2E."],
    [".hidden", "%2Ehidden"],
    ["~a/b*(c)!'", "%7Ea%2Fb%2A%28c%29%21%27"],
  ] as const) {
    assert.is(pathPart(text), encoded);
    assert.is(decodeURIComponent(encoded), text);
  }
});

parts.run();
