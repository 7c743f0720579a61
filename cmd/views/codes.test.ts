/** Every code that a command can print has its page, in every form. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CONNECTOR_ERRORS } from "../../core/connector-errors.ts";
import { printJson } from "../../core/values/json.ts";
import { type Command, nameOf } from "../command.ts";
import { cdcctl } from "../commands/catalogue.ts";
import { RULES } from "../dev/connector-rules/rules.ts";
import { FORMS } from "../session/report-forms.ts";
import { CODES, codesDocument, codesReport } from "./codes.ts";

const codes = suite("explain");
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const KNOWN = new Set(CODES.map(({ code }) => code));

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

codes("says what can be accepted only while a fact is unknown", () => {
  const weighs = (code: string) => codesDocument(code).codes[0]?.weight;
  const acceptable = "blocks unless spec.accept names it; in admin commands it warns";
  for (const code of ["MIG120", "MIG121", "SNP919", "TRX505"])
    assert.is(weighs(code), `blocks and cannot be accepted; where the fact is unknown, it ${acceptable}`, code);
  assert.is(weighs("MIG101"), "blocks and cannot be accepted");
});

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
    const page = CODES.find((one) => one.code === code);
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

codes("knows all twenty codes of the connector, each with its condition, causes and commands", () => {
  const rules = Object.keys(RULES).filter((id) => id.startsWith("CDC-"));
  assert.equal(
    CONNECTOR_ERRORS.map(({ code }) => code),
    rules,
  );
  assert.is(rules.length, 20);
  for (const { code, causes, commands, stops, problem } of CONNECTOR_ERRORS) {
    assert.ok(causes.length >= 2 && commands.length >= 2 && stops !== "" && problem !== "", code);
    for (const cause of causes) assert.match(cause, /^[^-\n][^\n]*\.$/, code);
  }
});

codes("suggests only commands and options that exist", () => {
  for (const { code, commands } of CONNECTOR_ERRORS)
    for (const line of commands.filter((one) => one.startsWith("cdcctl ")).map((one) => one.split(/ {2,}/)[0] ?? "")) {
      let [command, rest] = [cdcctl.commands, line.split(" ").slice(1)] as const;
      let found: Command | undefined;
      while (rest[0] !== undefined && command.some((one) => nameOf(one) === rest[0])) {
        found = command.find((one) => nameOf(one) === rest[0]);
        [command, rest] = [found?.commands ?? [], rest.slice(1)];
      }
      assert.ok(found !== undefined && found.commands.length === 0, `${code}: ${line}`);
      const options = Object.entries(found.options).flatMap(([name, { alias = [] }]) => [name, alias].flat());
      for (const word of rest.filter((one) => one.startsWith("--")))
        assert.ok(options.includes(word.slice(2)), `${code}: ${line}: ${word}`);
    }
});

/** Words of the message by which each of the four causes of CDC-3002 is recognised. */
for (const word of ["MISSING_SCN", "all-zero RS_ID", "spill file", "newer format version", "without `v`"])
  codes(`tells the causes of CDC-3002 apart: ${word}`, () => {
    const causes = CONNECTOR_ERRORS.find(({ code }) => code === "CDC-3002")?.causes ?? [];
    assert.is(causes.filter((cause) => cause.includes(word) || cause.toLowerCase().includes(word)).length, 1);
  });

codes("says of CDC-7001 that its COMMIT arrived, of an orphan or of one that was discarded because of its age", () => {
  const text = printJson(codesDocument("CDC-7001"));
  for (const said of [/COMMIT of a transaction whose changes it had let go/, /transaction-discarded/, /newest 256/])
    assert.match(text, said);
});

codes("says when each code stops the task", () => {
  const text = printJson(codesDocument("CDC-1002"));
  assert.match(text, "stops the connector's task after more than 20 such failures in a row");
});

codes.run();
