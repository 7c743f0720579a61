// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connectors

import { suite } from "uvu";
import type { CutoverParts } from "../../core/kinds/migration/testing/build-facts.ts";
import {
  created,
  dictionary,
  EVIDENCE,
  LEGACY_TOPICS,
  legacy,
  table as legacyTable,
  NEW_TOPICS,
  settings,
} from "../../core/kinds/migration/testing/story.ts";
import {
  known,
  opsEvent,
  RUNNING,
  STOPPED,
  STORED,
  unseen,
} from "../../core/kinds/offset-change/testing/build-facts.ts";
import { FAILED, ITEMS, LINES, ORDERS, PURGED, table } from "../../core/kinds/resnapshot/testing/build-facts.ts";
import { translate } from "../../core/legacy/translation.ts";
import type { ChangeRow, Diff, Note, Plan } from "../../core/plan/plan.ts";
import {
  cutoverPlan,
  offsetPlan,
  REDO,
  REDO_GONE,
  REDO_WITH_GAP,
  retirementPlan,
  rollbackPlan,
  snapshotPlan,
  TIMES,
  verificationPlan,
} from "../../core/plan/testing/build-plan.ts";
import { LEGACY_CONFIG } from "../../core/plan/testing/example-migrations.ts";
import { OPEN_TRANSACTIONS } from "../../core/plan/testing/example-snapshots.ts";
import { canonicalJson, type JsonObject, printJson } from "../../core/values/json.ts";
import { assertGolden } from "./testing/golden.ts";

/**
 * What the plans of each kind say, in every part that a view may show: the golden texts show what the first screen and
 * `--full` make of some of them. Each plan is made in its case, so that a mutant of a sentence is found in place.
 */

/** A plan's own words, a part a line. @param shown the rows of the cases before it, which are only counted */
function saidBy({ summary, asks, inShort, first, diff, notes, figures, outcome }: Plan, shown: Set<string>): string {
  return [
    `${outcome.state === "no-op" ? `no-op: ${outcome.why}` : outcome.state}`,
    summary,
    `${asks}?`,
    `in short: ${inShort.change}; ${inShort.cost}`,
    ...(first === undefined
      ? []
      : [
          `first: ${first.why}`,
          ...first.commands.map((command) => `    ${command}`),
          ...(first.after === undefined ? [] : [`  after: ${first.after}`]),
          ...first.covers.map((line) => `  covers: ${line}`),
        ]),
    ...diff.flatMap((one) => diffLines(one, shown)),
    ...notes.flatMap((one) => noteLines(one, shown)),
    `figures: ${printJson(figures as never, 0)}`,
  ].join("\n");
}

const marks = (...parts: readonly (string | undefined)[]) => parts.map((part) => (part ? ` [${part}]` : "")).join("");

function diffLines({ title, what, about, shown: extent, rows }: Diff, shown: Set<string>): readonly string[] {
  return [
    `${title}${marks(what, extent)}${about === undefined ? "" : `: ${about}`}`,
    ...unshown(rows.map(rowLine), shown),
  ];
}

function unshown(lines: readonly string[], shown: Set<string>): readonly string[] {
  const fresh = lines.filter((line) => !shown.has(line));
  for (const line of fresh) shown.add(line);
  return fresh.length === lines.length ? fresh : [...fresh, `    ${lines.length - fresh.length} as before`];
}

function rowLine({ label, before, after, change, note, tone }: ChangeRow): string {
  const value = (of: ChangeRow["before"]) => (of === undefined ? "-" : [of.text, of.at].filter(Boolean).join(" @ "));
  return `    ${change} ${label}: ${value(before)} > ${value(after)}${note ? `; ${note}` : ""}${marks(tone)}`;
}

function noteLines({ label, text, tone, shown: extent, list }: Note, shown: Set<string>): readonly string[] {
  const items = list === undefined ? [] : list.items.map((item) => `    ${list.what}: ${item}`);
  return [`  ${label}${marks(tone, extent)}: ${text}`, ...unshown(items, shown)];
}

