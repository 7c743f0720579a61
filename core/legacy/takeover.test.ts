import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CATALOGUE, known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { lineOf } from "../values/remedy.ts";
import { CONNECTOR_CLASS } from "./connector-class.ts";
import { readTakeover } from "./takeover.ts";
import { DATABASE, type LegacyParts, legacyFacts, MINING, table } from "./testing/build-legacy.ts";

const takeover = suite("the takeover of a legacy position");

const read = (parts: LegacyParts = {}, leaveOut: readonly string[] = [], mining = MINING) =>
  readTakeover(legacyFacts(parts), { leaveOut, mining });
const codes = (parts: LegacyParts = {}, leaveOut: readonly string[] = [], mining = MINING) =>
  read(parts, leaveOut, mining).problems.map(({ code }) => code);

takeover("names a SID or PDB that is called otherwise elsewhere; what is left out does not count", () => {
  const sidPdb = (name: string) => [{ partition: { sidPdb: name }, offset: { scn: 2169287n } }];
  const other = { ...MINING, tables: { pdbs: ["ORCLPDB2"] } };
  const told = (parts: LegacyParts, mining = MINING) =>
    read(parts, [], mining).problems.flatMap(({ code, seen }) => (code === "LEG015" ? seen : []));
  assert.equal(told({ offsets: sidPdb("orclcdb.OrclPdb1") }), []);
  assert.equal(told({}, other), ["the stored offsets name the PDB ORCLPDB1, where cdc.database.pdbs is ORCLPDB2"]);
  assert.equal(
    told({ offsets: sidPdb("ORCL1"), database: { container: false, name: "ORCL" }, legacy: { config: {} } }),
    [
      "the stored offsets name the SID ORCL1, where V$DATABASE.NAME is ORCL (an instance may have another name than " +
        "its database)",
    ],
  );
  const elsewhere = { partition: { catalog: "PRODPDB1", schema: "SALES", table: "ORDERS" }, offset: { scn: 2170000n } };
  assert.equal(
    told({ offsets: [DATABASE, elsewhere] }),
    ["the stored offsets name the PDB PRODPDB1, where oracle.pdb.name is ORCLPDB1"],
    "of a catalog alone",
  );
  assert.equal(
    told({ legacy: { config: { "oracle.sid": "TESTCDB", "oracle.pdb.name": "TESTPDB" } } }),
    [
      "the stored offsets name the SID ORCLCDB, where oracle.sid is TESTCDB (an instance may have another name than " +
        "its database); the PDB ORCLPDB1, where oracle.pdb.name is TESTPDB",
    ],
    "of settings alone",
  );
  const inside = { container: true, connectedTo: "ORCLPDB3" };
  assert.match(told({ database: inside, legacy: { config: {} } }).join(), "the container of the login is ORCLPDB3");
  assert.equal(
    codes({ offsets: [DATABASE, table("ORDERS", 2170000n)], legacy: { config: {} } }).includes("LEG015"),
    false,
  );
});

takeover("of a stopped connector is possible, and reports what both deliver", () => {
  const { offsets, overlap, problems, redo, warnings } = read({
    times: known([
      { scn: 2169287n, at: "2026-11-20T18:30:00Z" },
      { scn: 2180000n, at: "2026-11-20T18:40:00Z" },
    ]),
  });
  assert.equal(problems, []);
  assert.equal(warnings, []);
  assert.is(offsets?.startScn, 2169287n);
  assert.equal(overlap, { from: 2169287n, to: 2180000n, scns: 10713n, millis: 600_000n });
  assert.ok(redo?.known && redo.value.complete && redo.value.probed);
});

takeover("times from before a change of the server's clock are marked", () => {
  const times = known([{ scn: 2169287n, at: "2026-07-20T18:30:00Z" }]);
  assert.match(
    read({ times }).warnings.join("\n"),
    "current offset, +00:00; " +
      "times before the last change of its clock, such as 2026-07-20T18:30:00Z, may be an hour off",
  );
});

takeover("nothing delivered since the start means no overlap", () => {
  assert.is(read({ offsets: [DATABASE, table("ORDERS", 2170000n, 2100000n)] }).overlap, undefined);
  assert.is(read({ offsets: [DATABASE] }).overlap, undefined);
});

