import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ConnectorsFound, RecordedEvent } from "../../schemas/generated/facts.ts";
import type { RetirementParts } from "../kinds/migration/testing/build-facts.ts";
import { effectOf, intent, resultOf, retirement, verdictOf } from "../kinds/migration/testing/build-readings.ts";
import {
  CUTOVER,
  created,
  dictionary,
  EVIDENCE,
  LEGACY_OFFSETS,
  LINES,
  ORDERS,
  settings,
  table,
  VERIFIED,
} from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { table as stored } from "../legacy/testing/build-legacy.ts";
import type { JsonObject } from "../values/json.ts";
import {
  changedSinceVerification,
  columnsNotCompared,
  evidenceOfOthers,
  noEvidence,
  tablesNotCovered,
  verificationNotPassed,
} from "./retirement-evidence.ts";

const MIG401 = suite("MIG401 evidence that is missing");

MIG401("passes where the evidence is consistent", () => {
  assert.is(effectOf(noEvidence, retirement()), "none");
});

MIG401("refuses where it is missing, and says why", () => {
  const on = retirement({ evidence: unseen("orders.evidence.json: its digest does not match") });
  assert.is(effectOf(noEvidence, on, intent({ accept: ["MIG401"] })), "blocks");
  assert.match(resultOf(noEvidence, on), /^orders\.evidence\.json: its digest does not match\n.*phase: verify/);
});

const MIG402 = suite("MIG402 evidence of an unknown verification");

MIG402("passes where a verification of the two connectors after their cutover wrote it", () => {
  assert.is(effectOf(evidenceOfOthers, retirement()), "none");
  assert.is(effectOf(evidenceOfOthers, retirement({ cutover: known(undefined) })), "none", "carried out elsewhere");
});

MIG402("refuses evidence that no local journal contains, or that is another connector's", () => {
  for (const parts of [
    { verifications: known([]) },
    { verifications: known([{ ...VERIFIED, digest: "sha256:def" }]) },
    { evidence: known({ ...EVIDENCE, connector: "billing-cdc" }) },
  ]) {
    assert.is(verdictOf(evidenceOfOthers, retirement(parts)), "fail");
    assert.is(effectOf(evidenceOfOthers, retirement(parts), intent({ accept: ["MIG402"] })), "blocks");
  }
});

MIG402("refuses what was verified before the latest cutover", () => {
  for (const at of ["2026-11-21T08:00:00.001Z", VERIFIED.at, "2026-11-21T09:00:00Z"]) {
    const on = retirement({ cutover: known({ ...CUTOVER, at }) });
    assert.is(verdictOf(evidenceOfOthers, on), "fail", at);
    assert.match(resultOf(evidenceOfOthers, on), "before the cutover of run");
  }
});

MIG402("refuses evidence as of an SCN before the last commit that the legacy connector delivered", () => {
  const asOf = (checkScn: bigint, parts: Parameters<typeof retirement>[0] = {}) =>
    retirement({ evidence: known({ ...EVIDENCE, checkScn }), ...parts });
  assert.is(effectOf(evidenceOfOthers, asOf(2_180_000n)), "none", "the last commit itself is in it");
  const early = asOf(2_179_999n);
  assert.is(verdictOf(evidenceOfOthers, early), "fail");
  assert.match(
    resultOf(evidenceOfOthers, early),
    "is as of SCN 2179999, and orders-legacy delivered commits up to 2180000",
  );
  assert.is(verdictOf(evidenceOfOthers, asOf(2_179_999n, { cutover: known(undefined) })), "fail", "by its own offsets");
  assert.is(
    effectOf(evidenceOfOthers, asOf(1n, { cutover: known(undefined), legacy: null })),
    "none",
    "deleted already",
  );
  const [database, orders] = CUTOVER.offsets;
  assert.ok(database !== undefined && orders !== undefined);
  const strange = { ...CUTOVER, offsets: [database, { ...orders, offset: { scn: 1n, cscn: "later" } }] };
  assert.is(effectOf(evidenceOfOthers, asOf(2_190_000n, { cutover: known(strange) })), "blocks");
});

MIG402("can't tell where Debezium stored no commit of what it delivered", () => {
  const offsets = (commits: JsonObject) => [
    { partition: { server: "shop" }, offset: { scn: "2204511", snapshot_scn: "2000000", ...commits } },
  ];
  const connectorClass = "io.debezium.connector.oracle.OracleConnector";
  const of = (commits: JsonObject) =>
    retirement({
      legacy: {
        connectorClass,
        config: { "connector.class": connectorClass, "topic.prefix": "shop" },
        offsets: offsets(commits),
      },
      cutover: known({ ...CUTOVER, offsets: offsets(commits) }),
    });
  assert.is(verdictOf(evidenceOfOthers, of({ commit_scn: "2180000:1:" })), "pass");
  assert.is(verdictOf(evidenceOfOthers, of({ commit_scn: null })), "unknown");
  assert.is(effectOf(evidenceOfOthers, of({ commit_scn: null })), "blocks");
});