type Cases = Readonly<Record<string, () => Plan>>;

const noTimes = { times: known([]) };
const forward = { position: { to: "scn", scn: 2230000n }, allowSkip: true } as const;
const { resume_rs_id: _rsId, resume_ssn: _ssn, ...WITHOUT_ADDRESS } = STORED;
const asRequested = { position: { to: "scn", scn: 2204511n } } as const;
const stopped = { connector: { status: STOPPED } };
const JOURNALED = { xid: "4.9.771", container: 1n, firstScn: 2204000n, user: "APP", clientId: undefined };
const transactions = (...users: readonly (readonly (string | undefined)[])[]) =>
  known(
    users.map(([user, clientId], i) => ({
      ...{ xid: { container: 1n, usn: 4n, slot: 9n, sqn: BigInt(i) }, startScn: 2160000n, user, clientId },
      startedAt: i === 0 ? undefined : "2026-11-20T19:01:40Z",
    })),
  );

const { last_commit_xid: _xid, last_commit_scn: _scn, ...UNCOMMITTED } = STORED;
const WITH_CUT = { ...UNCOMMITTED, start_floor_scn: 2200000n, start_open_scn: "2199990", start_open_xids: "1:4.9.771" };
const UNREADABLE = { ...STORED, v: null };
const recordedLast = (stored: JsonObject) => ({
  stored,
  events: [
    opsEvent({
      ...{ outcome: "applied", run: "2026-11-21T09-10-00Z-7f3a" },
      new_offset: canonicalJson({ ...STORED, resume_scn: 2169287n }),
    }),
  ],
});

const OFFSET_CHANGES: Cases = {
  back: () => offsetPlan(),
  "back, and stays stopped": () => offsetPlan({ resume: false }),
  "back, from a stopped one": () => offsetPlan({}, stopped),
  "back, from a stopped one that stays so": () => offsetPlan({ resume: false }, stopped),
  "back, times unknown, by URL": () =>
    offsetPlan({ target: { context: undefined, connectUrl: "http://w1:8083", connector: "orders-cdc" } }, noTimes),
  "back, everything again": () => offsetPlan({ deliverAgain: true }),
  "back, ledger forgotten": () => offsetPlan({ forgetReleased: "all" }),
  "back over a gap": () => offsetPlan({}, { catalogue: REDO_WITH_GAP }),
  "back, redo unseen": () => offsetPlan({}, { redo: unseen() }),
  "back, no archive destination": () =>
    offsetPlan({}, { catalogue: { ...REDO, destinations: [], archived: [] }, unopened: ["/redo/redo01.log"] }),
  "back, server in another zone": () => offsetPlan({}, { database: { zone: "+01:00" } }),
  "forward, skips": () => offsetPlan({ ...forward, accept: ["TRX501"] }),
  "forward, times unknown": () => offsetPlan(forward, noTimes),
  "forward, refused": () => offsetPlan({ ...forward, allowSkip: false }),
  "forward, transactions torn": () => offsetPlan({ ...forward, accept: ["TRX501"] }, OPEN_TRANSACTIONS),
  "forward, one torn, of nobody": () => offsetPlan(forward, { transactions: transactions([]) }),
  "forward, torn ones of a user and of a client": () =>
    offsetPlan(forward, { transactions: transactions(["APP"], [undefined, "batch-7"], ["APP", "batch-8"]) }),
  "forward, one torn in the journal": () =>
    offsetPlan(forward, { journaled: known([JOURNALED]), transactions: known([]) }),
  "the same SCN": () => offsetPlan(asRequested),
  "nothing to do": () => offsetPlan({ ...asRequested, resume: false }, { stored: WITHOUT_ADDRESS }),
  "only a start": () => offsetPlan(asRequested, { stored: WITHOUT_ADDRESS, ...stopped }),
  "the first offset": () => offsetPlan({}, { stored: null, ...stopped }),
  "a target that nobody knows": () =>
    offsetPlan(
      { position: { to: "timestamp", timestamp: "2026-11-20T19:00:00Z" } },
      { target: { by: "timestamp", found: unseen() } as never },
    ),
  "back, below the cut of the first start": () => offsetPlan({}, { stored: WITH_CUT }),
  "restored from before a run that lifted the cut": () =>
    offsetPlan({ position: { to: "restore", run: "r-1", offset: WITH_CUT, replacing: STORED } }),
  "the offset recorded last": () => offsetPlan({ position: { to: "lastRecorded" } }, recordedLast(UNREADABLE)),
  "the offset recorded last, a resume SCN unreadable": () =>
    offsetPlan({ position: { to: "lastRecorded" } }, recordedLast({ ...UNREADABLE, resume_scn: "x" })),
  "restored from before a run": () =>
    offsetPlan({
      position: { to: "restore", run: "r-1", offset: { ...STORED, resume_scn: 2169287n }, replacing: STORED },
    }),
};