takeover("only a stopped connector has a fixed position", () => {
  const status = (state: string, tasks = 0) => ({
    state,
    worker: "w",
    tasks: Array.from({ length: tasks }, (_, id) => ({ id: BigInt(id), state: "RUNNING", worker: "w" })),
  });
  for (const [state, tasks, why] of [
    ["PAUSED", 1, /only PAUSED/],
    ["RUNNING", 1, /may still move/],
    ["FAILED", 0, /has FAILED/],
    ["STOPPED", 1, /being stopped: it still has 1 task$/],
    ["STOPPED", 2, /being stopped: it still has 2 tasks/],
    ["RESTARTING", 0, /may still move/],
    ["UNASSIGNED", 0, /may still move/],
  ] as const) {
    const [problem] = read({ legacy: { status: status(state, tasks) } }).problems;
    assert.is(problem?.code, "LEG002");
    assert.match(problem?.seen ?? "", why);
  }
  const [problem] = read({ legacy: { name: "a b", status: status("PAUSED", 1) } }).problems;
  assert.match(
    lineOf(problem?.remedies[0] ?? ""),
    "cdcctl connectors stop 'a b' --connect-url http://connect.prod:8083",
  );
});

takeover("the new connector itself cannot be taken over from", () => {
  assert.equal(codes({ legacy: { connectorClass: CONNECTOR_CLASS } }), ["LEG001"]);
  assert.equal(codes({ legacy: { connectorClass: "x.Y", config: { "cdc.topic.prefix": "orders" } } }), ["LEG001"]);
});

takeover("an SCN not above RESETLOGS is of an earlier incarnation", () => {
  assert.equal(codes({ database: { resetlogsScn: 2169286n } }), ["LEG008"]);
  assert.equal(codes({ database: { resetlogsScn: 2169287n } }), ["LEG006"]);
  assert.equal(codes({ database: { resetlogsScn: 2169288n } }), ["LEG006"]);
});

takeover("old SCNs of tables only can be left out", () => {
  const offsets = [DATABASE, table("OLD", 5n), table("OLDER", 3n, 4n)];
  const [problem] = read({ offsets, database: { resetlogsScn: 10n } }).problems;
  assert.is(problem?.code, "LEG006");
  assert.match(lineOf(problem?.remedies[0] ?? ""), "--leave-out ORCLPDB1.SALES.OLDER --leave-out ORCLPDB1.SALES.OLD");
  assert.equal(codes({ offsets }, ["ORCLPDB1.SALES.OLD", "ORCLPDB1.SALES.OLDER"]), []);
});

takeover("an SCN above the current one is of another database, or of one that was rewound", () => {
  assert.equal(codes({ database: { currentScn: 2169286n } }), ["LEG007"]);
  assert.equal(codes({ database: { currentScn: 2175000n } }), ["LEG007"], "a commit above it was delivered");
  const database = { ...DATABASE, offset: { scn: 2241020n } };
  assert.equal(codes({ offsets: [database, table("ORDERS", 2241020n, 2241020n)] }), []);
  assert.equal(codes({ offsets: [database, table("ORDERS", 2241021n)] }), ["LEG007"]);
  const seen = (currentScn: bigint) => read({ database: { currentScn } }).problems[0]?.seen ?? "";
  assert.match(seen(2169286n), "until it has reached 2169287, the new connector stops with CDC-5001");
  assert.not.match(seen(2175000n), "CDC-5001", "a start that the database has");
  assert.equal(
    codes({ database: { currentScn: 2175000n }, catalogue: { ...CATALOGUE, archived: [] } }),
    ["LEG007", "LEG008"],
    "whoever accepts it still learns that redo is missing",
  );
});

