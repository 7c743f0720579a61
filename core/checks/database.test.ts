import { suite } from "uvu";
import * as assert from "uvu/assert";
import { preflight } from "../doctor/preflight.ts";
import { known, preflightReading, resultOf, thread, unseen } from "../doctor/testing/build-preflight.ts";
import { CHECKS } from "../kinds/checks.ts";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { effectOf, intent, reading } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import {
  databaseTooOld,
  encryptionRequired,
  keepaliveTooLate,
  logsInsideAPdb,
  noArchiveDestination,
  noArchivelog,
  noFixedStatistics,
  noMinimalSupplementalLogging,
  notOneRedoThread,
  notPrimary,
} from "./database.ts";
import { worded } from "./testing/wording.ts";

const DBA401 = suite("DBA401 NOARCHIVELOG mode");

DBA401("passes in ARCHIVELOG mode; for a plan, manual or not", () => {
  for (const logMode of ["ARCHIVELOG", "MANUAL"])
    assert.is(effectOf(noArchivelog, reading({ database: { logMode } })), "none");
});

DBA401("blocks unless it is accepted; admin continues with a warning", () => {
  const on = reading({ database: { logMode: "NOARCHIVELOG" } });
  assert.is(effectOf(noArchivelog, on), "blocks");
  assert.is(effectOf(noArchivelog, on, intent({ accept: ["DBA401"] })), "accepted");
  assert.is(effectOf(noArchivelog, on, intent({ by: "admin" })), "warns");
});

DBA401("applies to a resnapshot in both directions", () => {
  const parts = { database: { logMode: "NOARCHIVELOG" } };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)])
    assert.is(resnapshot.effectOf(noArchivelog, on), "blocks");
});

DBA401("applies to a cutover: the new connector mines the same redo", () => {
  assert.is(migration.effectOf(noArchivelog, migration.cutover()), "none");
  assert.is(migration.effectOf(noArchivelog, migration.cutover({ database: { logMode: "NOARCHIVELOG" } })), "blocks");
});

DBA401("passes in a preflight only with ARCHIVELOG: manual archiving and other modes are unknown", () => {
  assert.match(resultOf(noArchivelog), /^pass: .*ARCHIVELOG/);
  assert.match(resultOf(noArchivelog, { database: { logMode: "NOARCHIVELOG" } }), /^fail/);
  for (const logMode of ["MANUAL", "", "archivelog?"])
    assert.match(resultOf(noArchivelog, { database: { logMode } }), /^unknown/, logMode);
  assert.match(resultOf(noArchivelog, { database: { logMode: "archivelog?" } }), /log mode: archivelog\?/);
  assert.match(resultOf(noArchivelog, { database: { logMode: "" } }), /log mode: an empty one/);
});

DBA401("is unknown for an unknown mode, also in a plan", () => {
  assert.is.not(effectOf(noArchivelog, reading({ database: { logMode: "OTHER" } })), "none");
});

const DBA402 = suite("DBA402 a role that is not mined");

DBA402("passes for a primary that is open read write", () => {
  assert.is(effectOf(notPrimary, reading()), "none");
});

const levelOf = (code: string, parts: Parameters<typeof preflightReading>[0]) =>
  preflight(preflightReading(parts)).find((finding) => finding.code === code)?.level;

const roleOf = (captureMode: "online" | "archive_only", role: string, openMode: string) =>
  reading({ connector: { captureMode }, database: { role, openMode } });

DBA402("archive_only mines an open primary, and a physical standby open read only", () => {
  for (const [role, openMode] of [
    ["PRIMARY", "READ WRITE"],
    ["PHYSICAL STANDBY", "READ ONLY WITH APPLY"],
  ] as const)
    assert.is(effectOf(notPrimary, roleOf("archive_only", role, openMode)), "none", role);
});

