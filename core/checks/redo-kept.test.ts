import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ArchivedLog } from "../../schemas/generated/facts.ts";
import {
  archivedLog,
  known,
  type PreflightParts,
  resultOf,
  thread,
  unseen,
} from "../doctor/testing/build-preflight.ts";
import {
  dictionaryOfStandby,
  frequentSwitches,
  noDictionary,
  rdsRetentionTooShort,
  rdsRetentionZero,
  retentionTooShort,
  undoTooShort,
} from "./redo-kept.ts";

/** So many logs that began within the hour from eight. */
const inOneHour = (count: number): readonly ArchivedLog[] =>
  Array.from({ length: count }, (_, at) => archivedLog(BigInt(100 + at), 8 + at / 100));
const gone = { deleted: true, status: "D", name: undefined };
const nowhere: PreflightParts = { destinations: known([]) };
const ONLINE = { sequence: 200n, firstScn: 1n, nextScn: undefined, status: "CURRENT", archived: false, member: "/r" };

const RED206 = suite("RED206 switches of online logs");

RED206("passes with at most six in an hour, and gives their number", () => {
  assert.is(
    resultOf(frequentSwitches, { archived: known(inOneHour(6)) }),
    "pass: at most 6 log switches in an hour, over the last 7 days",
  );
  const once = inOneHour(1).map((log) => ({ ...log, thread: 2n }));
  assert.match(
    resultOf(frequentSwitches, { archived: known([...inOneHour(6), ...once]) }),
    "pass: at most 6 log switches",
  );
  assert.match(resultOf(frequentSwitches, { archived: known(once) }), "pass: at most 1 log switch in an hour");
});

RED206("warns of seven, with the size that reduces them to four", () => {
  const online = known([
    { ...ONLINE, thread: 1n, bytes: 209_715_200n },
    { ...ONLINE, thread: 2n, bytes: 1n },
  ]);
  assert.is(
    resultOf(frequentSwitches, { archived: known(inOneHour(7)), online }),
    "fail: 1 thread with more than 6 log switches in an hour, over the last 7 days\n" +
      "thread 1 | 7 switches in the hour from 2026-11-21T08:00:00Z; its online logs have 209 MB | " +
      "ALTER DATABASE ADD LOGFILE THREAD 1 SIZE 1792M;",
  );
});

RED206("uses the smallest log of each of several threads", () => {
  const archived = known([...inOneHour(7), ...inOneHour(8).map((log) => ({ ...log, thread: 2n }))]);
  const online = known([
    { ...ONLINE, thread: 1n, bytes: 419_430_400n },
    { ...ONLINE, thread: 1n, bytes: 209_715_200n },
    { ...ONLINE, thread: 1n, bytes: 314_572_800n },
  ]);
  const result = resultOf(frequentSwitches, { archived, online });
  assert.match(result, /^fail: 2 threads with more than 6 log switches/);
  assert.match(result, /^thread 1 \| 7 switches .* have 209 MB/m);
  assert.match(result, /^thread 2 \| 8 switches .* have 0 bytes/m);
});

RED206("counts no other destination, incarnation or week", () => {
  const others: readonly Partial<ArchivedLog>[] = [
    { destination: 2n },
    { resetlogsScn: 99n },
    { standby: true },
    { firstTime: "2026-11-13T08:00:00Z" },
  ];
  for (const parts of others)
    assert.match(
      resultOf(frequentSwitches, { archived: known(inOneHour(9).map((log) => ({ ...log, ...parts }))) }),
      "pass: at most 0 log switches",
    );
});

RED206("is unknown where the logs cannot be read, and leaves a missing destination to another check", () => {
  assert.is(resultOf(frequentSwitches, { archived: unseen("no grant") }), "unknown: no grant");
  assert.is(resultOf(frequentSwitches, { online: unseen("no grant") }), "unknown: no grant");
  assert.match(resultOf(frequentSwitches, nowhere), "pass: no archive destination is usable");
});