takeover("redo that is missing, unopenable or unknown is refused", () => {
  const { archived } = CATALOGUE;
  const gone = { ...CATALOGUE, archived: archived.filter(({ sequence }) => sequence !== 119n) };
  const [problem] = read({ catalogue: gone }).problems;
  assert.is(problem?.code, "LEG008");
  assert.match(problem?.seen ?? "", /CDC-2001 .*119/);
  assert.match(problem?.remedies.map(lineOf).join("\n") ?? "", /RESTORE ARCHIVELOG .*119/);
  assert.not.match(
    problem?.remedies.map(lineOf).join("\n") ?? "",
    /--leave-out/,
    "the database's own partition is as old",
  );
  const quiet = read({
    catalogue: gone,
    offsets: [table("OLD", 2169000n), { ...DATABASE, offset: { scn: 2200000n } }],
  });
  assert.match(quiet.problems[0]?.remedies.map(lineOf).join("\n") ?? "", /--leave-out ORCLPDB1\.SALES\.OLD$/m);
  const [unopened] = read({ unopened: ["/arch/1_120_1.arc"] }).problems;
  assert.match(unopened?.seen ?? "", /CDC-2002 .*120 can't be opened/);
  assert.equal(codes({ redo: unseen() }), ["LEG008"]);
  assert.equal(codes({ probes: unseen() }), ["LEG008"]);
  assert.equal(codes({ probes: known({ applies: false, files: [] }) }), ["LEG008"], "the files were never tried");
});

takeover("inside a PDB no file can be tried: a warning, and no refusal", () => {
  const mining = { ...MINING, miningMode: "range" };
  const { problems, warnings } = read({ probes: known({ applies: false, files: [] }) }, [], mining);
  assert.equal(problems, []);
  assert.match(warnings.join("\n"), /was not tried/);
});

takeover("a transaction that was open before the start is reported", () => {
  const xid = { container: 3n, usn: 4n, slot: 9n, sqn: 771n };
  const open = (startScn: bigint) => ({ xid, startScn, startedAt: undefined, user: undefined, clientId: undefined });
  const { warnings, problems } = read({ transactions: known([open(2169286n), open(2169287n)]) });
  assert.match(warnings.join("\n"), /1 open transaction began before the start/);
  assert.equal(problems, []);
  assert.match(read({ transactions: unseen() }).warnings.join("\n"), /is unknown/);
});

takeover("what is left out is reported", () => {
  const { warnings, problems } = read({ offsets: [DATABASE, table("OLD", 5n)] }, ["ORCLPDB1.SALES.OLD"]);
  assert.equal(problems, []);
  assert.match(warnings.join("\n"), /ORCLPDB1\.SALES\.OLD is left out: changes to it that were committed from 5 /);
});

takeover("a position of another kind of database causes a warning", () => {
  const offsets = [{ partition: { sidPdb: "ORCL" }, offset: { scn: 2169287n } }];
  assert.match(read({ offsets }).warnings.join("\n"), /is it the same database\?/);
  assert.equal(read({ offsets, database: { container: false, connectedTo: "ORCL" } }).warnings, []);
});

takeover("without a partition of the database its own resume position is unknown", () => {
  const { problems } = read({ offsets: [table("ORDERS", 2170000n)] });
  assert.equal(
    problems.map(({ code }) => code),
    ["LEG009"],
  );
  assert.match(problems[0]?.seen ?? "", /only of tables/);
});

takeover("a database that the connector cannot mine is refused", () => {
  assert.equal(codes({ database: { logMode: "NOARCHIVELOG" } }), ["LEG012"]);
  const [thread] = CATALOGUE.threads;
  assert.ok(thread !== undefined);
  const second = { ...thread, thread: 2n, enabled: "DISABLED" };
  assert.equal(codes({ catalogue: { ...CATALOGUE, threads: [thread, second] } }), []);
  assert.ok(
    codes({ catalogue: { ...CATALOGUE, threads: [thread, { ...second, enabled: "PUBLIC" }] } }).includes("LEG013"),
  );
});

const xidOf = (sqn: bigint) => ({ container: 3n, usn: 4n, slot: 9n, sqn });
const older = { xid: xidOf(771n), startScn: 2169286n, startedAt: undefined, user: undefined, clientId: undefined };
const CONFIG = { "oracle.server": "db.prod", "oracle.sid": "ORCLCDB", "oracle.pdb.name": "ORCLPDB1" };
const BEGIN = "use.transaction.begin.for.mining.session";

/**
 * What the settings, and an open transaction that began before the start, mean: the refusal, and whether it is a
 * warning at least.
 */
const STARTS: readonly (readonly [Readonly<Record<string, string>>, boolean, RegExp | undefined, boolean])[] = [
  [{ [BEGIN]: "true" }, false, undefined, false],
  [{ [BEGIN]: "true" }, true, undefined, true],
  [{ [BEGIN]: "true", "record.buffer.mode": "connector" }, false, undefined, false],
  [
    { [BEGIN]: "false" },
    false,
    /\(use\.transaction\.begin\.for\.mining\.session=false\).*no transaction that began before it is open/,
    false,
  ],
  [{ [BEGIN]: "False" }, true, /1 that began before it is open: 3:4\.9\.771 \(from 2169286\)/, true],
  [{ [BEGIN]: "true", "record.buffer.mode": "Database" }, false, /\(record\.buffer\.mode=database\)/, false],
  [{ [BEGIN]: "false", "record.buffer.mode": "database" }, false, /=false and record\.buffer\.mode=database/, false],
  [
    {},
    false,
    /is not set, and its published default is false\): no transaction that began before it is open now/,
    true,
  ],
  // A reference says neither.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference is written like this
  [{ [BEGIN]: "${file:/legacy:begin}" }, false, /\(use\S+ is neither true nor false\)/, false],
  [{ [BEGIN]: "true", "record.buffer.mode": "other" }, false, /record\.buffer\.mode is neither/, false],
  [{}, true, /is not set, and its published default is false/, true],
];

