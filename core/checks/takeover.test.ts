import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  cutover,
  effectOf,
  goingBack,
  intent,
  resultOf,
  verdictOf,
} from "../kinds/migration/testing/build-readings.ts";
import { LEGACY_OFFSETS } from "../kinds/migration/testing/story.ts";
import { CATALOGUE, known, RUNNING, STOPPED, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import type { TakeoverCode } from "../legacy/position.ts";
import { DATABASE, table as stored } from "../legacy/testing/build-legacy.ts";
import type { Check } from "./check.ts";
import {
  legacyAboveCurrent,
  legacyOtherIncarnation,
  legacyPositionUnreadable,
  namesAnotherDatabase,
  noDatabasePartition,
  otherIncarnation,
  positionAboveCurrent,
  positionUnreadable,
  redoNotAllThere,
  redoOfLegacyGone,
  redoOfOpenTransactionGone,
  startAboveOpenTransactions,
  takeoverWarnings,
} from "./takeover.ts";

const MIG110 = suite("MIG110 a position that cannot be taken over");

MIG110("passes for readable offsets, whether it is running, paused or stopped: the cutover stops it", () => {
  for (const status of [STOPPED, RUNNING, { ...RUNNING, state: "PAUSED" }])
    assert.is(effectOf(positionUnreadable, cutover({ legacy: { status } })), "none");
});

const unreadable: readonly (readonly [string, Parameters<typeof cutover>[0], RegExp])[] = [
  ["a connector that is this one already", { legacy: { config: { "cdc.topic.prefix": "x" } } }, /not from/],
  ["no offset at all", { legacy: { offsets: [] } }, /has no stored offset/],
  [
    "a partition of unknown form",
    { legacy: { offsets: [{ partition: { a: 1n }, offset: { scn: 1n } }] } },
    /an unknown format/,
  ],
  [
    "an invalid SCN",
    { legacy: { offsets: [{ partition: { sidPdb: "A.B" }, offset: { scn: "x" } }] } },
    /no readable scn/,
  ],
];
for (const [name, parts, seen] of unreadable)
  MIG110(`refuses ${name}`, () => {
    assert.is(effectOf(positionUnreadable, cutover(parts), intent({ accept: ["MIG110"] })), "blocks");
    assert.match(resultOf(positionUnreadable, cutover(parts)), seen);
  });

MIG110("refuses a partition to leave out that does not exist, and points to the plan file", () => {
  const wanted = intent({ from: { leaveOut: ["ORCLPDB1.SALES.ORDER"] } });
  assert.match(
    resultOf(positionUnreadable, cutover({ legacy: { offsets: LEGACY_OFFSETS } }, wanted), wanted),
    /no partition is named ORCLPDB1\.SALES\.ORDER\nDid you mean ORCLPDB1\.SALES\.ORDERS\?/,
  );
});

MIG110("lists several problems, and points to the plan file for the one that is its own", () => {
  const wanted = intent({ from: { leaveOut: ["ORCLPDB1.SALES.ORDER"] } });
  const legacy = { config: { "cdc.topic.prefix": "x" }, offsets: LEGACY_OFFSETS };
  assert.match(resultOf(positionUnreadable, cutover({ legacy }, wanted), wanted), /not from.*; no partition is named/);
});

const ofDebezium = (offset: Readonly<Record<string, string | boolean>>) => ({
  legacy: {
    connectorClass: "io.debezium.connector.oracle.OracleConnector",
    config: { "connector.class": "io.debezium.connector.oracle.OracleConnector" },
    offsets: [
      { partition: { server: "inventory" }, offset: { scn: "2169287", commit_scn: "2180000:1:0a", ...offset } },
    ],
  },
});

MIG110("refuses Debezium's position where it may lose changes, and takes a start that the plan file gives", () => {
  const given = (startScn?: bigint) => intent({ from: { startScn }, to: { topics: "new" } });
  const effectAt = (parts: Parameters<typeof cutover>[0], startScn?: bigint) =>
    effectOf(positionUnreadable, cutover(parts, given(startScn)), { ...given(startScn), accept: ["MIG110"] });
  const resultAt = (parts: Parameters<typeof cutover>[0], startScn?: bigint) =>
    resultOf(positionUnreadable, cutover(parts, given(startScn)), given(startScn));
  const window = ofDebezium({ window_advance_enabled: true });
  assert.is(effectAt(ofDebezium({})), "none");
  assert.match(resultAt(window), /window_advance_enabled.*--start-scn SCN/s);
  assert.is(effectAt(window), "blocks", "whatever is accepted");
  assert.is(effectAt(window, 2169287n), "none");
  assert.match(resultAt(window, 2169288n), /2169288 is above the stored 2169287.*spec\.from\.startScn: 2169287/s);
  assert.match(resultAt(ofDebezium({ snapshot: "INCREMENTAL" })), /incremental snapshot, which may not be over/);
});

const GONE = { ...CATALOGUE, archived: CATALOGUE.archived.filter(({ sequence }) => sequence !== 119n) };

const MIG111 = suite("MIG111 a position of another incarnation or database");

MIG111("passes between RESETLOGS and the current SCN", () => {
  assert.is(effectOf(otherIncarnation, cutover()), "none");
});

MIG111("refuses an SCN from before RESETLOGS", () => {
  const on = cutover({ database: { resetlogsScn: 2169287n } });
  assert.is(effectOf(otherIncarnation, on, intent({ accept: ["MIG111"] })), "blocks");
});

MIG111("says how the plan file leaves out tables where only they are that old", () => {
  const offsets = [DATABASE, stored("OLD", 5n), stored("OLDER", 4n)];
  const on = cutover({ database: { resetlogsScn: 1000n }, legacy: { offsets } });
  const result = resultOf(otherIncarnation, on);
  assert.match(result, 'spec.from.leaveOut: ["ORCLPDB1.SALES.OLDER","ORCLPDB1.SALES.OLD"]');
  assert.not.match(result, "--leave-out");
});

const MIG124 = suite("MIG124 a position above the current SCN");

MIG124("passes up to the current SCN, and leaves an earlier incarnation to MIG111", () => {
  assert.is(effectOf(positionAboveCurrent, cutover()), "none");
  const both = cutover({ database: { resetlogsScn: 2169287n, currentScn: 2170000n } });
  assert.is(effectOf(positionAboveCurrent, both), "none");
});

MIG124("blocks until it is accepted, and the redo that there is goes on being checked", () => {
  const above = cutover({ database: { currentScn: 2170000n } });
  assert.match(resultOf(positionAboveCurrent, above), "2180000 is above the current SCN");
  assert.is(effectOf(positionAboveCurrent, above), "blocks");
  assert.is(effectOf(positionAboveCurrent, above, intent({ accept: ["MIG124"] })), "accepted");
  assert.is(effectOf(otherIncarnation, above), "none");
  const purged = cutover({ database: { currentScn: 2170000n }, catalogue: GONE });
  assert.is(effectOf(redoNotAllThere, purged, intent({ accept: ["MIG124"] })), "blocks");
});

const MIG112 = suite("MIG112 redo from the start");

MIG112("passes where every log exists and was opened", () => {
  assert.is(effectOf(redoNotAllThere, cutover()), "none");
});

MIG112("refuses a log that is missing, or cannot be opened, with the RMAN command", () => {
  for (const parts of [{ catalogue: GONE }, { unopened: ["/arch/1_119_1.arc"] }]) {
    assert.is(verdictOf(redoNotAllThere, cutover(parts)), "fail");
    assert.is(effectOf(redoNotAllThere, cutover(parts), intent({ accept: ["MIG112"] })), "blocks");
    assert.match(resultOf(redoNotAllThere, cutover(parts)), "RESTORE ARCHIVELOG FROM SEQUENCE 119");
  }
});

MIG112("ignores a log below the start", () => {
  assert.is(effectOf(redoNotAllThere, cutover({ unopened: ["/arch/1_117_1.arc"] })), "none");
});

MIG112("never passes while the catalogue or the files cannot be read", () => {
  for (const parts of [{ redo: unseen() }, { probes: unseen() }, { probes: known({ applies: false, files: [] }) }]) {
    assert.is(verdictOf(redoNotAllThere, cutover(parts)), "unknown");
    assert.is(effectOf(redoNotAllThere, cutover(parts)), "blocks");
  }
});

MIG112("says what to do also where the problem has no remedy of its own", () => {
  const on = cutover({ probes: known({ applies: false, files: [] }) });
  assert.match(resultOf(redoNotAllThere, on), /^opening the logs was not tried\nRestore the archived logs/);
});

MIG112("leaves a position that is unreadable, or from elsewhere, to MIG110 and MIG111", () => {
  assert.is(effectOf(redoNotAllThere, cutover({ legacy: { offsets: [] }, catalogue: GONE })), "none");
  assert.is(effectOf(redoNotAllThere, cutover({ database: { currentScn: 1n }, catalogue: GONE })), "none");
});

const MIG114 = suite("MIG114 findings worth a review");

MIG114("passes without findings", () => {
  assert.is(effectOf(takeoverWarnings, cutover()), "none");
});

MIG114("warns of a partition that is left out", () => {
  const wanted = intent({ from: { leaveOut: ["ORCLPDB1.SALES.LINES"] } });
  assert.is(effectOf(takeoverWarnings, cutover({}, wanted), wanted), "warns");
  assert.match(resultOf(takeoverWarnings, cutover({}, wanted), wanted), "ORCLPDB1.SALES.LINES is left out");
});

MIG114("warns of open transactions from before the start, and where they are unknown", () => {
  const open = {
    xid: { container: 3n, usn: 4n, slot: 9n, sqn: 7n },
    startScn: 1n,
    startedAt: undefined,
    user: "APP",
    clientId: undefined,
  };
  for (const transactions of [known([open]), unseen()])
    assert.is(effectOf(takeoverWarnings, cutover({ transactions })), "warns");
  assert.is(effectOf(takeoverWarnings, cutover({ transactions: known([{ ...open, startScn: 2200000n }]) })), "none");
});

MIG114("warns of the age of Debezium's stored scn, and of what a missing heartbeat costs", () => {
  const { legacy } = ofDebezium({});
  const times = known([{ scn: 2169287n, at: "2026-11-20T18:30:00Z" }]);
  const wanted = intent({ to: { topics: "new" } });
  const result = resultOf(takeoverWarnings, cutover({ legacy, times }, wanted), wanted);
  assert.match(result, /the stored scn 2169287 is 14 h 44 min old; .*heartbeat\.interval\.ms is 0.*mined again/s);
  assert.match(result, /let it deliver one change, then stop it/);
});

MIG114("lists several findings", () => {
  const wanted = intent({ from: { leaveOut: ["ORCLPDB1.SALES.LINES"] } });
  assert.match(
    resultOf(takeoverWarnings, cutover({ transactions: unseen() }, wanted), wanted),
    / is left out.*; .*transactions/,
  );
});

const MIG116 = suite("MIG116 stored offsets without one for the database");

MIG116("passes where the legacy connector has stored one for the database", () => {
  assert.is(effectOf(noDatabasePartition, cutover()), "none");
});

MIG116("blocks where only tables have one, until it is accepted", () => {
  const on = cutover({ legacy: { offsets: LEGACY_OFFSETS.slice(1) } });
  assert.is(effectOf(noDatabasePartition, on), "blocks");
  assert.is(effectOf(noDatabasePartition, on, intent({ accept: ["MIG116"] })), "accepted");
  assert.match(resultOf(noDatabasePartition, on), /only of tables/);
});

const MIG117 = suite("MIG117 a start above the begin of open transactions");

const OLD = {
  xid: { container: 3n, usn: 4n, slot: 9n, sqn: 771n },
  startScn: 1000n,
  startedAt: undefined,
  user: "APP",
  clientId: undefined,
};

MIG117("passes where mining sessions begin at the oldest open transaction", () => {
  assert.is(effectOf(startAboveOpenTransactions, cutover()), "none");
});

MIG117("blocks where they do not, or where the database buffers, until it is accepted", () => {
  for (const [name, value] of [
    ["use.transaction.begin.for.mining.session", "false"],
    ["record.buffer.mode", "database"],
  ] as const) {
    const on = cutover({ properties: { [name]: value } });
    assert.is(effectOf(startAboveOpenTransactions, on), "blocks");
    assert.is(effectOf(startAboveOpenTransactions, on, intent({ accept: ["MIG117"] })), "accepted");
    assert.match(resultOf(startAboveOpenTransactions, on), `${name}=${value}`);
  }
});

const UNSET = { "use.transaction.begin.for.mining.session": "" };
const RUNS = { state: "RUNNING", worker: "w", tasks: [{ id: 0n, state: "RUNNING", worker: "w" }] };

MIG117("counts a missing setting as false: unknown without an observation before the stop", () => {
  const on = cutover({ properties: UNSET });
  assert.is(verdictOf(startAboveOpenTransactions, on), "unknown");
  assert.is(effectOf(startAboveOpenTransactions, on), "blocks");
  assert.is(effectOf(startAboveOpenTransactions, on, intent({ accept: ["MIG117"] })), "accepted");
  assert.match(resultOf(startAboveOpenTransactions, on), "not recorded before it stopped");
});

MIG117("blocks while the connector runs only for what is already open", () => {
  const legacy = { status: RUNS };
  assert.is(effectOf(startAboveOpenTransactions, cutover({ legacy, properties: UNSET })), "none");
  assert.is(
    effectOf(startAboveOpenTransactions, cutover({ legacy, properties: UNSET, transactions: unseen() })),
    "blocks",
  );
  const open = cutover({ legacy, properties: UNSET, transactions: known([OLD]) });
  assert.is(verdictOf(startAboveOpenTransactions, open), "fail");
});

MIG117("names a transaction that was open before the stop and has ended since, with a start that loses nothing", () => {
  const start = cutover().takeover.offsets?.startScn ?? 0n;
  const observation = (...open: readonly (typeof OLD)[]) => ({ from: start, to: start, open });
  const named = cutover({ properties: UNSET, openBefore: observation(OLD) });
  assert.is(verdictOf(startAboveOpenTransactions, named), "fail");
  assert.match(resultOf(startAboveOpenTransactions, named), "ended since: 3:4.9.771 (APP, from 1000)");
  assert.match(resultOf(startAboveOpenTransactions, named), "set cdc.start.scn=1000");
  assert.is(effectOf(startAboveOpenTransactions, cutover({ properties: UNSET, openBefore: observation() })), "none");
});

const MIG119 = suite("MIG119 redo of an open transaction that is missing");

const begun = {
  xid: { container: 3n, usn: 4n, slot: 9n, sqn: 771n },
  startScn: 2120000n,
  startedAt: undefined,
  user: "REPORTS",
  clientId: undefined,
};
const held = (startScn: bigint) => ({
  catalogue: { ...CATALOGUE, archived: CATALOGUE.archived.slice(1) },
  transactions: known([{ ...begun, startScn }]),
});

MIG119("passes without open transactions, and where their redo is there", () => {
  assert.is(effectOf(redoOfOpenTransactionGone, cutover()), "none");
  assert.is(effectOf(redoOfOpenTransactionGone, cutover(held(2150000n))), "none");
});

MIG119("blocks unless accepted, naming the transaction and its user", () => {
  assert.is(effectOf(redoOfOpenTransactionGone, cutover(held(2120000n))), "blocks");
  assert.is(effectOf(redoOfOpenTransactionGone, cutover(held(2120000n)), intent({ accept: ["MIG119"] })), "accepted");
  assert.match(resultOf(redoOfOpenTransactionGone, cutover(held(2120000n))), /\(REPORTS, from 2120000\); CDC-2001/);
});

MIG119("is unknown while the open transactions can't be read", () => {
  const on = cutover({ transactions: unseen() });
  assert.is(verdictOf(redoOfOpenTransactionGone, on), "unknown");
  assert.is(effectOf(redoOfOpenTransactionGone, on), "blocks");
});

const MIG122 = suite("MIG122 stored offsets that name another database");

const ELSEWHERE = [{ partition: { sidPdb: "PRODCDB.PRODPDB1" }, offset: { scn: 2169287n } }];

MIG122("passes where SID and PDB are those of the settings, in any case", () => {
  assert.is(effectOf(namesAnotherDatabase, cutover()), "none");
  const config = { "oracle.sid": "orclcdb", "oracle.pdb.name": "orclpdb1" };
  assert.is(effectOf(namesAnotherDatabase, cutover({ legacy: { config } })), "none");
});

MIG122("blocks unless accepted, with what each of the others is called", () => {
  const on = cutover({ legacy: { offsets: ELSEWHERE } });
  assert.is(effectOf(namesAnotherDatabase, on), "blocks");
  assert.is(effectOf(namesAnotherDatabase, on, intent({ accept: ["MIG122"] })), "accepted");
  assert.match(resultOf(namesAnotherDatabase, on), /the SID PRODCDB, where .*V\$DATABASE\.NAME is ORCLCDB/);
  assert.match(resultOf(namesAnotherDatabase, on), /the PDB PRODPDB1, where .*cdc\.database\.pdbs is ORCLPDB1/);
});

const MIG301 = suite("MIG301 redo from where the legacy connector stopped");

MIG301("passes where all of it is available", () => {
  assert.is(effectOf(redoOfLegacyGone, goingBack()), "none");
});

MIG301("blocks until it is accepted, and offers no start of the new connector as a remedy", () => {
  const on = goingBack({ catalogue: GONE });
  assert.is(verdictOf(redoOfLegacyGone, on), "fail");
  assert.is(effectOf(redoOfLegacyGone, on), "blocks");
  assert.is(effectOf(redoOfLegacyGone, on, intent({ accept: ["MIG301"] })), "accepted");
  const result = resultOf(redoOfLegacyGone, on);
  assert.match(result, "RESTORE ARCHIVELOG FROM SEQUENCE 119");
  assert.match(result, "Or keep the new connector");
  assert.not.match(result, "cdc.snapshot.mode");
});

MIG301("keeps the remedy for what could not be read, and offers to restore only what is missing", () => {
  for (const parts of [{ redo: unseen("no grant", "GRANT IT") }, { probes: unseen("no grant", "GRANT IT") }]) {
    assert.match(resultOf(redoOfLegacyGone, goingBack(parts)), /\nGRANT IT\nOr keep the new connector/);
    assert.not.match(resultOf(redoOfLegacyGone, goingBack(parts)), "RESTORE");
  }
});

MIG301("never passes while it cannot be read", () => {
  for (const parts of [{ redo: unseen() }, { probes: unseen() }, { probes: known({ applies: false, files: [] }) }]) {
    assert.is(verdictOf(redoOfLegacyGone, goingBack(parts)), "unknown");
    assert.is(effectOf(redoOfLegacyGone, goingBack(parts)), "blocks");
  }
});

const MIG302 = suite("MIG302 the position where the legacy connector would resume");

MIG302("passes for readable offsets, whether it is stopped or not", () => {
  assert.is(effectOf(legacyPositionUnreadable, goingBack()), "none");
  assert.is(effectOf(legacyPositionUnreadable, goingBack({ legacy: { status: RUNNING } })), "none");
});

MIG302("refuses a missing offset, one of unknown form, and a connector that is not the legacy one", () => {
  for (const legacy of [
    { offsets: [] },
    { offsets: [{ partition: { x: 1n }, offset: { scn: 1n } }] },
    { config: { "cdc.topic.prefix": "orders" } },
  ])
    assert.is(effectOf(legacyPositionUnreadable, goingBack({ legacy }), intent({ accept: ["MIG302"] })), "blocks");
});

const MIG304 = suite("MIG304 a legacy position of another incarnation");

MIG304("passes in the incarnation that it was taken in", () => {
  assert.is(effectOf(legacyOtherIncarnation, goingBack()), "none");
});

MIG304("refuses after a RESETLOGS", () => {
  const on = goingBack({ database: { resetlogsScn: 2200000n } });
  assert.is(effectOf(legacyOtherIncarnation, on, intent({ accept: ["MIG304"] })), "blocks");
});

const MIG308 = suite("MIG308 a legacy position above the current SCN");

MIG308("blocks a rollback in a database that has not reached it, until it is accepted", () => {
  assert.is(effectOf(legacyAboveCurrent, goingBack()), "none");
  const above = goingBack({ database: { currentScn: 2170000n } });
  assert.is(effectOf(legacyAboveCurrent, above), "blocks");
  assert.is(effectOf(legacyAboveCurrent, above, intent({ accept: ["MIG308"] })), "accepted");
  assert.is(effectOf(legacyOtherIncarnation, above), "none");
});

const problems = suite("the problems of a legacy connector's position");

/** What each may be: of a position that a cutover takes over, and of one that the legacy connector resumes from. */
const OWNERS: readonly (readonly [codes: readonly TakeoverCode[], cutover: string, rollback: string | undefined])[] = [
  [["LEG001", "LEG003", "LEG004", "LEG005", "LEG017", "LEG018", "LEG030"], "MIG110", "MIG302"],
  [["LEG016", "LEG019"], "MIG110", undefined],
  [["LEG006"], "MIG111", "MIG304"],
  [["LEG007"], "MIG124", "MIG308"],
  [["LEG008"], "MIG112", "MIG301"],
  [["LEG009"], "MIG116", undefined],
  [["LEG010"], "MIG117", undefined],
  [["LEG014"], "MIG119", undefined],
  [["LEG015"], "MIG122", undefined],
];
const OF_CUTOVER = [
  ...[positionUnreadable, otherIncarnation, positionAboveCurrent, redoNotAllThere, noDatabasePartition],
  ...[startAboveOpenTransactions, redoOfOpenTransactionGone, namesAnotherDatabase],
];
const OF_ROLLBACK = [legacyPositionUnreadable, legacyOtherIncarnation, legacyAboveCurrent, redoOfLegacyGone];

problems(
  "are each found by one check of the cutover, and of the rollback if the resumed connector has them too",
  () => {
    for (const [codes, ofCutover, ofRollback] of OWNERS)
      for (const code of codes) {
        const on = (unproven?: true) =>
          ({ takeover: { problems: [{ code, seen: "seen", remedies: [], unproven }], redo: undefined } }) as const;
        const finding = (checks: readonly Check<unknown, ReturnType<typeof on>>[], unproven?: true) =>
          checks.flatMap((check) => {
            const { verdict } = check.run(undefined, on(unproven) as never);
            return verdict === "pass" ? [] : [`${check.code} ${verdict}`];
          });
        const fails = (owner: string | undefined) => (owner === undefined ? [] : [`${owner} fail`]);
        assert.equal(finding(OF_CUTOVER as never), fails(ofCutover), code);
        assert.equal(finding(OF_ROLLBACK as never), fails(ofRollback), code);
        assert.equal(finding(OF_CUTOVER as never, true), [`${ofCutover} unknown`], code);
      }
  },
);

problems.run();
MIG110.run();
MIG111.run();
MIG112.run();
MIG114.run();
MIG116.run();
MIG117.run();
MIG119.run();
MIG122.run();
MIG124.run();
MIG301.run();
MIG302.run();
MIG304.run();
MIG308.run();
