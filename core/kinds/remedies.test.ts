/** One style of remedy, for what is declared and for what the checks say in their tests. */
// biome-ignore lint/style/noRestrictedImports: what the checks say is kept in a file
import { readFileSync } from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CONNECTOR_ERRORS } from "../connector-errors.ts";
import { CAUSES } from "../doctor/lag/causes.ts";
import { readLag } from "../doctor/lag/lag-facts.ts";
import { buildLag } from "../doctor/lag/testing/build-lag.ts";
import { REFUSALS } from "../refusals.ts";
import { lineOf } from "../values/remedy.ts";
import { CHECKS } from "./checks.ts";

const style = suite("a remedy");

/** A command or statement to run, alone, or the last line of a list of them. */
const COMMAND = /^(?:cdcctl |[A-Z]{3,} (?=[A-Z])|… and [\d,]+ more )/;
/** Words that begin a statement, not an instruction. */
const STATEMENT =
  /^(?:An?|Another|Each|It|Its|Not?|Nothing|One|Only|That|The|Their|There|These|They|This|Those|Whether|You)\b/;
const NO_ACTION = "No action is needed";

/** What is wrong with a remedy; undefined if nothing is. */
function fault(text: string): string | undefined {
  if (COMMAND.test(text) || /^Did you mean .+\?$/.test(text)) return undefined;
  if (!/^[A-Z`]/.test(text)) return `no capital letter: ${text}`;
  if (STATEMENT.test(text) && !text.startsWith(NO_ACTION)) return `no imperative: ${text}`;
  return /\.$|: {2}\S/.test(text) ? undefined : `no full stop, and nothing to copy: ${text}`;
}

const faults = (texts: readonly string[]) => texts.flatMap((text) => fault(text) ?? []);

style("of a check, a refusal or an error of the connector is an instruction, and ends with a full stop", () => {
  const codes = [...Object.values(CHECKS).flat(), ...REFUSALS, ...CONNECTOR_ERRORS];
  assert.ok(codes.length > 200, `${codes.length} codes`);
  assert.equal(faults(codes.map(({ remedy }) => remedy)), []);
});

style("that a check gives in any of its tests does likewise, or is a command alone", () => {
  const said = readFileSync(new URL("../checks/testdata/wordings.txt", import.meta.url), "utf8");
  const texts = [...new Set([...said.matchAll(/^ {2}> (.*)$/gm)].map(([, text = ""]) => text))];
  assert.ok(texts.length > 200, `${texts.length} remedies`);
  assert.equal(faults(texts), []);
});

style("for a cause of a lag does likewise", () => {
  const texts = CAUSES.flatMap(({ remedies }) => remedies(readLag(buildLag()))).map(lineOf);
  assert.ok(texts.length >= CAUSES.length, `${texts.length} remedies`);
  assert.equal(faults(texts), []);
});

for (const text of [
  "check host and port.",
  "Check host and port",
  "The host is wrong.",
  "It may expect TLS: check the port.",
  "There is another file.",
])
  style(`${JSON.stringify(text)} is found`, () => assert.ok(fault(text)));

for (const text of [
  "Check host and port.",
  "If the logs are gone, snapshot the tables again.",
  "Start it again:  cdcctl connectors restart orders-cdc",
  "GRANT SELECT ON V_$LOG TO C##CDC;",
  "No action is needed, unless it lasts.",
])
  style(`${JSON.stringify(text)} is not found`, () => assert.is(fault(text), undefined));

style.run();