const RED207 = suite("RED207 archived logs and the longest downtime");

RED207("passes while no log was deleted, and says how long they are needed", () => {
  assert.is(
    resultOf(retentionTooShort),
    "pass: no archived log has been deleted yet (they reach back to 2026-11-21T08:00:00Z); keep them for 1 d 5 min " +
      "(--max-downtime 1 d, cdc.txjournal.threshold.ms 5 min 0 s)".replace(" 0 s", ""),
  );
});

RED207("warns where a needed log is gone, in any way that it can be gone", () => {
  for (const parts of [gone, { status: "X" }, { name: undefined }])
    assert.is(
      resultOf(retentionTooShort, {
        archived: known([archivedLog(120n, 7, parts), archivedLog(121n), archivedLog(122n)]),
      }),
      "fail: archived logs do not reach back 1 d 5 min (--max-downtime 1 d, cdc.txjournal.threshold.ms 5 min)\n" +
        "thread 1 | back to 2026-11-21T08:00:00Z",
    );
});

RED207("warns behind a sequence that is missing from the catalogue, and for a thread without any", () => {
  const broken = known([archivedLog(118n, 1), archivedLog(121n), archivedLog(122n)]);
  assert.match(resultOf(retentionTooShort, { archived: broken }), "thread 1 | back to 2026-11-21T08:00:00Z");
  const none = known([archivedLog(121n, 8, gone)]);
  assert.match(resultOf(retentionTooShort, { archived: none }), "thread 1 | no archived log can be read");
});

RED207("passes where what is deleted was not needed, and ignores a disabled thread", () => {
  const settings = { maxDowntime: 1_800_000, journalThreshold: 0 };
  const archived = known([archivedLog(120n, 7, gone), archivedLog(121n), archivedLog(122n)]);
  assert.match(resultOf(retentionTooShort, { archived, settings }), "pass: archived logs reach back to");
  const second = archived.known ? archived.value.map((log) => ({ ...log, thread: 2n })) : [];
  const both = known([...second, archivedLog(121n)]);
  assert.match(resultOf(retentionTooShort, { archived: both, threads: known([thread(1n), thread(2n)]) }), "thread 2 |");
  assert.match(
    resultOf(retentionTooShort, { archived: both, threads: known([thread(1n), thread(2n, "DISABLED")]) }),
    /^pass/,
  );
});

RED207("passes where they reach back exactly as far as is needed, and not a millisecond less", () => {
  const archived = known([archivedLog(120n, 7, gone), archivedLog(121n)]);
  const reach = archived.known ? Date.parse(archived.at) - Date.parse("2026-11-21T08:00:00Z") : 0;
  const needing = (maxDowntime: number) =>
    resultOf(retentionTooShort, { archived, settings: { maxDowntime, journalThreshold: 0 } }).split(":")[0];
  assert.equal([needing(reach), needing(reach + 1)], ["pass", "fail"]);
});

RED207("says how far back every thread reaches, or where none was deleted, the first of them", () => {
  const settings = { maxDowntime: 1_800_000, journalThreshold: 0 };
  const threads = known([thread(1n), thread(2n)]);
  const of = (number: bigint, ...logs: readonly ArchivedLog[]) => logs.map((log) => ({ ...log, thread: number }));
  const said = (first: readonly ArchivedLog[], second: readonly ArchivedLog[]) =>
    resultOf(retentionTooShort, { settings, threads, archived: known([...of(1n, ...first), ...of(2n, ...second)]) });
  const purged = (hour: number) => [archivedLog(120n, hour - 1, gone), archivedLog(121n, hour)];
  assert.match(said(purged(6), purged(7)), "pass: archived logs reach back to 2026-11-21T07:00:00Z");
  assert.match(said(purged(7), purged(6)), "pass: archived logs reach back to 2026-11-21T07:00:00Z");
  assert.match(said(purged(6), [archivedLog(121n, 7)]), "pass: archived logs reach back to 2026-11-21T06:00:00Z");
  assert.match(said([archivedLog(121n, 7)], [archivedLog(121n, 6)]), "(they reach back to 2026-11-21T06:00:00Z)");
});