const gone = (parts: Parameters<typeof snapshotPlan>[1] = {}) => ({ catalogue: REDO_GONE, ...parts });
const three = { tables: [table("ORDERS"), table("LINES"), table("ITEMS")] };
const all = { skipGapForUnlistedTables: "all" } as const;
const activity = (name: string, parts: object) => ({
  ...table(name),
  ...{ lastDdl: undefined, modifications: undefined, analyzed: undefined },
  ...parts,
});
const none = { inserts: 0n, updates: 0n, deletes: 0n, truncated: false, at: undefined };

const RESNAPSHOTS: Cases = {
  "a signal alone": () => snapshotPlan({ resume: false, waitForAck: 300_000n }, { catalogue: REDO, ...three }),
  "a signal alone, one table": () => snapshotPlan({ tables: [ORDERS], resume: false }, { catalogue: REDO }),
  "a signal alone, the topic created": () =>
    snapshotPlan(
      { resume: false },
      {
        catalogue: REDO,
        signalsTopic: known("missing" as const),
        signals: known({ end: 0n, unread: [], mayCreate: true }),
      },
    ),
  "a signal to a stopped one": () => snapshotPlan({ resume: false }, { catalogue: REDO, ...stopped }),
  "a signal to a stopped one that is started": () => snapshotPlan({}, { catalogue: REDO, ...stopped }),
  "a signal to a failed one": () => snapshotPlan({}, { catalogue: REDO, connector: { status: FAILED } }),
  "a signal, captured tables named": () =>
    snapshotPlan({ capturedTables: [ORDERS, LINES, ITEMS], resume: false }, { catalogue: REDO, ...three }),
  "none of the tables is captured": () => snapshotPlan({ tables: ["SALES.NOPE"] }, gone()),
  "past the gap, all named": () => snapshotPlan({}, gone()),
  "past the gap, one named": () => snapshotPlan({ tables: [ORDERS], ...all }, gone()),
  "past the gap, the one table": () => snapshotPlan({ tables: [ORDERS] }, gone({ tables: [table("ORDERS")] })),
  "past the gap, stays stopped": () => snapshotPlan({ resume: false, ...all }, gone(three)),
  "past the gap, one unlisted, not asserted": () => snapshotPlan({}, gone(three)),
  "past the gap, one unlisted, by its name": () => snapshotPlan({ skipGapForUnlistedTables: [ITEMS] }, gone(three)),
  "past the gap, two unlisted, one by its name": () =>
    snapshotPlan({ tables: [ORDERS], skipGapForUnlistedTables: [ITEMS] }, gone(three)),
  "past the gap, times unknown": () => snapshotPlan(all, { ...gone(three), ...noTimes }),
  "past the gap, captured tables unknown": () => snapshotPlan(all, gone({ dictionary: unseen() })),
  "past a gap that ends in redo that is not archived": () => snapshotPlan({}, { catalogue: PURGED }),
  "past the gap, archive_only": () =>
    snapshotPlan({}, { catalogue: PURGED, connector: { captureMode: "archive_only" } }),
  "no SCN after the gap": () => snapshotPlan({}, gone({ unopened: ["/arch/1_121_1.arc", "/redo/redo01.log"] })),
  "a gap that RMAN can't close": () =>
    snapshotPlan({}, { catalogue: REDO, unopened: ["/redo/redo01.log"], stored: { ...STORED, resume_scn: 2230000n } }),
  "torn, waited for": () => snapshotPlan({ ...all, waitForTransactions: 600_000n }, gone(OPEN_TRANSACTIONS)),
  "torn, waited for, one unlisted": () =>
    snapshotPlan({ ...all, waitForTransactions: 600_000n }, gone({ ...OPEN_TRANSACTIONS, ...three })),
  "torn, not waited for": () => snapshotPlan(all, gone({ ...OPEN_TRANSACTIONS, ...three })),
  "one torn, not waited for": () =>
    snapshotPlan(all, gone({ ...three, transactions: transactions(["APP"]), journaled: known([]) })),
  "what is seen of the unlisted": () =>
    snapshotPlan(
      { ...all, readRowScns: true },
      gone({
        tables: [...three.tables, ...["A", "B", "C", "D", "E"].map((name) => table(name))],
        activity: known([
          activity("ITEMS", { lastDdl: "2026-11-20T19:10:00Z" }),
          activity("A", { modifications: { ...none, inserts: 1n, updates: 2n, deletes: 3n } }),
          activity("B", { modifications: { ...none, truncated: true, at: "2026-11-20T19:11:00Z" } }),
          activity("C", { analyzed: "2026-11-20T22:00:03Z", lastDdl: "2019-05-02T10:14:00Z" }),
          activity("D", { lastDdl: "2019-05-02T10:14:00Z", modifications: { ...none, at: "2026-11-19T22:00:03Z" } }),
        ]),
        rowScns: known([
          { ...table("D"), scn: 2100000n },
          { ...table("E"), scn: undefined, problem: "ORA-01031" },
        ]),
      }),
    ),
  "redo unseen": () => snapshotPlan({}, { redo: unseen() }),
  "a signal below the stored position": () =>
    snapshotPlan({ resume: false, accept: ["OFF118"] }, { catalogue: REDO, database: { currentScn: 2204510n } }),
};

