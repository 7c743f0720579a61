import { suite } from "uvu";
import * as assert from "uvu/assert";
import { buildRun, untilSucceeded } from "../../core/plan/testing/build-run.ts";
import { backward } from "../../core/plan/testing/example-plans.ts";
import { runReport } from "./run.ts";
import { type RunView, readRun } from "./run-timeline.ts";
import { asMarkdown, asPage, renderRunText } from "./testing/run-forms.ts";

const record = suite("the page of a run, for auditors");

function shown(entries = untilSucceeded(backward)): RunView {
  const run = readRun(buildRun(backward, entries));
  if (run === undefined) throw new Error("a run without its beginning");
  return run;
}

/** What a page says under a label. */
function fieldValue(page: string, label: string): string {
  const [, text = "not said"] = new RegExp(`<dt>${label}</dt><dd>(.*?)</dd>`).exec(page) ?? [];
  return text.replaceAll(/<[^>]*>/g, "");
}

record("leads from the ticket to plan, operator and decision", () => {
  const page = asPage(runReport(shown()));
  assert.is(fieldValue(page, "Ticket"), "CHG-4711");
  assert.is(fieldValue(page, "Plan"), "orders-replay");
  assert.is(fieldValue(page, "Plan file"), "orders-replay.yaml");
  assert.is(fieldValue(page, "Operator"), "ana (self-asserted)");
  assert.is(fieldValue(page, "Decision"), backward.decision);
  assert.match(fieldValue(page, "Reason"), "replay after the bad deploy");
  assert.match(fieldValue(page, "Planned"), /^2026-11-21 \d\d:\d\d:\d\dZ$/);
  assert.match(fieldValue(page, "Ended"), /^2026-11-21 \d\d:\d\d:\d\dZ, after \d+ s$/);
});

record("names where it was done", () => {
  const page = asPage(runReport(shown()));
  const { connectUrl, clusterId, database } = backward.world;
  assert.ok(fieldValue(page, "Workers").startsWith(connectUrl));
  assert.is(fieldValue(page, "Kafka cluster"), clusterId);
  assert.is(
    fieldValue(page, "Database"),
    `${database.name} at ${database.address}, dbid ${database.dbid}, resetlogs ${database.resetlogsScn}`,
  );
});

record("has each step with its time, the ops records, and the offset before and after", () => {
  const run = shown();
  const page = asPage(runReport(run));
  assert.is(run.steps.length, 6);
  for (const { startedAt = "never" } of run.steps) assert.ok(page.includes(startedAt.replace("T", " ").slice(0, 19)));
  assert.match(page, /recorded &#34;applying&#34; in orders\.cdc\.ops \(partition 0, offset 17\)/);
  assert.match(page, /recorded &#34;applied&#34; in orders\.cdc\.ops \(partition 0, offset 18\)/);
  assert.match(
    page,
    /resume SCN<\/th><td data-head="Before"><code>2204511<\/code><\/td><td data-head="After">.*2169287/,
  );
  assert.is(fieldValue(page, "Stored offset"), "stored as planned, and read back");
});

record("does not report an offset as stored while that is unknown", () => {
  const entries = untilSucceeded(backward);
  const until = (type: string, step: string) =>
    entries.findIndex((one) => one.type === type && "step" in one && one.step === step);
  const patching = shown(entries.slice(0, until("step-started", "patch-offset") + 1));
  assert.is(fieldValue(asPage(runReport(patching)), "Stored offset"), "whether it is as planned is unknown");
  const before = shown(entries.slice(0, until("step-started", "patch-offset")));
  assert.is(fieldValue(asPage(runReport(before)), "Stored offset"), "not changed");
});

record("is on a page and in a comment, and not on a terminal", () => {
  const run = shown();
  assert.match(asMarkdown(runReport(run)), "**For the record**");
  assert.not.match(renderRunText(run, { colour: false }), "For the record");
});

record.run();
