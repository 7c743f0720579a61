/**
 * The pages in a real browser: nothing is asked for, nothing runs, nothing is cut off, and who can't see them is told
 * the same.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Browser, startBrowser } from "../../providers/real/browser.ts";
import { HOSTILE_PAGES, PAGES } from "../views/testing/example-pages.ts";

const report = suite<{ browser: Browser; folder: string }>("reports in a browser");

/** Screenshots are kept here, where it is set. */
const KEEP = process.env["CDCCTL_TEST_SCREENSHOTS"];

report.before(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), "cdcctl-report-"));
  context.browser = await startBrowser();
});

report.after(async ({ browser, folder }) => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Look {
  readonly width: number;
  readonly scheme: "light" | "dark";
  readonly media?: "print";
}

const LOOKS: readonly Look[] = [
  { width: 360, scheme: "light" },
  { width: 360, scheme: "dark" },
  { width: 400, scheme: "light" },
  { width: 400, scheme: "dark" },
  { width: 1200, scheme: "light" },
  { width: 1200, scheme: "dark" },
];

async function opened(
  { browser: { page }, folder }: { browser: Browser; folder: string },
  name: string,
  html: string,
  run: Look,
) {
  const file = join(folder, `${name}.html`);
  await writeFile(file, html);
  await page.call("Emulation.setDeviceMetricsOverride", {
    width: run.width,
    height: 800,
    deviceScaleFactor: 1,
    mobile: run.width < 600,
  });
  await page.call("Emulation.setEmulatedMedia", {
    media: run.media ?? "",
    features: [{ name: "prefers-color-scheme", value: run.scheme }],
  });
  await page.open(pathToFileURL(file).href);
  if (KEEP !== undefined) await screenshot(page, join(KEEP, `${name}-${run.media ?? run.width}-${run.scheme}.png`));
  return page;
}

async function screenshot(page: Browser["page"], file: string): Promise<void> {
  const { data } = (await page.call("Page.captureScreenshot", { captureBeyondViewport: true })) as { data: string };
  await writeFile(file, Buffer.from(data, "base64"));
}

/** The contrast of an element and what lies behind it, by WCAG's formula; the least over all texts. */
const LEAST_CONTRAST = `(() => {
  const parse = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number);
  const channel = (c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => [r, g, b].map((c) => channel(c / 255))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const c = parse(getComputedStyle(at).backgroundColor);
      if (c.length === 3 || c[3] === 1) return c;
    }
    return [255, 255, 255];
  };
  const hasText = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
  const texts = [...document.querySelectorAll("body *")].filter((one) => hasText(one) && !one.closest("desc,title"));
  return Math.min(...texts.map((one) => {
    const style = getComputedStyle(one);
    const ink = light(parse(one.closest("svg") ? style.fill : style.color));
    const paper = light(behind(one));
    return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
  }));
})()`;

/** Letters and labels of a picture that overlap on the screen. */
const OVERLAPPING = `(() => {
  const pictures = [...document.querySelectorAll("figure > svg")];
  const boxes = pictures.map((svg) => [...svg.querySelectorAll("text")].map((one) => one.getBoundingClientRect()));
  const collide = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return boxes.flatMap((texts) => texts.flatMap((a, i) => texts.slice(i + 1).filter((b) => collide(a, b)))).length;
})()`;

/** Labels that a mark's line crosses on the screen. */
const CROSSED = `[...document.querySelectorAll("figure > svg")].flatMap((svg) => {
  const lines = [...svg.querySelectorAll(".guide")].map((one) => one.getBoundingClientRect());
  const crosses = (a, b) => a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top < a.bottom - 2;
  const labels = [...svg.querySelectorAll("text.label")].map((one) => one.getBoundingClientRect());
  return labels.filter((label) => lines.some((line) => crosses(label, line)));
}).length`;

/** Elements that end beyond the page's edge; the head of a narrow table is there for who can't see it. */
const BEYOND = `[...document.querySelectorAll("body *")]
  .filter((one) => !one.closest("thead,defs,desc,title"))
  .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
  .map((one) => one.outerHTML.slice(0, 80)).join("; ")`;

/** Names in code and in the first column that stand on several lines. */
const BROKEN = `(() => {
  const lines = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return new Set([...range.getClientRects()].map((box) => Math.round(box.bottom / 8))).size;
  };
  return [...document.querySelectorAll("td code, tbody th, dd code")]
    .filter((one) => one.textContent.length <= 60 && !/\\s/.test(one.textContent) && lines(one) > 1)
    .map((one) => one.textContent).join(", ");
})()`;

for (const [name, html] of Object.entries(PAGES)) {
  for (const appearance of LOOKS) {
    report(
      `${name} is complete and readable, ${appearance.width} pixels wide, ${appearance.scheme}`,
      async (context) => {
        const page = await opened(context, name, html, appearance);
        assert.equal(
          page.requests.filter((url) => !url.startsWith("file:")),
          [],
        );
        assert.is(page.requests.length, 1, "only the page itself is asked for");
        assert.equal(page.complaints, []);
        const wider = await page.evaluate(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        assert.is(wider, 0, "it has to be scrolled sideways");
        assert.is(await page.evaluate(BEYOND), "", "it is cut off at the edge");
        assert.is(await page.evaluate(OVERLAPPING), 0, "labels hide each other");
        assert.is(await page.evaluate(CROSSED), 0, "a line crosses a label");
        const styled = await page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
        assert.is(styled, appearance.scheme === "dark" ? "rgb(13, 17, 23)" : "rgb(255, 255, 255)", "its style is used");
        const contrast = Number(await page.evaluate(LEAST_CONTRAST));
        assert.ok(contrast >= 4.5, `a contrast of ${contrast}`);
      },
    );
  }
}

/** An A4 sheet between its margins. */
const SHEET = { width: 718, media: "print" } as const;

for (const [name, html] of Object.entries(PAGES))
  report(`${name} is printed in black on white, and no table name is broken`, async (context) => {
    const page = await opened(context, name, html, { ...SHEET, scheme: "dark" });
    assert.is(await page.evaluate("getComputedStyle(document.documentElement).backgroundColor"), "rgb(255, 255, 255)");
    assert.is(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0);
    assert.is(await page.evaluate(BROKEN), "");
    const contrast = Number(await page.evaluate(LEAST_CONTRAST));
    assert.ok(contrast >= 4.5, `a contrast of ${contrast}`);
  });

interface AxNode {
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
  readonly description?: { readonly value: string };
  readonly ignored: boolean;
}

async function spoken(page: Browser["page"]): Promise<readonly AxNode[]> {
  const { nodes } = (await page.call("Accessibility.getFullAXTree")) as { nodes: readonly AxNode[] };
  return nodes.filter(({ ignored }) => !ignored);
}

/** What Chromium calls `role="img"`. An `svg` without it is `SvgRoot`: a container of letters and no picture. */
const PICTURE: readonly string[] = ["image", "img"];

/** What is wrong with how a page's timelines are told: each has to be one picture with a name. */
function pictureFaults(nodes: readonly AxNode[], timelines = 1): readonly string[] {
  const roleOf = ({ role }: AxNode) => role?.value ?? "";
  const pictures = nodes.filter((node) => PICTURE.includes(roleOf(node)));
  return [
    ...(pictures.length === timelines ? [] : [`${pictures.length} pictures`]),
    ...nodes.filter((node) => /svg|graphics/i.test(roleOf(node))).map((node) => `a ${roleOf(node)} and no picture`),
    ...pictures.filter(({ name }) => !/\p{L}/u.test(name?.value ?? "")).map(() => "a picture without a name"),
  ];
}

const TITLE = "orders-cdc: position: 36,509 SCNs behind; redo complete from the resume SCN";

const withTimeline = Object.entries({ ...PAGES, ...HOSTILE_PAGES }).filter(([, html]) => /<figure/.test(html));

for (const [name, html] of withTimeline)
  report(`each timeline of a page is a named picture: ${name}`, async (context) => {
    const page = await opened(context, `told-${name}`, html, { width: 360, scheme: "light" });
    assert.equal(pictureFaults(await spoken(page), html.split("<figure").length - 1), []);
  });

const MUTANTS: readonly (readonly [what: string, broken: (html: string) => string, fault: RegExp])[] = [
  ["without its role", (html) => html.replace(/(<svg[^>]*) role="img"/, "$1"), /^0 pictures\na SvgRoot/],
  [
    "with a role other than picture",
    (html) => html.replace(/(<svg[^>]*) role="img"/, '$1 role="presentation"'),
    /^0 pictures/,
  ],
  ["hidden", (html) => html.replace(/(<svg[^>]*) role="img"/, '$1 role="img" aria-hidden="true"'), /^0 pictures/],
  [
    "without a name",
    (html) => html.replace(/(<svg[^>]*) aria-labelledby="[^"]*"/, "$1").replace(/<title id[^>]*>[^<]*<\/title\s*>/, ""),
    /a picture without a name/,
  ],
];

for (const [what, broken, fault] of MUTANTS)
  report(`a timeline ${what} is detected`, async (context) => {
    const whole = PAGES["position"] ?? "";
    assert.is.not(broken(whole), whole);
    const page = await opened(context, "mutant", broken(whole), { width: 360, scheme: "light" });
    assert.match(pictureFaults(await spoken(page)).join("\n"), fault);
  });

for (const width of [360, 1200])
  report(`a screen reader finds the picture, the headings and the tables, ${width} pixels wide`, async (context) => {
    const page = await opened(context, "position", PAGES["position"] ?? "", { width, scheme: "light" });
    const nodes = await spoken(page);
    const named = (...roles: readonly string[]) =>
      nodes.filter(({ role }) => roles.includes(role?.value ?? "")).map(({ name }) => name?.value ?? "");
    assert.equal(pictureFaults(nodes), []);
    const [picture] = named(...PICTURE);
    assert.match(picture ?? "", /^SCN timeline .*36,509 SCNs behind the current SCN/);
    assert.match(
      picture ?? "",
      /T, target; x, thread 1, sequences 119 to 120 not in the catalogue; .*R, resume SCN; C, current SCN/,
    );
    assert.equal(named("heading"), [
      "orders-cdc: position",
      "The position",
      "The redo",
      "The stored offset",
      "The connector",
      "The database",
    ]);
    assert.ok(
      named("rowheader", "RowHeader").some((cell) => /resume SCN/.test(cell)),
      "the rows have no headings",
    );
    assert.ok(named("columnheader", "ColumnHeader").includes("SCN"), "the columns have no headings");
    assert.is(await page.evaluate("document.documentElement.lang"), "en");
    assert.is(await page.evaluate("document.title"), TITLE);
  });

for (const [name, html] of Object.entries(HOSTILE_PAGES))
  report(`hostile names in a ${name} stay text: nothing runs, loads or changes direction`, async (context) => {
    const page = await opened(context, `hostile-${name}`, html, { width: 360, scheme: "light" });
    assert.equal(page.complaints, []);
    assert.is(page.requests.length, 1);
    assert.is(
      await page.evaluate(
        "document.querySelectorAll('script, img, a, iframe, object, embed, form, base, link').length",
      ),
      0,
    );
    const text = String(await page.evaluate("document.body.innerText"));
    assert.match(text, "<img src=x onerror=alert(1)>");
    assert.match(text, "\\u202e");
    assert.not.match(text, /[\u202a-\u202e\u2066-\u2069\0]/);
    assert.is(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0);
  });

report("a script injected into a page does not run", async (context) => {
  const html = (PAGES["position"] ?? "").replace(
    "</main>",
    `<script>document.title = "ran"</script><img src="https://attacker.invalid/x"></main>`,
  );
  const page = await opened(context, "injected", html, { width: 360, scheme: "light" });
  assert.is(await page.evaluate("document.title"), TITLE);
  assert.ok(
    page.complaints.some((one) => /Content Security Policy/i.test(one)),
    "the policy is not heeded",
  );
});

report.run();