const OPERATORS = {
  "cdc.database.user": "C##CDC",
  "cdc.database.password": "${file:/etc/connect/orders.properties:password}",
};
const world = (parts: CutoverParts = {}): CutoverParts => ({
  ...parts,
  legacy: { config: LEGACY_CONFIG, status: RUNNING, ...parts.legacy },
  settings: { config: { ...settings().config, ...OPERATORS, ...parts.settings?.config } },
});
const chosen = { accept: ["key.template"], to: { config: { "cdc.lob.mode": "reselect", "cdc.note": "" } } };
const DEBEZIUM = {
  connectorClass: "io.debezium.connector.oracle.OracleConnector",
  config: {
    "connector.class": "io.debezium.connector.oracle.OracleConnector",
    "topic.prefix": "shop",
    "database.user": "c##dbz",
    "table.include.list": "SALES\\..*",
  },
  offsets: [{ partition: { server: "shop" }, offset: { scn: "2169287", commit_scn: "2180000:1:" } }],
};
const AUDIT = { ...EVIDENCE, file: "orders.audit.json", connector: "orders-legacy", auditedDbid: "2914731" };
const stopAt = (offset: JsonObject) => ({
  ...DEBEZIUM,
  offsets: [{ partition: { server: "shop" }, offset: { scn: "2169287", ...offset } }],
});
const kept = { to: { topicPrefix: "shop", topics: "keep" } } as const;
const keptNames = {
  settings: {
    ...{ prefix: "shop", opsTopic: "shop.cdc.ops" },
    config: { ...settings().config, "cdc.topic.prefix": "shop", "cdc.topic.template": "${prefix}.${schema}.${table}" },
  },
};

