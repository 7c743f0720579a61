// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in the notation of Connect
/**
 * What a stored offset of Debezium is worth as a start: as its own loaders read it, by version, and as its takeover is
 * judged. The offsets are those of `testdata/offsets.json`, which says where they come from.
 */
// biome-ignore lint/style/noRestrictedImports: the test reads its data
import { readFileSync } from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, unseen } from "../../kinds/offset-change/testing/build-facts.ts";
import { redactConfiguration } from "../../redaction/redact.ts";
import { type Json, type JsonObject, parseJson } from "../../values/json.ts";
import { lineOf } from "../../values/remedy.ts";
import { readTakeover } from "../takeover.ts";
import { type LegacyParts, legacyFacts, MINING } from "../testing/build-legacy.ts";
import { DEBEZIUM_POSITION } from "./position.ts";
import { type DebeziumOffset, loadOffset } from "./stored-offsets.ts";

interface Loader {
  readonly versions: string;
  readonly fails?: true;
  readonly scn?: string;
  readonly commit?: string;
  readonly max?: string;
  readonly snapshot_scn?: string;
  readonly snapshotType?: string;
  readonly running?: boolean;
}
interface Data {
  readonly versions: readonly string[];
  readonly inputs: readonly {
    readonly name: string;
    readonly offset: JsonObject;
    readonly loaders: readonly Loader[];
  }[];
  readonly commitScn: readonly { readonly value: Json; readonly loaders: readonly Loader[] }[];
  readonly written: readonly { readonly name: string; readonly versions: string; readonly offset: JsonObject }[];
}
const DATA = parseJson(readFileSync(new URL("testdata/offsets.json", import.meta.url), "utf8")) as unknown as Data;

const PARTITION = { server: "inventory" };
const load = (offset: JsonObject) => loadOffset({ partition: PARTITION, offset });

/** The versions run between two, both included: `1.9.7..3.6.1`. */
function versionsIn(range: string): readonly string[] {
  const [first = "", last = first] = range.split("..");
  return DATA.versions.slice(DATA.versions.indexOf(first), DATA.versions.indexOf(last) + 1);
}

const orderOf = (version: string): number => version.split(".").reduce((sum, part) => sum * 1000 + Number(part), 0);
const isIn = ({ since = "0.0.0", upTo = "999.0.0" }: DebeziumOffset["loads"], version: string): boolean =>
  orderOf(since) <= orderOf(version) && orderOf(version) <= orderOf(upTo);

const textOf = ({ commits }: DebeziumOffset): string =>
  JSON.stringify(commits.map(({ thread, scn, txIds }) => `${scn}:${thread}:${txIds.join("-")}`));

/** Compares what is read with what the loader of each version holds. */
function sameAsLoaders(read: DebeziumOffset | string, loaders: readonly Loader[]): void {
  for (const { versions, fails, ...held } of loaders)
    for (const version of versionsIn(versions)) {
      if (typeof read === "string") {
        assert.ok(fails, `${version} loads what is refused: ${read}`);
        continue;
      }
      assert.is(isIn(read.loads, version), fails === undefined, `${version} loads it: ${fails === undefined}`);
      if (fails) continue;
      if ("running" in held) {
        assert.is(read.scn?.toString(), held.scn, `${version}: scn`);
        assert.is(read.snapshotScn?.toString(), held.snapshot_scn, `${version}: snapshot_scn`);
      }
      const twice = new Set(read.commits.map(({ thread }) => thread)).size < read.commits.length;
      if (held.commit?.startsWith("[") && !twice)
        assert.is(textOf(read), held.commit.replace(":-", ":"), `${version}: commit_scn`);
      // Which of two entries for one thread is held changes with the version.
      if (held.max !== undefined && held.max !== "null" && twice)
        assert.ok(read.commits.some(({ scn }) => scn.toString() === held.max));
      // Older versions take no text for a snapshot.
      if (orderOf(version) < orderOf("3.0.2") || held.running === undefined) continue;
      const { type, completed = true } = read.snapshot ?? {};
      assert.is(type === "INITIAL" && !completed, held.running, `${version}: initial snapshot`);
      if (held.snapshotType !== undefined) assert.is(type, held.snapshotType, version);
    }
}