DBA402(
  "archive_only does not mine a mounted database, a logical or a snapshot standby, or a primary open read only",
  () => {
    for (const [role, openMode] of [
      ["PHYSICAL STANDBY", "MOUNTED"],
      ["PRIMARY", "MOUNTED"],
      ["PRIMARY", "READ ONLY"],
      ["LOGICAL STANDBY", "READ WRITE"],
      ["SNAPSHOT STANDBY", "READ WRITE"],
    ] as const) {
      const on = roleOf("archive_only", role, openMode);
      assert.is(effectOf(notPrimary, on), "blocks", `${role} ${openMode}`);
      assert.is(effectOf(notPrimary, on, intent({ accept: ["DBA402"] })), "accepted");
      const settings = { captureMode: "archive_only" as const };
      const parts = { settings, database: { role, openMode } };
      assert.match(resultOf(notPrimary, parts), /^fail: .*archive_only/);
      assert.is(levelOf("DBA402", parts), "blocking", role);
    }
  },
);

DBA402("warns of a standby without redo apply: nothing above the applied SCN is mined", () => {
  assert.is(effectOf(notPrimary, roleOf("archive_only", "PHYSICAL STANDBY", "READ ONLY")), "warns");
  const database = { role: "PHYSICAL STANDBY", openMode: "READ ONLY" };
  const parts = { settings: { captureMode: "archive_only" as const }, database };
  assert.match(resultOf(notPrimary, parts), /without redo apply, nothing above SCN \d+ is mined$/);
  assert.is(levelOf("DBA402", parts), "warning");
});

DBA402("is unknown where the database can't be read, also in archive_only", () => {
  const settings = { captureMode: "archive_only" as const };
  assert.match(resultOf(notPrimary, { settings, database: unseen() }), /^unknown/);
});

DBA402("blocks for a standby, or a primary open read only, unless accepted", () => {
  for (const database of [{ role: "PHYSICAL STANDBY", openMode: "READ ONLY WITH APPLY" }, { openMode: "READ ONLY" }]) {
    const on = reading({ database });
    assert.is(effectOf(notPrimary, on), "blocks");
    assert.is(effectOf(notPrimary, on, intent({ accept: ["DBA402"] })), "accepted");
    assert.is(effectOf(notPrimary, on, intent({ by: "admin" })), "warns");
  }
});

DBA402("applies to a resnapshot in both directions", () => {
  const parts = { database: { role: "PHYSICAL STANDBY" } };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)])
    assert.is(resnapshot.effectOf(notPrimary, on), "blocks");
});

DBA402("applies to a cutover, with the settings of the new connector", () => {
  const standby = { database: { role: "PHYSICAL STANDBY", openMode: "READ ONLY WITH APPLY" } };
  assert.is(migration.effectOf(notPrimary, migration.cutover(standby)), "blocks");
  const settings = { captureMode: "archive_only" as const };
  assert.is(migration.effectOf(notPrimary, migration.cutover({ ...standby, settings })), "none");
});

const DBA403 = suite("DBA403 log files inside a PDB");

DBA403("passes at the root, in a database without containers, and inside a PDB in range mode", () => {
  assert.is(effectOf(logsInsideAPdb, reading()), "none");
  assert.is(effectOf(logsInsideAPdb, reading({ database: { container: false, connectedTo: "ORCL" } })), "none");
  for (const miningMode of ["range", "auto"]) {
    const on = reading({ database: { connectedTo: "PDB1" }, connector: { miningMode } });
    assert.is(effectOf(logsInsideAPdb, on), "none", miningMode);
  }
  const inside = { database: { connectedTo: "ORCLPDB1" } };
  assert.is(resultOf(logsInsideAPdb, inside), "pass: connected to ORCLPDB1 of ORCLCDB, with cdc.mining.mode=auto");
});

DBA403("blocks cdc.mining.mode=logs inside a PDB unless accepted; a preflight always", () => {
  const on = reading({ database: { connectedTo: "PDB1" }, connector: { miningMode: "logs" } });
  const parts = { database: { connectedTo: "PDB1" }, settings: { miningMode: "logs" as const } };
  assert.match(resultOf(logsInsideAPdb, parts), "fail: connected to PDB1 of ORCLCDB, with cdc.mining.mode=logs");
  assert.is(levelOf("DBA403", parts), "blocking");
  assert.is(effectOf(logsInsideAPdb, on), "blocks");
  assert.is(effectOf(logsInsideAPdb, on, intent({ accept: ["DBA403"] })), "accepted");
});