RED207("is unknown without a log, and where something cannot be read", () => {
  assert.match(resultOf(retentionTooShort, { archived: known([]) }), "unknown: no archived log exists");
  assert.is(resultOf(retentionTooShort, { threads: unseen("no grant") }), "unknown: no grant");
});

const RED208 = suite("RED208 Amazon RDS retains nothing");
const RED209 = suite("RED209 Amazon RDS retains too little");
const rds = (hours: bigint): PreflightParts => ({ rds: known({ isRds: true, hours }) });

RED208("fails at 0 hours only, with the call that retains them for the downtime", () => {
  assert.match(resultOf(rdsRetentionZero, rds(0n)), "fail: archivelog retention hours is 0");
  assert.match(resultOf(rdsRetentionZero, rds(1n)), "pass: archivelog retention hours is 1");
  assert.match(resultOf(rdsRetentionZero), "pass: the database is not on Amazon RDS");
  assert.is(resultOf(rdsRetentionZero, { rds: unseen("no grant") }), "unknown: no grant");
});

RED209("warns below the downtime and what is mined again, rounded up to hours", () => {
  assert.match(resultOf(rdsRetentionTooShort, rds(24n)), "fail: archivelog retention hours is 24; required: 1 d 5 min");
  assert.match(resultOf(rdsRetentionTooShort, rds(25n)), "pass: archivelog retention hours is 25");
  assert.match(resultOf(rdsRetentionTooShort, rds(0n)), "pass: no archived logs are kept");
  assert.match(resultOf(rdsRetentionTooShort), "pass: the database is not on Amazon RDS");
  assert.is(resultOf(rdsRetentionTooShort, { rds: unseen("no grant") }), "unknown: no grant");
});

const DBA411 = suite("DBA411 undo");

DBA411("passes from the time that reading a chunk of a snapshot may take", () => {
  assert.is(resultOf(undoTooShort, { undoRetention: known(120n) }), "pass: UNDO_RETENTION is 120 s");
  assert.match(
    resultOf(undoTooShort, { undoRetention: known(119n) }),
    "fail: UNDO_RETENTION is 119 s; reading a chunk",
  );
  assert.is(resultOf(undoTooShort, { undoRetention: unseen("no grant") }), "unknown: no grant");
});

DBA411("warns below the longest downtime where LOBs are read as of their commit", () => {
  const settings = { lobMode: "reselect" } as const;
  assert.match(resultOf(undoTooShort, { settings }), "after a downtime of 1 d LOBs are read as of before it");
  assert.match(resultOf(undoTooShort, { settings: { lobMode: "inline" } }), /^pass/);
  assert.match(resultOf(undoTooShort, { settings, undoRetention: known(86_400n) }), /^pass/);
});

const RED210 = suite("RED210 a dictionary in the redo");

const mayNot: PreflightParts = {
  usable: known([
    { name: "V_$LOG", usable: true },
    { name: "DBMS_LOGMNR_D", usable: false, code: "ORA-00942" },
  ]),
};
const build = (begins: bigint, ends: bigint): PreflightParts => ({
  dictionaryBuilds: known([
    { thread: 1n, sequence: begins, firstScn: begins * 1000n, begins: true, ends: false },
    { thread: 1n, sequence: ends, firstScn: ends * 1000n, begins: false, ends: true },
  ]),
});

RED210("passes where the connector writes them, or they are written elsewhere", () => {
  assert.is(resultOf(noDictionary), "pass: the archived logs have no dictionary; the connector writes dictionaries");
  const standby = { role: "PHYSICAL STANDBY" };
  const dictionary = { builds: true, elsewhere: true };
  assert.match(resultOf(noDictionary, { database: standby, settings: { dictionary } }), /^pass/);
  assert.match(resultOf(noDictionary, { database: standby }), /^fail/);
});