const loaded = suite("Debezium's offset, as its loaders hold it");

for (const { name, offset, loaders } of DATA.inputs)
  loaded(`input ${name}`, () => sameAsLoaders(load(offset), loaders));

/** Taken by Debezium, and no SCN of a database: a sign, more than 63 bits, or a form that 1.9.5 alone took. */
const NOT_TAKEN = ["-1:1:", "18446744073709551615:1:0a", "99999999999999999999999:1:0a", "2868540::"];

for (const { value, loaders } of DATA.commitScn)
  loaded(`commit_scn ${JSON.stringify(value, (_, one) => (typeof one === "bigint" ? one.toString() : one))}`, () => {
    const read = load({ scn: "5000", commit_scn: value });
    if (NOT_TAKEN.includes(String(value))) assert.type(read, "string");
    else sameAsLoaders(read, loaders);
  });

loaded("a JSON number above 2^63, which wraps in Debezium, is refused, and so is a sign", () => {
  for (const scn of [18446744073709551615n, "-1", -1n])
    assert.match(String(load({ scn, commit_scn: null })), /^has no readable scn: /);
});

loaded("a commit_scn with a snapshot that only newer versions refuse is loaded by those in between alone", () => {
  const read = load({ scn: "5", commit_scn: "5:1:", snapshot: false });
  assert.equal(typeof read === "string" ? read : read.loads, { since: "1.9.6", upTo: "3.0.1" });
});

loaded("fields of different versions are refused", () => {
  const read = load({ scn: "5", commit_scn: "5::0:1", incremental_snapshot_collections: "A.B", snapshot: "no" });
  assert.type(read, "object");
  const never = load({ scn: "5", snapshot: "no", incremental_snapshot_collections: "[]", commit_scn: "5:1:" });
  assert.equal(typeof never === "string" ? never : never.loads, { since: "2.0.0", upTo: "3.0.1" });
});

const BUFFERED = { "heartbeat.interval.ms": "1000", "heartbeat.action.query": "UPDATE h SET t = SYSDATE" };
const facts = (offset: JsonObject | null, config: Record<string, string> = {}, parts: LegacyParts = {}) =>
  legacyFacts({
    ...parts,
    offsets: [{ partition: PARTITION, offset }],
    legacy: {
      name: "inventory-debezium",
      connectorClass: "io.debezium.connector.oracle.OracleConnector",
      config: { "connector.class": "io.debezium.connector.oracle.OracleConnector", ...BUFFERED, ...config },
      ...parts.legacy,
    },
  });

/** The start, or the codes of what refuses it, and the warnings. */
function verdictOf(offset: JsonObject, config: Record<string, string> = {}): readonly [string, string] {
  const seen = facts(offset, config);
  const read = DEBEZIUM_POSITION.read(seen.legacy.offsets);
  if (!read.ok) return [read.problem.code, read.problem.seen];
  const problems = DEBEZIUM_POSITION.problems(seen, read.offsets, []);
  const warnings = DEBEZIUM_POSITION.warnings(seen, read.offsets).join("; ");
  return [problems.map(({ code }) => code).join() || `${read.offsets.startScn}`, warnings];
}

const verdicts = suite("the takeover of an offset of Debezium");

const NONE = /^$/;
const STREAMED = /^(?:it stopped in the middle of transaction [^;]*)?$/;
const NO_COMMIT = /^the last commit that it delivered is not stored[^;]*$/;
const BOUNDARY = /^it has not streamed since its snapshot, and does not record [^;]*$/;
const PENDING = /^it has not streamed since its snapshot, when \d transactions? (?:was|were) open[^;]*$/;
const NO_SCN = /has no scn/;
const BY_HAND = /^its scn 2868546 is above its last commit 2868540, in a form that is also written by hand/;
const UNREADABLE = /has no readable/;
const CLUSTER = /it mines a cluster \(redo threads 1, 2\)/;

