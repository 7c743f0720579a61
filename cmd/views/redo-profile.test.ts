import { suite } from "uvu";
import * as assert from "uvu/assert";
import { hoursOf, profileOf, type RedoRates, sampleOf } from "../../core/doctor/redo-profile.ts";
import { archivedLog } from "../../core/doctor/testing/build-preflight.ts";
import type { CapturedSet } from "../../core/facts/tables/tables.ts";
import { epochMillis } from "../../core/values/instant.ts";
import { printJson } from "../../core/values/json.ts";
import { redoProfileDocument, redoProfileReport } from "./redo-profile.ts";
import { renderTerminal } from "./report/terminal.ts";
import { schemaTester } from "./testing/schema.ts";

const view = suite("a redo profile as text and JSON");

const logs = [archivedLog(7n, 6), archivedLog(8n, 6.5)];
const sample = sampleOf(logs, 1);
if (sample === undefined) throw new Error("no sample");
const [since, until] = ["2026-11-21T00:00:00Z", "2026-11-21T12:00:00Z"];
const rates: RedoRates = {
  ...{ database: "ORCLCDB", destination: "LOG_ARCHIVE_DEST_1", since, until, sample },
  question: { window: 43_200_000, logs: 1, destination: undefined },
  hours: hoursOf(logs, epochMillis(since), epochMillis(until)),
};
const mined = (captured: CapturedSet) =>
  profileOf(
    sample,
    [
      { container: "PDB1", owner: "APP", table: "A", operation: "INSERT", rows: 2_000n, truncates: 0n },
      { container: "PDB1", owner: "APP", table: "A", operation: "DDL", rows: 1n, truncates: 1n },
    ],
    captured,
    ["PDB1"],
  );
const NONE: CapturedSet = { known: true, tables: [] };
const UNKNOWN: CapturedSet = { known: false, why: "cdc.tables.include is not set", remedies: ["Give --config."] };
const text = (...of: Parameters<typeof redoProfileReport>) =>
  renderTerminal(redoProfileReport(...of), { colour: false });

view("names the hours, the sample, and the tables with the highest load", () => {
  const shown = text(rates, mined(NONE));
  assert.match(shown, /2026-11-21 07:00:00Z +1 +2 +2\.1 GB/);
  assert.match(shown, "PDB1.APP.A is not captured, and accounts for 100.0 % of the rows");
  assert.match(shown, "PDB1.APP.A looks like a truncate and reload job.");
  assert.match(shown, "SCN 8000 to 8999, 1 archived log, 1.1 GB");
});

view("classifies no table as uncaptured where the captured ones are unknown", () => {
  const shown = text(rates, mined(UNKNOWN));
  assert.match(shown, /not captured +unknown: cdc\.tables\.include is not set/);
  assert.match(shown, "Give --config.");
  assert.not.match(shown, "is not captured, and");
  assert.match(shown, /PDB1\.APP\.A +unknown +2,001/);
});

view("reports that nothing was archived, and why nothing was mined", () => {
  const empty = { ...rates, hours: [], sample: undefined };
  assert.match(text(empty, undefined), "No log was archived.");
  assert.match(text(empty, undefined), "no archived log can be read");
  assert.match(text({ ...empty, question: { ...rates.question, logs: 0 } }, undefined), "--sample-logs 0");
});

view("is a document of its schema", () => {
  const fits = schemaTester("redo-profile.schema.json");
  for (const one of [mined(NONE), mined(UNKNOWN), undefined]) fits(printJson(redoProfileDocument(rates, one)));
});

view.run();