const AS_TRANSLATED = translate("orders-legacy", legacy().config, { name: "orders-cdc", topicPrefix: "orders" });
const { name: _name, ...TRANSLATED } = AS_TRANSLATED.config;

const CUTOVERS: Cases = {
  "as translated": () => cutoverPlan({}, { settings: { config: TRANSLATED } }),
  "from a running one": () => cutoverPlan(chosen, world()),
  "from a stopped one": () => cutoverPlan(chosen, world({ legacy: { status: STOPPED } })),
  "from a stopped one with a task": () =>
    cutoverPlan(chosen, world({ legacy: { status: { ...STOPPED, tasks: RUNNING.tasks } } })),
  "manual properties open": () => cutoverPlan({}, world()),
  "two manual properties open": () => cutoverPlan({}, world({ properties: { "unknown.property": "x" } })),
  "manual properties open, in an admin's eyes": () => cutoverPlan({ accept: ["MIG108"] }, world()),
  "start given": () => cutoverPlan({ ...chosen, from: { startScn: 2160000n } }, world()),
  "nothing delivered yet, workers too old": () =>
    cutoverPlan(chosen, { ...world(), legacy: { offsets: [] }, worker: { version: "3.6.2" } }),
  "workers too old": () => cutoverPlan(chosen, { ...world(), worker: { version: "3.6.2" } }),
  "positions unreadable, redo unseen": () =>
    cutoverPlan(chosen, { ...world(), legacy: { offsets: [{ partition: {}, offset: null }] }, redo: unseen() }),
  "times unknown": () => cutoverPlan(chosen, { ...world(), times: unseen() }),
  "over a gap": () => cutoverPlan(chosen, { ...world(), catalogue: REDO_WITH_GAP }),
  "the new one is there": () => cutoverPlan(chosen, { ...world(), next: created() }),
  "resting on an audit": () => cutoverPlan({ ...chosen, audit: AUDIT.file }, world({ audit: known(AUDIT) })),
  "resting on an audit without a time": () =>
    cutoverPlan({ ...chosen, audit: AUDIT.file }, world({ audit: known({ ...AUDIT, writtenAt: undefined }) })),
  "from Debezium, new topics": () => cutoverPlan({ to: { topics: "new" } }, { legacy: DEBEZIUM }),
  "from Debezium, kept topics": () => cutoverPlan(kept, { legacy: DEBEZIUM, ...keptNames }),
  "from Debezium, kept topics, times known": () =>
    cutoverPlan(kept, { legacy: stopAt({ commit_scn: "2204498:1:" }), ...keptNames, times: known(TIMES) }),
  "from Debezium, kept topics, nothing twice": () =>
    cutoverPlan(kept, { legacy: stopAt({ commit_scn: "2169286:1:" }), ...keptNames }),
  "from Debezium, kept topics, never streamed since its snapshot": () =>
    cutoverPlan(kept, { legacy: stopAt({ snapshot_scn: "2169287" }), ...keptNames }),
  "from Debezium, kept topics, after a blocking snapshot": () =>
    cutoverPlan(kept, {
      legacy: stopAt({ snapshot_scn: "2169287", snapshot: "BLOCKING", snapshot_completed: true }),
      ...keptNames,
    }),
  "from Debezium, kept topics, no commit known": () => cutoverPlan(kept, { legacy: stopAt({}), ...keptNames }),
  "from Debezium, topics undecided": () => cutoverPlan({}, { legacy: DEBEZIUM }),
};