MIG402("never passes while the journals are unreadable; leaves missing evidence to MIG401", () => {
  for (const parts of [{ verifications: unseen() }, { cutover: unseen() }]) {
    assert.is(verdictOf(evidenceOfOthers, retirement(parts)), "unknown");
    assert.is(effectOf(evidenceOfOthers, retirement(parts)), "blocks");
  }
  assert.is(effectOf(evidenceOfOthers, retirement({ evidence: unseen() })), "none");
});

const MIG403 = suite("MIG403 a verification that did not pass");

const later = (passed: boolean) => ({
  ...VERIFIED,
  run: "later",
  at: "2026-11-21T09:00:00Z",
  digest: "sha256:def",
  passed,
});

MIG403("passes where every table passed", () => {
  assert.is(effectOf(verificationNotPassed, retirement()), "none");
});

MIG403("refuses a table that failed, and one that is inconclusive", () => {
  const evidence = known({
    ...EVIDENCE,
    tables: [
      { table: ORDERS, outcome: "fail" as const, legacyTopic: undefined, byLegacy: 0n, leftOut: [] },
      { table: LINES, outcome: "inconclusive" as const, legacyTopic: undefined, byLegacy: 0n, leftOut: [] },
    ],
  });
  assert.is(effectOf(verificationNotPassed, retirement({ evidence }), intent({ accept: ["MIG403"] })), "blocks");
  assert.match(resultOf(verificationNotPassed, retirement({ evidence })), `${ORDERS} failed; ${LINES} is inconclusive`);
});

MIG403("refuses one that did not pass according to the journal, whatever the file contains", () => {
  const verifications = known([{ ...VERIFIED, passed: false }]);
  assert.is(effectOf(verificationNotPassed, retirement({ verifications })), "blocks");
});

MIG403("refuses where a later verification did not pass; an earlier one, or one that passed, has no effect", () => {
  const failed = retirement({ verifications: known([VERIFIED, later(false)]) });
  assert.is(effectOf(verificationNotPassed, failed), "blocks");
  assert.match(
    resultOf(verificationNotPassed, failed),
    /^run later .* after orders-to-cdc\.evidence\.json was written/,
  );
  const passedAgain = { ...later(true), run: "last", digest: "sha256:ghi" };
  const between = retirement({ verifications: known([VERIFIED, later(false), passedAgain]) });
  assert.is(effectOf(verificationNotPassed, between), "blocks", "this evidence is from before it");
  for (const verifications of [
    known([VERIFIED, later(true)]),
    known([later(false), VERIFIED]),
    known([later(false)]), // Not a verification of this evidence: MIG402.
  ])
    assert.is(effectOf(verificationNotPassed, retirement({ verifications })), "none");
});

MIG403("never passes while the journals are unreadable; leaves missing evidence to MIG401", () => {
  assert.is(effectOf(verificationNotPassed, retirement({ verifications: unseen() })), "blocks");
  assert.is(effectOf(verificationNotPassed, retirement({ evidence: unseen() })), "none");
});

const MIG404 = suite("MIG404 captured tables without evidence");

const also = (...names: readonly string[]) =>
  retirement({ dictionary: known(dictionary(...["ORDERS", "LINES", ...names].map((name) => table(name)))) });

MIG404("passes where every captured table is covered; one that is no longer captured has no effect", () => {
  assert.is(effectOf(tablesNotCovered, retirement()), "none");
  assert.is(effectOf(tablesNotCovered, retirement({ dictionary: known(dictionary(table("ORDERS"))) })), "none");
});

MIG404("refuses where one is not covered, and lists them", () => {
  const on = also("ITEMS", "orders");
  assert.is(effectOf(tablesNotCovered, on, intent({ accept: ["MIG404"] })), "blocks");
  assert.match(
    resultOf(tablesNotCovered, on),
    "does not cover 2 of 4 tables: ORCLPDB1.SALES.ITEMS and ORCLPDB1.SALES.orders",
  );
});