DBA403("is unknown inside a PDB while the mode is a reference that only the worker resolves", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of Connect
  const on = reading({ database: { connectedTo: "PDB1" }, connector: { miningMode: "${env:mode}" } });
  assert.is(worded(logsInsideAPdb).run(intent(), on).verdict, "unknown");
});

DBA403("applies to a resnapshot in both directions", () => {
  const parts = { database: { connectedTo: "ORCLPDB1" }, connector: { miningMode: "logs" } };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)])
    assert.is(resnapshot.effectOf(logsInsideAPdb, on), "blocks");
});

DBA403("applies to a cutover, with the settings of the new connector", () => {
  const inside = { database: { connectedTo: "ORCLPDB1" } };
  const mining = (miningMode: string) => migration.cutover({ ...inside, settings: { miningMode } });
  assert.is(migration.effectOf(logsInsideAPdb, mining("logs")), "blocks");
  for (const mode of ["auto", "range"]) assert.is(migration.effectOf(logsInsideAPdb, mining(mode)), "none");
});

const DBA404 = suite("DBA404 minimal supplemental logging");

const logging = (minimal: string) => ({ logging: known({ minimal, primaryKey: false, all: false }) });

DBA404("passes where it is on, by itself or implied by another level", () => {
  for (const minimal of ["YES", "IMPLICIT"])
    assert.match(resultOf(noMinimalSupplementalLogging, logging(minimal)), /^pass: .*(YES|IMPLICIT)$/);
});

DBA404("fails where it is off, with the statement that turns it on in the root", () => {
  const verdict = worded(noMinimalSupplementalLogging).run(undefined, preflightReading(logging("NO")));
  assert.ok(verdict.verdict === "fail");
  assert.equal(verdict.remedies, [
    { text: "Turn it on for the whole database, in CDB$ROOT", sql: "ALTER DATABASE ADD SUPPLEMENTAL LOG DATA;" },
  ]);
});

DBA404("fails without a root where the database has no containers, or is unknown", () => {
  const { database } = preflightReading().facts;
  assert.ok(database.known);
  const plain = known({ ...database.value, container: false });
  for (const seen of [plain, unseen()]) {
    const facts = { ...logging("NO"), database: seen };
    const verdict = worded(noMinimalSupplementalLogging).run(undefined, preflightReading(facts));
    assert.equal(verdict.verdict === "fail" && verdict.remedies, [
      { text: "Turn it on for the whole database", sql: "ALTER DATABASE ADD SUPPLEMENTAL LOG DATA;" },
    ]);
  }
});

DBA404("fails for an unknown value, and is unknown where it was not read", () => {
  assert.match(resultOf(noMinimalSupplementalLogging, logging("PERHAPS")), /^fail/);
  assert.match(resultOf(noMinimalSupplementalLogging, { logging: unseen("no grant") }), "unknown: no grant");
});

const DBA405 = suite("DBA405 a database before 19c");

DBA405("passes from 19c on", () => {
  for (const version of ["19.3.0.0.0", "21.0.0.0.0", "23.4.0.24.5"])
    assert.match(resultOf(databaseTooOld, { database: { version } }), `pass: ORCLCDB is ${version}`);
});

DBA405("fails before", () => {
  for (const version of ["12.1.0.2.0", "18.14.0.0.0"])
    assert.match(resultOf(databaseTooOld, { database: { version } }), `fail: ORCLCDB is ${version}`);
});

DBA405("is unknown for an unknown version", () => {
  for (const version of ["", "Oracle 19c"])
    assert.match(resultOf(databaseTooOld, { database: { version } }), /^unknown/);
  assert.match(resultOf(databaseTooOld, { database: unseen() }), /^unknown/);
});

const RED204 = suite("RED204 one enabled redo thread");

RED204("passes for one, whatever others were disabled", () => {
  assert.match(resultOf(notOneRedoThread), "pass: redo thread 1");
  assert.match(
    resultOf(notOneRedoThread, { threads: known([thread(2n), thread(1n, "DISABLED")]) }),
    "pass: redo thread 2",
  );
});