const VERIFICATIONS: Cases = {
  "two tables, one with a legacy topic": () =>
    verificationPlan({ verify: { legacyTopics: { "SALES.ORDERS": "ORCLPDB1.SALES.ORDERS" } } }),
  "one of two can be compared": () => verificationPlan({ verify: { tables: ["SALES.ORDERS", "SALES.GONE"] } }),
  "without a section": () => verificationPlan({ verify: null }),
  "by an SCN, columns left out, values shown": () =>
    verificationPlan({
      verify: {
        checkScn: 2230000n,
        ignoreColumns: { "SALES.ORDERS": ["A", "B"], "SALES.LINES": ["C"] },
        showValues: true,
      },
    }),
  "on Spark": () => verificationPlan({ verify: { engine: { kind: "spark" } as never } }),
  "the new one is stopped": () => verificationPlan({}, { next: created({ status: STOPPED }) }),
  "the new one is not there": () => verificationPlan({}, { next: null }),
  "by --phase": () =>
    verificationPlan({
      origin: { by: "plan file", file: "orders-to-cdc.yaml", lines: {}, phaseOfFile: "cutover" },
    } as never),
};

const ROLLBACKS: Cases = {
  "the topics stay": () => rollbackPlan(),
  "the topics go": () => rollbackPlan({ deleteTopics: true }),
  "one topic goes, nothing stays": () =>
    rollbackPlan({ deleteTopics: true }, { topics: known([...LEGACY_TOPICS, ...NEW_TOPICS.slice(1)]) }),
  "one topic stays": () => rollbackPlan({}, { topics: known([...LEGACY_TOPICS, "orders.cdc.ops"]) }),
  "there are no topics": () => rollbackPlan({}, { topics: known([]) }),
  "topics unseen": () => rollbackPlan({}, { topics: unseen() }),
  "the new one is stopped": () => rollbackPlan({}, { next: created({ status: STOPPED }) }),
  "the new one is not there": () => rollbackPlan({}, { next: null }),
  "refused over a gap": () => rollbackPlan({}, { catalogue: REDO_WITH_GAP }),
  "redo unseen": () => rollbackPlan({}, { redo: unseen() }),
  "positions unreadable": () => rollbackPlan({}, { legacy: { offsets: [{ partition: {}, offset: null }] } }),
};

const RETIREMENTS: Cases = {
  "the licence topic stays": () => retirementPlan({}, { legacy: { config: LEGACY_CONFIG } }),
  "the licence topic goes": () => retirementPlan({ deleteLicenceTopic: true }, { legacy: { config: LEGACY_CONFIG } }),
  "the legacy one is gone": () => retirementPlan({}, { legacy: null }),
  "the new one is gone": () => retirementPlan({}, { next: null }),
  "the new one is stopped": () => retirementPlan({}, { next: created({ status: STOPPED }) }),
  "no topics": () => retirementPlan({}, { topics: known([]), dictionary: known(dictionary()) }),
  "one topic": () =>
    retirementPlan({}, { topics: known([LEGACY_TOPICS[0]]), dictionary: known(dictionary(legacyTable("LINES"))) }),
  "topics unseen, no evidence": () => retirementPlan({}, { topics: unseen(), evidence: unseen() }),
  "evidence of an earlier version": () =>
    retirementPlan({}, { evidence: known({ ...EVIDENCE, writtenAt: undefined, counts: undefined }) }),
  "of Debezium": () =>
    retirementPlan({}, { legacy: legacy(DEBEZIUM), topics: known(["shop.SALES.ORDERS", "shop.SALES.LINES", "shop"]) }),
};

const said = suite("what a plan says");

for (const [kind, cases] of Object.entries({
  "offset-change": OFFSET_CHANGES,
  resnapshot: RESNAPSHOTS,
  cutover: CUTOVERS,
  verification: VERIFICATIONS,
  rollback: ROLLBACKS,
  retirement: RETIREMENTS,
}))
  said(`of each ${kind}`, () => {
    const shown = new Set<string>();
    const texts = Object.entries(cases).map(([name, plan]) => `== ${name}\n${saidBy(plan(), shown)}\n`);
    assertGolden(texts.join("\n"), `said/${kind}.txt`);
  });

said.run();