/** Every input: its letter, the start or the code of the refusal, and what is said. */
const INPUTS: Readonly<Record<string, readonly [string, RegExp]>> = {
  a: ["2868546", BY_HAND],
  b: ["2868546", BY_HAND],
  c: ["2868546", NONE],
  d: ["2868546", NONE],
  e: ["2868546", NONE],
  f: ["2868546", NONE],
  g: ["2868546", CLUSTER],
  h: ["2868546", BOUNDARY],
  i: ["2868546", BOUNDARY],
  j: ["LEG004", UNREADABLE],
  k: ["LEG004", NO_SCN],
  l: ["LEG004", NO_SCN],
  m: ["LEG004", NO_SCN],
  n: ["LEG004", UNREADABLE],
  o: ["LEG004", UNREADABLE],
  p: ["2868546", NO_COMMIT],
  q: ["2868546", NONE],
  r: ["100", NONE],
  s: ["LEG004", UNREADABLE],
  t: ["LEG004", UNREADABLE],
  u: ["LEG018", /initial snapshot of inventory is not complete/],
  v: ["2989", PENDING],
  w: ["LEG018", /initial snapshot/],
  x: ["3000", BOUNDARY],
  y: ["LEG018", /a blocking snapshot of inventory is under way/],
  z: ["LEG018", /the last record of inventory was a row of an incremental snapshot, which may not be over/],
  z2: ["LEG018", /incremental snapshot/],
  aa: ["3000", /^its offset was edited by hand: Debezium after 3\.0\.1 would fail on it; it has not streamed/],
  ab: ["LEG018", /initial snapshot/],
  ac: ["3000", /^its offset was edited by hand: Debezium after 3\.0\.1 would fail on it; it has not streamed/],
  ad: ["5000", /^snapshot_pending_tx is left over from the initial snapshot, and is ignored$/],
  ae: ["LEG004", UNREADABLE],
  af: ["2949", PENDING],
  ag: ["5000", /^it stopped in the middle of transaction 0f00120034120000, which is delivered again as a whole$/],
  ah: ["5000", /in the middle of transaction/],
  ai: ["LEG019", NONE],
  aj: ["5000", NONE],
  ak: ["LEG018", /an incremental snapshot of inventory is under way/],
  al: ["LEG018", /an incremental snapshot of inventory is under way/],
  am: ["LEG017", /is that of Debezium's Oracle connector with the XStream adapter/],
  an: ["LEG017", /checkpoint of OpenLogReplicator/],
  ao: ["LEG004", /is the new connector's, not Debezium's/],
  ap: ["2949", /^it was stopped while it mined the transactions that were open at its snapshot/],
  aq: ["LEG003", /no stored offset/],
  ar: ["LEG004", UNREADABLE],
  as: ["5000", /^commit_scn names a redo thread twice/],
};

for (const { name, offset } of DATA.inputs)
  verdicts(`input ${name}`, () => {
    const [letter = ""] = name.split(" ");
    const [verdict, said] = verdictOf(offset);
    const [expected, warnings] = INPUTS[letter] ?? ["no verdict in this table", NONE];
    assert.is(verdict, expected);
    if (verdict !== "LEG019") assert.match(said, warnings);
  });

/** What Debezium's own classes store, by the number of the situation. */
const WRITTEN: Readonly<Record<string, (offset: JsonObject) => readonly [string, RegExp]>> = {
  "01": () => ["LEG018", /initial snapshot of inventory is not complete/],
  "02": () => ["2949", PENDING],
  "03": (offset) => ("snapshot_pending_tx" in offset ? ["2949", PENDING] : ["3000", BOUNDARY]),
  "04": () => ["2949", /^it was stopped while it mined/],
  "05": () => ["2949", /^it was stopped while it mined/],
  "06": leftOver("3050", STREAMED),
  "07": leftOver("3050", STREAMED),
  "08": leftOver("3059", CLUSTER),
  "09": () => ["LEG019", CLUSTER],
  "10": (offset) => ("snapshot" in offset ? ["LEG018", /incremental/] : leftOver("3059", CLUSTER)(offset)),
  "11": () => ["LEG018", /blocking/],
  "12": (offset) =>
    offset["window_advance_enabled"] ? ["LEG019", /./] : ["3059", /^snapshot_pending_tx is left over/],
  "13": (offset) => (offset["window_advance_enabled"] ? ["LEG019", /./] : leftOver("3059", CLUSTER)(offset)),
  "14": () => ["LEG017", /XStream/],
  "15": () => ["LEG017", /OpenLogReplicator/],
  "16": () => ["4000", NO_COMMIT],
  "17": () => ["LEG018", /incremental/],
  "18": () => ["LEG018", /incremental/],
};

function leftOver(start: string, otherwise: RegExp): (offset: JsonObject) => readonly [string, RegExp] {
  return (offset) =>
    "snapshot_pending_tx" in offset ? [start, /^snapshot_pending_tx is left over [^;]*/] : [start, otherwise];
}

for (const { name, versions, offset } of DATA.written)
  verdicts(`written by ${versions}: ${name}`, () => {
    const [verdict, said] = verdictOf(offset);
    const [expected, warnings] = WRITTEN[name.slice(0, 2)]?.(offset) ?? ["no verdict in this table", NONE];
    assert.is(verdict, expected);
    assert.match(said, warnings);
  });

const STREAMING = { scn: "2169287", commit_scn: "2180000:1:0a00120034120000", snapshot_scn: "2100000" };

verdicts("the unbuffered adapter's window does not matter: its scn is a low watermark of the logs", () => {
  const offset = { ...STREAMING, window_advance_enabled: true };
  assert.equal(verdictOf(offset, { "database.connection.adapter": "logminer_unbuffered" }), ["2169287", ""]);
});

verdicts("an adapter that was changed since is refused by name, as its offset would be", () => {
  for (const [adapter, says] of [
    ["XStream", /^inventory-debezium is Debezium's Oracle connector with the XStream adapter: /],
    ["olr", /^inventory-debezium is Debezium's Oracle connector with the OpenLogReplicator adapter: /],
  ] as const) {
    const seen = facts(STREAMING, { "database.connection.adapter": adapter });
    const [problem] = readTakeover(seen, { leaveOut: [], mining: MINING }).problems;
    assert.is(problem?.code, "LEG030");
    assert.match(problem?.seen ?? "", says);
  }
  const [lcr] = readTakeover(facts({ lcr_position: "00", snapshot_scn: "5" }), {
    leaveOut: [],
    mining: MINING,
  }).problems;
  assert.match((lcr?.remedies ?? []).map(lineOf).join(), /DBA_XSTREAM_OUTBOUND_PROGRESS/);
});

verdicts("abandoned transactions, a cluster and a boundary that is recorded are told by the settings", () => {
  const said = (config: Record<string, string>, offset: JsonObject = STREAMING) => verdictOf(offset, config)[1];
  assert.match(said({ "log.mining.transaction.retention.ms": "3600000" }), /retention\.ms let it abandon long/);
  assert.match(said({ "log.mining.transaction.retention.hours": "1" }), /retention\.hours let it abandon long/);
  assert.match(
    said({ "log.mining.buffer.deferred.transaction.start": "true" }),
    /deferred\.transaction\.retention\.ms let/,
  );
  assert.match(said({ "rac.nodes": "db1,db2" }), /rac\.nodes=db1,db2\), which the new connector does not support/);
  const completed = { scn: "3000", snapshot: "INITIAL", snapshot_completed: true, snapshot_scn: "3000" };
  const mode = { "internal.log.mining.transaction.snapshot.boundary.mode": "all" };
  // The facts of a plan hold the settings as they are shown.
  assert.equal(redactConfiguration(mode), mode);
  assert.not.match(said(mode, completed), /open then/);
  assert.match(said(mode, { scn: "3000", snapshot_scn: "3000" }), /does not record the transactions that were open/);
});

const takeover = suite("the takeover from a connector of Debezium");

const SCN_TIMES = known([
  { scn: 2169287n, at: "2026-11-20T18:30:00Z" },
  { scn: 2180000n, at: "2026-11-20T18:40:00Z" },
]);
const codesOf = (seen: ReturnType<typeof facts>, startScn?: bigint) =>
  readTakeover(seen, { leaveOut: [], mining: MINING, startScn }).problems.map(({ code }) => code);
const open = (startScn: bigint) => ({
  ...{ xid: { container: 3n, usn: 4n, slot: 9n, sqn: 771n }, startScn },
  ...{ startedAt: undefined, user: "APP", clientId: undefined },
});

takeover("reports start, last commit and overlap as for any legacy connector", () => {
  const { offsets, overlap, problems } = readTakeover(facts(STREAMING, {}, { times: SCN_TIMES }), {
    leaveOut: [],
    mining: MINING,
  });
  assert.equal(problems, []);
  assert.is(offsets?.startScn, 2169287n);
  assert.equal(overlap, { from: 2169287n, to: 2180000n, scns: 10713n, millis: 600_000n });
});

takeover("tells that nothing was delivered since a snapshot from a last commit that is not stored", () => {
  const unknown = (offset: JsonObject) =>
    readTakeover(facts(offset), { leaveOut: [], mining: MINING }).offsets?.lastUnknown;
  assert.is(unknown({ scn: "3000", snapshot_scn: "3000" }), false, "never streamed");
  assert.is(unknown({ scn: "2949", snapshot_scn: "3000" }), false, "stopped in the transactions of its snapshot");
  assert.is(unknown({ scn: "3001", snapshot_scn: "3000" }), true);
  assert.is(unknown({ scn: "3001" }), true, "an offset that somebody wrote");
  const blocking = { scn: "3000", snapshot_scn: "3000", snapshot: "BLOCKING", snapshot_completed: true };
  assert.is(unknown(blocking), true, "it had streamed before");
  assert.is(unknown({ ...STREAMING }), false);
});

takeover("shows every redo thread; the last commit is the highest", () => {
  const seen = facts({ scn: "2169287", commit_scn: "2180000:1:0a,2179000:2:0b" });
  const { offsets } = readTakeover(seen, { leaveOut: [], mining: MINING });
  assert.equal(
    offsets?.partitions.map(({ name, commitScn }) => [name, commitScn]),
    [
      ["inventory (redo thread 1)", 2180000n],
      ["inventory (redo thread 2)", 2179000n],
    ],
  );
  assert.is(offsets?.lastDelivered, 2180000n);
  assert.is(DEBEZIUM_POSITION.lastCommit(seen.legacy.offsets), 2180000n);
  const last = (...offsets: readonly JsonObject[]) =>
    DEBEZIUM_POSITION.lastCommit(offsets.map((offset) => ({ partition: { server: "shop" }, offset })));
  assert.is(last(), undefined);
  assert.is(last({ scn: "3000", snapshot_scn: "3000" }), undefined, "it delivered none");
  assert.is(last({ scn: "3001", snapshot_scn: "3000" }), "unreadable");
  assert.is(last({ scn: "3001", commit_scn: "3001:1:" }, { scn: "3002", snapshot_scn: "3000" }), "unreadable");
});

takeover("is refused while the connector is not stopped", () => {
  const running = { state: "RUNNING", worker: "worker-2:8083", tasks: [] };
  assert.equal(codesOf(facts(STREAMING, {}, { legacy: { status: running } })), ["LEG002"]);
});

takeover("an offset of Confluent's form, or the new connector's, is not Debezium's", () => {
  for (const entry of [
    { partition: { sidPdb: "ORCLCDB.ORCLPDB1" }, offset: { scn: "2169287" } },
    { partition: PARTITION, offset: { v: 2n, resume_scn: "2169287", commit_scn: "2169287" } },
  ]) {
    const seen = facts(STREAMING);
    const read = readTakeover(
      { ...seen, legacy: { ...seen.legacy, offsets: [entry] } },
      { leaveOut: [], mining: MINING },
    );
    assert.equal(
      read.problems.map(({ code }) => code),
      ["LEG004"],
    );
  }
});

takeover("a partition of an earlier topic.prefix has to be left out by its name", () => {
  const both = ["inventory", "old"].map((server) => ({ partition: { server }, offset: STREAMING }));
  const read = (leaveOut: readonly string[]) => {
    const one = DEBEZIUM_POSITION.read(both, leaveOut);
    return one.ok ? one.offsets.partitions.map(({ name }) => name).join() : `${one.problem.code} ${one.problem.seen}`;
  };
  assert.match(read([]), /^LEG004 Debezium stores one partition, and there are several: inventory, old/);
  assert.is(read(["old"]), "inventory");
  assert.match(read(["older"]), /^LEG005 no partition is named older/);
  assert.match(read(["inventory", "old"]), /^LEG005 every partition is left out/);
});

takeover("an offset of another prefix than the settings name is refused; a prefix that is not known may be it", () => {
  const codes = (config: Record<string, string>) => codesOf(facts(STREAMING, config));
  for (const name of ["topic.prefix", "database.server.name"]) {
    assert.equal(codes({ [name]: "other" }), ["LEG003"], name);
    for (const prefix of ["inventory", "${env:PREFIX}", "hidden:0a1"])
      assert.equal(codes({ [name]: prefix }), [], prefix);
  }
  assert.equal(codes({ "topic.prefix": "other", "database.server.name": "inventory" }), []);
  for (const commit_scn of [STREAMING.commit_scn, "2180000:1:,2179000:2:"]) {
    const [problem] = readTakeover(facts({ ...STREAMING, commit_scn }, { "topic.prefix": "other" }), {
      leaveOut: [],
      mining: MINING,
    }).problems;
    assert.match(problem?.seen ?? "", /is of the prefix inventory, and the settings name other/);
  }
});

takeover(
  "a window is refused without a start, unless what was open before the stop proves that nothing is lost",
  () => {
    const offset = { ...STREAMING, window_advance_enabled: true };
    assert.equal(codesOf(facts(offset)), ["LEG019"]);
    const before = (from: bigint, to: bigint) => ({ ...facts(offset), openBefore: { from, to, open: [] } });
    assert.equal(
      codesOf(before(2169287n, 2180000n)),
      [],
      "recorded above the start, and everything up to it delivered",
    );
    assert.equal(codesOf(before(2169286n, 2180000n)), ["LEG019"], "one may have begun in between");
    assert.equal(codesOf(before(2169287n, 2180001n)), ["LEG019"], "one may have ended undelivered");
    const [problem] = readTakeover(facts(offset, {}, { transactions: known([open(2168000n)]) }), {
      leaveOut: [],
      mining: MINING,
    }).problems;
    assert.match(problem?.seen ?? "", /window_advance_enabled.*these began before it: .*APP, from 2168000/);
    assert.match((problem?.remedies ?? []).map(lineOf).join(), /--start-scn 2168000 .*OldestScn/);
  },
);

takeover(
  "a given start is taken at or below the stored scn and every open transaction, and redo is checked there",
  () => {
    const offset = { ...STREAMING, window_advance_enabled: true };
    const transactions = known([open(2168000n)]);
    assert.equal(codesOf(facts(offset, {}, { transactions }), 2168000n), []);
    assert.equal(codesOf(facts(offset, {}, { transactions }), 2168001n), ["LEG016"]);
    assert.equal(codesOf(facts(STREAMING), 2169288n), ["LEG016"], "above the stored scn");
    assert.equal(codesOf(facts(STREAMING), 2169287n), []);
    assert.equal(codesOf(facts(STREAMING), 1900000n), ["LEG008"], "where the redo is gone");
    const seen = facts(STREAMING, {}, { transactions });
    const [problem] = readTakeover(seen, { leaveOut: [], mining: MINING, startScn: 2168001n }).problems;
    assert.match(problem?.seen ?? "", /the given start 2168001 is above 2168000, where a transaction began/);
    const { redo, overlap } = readTakeover(seen, { leaveOut: [], mining: MINING, startScn: 2168000n });
    assert.is(redo?.known && redo.value.from, 2168000n);
    assert.is(overlap?.from, 2168000n);
  },
);

takeover("a given start counts what was open before the stop, and is unproven while that is not known", () => {
  const before = { ...facts(STREAMING), openBefore: { from: 2169000n, to: 2169000n, open: [open(2168000n)] } };
  assert.equal(codesOf(before, 2168001n), ["LEG016"]);
  const { problems } = readTakeover(facts(STREAMING, {}, { transactions: unseen() }), {
    leaveOut: [],
    mining: MINING,
    startScn: 2168000n,
  });
  assert.ok(problems.some(({ code, unproven }) => code === "LEG016" && unproven));
});

takeover("the age of the stored scn and what a missing heartbeat costs are said, with the way to shorten it", () => {
  const said = (config: Record<string, string>, parts: LegacyParts = { times: SCN_TIMES }) =>
    readTakeover(facts(STREAMING, config, parts), { leaveOut: [], mining: MINING }).warnings.join("\n");
  const quiet = said({ "heartbeat.interval.ms": "0" });
  assert.match(quiet, /the stored scn 2169287 is 14 h 44 min old; inventory-debezium stores one only with a record/);
  assert.match(
    quiet,
    /\(heartbeat\.interval\.ms is 0\): the redo since then is mined again.*let it deliver one change/,
  );
  assert.match(said({}), /^the stored scn 2169287 is 14 h 44 min old: the redo/m, "old, although it has heartbeats");
  assert.match(
    said({ "heartbeat.action.query": "" }),
    /heartbeat\.action\.query is not set, which a container database/,
  );
  const recent = known([{ scn: 2169287n, at: "2026-11-21T09:10:00Z" }]);
  assert.not.match(said({}, { times: recent }), /the stored scn/);
  const unmapped = known([{ scn: 2169287n, at: undefined }]);
  assert.match(said({ "heartbeat.interval.ms": "0" }, { times: unmapped }), /older than the database's times of SCNs/);
});

takeover("while it runs with a window, the cutover records the open transactions first", () => {
  const window = { "log.mining.window.max.ms": "60000" };
  const running = { status: { state: "RUNNING", worker: "worker-2:8083", tasks: [] } };
  const seen = facts(STREAMING, {});
  assert.is(DEBEZIUM_POSITION.recordsOpen({ ...seen.legacy, config: window }), true);
  assert.is(DEBEZIUM_POSITION.recordsOpen(seen.legacy), false);
  const config = { ...window, "connector.class": "io.debezium.connector.oracle.OracleConnector" };
  const flagged = facts({ ...STREAMING, window_advance_enabled: true }, {}, { legacy: { ...running, config } });
  const { problems, warnings } = readTakeover(flagged, { leaveOut: [], mining: MINING });
  assert.equal(
    problems.map(({ code }) => code),
    ["LEG002"],
  );
  assert.match(warnings.join(), /the cutover records those before the stop/);
});

loaded.run();
verdicts.run();
takeover.run();