RED210("warns where it may not or is not configured to, and none is complete", () => {
  const failure = "fail: the archived logs have no dictionary; the connector writes no dictionaries";
  assert.is(resultOf(noDictionary, mayNot), failure);
  assert.is(resultOf(noDictionary, { settings: { dictionary: { builds: false, elsewhere: false } } }), failure);
  assert.match(
    resultOf(noDictionary, { ...mayNot, ...build(121n, 122n) }),
    "pass: the newest dictionary begins in sequence 121",
  );
  assert.match(resultOf(noDictionary, { ...mayNot, ...build(122n, 121n) }), ", and does not end in one;");
  const hole = { archived: known([archivedLog(121n), archivedLog(122n, 9, gone)]) };
  assert.match(resultOf(noDictionary, { ...mayNot, ...build(121n, 122n), ...hole }), ", and logs after it are gone;");
  const before = { archived: known([archivedLog(120n, 7, gone), archivedLog(121n), archivedLog(122n)]) };
  assert.match(resultOf(noDictionary, { ...mayNot, ...build(121n, 122n), ...before }), /^pass/);
});

RED210("passes for a dictionary in one log, and warns where only the end of one, or not its first log, is left", () => {
  const one = { thread: 1n, sequence: 121n, firstScn: 121_000n, ends: true };
  const said = (begins: boolean, parts: PreflightParts = {}) =>
    resultOf(noDictionary, { ...mayNot, dictionaryBuilds: known([{ ...one, begins }]), ...parts });
  assert.match(said(true), "pass: the newest dictionary begins in sequence 121");
  assert.match(said(false), "fail: the archived logs have no dictionary;");
  const archived = known([archivedLog(121n, 8, gone), archivedLog(122n)]);
  assert.match(said(true, { archived }), ", and logs after it are gone;");
});

const IN_RANGE = [
  { settings: { miningMode: "range" } },
  { database: { connectedTo: "ORCLPDB1" }, settings: { miningMode: "auto" } },
];

RED210("does not speak of dictionaries in range mode, which uses none", () => {
  for (const parts of IN_RANGE)
    for (const dictionaryBuilds of [known([]), unseen("no grant")])
      assert.match(resultOf(noDictionary, { ...parts, dictionaryBuilds }), /^pass: mined by SCN range/);
});

RED210("is unknown where something cannot be read", () => {
  for (const parts of [{ dictionaryBuilds: unseen("no grant") }, { usable: unseen("no grant") }])
    assert.is(resultOf(noDictionary, parts), "unknown: no grant");
});

const RED211 = suite("RED211 dictionaries of a standby");

RED211("fails at a standby where the connector is configured to write them there, and nowhere else", () => {
  const database = { role: "PHYSICAL STANDBY" };
  assert.match(resultOf(dictionaryOfStandby, { database }), "fail: ORCLCDB is a PHYSICAL STANDBY, and");
  assert.match(resultOf(dictionaryOfStandby), "pass: ORCLCDB is a PRIMARY");
  for (const dictionary of [
    { builds: false, elsewhere: false },
    { builds: true, elsewhere: true },
  ])
    assert.match(resultOf(dictionaryOfStandby, { database, settings: { dictionary } }), /^pass/);
  assert.is(resultOf(dictionaryOfStandby, { database: unseen("no grant") }), "unknown: no grant");
});

RED211("does not speak of dictionaries in range mode, which writes none", () => {
  for (const { settings, database } of IN_RANGE)
    assert.match(
      resultOf(dictionaryOfStandby, { settings, database: { ...database, role: "PHYSICAL STANDBY" } }),
      /^pass: mined by SCN range/,
    );
});

RED206.run();
RED207.run();
RED208.run();
RED209.run();
DBA411.run();
RED210.run();
RED211.run();