RED204("fails for several, and for none", () => {
  const several = known([thread(1n), thread(2n, "PRIVATE")]);
  assert.match(resultOf(notOneRedoThread, { threads: several }), "fail: 2 redo threads are enabled: 1, 2");
  assert.match(resultOf(notOneRedoThread, { threads: known([]) }), /^fail/);
});

RED204("is unknown where they cannot be read", () => {
  assert.match(resultOf(notOneRedoThread, { threads: unseen() }), /^unknown/);
});

const RED205 = suite("RED205 a valid local archive destination");

const at = (id: bigint, status: string, type: string) => ({ id, name: `LOG_ARCHIVE_DEST_${id}`, status, type });
const destinations = known([at(1n, "ERROR", "LOCAL"), at(2n, "VALID", "STANDBY"), at(3n, "VALID", "LOCAL")]);

RED205("passes for the lowest one, or the one that is named in any case", () => {
  const from3 = "pass: archived logs are read from LOG_ARCHIVE_DEST_3";
  assert.is(resultOf(noArchiveDestination, { destinations }), `${from3}, the lowest valid local one`);
  const settings = { archiveDestination: "log_archive_dest_3" };
  assert.is(resultOf(noArchiveDestination, { destinations, settings }), from3);
});

RED205("fails where the named one is not usable, and names the ones in use", () => {
  for (const archiveDestination of ["LOG_ARCHIVE_DEST_1", "LOG_ARCHIVE_DEST_2", "LOG_ARCHIVE_DEST_9"])
    assert.match(
      resultOf(noArchiveDestination, { destinations, settings: { archiveDestination } }),
      `fail: cdc.archive.destination is ${archiveDestination}`,
    );
});

RED205("fails where none is valid", () => {
  const none = known([at(1n, "ERROR", "LOCAL"), at(2n, "INACTIVE", "UNKNOWN")]);
  assert.match(resultOf(noArchiveDestination, { destinations: none }), "LOG_ARCHIVE_DEST_1 is ERROR, LOCAL");
  assert.match(resultOf(noArchiveDestination, { destinations: known([]) }), "no destination is in use");
  assert.match(resultOf(noArchiveDestination, { destinations: unseen() }), /^unknown/);
});

DBA401.run();
DBA402.run();
DBA403.run();
DBA404.run();
DBA405.run();
RED204.run();
RED205.run();

const DBA413 = suite("DBA413 statistics of fixed objects");

DBA413("passes with any, warns without, and is unknown where they cannot be read", () => {
  assert.is(resultOf(noFixedStatistics), "pass: 1,312 fixed tables have statistics");
  assert.is(resultOf(noFixedStatistics, { fixedStatistics: known(1n) }), "pass: 1 fixed table has statistics");
  assert.is(resultOf(noFixedStatistics, { fixedStatistics: known(0n) }), "fail: no fixed table has statistics");
  assert.is(resultOf(noFixedStatistics, { fixedStatistics: unseen("no grant") }), "unknown: no grant");
});

const DBA414 = suite("DBA414 TCP keepalive");

DBA414("passes below the limits of load balancers, and warns of more, of none, and where it is not set", () => {
  const keepIdle = (seconds: bigint | undefined) => ({ settings: { keepIdle: seconds } });
  for (const seconds of [1n, 239n]) assert.match(resultOf(keepaliveTooLate, keepIdle(seconds)), /^pass/);
  for (const seconds of [0n, 240n, 7200n])
    assert.match(resultOf(keepaliveTooLate, keepIdle(seconds)), `fail: oracle.net.TCP_KEEPIDLE is ${seconds} s;`);
  assert.match(resultOf(keepaliveTooLate, keepIdle(undefined)), "fail: oracle.net.TCP_KEEPIDLE is not set");
});

const DBA415 = suite("DBA415 native network encryption");

DBA415("fails where the login was rejected for it, and comes before everything else", () => {
  assert.match(resultOf(encryptionRequired, { encryptionRequired: known(true) }), "fail: the database refused cdcctl");
  assert.match(resultOf(encryptionRequired), /^pass/);
  assert.is(resultOf(encryptionRequired, { encryptionRequired: unseen("not checked") }), "unknown: not checked");
  assert.is(CHECKS.Preflight[0]?.code, "DBA415");
});

DBA413.run();
DBA415.run();
DBA414.run();