MIG404("asks for evidence of a table that only the legacy connector has delivered, unless it is left out", () => {
  const offsets = [...LEGACY_OFFSETS, stored("RETURNS", 5n)];
  for (const parts of [{}, { dictionary: known(dictionary(table("ORDERS"), table("LINES"), table("RETURNS"))) }]) {
    const on = retirement({ legacy: { offsets }, ...parts });
    assert.match(resultOf(tablesNotCovered, on), /does not cover 1 of 3 tables: ORCLPDB1\.SALES\.RETURNS( \(|\n)/);
    assert.is(effectOf(tablesNotCovered, on, intent({ accept: ["MIG404"] })), "blocks");
  }
  const leaving = intent({ phase: "retire", from: { leaveOut: ["ORCLPDB1.SALES.RETURNS"] } });
  assert.is(effectOf(tablesNotCovered, retirement({ legacy: { offsets } }, leaving), leaving), "none");
});

MIG404("finds the evidence of a delivered table of a database without containers, by its owner and name", () => {
  const tables = { pdbs: [], include: "SALES[.].*", exclude: undefined, caseSensitive: true };
  const evidence = known({
    ...EVIDENCE,
    tables: EVIDENCE.tables.map((one) => ({ ...one, table: one.table.replace("ORCLPDB1.", "") })),
  });
  const of = dictionary(table("ORDERS"), table("LINES"));
  assert.is(effectOf(tablesNotCovered, retirement({ settings: { tables }, evidence, dictionary: known(of) })), "none");
});

MIG404("refuses a connector that captures nothing, since its coverage proves nothing", () => {
  assert.is(
    effectOf(tablesNotCovered, retirement({ dictionary: known(dictionary(table("EMPLOYEES", "HR"))) })),
    "blocks",
  );
});

MIG404("never passes while the captured tables are unknown", () => {
  for (const parts of [{ dictionary: unseen() }, { dictionary: known({ ...dictionary(), containers: [] }) }]) {
    assert.is(verdictOf(tablesNotCovered, retirement(parts)), "unknown");
    assert.is(effectOf(tablesNotCovered, retirement(parts)), "blocks");
  }
  assert.is(effectOf(tablesNotCovered, retirement({ evidence: unseen() })), "none");
});

const MIG412 = suite("MIG412 columns that were not compared");

MIG412("passes where every column was; leaves missing evidence to MIG401", () => {
  assert.is(effectOf(columnsNotCompared, retirement()), "none");
  assert.is(effectOf(columnsNotCompared, retirement({ evidence: unseen() })), "none");
});

MIG412("warns, with the columns and why they were left out", () => {
  const tables = EVIDENCE.tables.map((one) =>
    one.table === ORDERS ? { ...one, leftOut: ["UPDATED_AT (named by --ignore-column)", "PHOTO (a LOB)"] } : one,
  );
  const on = retirement({ evidence: known({ ...EVIDENCE, tables }) });
  assert.is(effectOf(columnsNotCompared, on), "warns");
  assert.match(
    resultOf(columnsNotCompared, on),
    `not compared in ${ORDERS}: UPDATED_AT (named by --ignore-column) and PHOTO (a LOB)`,
  );
});

const MIG415 = suite("MIG415 connectors that have changed since the verification");

const config = { ...settings().config, "cdc.start.scn": "2169287" };
const offsets = (more: Readonly<Record<string, bigint>>) => [
  {
    partition: { server: "orders" },
    offset: {
      v: 1n,
      resume_scn: 2200000n,
      journal_generation: 3n,
      last_commit_scn: 2199990n,
      dbid: 7n,
      resetlogs_scn: 5n,
      ...more,
    },
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
  "it advanced": [
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
    /run 2026-11-21T08-30-00Z-9f9f by ben \(self-asserted\) recorded offsets set \(applied\)/,
  ],
  "a second cutover, which starts elsewhere": [
    { next: created({ config: { ...config, "cdc.start.scn": "2190000" }, offsets: offsets({}) }) },
    /created again: its cdc\.start\.scn is 2190000, and was 2169287/,
  ],
  "a change by another tool, without an operator": [
    { recordedSince: known([{ ...event, details: { ...event.details, operator: "", run: undefined } as never }]) },
    /run \(without an id\) by an unnamed operator recorded offsets set/,
  ],
  "a second cutover, with the SCN removed": [
    { next: created({ config: settings().config, offsets: offsets({}) }) },
    /its cdc\.start\.scn is not set, and was 2169287/,
  ],
  "a second manual cutover, which starts at the same SCN": [
    { next: created({ config, offsets: offsets({ journal_generation: 1n, resume_scn: 2400000n }) }) },
    /its journal generation is 1, and was 3/,
  ],
  "a manual move back": [
    { next: created({ config, offsets: offsets({ resume_scn: 2100000n, journal_generation: 4n }) }) },
    /its resume SCN is 2100000, and was 2200000/,
  ],
  "an earlier last commit": [
    { next: created({ config, offsets: offsets({ resume_scn: 2300000n, last_commit_scn: 2100000n }) }) },
    /its last commit is 2100000, and was 2199990/,
  ],
  "another database": [{ next: created({ config, offsets: offsets({ dbid: 8n }) }) }, /its dbid is 8, and was 7/],
  "its generation is missing": [
    {
      next: created({
        config,
        offsets: [{ partition: { server: "orders" }, offset: { v: 1n, resume_scn: 2200000n } }],
      }),
    },
    /its journal generation is not stored, and was 3.*its dbid is not stored, and was 7/,
  ],
  "its offset is missing": [{ next: created({ config, offsets: [] }) }, /orders-cdc no longer has a stored offset/],
  "other tables are captured": [
    { next: created({ config: { ...config, "cdc.tables.include": ".*" }, offsets: offsets({}) }) },
    /settings of orders-cdc were changed: cdc\.tables\.include/,
  ],
  "its offset is unreadable": [
    {
      next: created({
        config,
        offsets: [{ partition: { server: "orders" }, offset: { v: 1n, resume_scn: "none" } }],
      }),
    },
    /resume_scn/,
  ],
  "a RESETLOGS": [
    { next: created({ config, offsets: offsets({ resetlogs_scn: 9n }) }) },
    /its resetlogs SCN is 9, and was 5/,
  ],
  "it was deleted, which MIG406 reports": [{ next: null }, undefined],
  "two settings were changed": [
    { next: created({ config: { ...config, "cdc.tables.include": ".*", "a.setting": "1" }, offsets: offsets({}) }) },
    /settings of orders-cdc were changed: a\.setting, cdc\.tables\.include/,
  ],
  "the legacy connector ran": [
    { legacy: { offsets: [...LEGACY_OFFSETS.slice(1), stored("ORDERS", 2290000n)] } },
    /the offsets of orders-legacy have changed/,
  ],
};

for (const [what, [parts, refusal]] of Object.entries(CASES))
  MIG415(`${refusal === undefined ? "passes" : "refuses"} where this happened since: ${what}`, () => {
    const reading = on(parts);
    assert.is(effectOf(changedSinceVerification, reading), refusal === undefined ? "none" : "blocks");
    if (refusal === undefined) return;
    assert.match(resultOf(changedSinceVerification, reading), refusal);
    assert.is(effectOf(changedSinceVerification, reading, intent({ accept: ["MIG415"] })), "blocks");
  });

MIG415("refuses one that was created again with an SCN to start at", () => {
  const was = found({ configuration: settings().config });
  assert.match(resultOf(changedSinceVerification, on({}, was)), /its cdc\.start\.scn is 2169287, and was not set/);
});

MIG415("compares only what was stored when it was verified, and refuses what was unreadable then", () => {
  const then = (offset?: Readonly<Record<string, unknown>>) =>
    on(
      {},
      found({ offsets: offset === undefined ? [] : [{ partition: { server: "orders" }, offset: offset as never }] }),
    );
  assert.is(effectOf(changedSinceVerification, then()), "none");
  assert.is(effectOf(changedSinceVerification, then({ v: 1n, resume_scn: 2200000n })), "none");
  assert.is(effectOf(changedSinceVerification, then({ v: 1n, resume_scn: "none" })), "blocks");
  assert.match(resultOf(changedSinceVerification, then({ v: 1n, resume_scn: "none" })), /resume_scn/);
});

MIG415("refuses a legacy connector that did not exist when it was verified, and exists again", () => {
  const { legacyOffsets: _gone, ...was } = found();
  assert.match(resultOf(changedSinceVerification, on({}, was)), /orders-legacy exists again/);
});

MIG415("refuses a verification by an earlier version, which recorded nothing to compare", () => {
  const reading = retirement({ verifications: known([{ ...VERIFIED, found: undefined }]) });
  assert.is(effectOf(changedSinceVerification, reading), "blocks");
  assert.match(resultOf(changedSinceVerification, reading), /did not record the connector that it verified/);
});

MIG415("never passes while the ops topic is unreadable; leaves missing evidence to MIG401 and MIG402", () => {
  assert.is(verdictOf(changedSinceVerification, on({ recordedSince: unseen() })), "unknown");
  assert.is(effectOf(changedSinceVerification, on({ recordedSince: unseen() })), "blocks");
  for (const parts of [{ evidence: unseen() }, { verifications: unseen() }, { verifications: known([]) }])
    assert.is(effectOf(changedSinceVerification, on(parts)), "none");
});

MIG401.run();
MIG402.run();
MIG403.run();
MIG404.run();
MIG412.run();
MIG415.run();