for (const [settings, open, refused, warned] of STARTS)
  takeover(
    `${JSON.stringify(settings)} with ${open ? "an older" : "no older"} open transaction ` +
      `${refused === undefined ? "is taken over" : "is refused"}`,
    () => {
      const { problems, warnings } = read({
        legacy: { config: { ...CONFIG, ...settings } },
        transactions: known(open ? [older] : []),
      });
      assert.equal(
        problems.map(({ code }) => code),
        refused === undefined ? [] : ["LEG010"],
      );
      if (refused !== undefined) {
        assert.match(problems[0]?.seen ?? "", refused);
        assert.match(problems[0]?.seen ?? "", "open at the stop and has ended since is not visible");
      }
      assert.is(warnings.length > 0, warned, warnings.join("\n"));
    },
  );

takeover("with missing settings, unknown transactions are refused", () => {
  assert.equal(codes({ legacy: { config: CONFIG }, transactions: unseen() }), ["LEG010", "LEG014"]);
  assert.equal(codes({ transactions: unseen() }), ["LEG014"]);
});

const reports = { ...older, startScn: 2120000n, user: "REPORTS" };
const PURGED = { ...CATALOGUE, archived: CATALOGUE.archived.slice(1) };

takeover("an open transaction whose redo is gone is named with its user, since a first start mines it whole", () => {
  const { problems } = read({ catalogue: PURGED, transactions: known([reports, older]) });
  const [problem] = problems;
  assert.equal([problem?.code, problem?.unproven, problems.length], ["LEG014", undefined, 1]);
  assert.is(
    problem?.seen,
    "the new connector would mine from 2120000, where the oldest open transaction began, and the redo from there to " +
      "the start 2169287 is missing: 3:4.9.771 (REPORTS, from 2120000); CDC-2001 thread 1 has no log for SCN " +
      "2120000: its first one, sequence 118, begins at 2150000",
  );
  assert.match(
    problem?.remedies.map(lineOf).join("\n") ?? "",
    /^Wait until the transaction has ended.*\n.*RESTORE ARCHIVELOG/,
  );
});

takeover("an open transaction whose redo is there does not matter, nor one that began after the start", () => {
  assert.equal(codes({ transactions: known([reports]) }), []);
  assert.equal(codes({ catalogue: PURGED, transactions: known([{ ...reports, startScn: 2169287n }]) }), []);
  assert.equal(codes({ catalogue: PURGED, transactions: known([{ ...reports, startScn: 2150000n }]) }), []);
});

takeover("a file of the transaction's redo that can't be opened is missing too", () => {
  const parts = { transactions: known([reports]), unopened: ["/arch/1_117_1.arc"] };
  assert.match(read(parts).problems[0]?.seen ?? "", /REPORTS.*CDC-2002 thread 1 sequence 117 can't be opened/);
});

takeover("redo missing from the start itself is refused as before, whatever is open", () => {
  const catalogue = { ...CATALOGUE, archived: CATALOGUE.archived.slice(2) };
  assert.equal(codes({ catalogue, transactions: known([reports]) }), ["LEG008"]);
});

takeover("a table that is left out may lack an scn; the database's own partition may not", () => {
  const without = { partition: { catalog: "ORCLPDB1", schema: "SALES", table: "OLD" }, offset: { cscn: 5n } };
  const offsets = [DATABASE, without];
  assert.equal(codes({ offsets }), ["LEG004"]);
  assert.match(read({ offsets }).problems[0]?.remedies.map(lineOf).join() ?? "", "--leave-out ORCLPDB1.SALES.OLD");
  const { problems, warnings } = read({ offsets }, ["ORCLPDB1.SALES.OLD"]);
  assert.equal(problems, []);
  assert.match(warnings.join("\n"), /ORCLPDB1\.SALES\.OLD is left out and has no scn/);
  assert.equal(codes({ offsets: [{ ...DATABASE, offset: { tablePlacement: "{}" } }] }, ["ORCLCDB.ORCLPDB1"]), [
    "LEG004",
  ]);
});

takeover("reports every reason at once, the most basic first", () => {
  const status = { state: "RUNNING", worker: "w", tasks: [] };
  assert.equal(codes({ legacy: { status }, offsets: [] }), ["LEG002", "LEG003"]);
  assert.equal(codes({ legacy: { status }, redo: unseen() }), ["LEG002", "LEG008"]);
});

takeover.run();
