import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { anyPlan } from "../../core/plan/testing/any-plan.ts";
import { anyTimeline } from "../../core/timeline/testing/any-timeline.ts";
import { element, table } from "./html-elements.ts";
import { HOSTILE_PAGES, PAGES } from "./testing/example-pages.ts";
import { assertGolden } from "./testing/golden.ts";
import { renderPlansHtml } from "./testing/plan-forms.ts";
import { timelineFigure } from "./timeline-svg.ts";

const html = suite("pages");

const ELEMENTS = (
  "html head meta title style body header main footer section h1 h2 h3 p span code " +
  "table caption thead tbody tr th td dl div dt dd ul ol li " +
  "figure figcaption svg desc defs pattern rect circle path line text"
).split(" ");

/**
 * That a page has no markup but the code's own: every `<` begins an element that it knows, with attributes of its own.
 */
function assertSound(page: string): void {
  const markup = page.replace(/<style>[\s\S]*?<\/style>/, "").replace(/^<!doctype html>/, "");
  const left = markup.replace(
    /<(\/?)([a-z][a-z0-9]*)((?: [a-zA-Z][a-zA-Z0-9-]*="[^"<>]*")*)>/g,
    (all, _end, name, attributes) => {
      assert.ok(ELEMENTS.includes(name), all);
      assert.not.match(attributes, / (?:on\w+|style|href|src)=/i);
      return "";
    },
  );
  assert.not.match(left, /[<>"']/);
  assert.not.match(page.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  const open: string[] = [];
  for (const [, end, name = ""] of markup.matchAll(/<(\/?)([a-z][a-z0-9]*)/g)) {
    if (name === "meta") continue;
    if (end === "") open.push(name);
    else assert.is(open.pop(), name);
  }
  assert.equal(open, []);
  const ids = [...markup.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  assert.is(new Set(ids).size, ids.length, "an id is there twice");
  for (const [, named = ""] of markup.matchAll(/ aria-labelledby="([^"]*)"/g))
    for (const id of named.split(" ")) assert.ok(ids.includes(id), `nothing has the id ${id}`);
}

for (const [name, page] of Object.entries({
  ...PAGES,
  hostilePosition: HOSTILE_PAGES["position"],
  hostilePlan: HOSTILE_PAGES["plan"],
}))
  html(`${name} contains only the code's own markup`, () => {
    assertSound(page ?? "");
    assert.not.match(page ?? "", /undefined|NaN|\[object/);
  });

html("any plan contains only the code's own markup, whatever the world sends", async () => {
  await fc.assert(
    fc.property(fc.array(anyPlan, { minLength: 1, maxLength: 2 }), (plans) => {
      assertSound(renderPlansHtml(plans, "0.1.0"));
    }),
    { numRuns: 200 },
  );
});

html("texts and attributes are escaped where they are inserted, and only there", () => {
  const shown = element("p", { title: `a"b` }, "<b> & ", element("code", {}, "x"), ["\u202e", "\0"]);
  assert.is(shown.html, `\n<p title="a&#34;b">&#60;b&#62; &#38; <code>x</code>\\u202e\\x00</p>`);
});

html("a table marks the heading cells of rows and columns", () => {
  const shown = table("What", ["A", "B"], [["1", "2"]]).html;
  assert.match(shown, "<caption>What</caption>");
  assert.match(shown, '<th scope="col">A</th>');
  assert.match(shown, '<th scope="row">1</th>');
});

html("the policy allows the page's own style by its hash, and nothing else", () => {
  const page = PAGES["position"] ?? "";
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? "";
  const hash = createHash("sha256").update(style, "utf8").digest("base64");
  const [, policy = ""] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  assert.is(
    policy.replaceAll("&#39;", "'"),
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
  );
  assert.not.match(page, /url\((?!#)|@import|https?:(?!\/\/www\.w3\.org\/2000\/svg|\/\/connect\.prod)/);
});

html("any picture stays within its frame, and has every mark, in order of SCN", async () => {
  await fc.assert(
    fc.property(anyTimeline, (timeline) => {
      const figure = timelineFigure(timeline, "svg")
        .map((one) => one.html)
        .join("");
      for (const [, percent] of figure.matchAll(/ (?:x|x1|x2|cx)="(-?[\d.]+)%"/g))
        assert.ok(Number(percent) >= 0 && Number(percent) <= 100, percent);
      for (const [, x, width] of figure.matchAll(/ x="([\d.]+)%" y="\d+" width="([\d.]+)%"/g))
        assert.ok(Number(x) + Number(width) <= 100);
      const letters = [...figure.matchAll(/<text x="([\d.]+)%" y="\d+" text-anchor="middle">([A-Z])<\/text>/g)];
      assert.is(letters.length, timeline.marks.length);
      const places = letters.map(([, x]) => Number(x));
      assert.equal(
        places,
        [...places].sort((a, b) => a - b),
      );
    }),
  );
});

const GOLDENS = new URL("./testdata/", import.meta.url);

/** One agreed page for each subject. */
const SUBJECTS: { readonly [subject: string]: string } = {
  plan: "report/refused.html",
  run: "report/run.html",
  translation: "translation/lob-topics.html",
  lag: "lag/kafka.html",
  preflight: "preflight/no-archive.html",
  evidence: "evidence/failed.html",
  history: "run/history.html",
  takeover: "takeover/ready.html",
  position: "report/position.html",
  transactions: "transactions/every.html",
  journal: "journal/verdicts.html",
};

function goldens(ending: string): readonly string[] {
  return readdirSync(GOLDENS, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(ending));
}

interface Box {
  readonly what: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The width of the picture on the narrowest screen, 360 pixels wide. */
const NARROWEST = 302;
/** What a letter of a mark takes at most, and one of a label on average: the font is the reader's. Pixels. */
const LETTER = 10.6;
const CHARACTER = 8.4;

function boxes(figure: string): { readonly texts: readonly Box[]; readonly guides: readonly Box[] } {
  const pixels = (percent: string | undefined) => (Number(percent) / 100) * NARROWEST;
  const texts = [...figure.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)].map(([, attributes = "", what = ""]): Box => {
    const of = (name: string) => new RegExp(`(?:^| )${name}="(-?[\\d.]+)`).exec(attributes)?.[1];
    const [x, y] = [pixels(of("x")), Number(of("y"))];
    const long = [...what.replaceAll(/&#\d+;/g, "x")].length;
    const [left, right] = attributes.includes("text-anchor")
      ? [x - LETTER / 2, x + LETTER / 2]
      : [x + Number(of("dx")), x + Number(of("dx")) + long * CHARACTER];
    return { what, left, right, top: y - 11, bottom: y + 3 };
  });
  const guides = [
    ...figure.matchAll(/<line class="guide[^"]*" x1="([\d.]+)%" x2="[\d.]+%" y1="(\d+)" y2="(\d+)"/g),
  ].map(
    ([, x, y1, y2]): Box => ({
      what: "guide",
      left: pixels(x) - 1,
      right: pixels(x) + 1,
      top: Number(y1),
      bottom: Number(y2),
    }),
  );
  return { texts, guides };
}

function collide(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

html("no label of any picture covers another, is crossed by a mark's line, or is cut off by the frame", async () => {
  await fc.assert(
    fc.property(anyTimeline, (timeline) => {
      const figure = timelineFigure(timeline, "svg")
        .map((one) => one.html)
        .join("");
      const { texts, guides } = boxes(figure);
      const rows = [...figure.matchAll(/<text class="label" x="[\d.]+%" dx=/g)].length;
      assert.is(guides.length, figure.includes("<svg role") ? timeline.marks.length * (rows + 1) : 0);
      texts.forEach((text, at) => {
        assert.ok(text.right <= NARROWEST + 0.5 && text.left >= 0, `${text.what} is cut off`);
        for (const other of texts.slice(at + 1)) assert.not(collide(text, other), `${text.what} hides ${other.what}`);
        for (const guide of guides) assert.not(collide(text, guide), `a line crosses ${text.what}`);
      });
    }),
    { numRuns: 500 },
  );
});

html("every subject has a page with an expected text, and each begins with its verdict", () => {
  const pages = goldens(".html");
  for (const [subject, name] of Object.entries(SUBJECTS)) assert.ok(pages.includes(name), subject);
  for (const name of pages)
    assert.match(
      readFileSync(new URL(name, GOLDENS), "utf8"),
      /<h1>[^<]+<\/h1>\n<p class="verdict"><span class="state (?:good|bad|caution|quiet)">[^<]+<\/span><\/p>/,
      name,
    );
});

html("several plans have the outcome of the worst of them", () => {
  assert.match(
    PAGES["several"] ?? "",
    /<h1>3 plans<\/h1>\n<p class="verdict"><span class="state bad">1 refused, 2 ready</,
  );
});

html("every comment begins with its verdict", () => {
  // A table of several plans, and what stands above another report.
  const parts = ["plan/several.md", "run/unreadable.md"];
  for (const name of goldens(".md").filter((one) => !parts.includes(one)))
    assert.match(readFileSync(new URL(name, GOLDENS), "utf8"), /^### (?:✅|❌|❓|⚠️|☑️|⏳|⚪) .*: \S/, name);
});

html("a page matches its expected text", () => assertGolden(PAGES["position"] ?? "", "report/position.html"));

html("a plan and a run match their expected text", () => {
  const styleless = (page = "") => page.replace(/<style>[\s\S]*?<\/style>/, "<style></style>");
  assertGolden(styleless(PAGES["refused"]), "report/refused.html");
  assertGolden(styleless(PAGES["run"]), "report/run.html");
});

html.run();
