import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ConnectorsFound } from "../facts/migration-facts.ts";
import type { RecordedEvent } from "../facts/ops/ops-event.ts";
import type { RetirementParts } from "../kinds/migration/testing/build-facts.ts";
import { effectOf, intent, retirement, saidBy, verdictOf } from "../kinds/migration/testing/build-readings.ts";
import { created, LEGACY_OFFSETS, settings, VERIFIED } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { table as stored } from "../legacy/testing/build-legacy.ts";
import { changedSinceVerification } from "./MIG415-changed-since-verification.ts";

const check = suite("MIG415 connectors that have changed since the verification");

const config = { ...settings().config, "cdc.start.scn": "2169287" };
const offsets = (more: Readonly<Record<string, bigint>>) => [
  {
    partition: { server: "orders" },
    offset: { v: 1n, resume_scn: 2200000n, journal_generation: 3n, last_commit_scn: 2199990n, dbid: 7n, ...more },
  },
];
const found = (parts: Partial<ConnectorsFound> = {}): ConnectorsFound => ({
  configuration: config,
  offsets: offsets({}),
  legacyOffsets: LEGACY_OFFSETS,
  opsTopic: "orders.cdc.ops",
  opsTopicEnds: [],
  ...parts,
});
const on = (parts: RetirementParts = {}, was: ConnectorsFound | undefined = found()) =>
  retirement({
    next: created({ config, offsets: offsets({}) }),
    verifications: known([{ ...VERIFIED, found: was }]),
    ...parts,
  });

const event: RecordedEvent = {
  at: "2026-11-21T08:30:00Z",
  server: "orders",
  record: { partition: 0n, offset: 5n, time: "2026-11-21T08:30:00Z", stampedBy: "producer" },
  details: {
    connector: "orders-cdc",
    command: "offsets set",
    reason: "back",
    operator: "ben",
    previous_resume_scn: "2200000",
    new_resume_scn: "none",
    outcome: "applied",
    run: "2026-11-21T08-30-00Z-9f9f",
  },
};

/** What happened after the verification, and what is said of it; undefined: nothing that matters. */
const CASES: Readonly<Record<string, readonly [RetirementParts, RegExp | undefined]>> = {
  nothing: [{}, undefined],
  "it went on": [
    { next: created({ config, offsets: offsets({ resume_scn: 2300000n, last_commit_scn: 2299990n }) }) },
    undefined,
  ],
  "its task was started again": [
    { next: created({ config, offsets: offsets({ journal_generation: 4n }) }) },
    undefined,
  ],
  "an interrupted retirement has deleted the legacy one": [{ legacy: null }, undefined],
  "a rollback on another machine": [
    { recordedSince: known([event]) },
    /ben's run 2026-11-21T08-30-00Z-9f9f recorded offsets set \(applied\)/,
  ],
  "a second cutover, which starts elsewhere": [
    { next: created({ config: { ...config, "cdc.start.scn": "2190000" }, offsets: offsets({}) }) },
    /created again: its cdc\.start\.scn is 2190000, and was 2169287/,
  ],
  "a second cutover by hand, which starts at the same SCN": [
    { next: created({ config, offsets: offsets({ journal_generation: 1n, resume_scn: 2400000n }) }) },
    /its journal generation is 1, and was 3/,
  ],
  "a move back by hand": [
    { next: created({ config, offsets: offsets({ resume_scn: 2100000n, journal_generation: 4n }) }) },
    /its resume SCN is 2100000, and was 2200000/,
  ],
  "a last commit from before": [
    { next: created({ config, offsets: offsets({ resume_scn: 2300000n, last_commit_scn: 2100000n }) }) },
    /its last commit is 2100000, and was 2199990/,
  ],
  "another database": [{ next: created({ config, offsets: offsets({ dbid: 8n }) }) }, /its dbid is 8, and was 7/],
  "its offset is gone": [{ next: created({ config, offsets: [] }) }, /no offset is stored for orders-cdc any more/],
  "other tables are captured": [
    { next: created({ config: { ...config, "cdc.tables.include": ".*" }, offsets: offsets({}) }) },
    /settings of orders-cdc were changed: cdc\.tables\.include/,
  ],
  "the legacy connector ran": [
    { legacy: { offsets: [...LEGACY_OFFSETS.slice(1), stored("ORDERS", 2290000n)] } },
    /the offsets of orders-legacy have changed/,
  ],
};

for (const [what, [parts, said]] of Object.entries(CASES))
  check(`${said === undefined ? "passes" : "refuses"} where this happened since: ${what}`, () => {
    const reading = on(parts);
    assert.is(effectOf(changedSinceVerification, reading), said === undefined ? "none" : "blocks");
    if (said === undefined) return;
    assert.match(saidBy(changedSinceVerification, reading), said);
    assert.is(effectOf(changedSinceVerification, reading, intent({ accept: ["MIG415"] })), "blocks");
  });

check("refuses a legacy connector that was gone when it was verified, and is there again", () => {
  const { legacyOffsets: _gone, ...was } = found();
  assert.match(saidBy(changedSinceVerification, on({}, was)), /orders-legacy is there again/);
});

check("refuses what an earlier version verified: it recorded nothing to compare", () => {
  const reading = retirement({ verifications: known([{ ...VERIFIED, found: undefined }]) });
  assert.is(effectOf(changedSinceVerification, reading), "blocks");
  assert.match(saidBy(changedSinceVerification, reading), /did not record the connector that it verified/);
});

check("never passes while the ops topic can't be read; leaves missing evidence to MIG401 and MIG402", () => {
  assert.is(verdictOf(changedSinceVerification, on({ recordedSince: unseen() })), "unknown");
  assert.is(effectOf(changedSinceVerification, on({ recordedSince: unseen() })), "blocks");
  for (const parts of [{ evidence: unseen() }, { verifications: unseen() }, { verifications: known([]) }])
    assert.is(effectOf(changedSinceVerification, on(parts)), "none");
});

check.run();
