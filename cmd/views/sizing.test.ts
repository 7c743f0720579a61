import { suite } from "uvu";
import * as assert from "uvu/assert";
import { sizes } from "../../core/doctor/redo-profile.ts";
import { archivedLog } from "../../core/doctor/testing/build-preflight.ts";
import { archivedLogsOf } from "../../core/facts/redo/logs.ts";
import { printJson } from "../../core/values/json.ts";
import { renderTerminal } from "./report/terminal.ts";
import { sizingDocument, sizingReport } from "./sizing.ts";
import { asMarkdown } from "./testing/run-forms.ts";
import { schemaTester } from "./testing/schema.ts";

const view = suite("sizes as text, Markdown and JSON");

const question = { days: 7, maxDowntime: 86_400_000, journalThreshold: 300_000, destination: undefined };
const NOON = Date.parse("2026-11-21T12:00:00Z");
const of = (hours: readonly number[]) => ({
  ...{ database: "ORCLCDB", destination: "LOG_ARCHIVE_DEST_1" },
  ...sizes(
    archivedLogsOf(
      hours.map((hour, at) => archivedLog(BigInt(at + 1), hour)),
      1n,
      1n,
    ),
    [],
    question,
    NOON,
  ),
});
const busy = of([6, 6.2, 6.4, 6.6]);

view("give each thread's switches, and the statement that creates larger logs", () => {
  const text = renderTerminal(sizingReport(busy), { colour: false });
  assert.match(text, "archived logs since 2026-11-21 06:00:00Z");
  assert.match(text, "ALTER DATABASE ADD LOGFILE THREAD 1 SIZE 1024M;");
  assert.match(asMarkdown(sizingReport(busy)), "`ALTER DATABASE ADD LOGFILE THREAD 1 SIZE 1024M;`");
});

view("report that there is no basis for a size", () => {
  assert.match(renderTerminal(sizingReport(of([])), { colour: false }), "LOG_ARCHIVE_DEST_1: no archived log");
});

view("are a document of their schema", () => {
  const fits = schemaTester("sizing.schema.json");
  for (const one of [busy, of([])]) fits(printJson(sizingDocument(one)));
});

view.run();
