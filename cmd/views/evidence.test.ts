import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Evidence, TableEvidence } from "../../schemas/generated/evidence.ts";
import { evidenceReport } from "./evidence.ts";
import { renderTerminal, type TerminalOptions } from "./report/terminal.ts";
import { assertGolden } from "./testing/golden.ts";
import { asMarkdown, asPage } from "./testing/run-forms.ts";

const renderEvidenceText = (of: Evidence, options: TerminalOptions) => renderTerminal(evidenceReport(of), options);
const renderEvidenceMarkdown = (of: Evidence) => asMarkdown(evidenceReport(of));

const views = suite("The views of an evidence");

const NONE = { count: 0n, otherTables: 0n, unreadable: 0n };

function table(changes: Partial<TableEvidence> = {}): TableEvidence {
  return {
    table: "ORCLPDB1.SALES.ORDERS",
    outcome: "pass",
    reasons: [],
    remarks: [],
    newTopic: "orders.ORCLPDB1.SALES.ORDERS",
    key: ["ID"],
    columns: ["ID", "NAME"],
    leftOut: [],
    rows: { ...NONE, count: 2_000_000n },
    newRecords: { ...NONE, count: 4_000_000n },
    keys: { inTable: 2_000_000n, inTopics: 2_000_000n, compared: 2_000_000n, byLegacy: 0n },
    failures: {
      "in-neither-topic": 0n,
      "deleted-in-topic": 0n,
      "values-differ": 0n,
      "still-in-topic": 0n,
      "only-in-legacy-topic": 0n,
      "count-differs": 0n,
    },
    doubts: {
      "only-above-check-scn": 0n,
      "snapshot-after-check-scn": 0n,
      "key-not-unique": 0n,
      "partitions-disagree": 0n,
      "delete-not-kept": 0n,
      "commit-unknown": 0n,
      "column-added": 0n,
      overlap: 0n,
    },
    unavailable: [],
    hashes: { tableKeys: "0", topicKeys: "0", tableRows: "0", topicRows: "0" },
    firstFailures: [],
    firstDoubts: [],
    unreadable: [],
    ...changes,
  };
}

function evidence(...tables: readonly TableEvidence[]): Evidence {
  return {
    apiVersion: "cdcctl/v1",
    kind: "CutoverEvidence",
    formatVersion: 1n,
    digest: "sha256:d",
    findings: "sha256:f",
    writtenAt: "2026-11-21T09:00:00Z",
    cdcctl: "1",
    inputs: { connector: "orders-cdc", databaseName: "ORCLCDB" },
    position: { checkScn: 2_044_000n, resumeScn: 2_044_511n, passed: true },
    outcome: tables.some(({ outcome }) => outcome === "fail") ? "fail" : "pass",
    tables: [...tables],
  };
}

const text = (...tables: readonly TableEvidence[]) => renderEvidenceText(evidence(...tables), { colour: false });

views("a table that passed shows what was compared and what was not", () => {
  const shown = text(
    table({
      leftOut: [{ column: "DOC", why: "a LOB, under cdc.lob.mode=skip" }],
      unavailable: [{ column: "NAME", count: 3n }],
      remarks: ["the topic is compacted"],
      keys: { inTable: 10n, inTopics: 10n, compared: 9n, byLegacy: 1n },
    }),
  );
  assert.match(shown, "orders-cdc  cutover verification  passed");
  assert.match(shown, "9 keys value by value, 2 columns: ID, NAME");
  assert.match(shown, "1 key delivered only by the legacy connector: present, values not compared");
  assert.match(shown, "DOC: a LOB, under cdc.lob.mode=skip");
  assert.match(shown, "NAME of 3 keys: the topic holds the placeholder");
  assert.match(shown, /note {2,}the topic is compacted/);
});

const failed = table({
  outcome: "fail",
  reasons: ["30 with other values in the new topic"],
  firstFailures: Array.from({ length: 30 }, (_, id) => ({
    key: { ID: String(id), "LINE|NO": null },
    reason: "values-differ" as const,
    columns: ["NAME"],
    record: { topic: "t", partition: 1n, offset: 2n ** 60n, scn: 7n },
    ...(id === 0 ? { tableValues: { NAME: "a\u001b[2J" }, topicValues: { NAME: null } } : {}),
  })),
});

views("failed keys are named with their columns and their record, twenty of them", () => {
  const shown = text(failed);
  assert.match(shown, /ID=0, LINE\|NO=NULL {2,}with other values in the new topic: NAME/);
  assert.match(shown, "t, partition 1, offset 1152921504606846976, SCN 7");
  assert.match(shown, "ID=19");
  assert.not.match(shown, "ID=20,");
  assert.match(shown, "and 10 more keys");
  assert.match(shown, /NAME: "a\\u001b\[2J" in the table, NULL in the topic/);
  assert.not.match(shown, "\u001b");
});

views("no value breaks a table in Markdown", () => {
  const shown = renderEvidenceMarkdown(evidence(failed));
  assert.match(shown, "LINE&#124;NO=NULL");
  assertGolden(shown, "evidence/failed.md");
  assertGolden(asPage(evidenceReport(evidence(failed))), "evidence/failed.html");
  const rows = shown.split("\n").filter((line) => line.startsWith("| ID="));
  assert.is(rows.length, 20);
  for (const row of rows) assert.is(row.split("|").length, 6, row);
});

views("with many tables Markdown gives details of those that did not pass", () => {
  const many = Array.from({ length: 40 }, (_, at) => table({ table: `SALES.T${at}` }));
  const shown = renderEvidenceMarkdown(evidence(...many, failed));
  const atLength = shown.split("\n").filter((line) => /^\*\*.*: (?:passed|FAILED|INCONCLUSIVE)\*\*$/.test(line));
  assert.equal(atLength, ["**`ORCLPDB1.SALES.ORDERS`: FAILED**"]);
  assert.ok(shown.length < 65_535);
});

views("what could not be read is named with its key, and a doubt with a record without an SCN", () => {
  const key = { ID: "7" };
  const shown = text(
    table({
      outcome: "inconclusive",
      unreadable: [{ side: "legacy topic", why: "no JSON", count: 2n, partition: 0n, offset: 5n, key }],
      firstDoubts: [
        { key, reason: "legacy-unreadable", columns: [], record: { topic: "old", partition: 0n, offset: 5n } },
      ],
    }),
  );
  assert.match(shown, "2 of the legacy topic: no JSON; first in partition 0, offset 5, of ID=7");
  assert.match(shown, /ID=7 {2,}that rest on a legacy record that could not be read/);
  assert.match(shown, /old, partition 0, offset 5$/m);
});

views("a position that was not passed is prominent", () => {
  const shown = renderEvidenceText(
    {
      ...evidence(table({ outcome: "inconclusive" })),
      outcome: "inconclusive",
      position: { checkScn: 5n, passed: false },
    },
    { colour: false },
  );
  assert.match(shown, "INCONCLUSIVE");
  assert.match(shown, "which has NOT passed it");
});

views.run();
