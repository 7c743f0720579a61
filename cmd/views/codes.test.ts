/** Every code that a command can print has its page, in every form. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { printJson } from "../../core/values/json.ts";
import { codesDocument, codesReport, pages } from "./codes.ts";
import { FORMS } from "./report/forms.ts";

const codes = suite("explain");
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const KNOWN = new Set(pages().map(({ code }) => code));

/** Codes as the sources have them, each with a file that names it. */
function codesInSources(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const folder of ["core", "cmd", "providers"])
    for (const path of readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: "utf8" })) {
      if (!path.endsWith(".ts") || /\.test\.ts$|testing\/|testdata|^(?:behaviour|bad-input|sandbox|real)\//.test(path))
        continue;
      const text = readFileSync(`${ROOT}${folder}/${path}`, "utf8");
      for (const [, code = ""] of text.matchAll(/["`]([A-Z]{3}\d{3}|CDC-\d{4})["`]/g)) found.set(code, path);
    }
  return found;
}

codes("knows every code that is written anywhere in the sources", () => {
  const inSources = codesInSources();
  for (const family of ["APL", "CDC-", "CON", "DBA", "LEG", "MIG", "OFF", "OPS", "RED", "SNP", "TAB", "TRX"])
    assert.ok(
      [...inSources.keys()].some((code) => code.startsWith(family)),
      `${family} is looked for`,
    );
  assert.equal(
    [...inSources].filter(([code]) => !KNOWN.has(code)).map(([code, path]) => `${code} in ${path}`),
    [],
  );
});

const FAMILIES = [...new Map([...KNOWN].map((code) => [code.replace(/\d+$/, ""), code])).values()];

for (const code of FAMILIES)
  codes(`explains ${code} as text, JSON, Markdown and a page`, () => {
    const page = pages().find((one) => one.code === code);
    const first = page?.title.replaceAll("`", "").split(" ")[0] ?? "no page";
    const document = printJson(codesDocument(code));
    assert.match(document, `"code": "${code}"`);
    for (const [form, render] of Object.entries(FORMS)) {
      const shown = render({ what: "report", reports: [codesReport(code)] }, { colour: false, version: "0.1.0" });
      assert.match(shown, code, form);
      assert.match(shown, first, form);
      if (form === "html") assert.match(shown, /<!doctype html>/i);
    }
  });

codes("lists each of them in every form", () => {
  for (const [form, render] of Object.entries(FORMS)) {
    const shown = render({ what: "report", reports: [codesReport(undefined)] }, { colour: false, version: "0.1.0" });
    if (form !== "markdown") for (const code of KNOWN) assert.match(shown, code, form);
  }
  assert.is(codesDocument(undefined).codes.length, KNOWN.size, "no code has two pages");
});

codes.run();
