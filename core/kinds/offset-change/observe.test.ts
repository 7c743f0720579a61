import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connectorSettings } from "../../document/connector-settings.ts";
import { CallFailed, type FailureKind, Refusal } from "../../errors.ts";
import type { BoundSettings } from "../../facts/connector/settings.ts";
import { encodeOpsEvent } from "../../facts/ops/ops-event.ts";
import { unredacted } from "../../facts/testing/unredacted.ts";
import type { KafkaPort, KafkaRecord } from "../../ports/kafka.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import { inPlace } from "../../ports/testing/records-in-place.ts";
import type { World } from "../../ports/world.ts";
import { canonicalJson, type JsonObject } from "../../values/json.ts";
import { linesOf } from "../../values/remedy.ts";
import { observeOffsetChange } from "./observe.ts";
import { planOffsetChange } from "./plan.ts";
import { CATALOGUE, facts, intent, opsEvent, STORED, toScn } from "./testing/build-facts.ts";

const observing = suite("observing an offset change");

const CONFIG = {
  "connector.class": "sh.oso.connect.oracle.OracleCdcSourceConnector",
  "cdc.topic.prefix": "orders",
  "cdc.database.host": "db.prod",
  "cdc.database.password": "c4n4ry",
};

const ORCLPDB1 = { name: "ORCLPDB1", openMode: "READ WRITE" };
const ORDERS = { container: "ORCLPDB1", owner: "SALES", name: "ORDERS" };
const LINES = { ...ORDERS, name: "LINES" };

const LAST_RECORDED = intent({ position: { to: "lastRecorded" } });

interface Stubs {
  readonly oracle?: Partial<OraclePort>;
  readonly kafka?: Partial<KafkaPort>;
  readonly config?: Readonly<Record<string, string>>;
  readonly stored?: JsonObject | null | undefined;
}

/** A world in which all is as in the built facts; what is called is listed, and everything else is a bug. */
function world({ oracle = {}, kafka = {}, config = CONFIG, stored = STORED }: Stubs): {
  readonly world: World;
  readonly calls: string[];
} {
  const seen = facts();
  const calls: string[] = [];
  const listening = <T extends object>(name: string, port: Partial<T>): T =>
    new Proxy(port, {
      get(target, member) {
        const value: unknown = Reflect.get(target, member);
        if (typeof value !== "function") return value;
        return (...args: readonly unknown[]) => {
          calls.push(`${name}.${String(member)}`);
          return value(...args) as unknown;
        };
      },
    }) as T;
  const { address: _address, ...database } = seen.database;
  const oraclePort = listening<OraclePort>("oracle", {
    address: "db.prod:1521/ORCLCDB",
    database: async () => database,
    threads: async () => CATALOGUE.threads,
    destinations: async () => CATALOGUE.destinations,
    archivedLogs: async (from) => CATALOGUE.archived.filter(({ nextScn }) => nextScn > from),
    onlineLogs: async () => CATALOGUE.online,
    openTransactions: async () => [],
    timesOf: async (scns) => scns.map((scn) => ({ scn, at: undefined })),
    scnAt: async () => 2169287n,
    probeLogs: async (files) => files.map((file) => ({ file, opened: true as const })),
    containers: async () => [ORCLPDB1],
    dictionary: async () => ({ containers: [ORCLPDB1], tables: [ORDERS, LINES], answering: ["ORCLPDB1"] }),
    lastDdl: async () => [{ ...ORDERS, lastDdl: "2026-11-21T09:00:00Z" }],
    ...oracle,
  });
  const kafkaPort = listening<KafkaPort>("kafka", {
    brokers: "kafka.prod:9092",
    clusterId: async () => "4L6g3nShT-eMCtK--X86sw",
    topic: async (name) =>
      seen.opsTopic.known && seen.opsTopic.value !== "missing" ? { ...seen.opsTopic.value, name } : undefined,
    endOffsets: async () => [{ partition: 0, offset: 1n }],
    extents: async () => [],
    read: async () => ({ records: [], whole: true, reachedEnd: true, readTo: [] }),
    records: async function* () {},
    ...kafka,
  });
  const connect = listening<World["connect"]>("connect", {
    url: "http://connect.prod:8083",
    worker: async () => ({ version: "3.9.2", commit: "a", clusterId: "4L6g3nShT-eMCtK--X86sw" }),
    connector: async (name) => ({ name, config, taskIds: [0], type: "source" }),
    status: async () => seen.connector.status,
    offsets: async () => [{ partition: { server: "orders" }, offset: stored }],
    time: () => "2026-11-21T09:14:00Z",
  });
  const clock = listening<World["clock"]>("clock", { now: () => "2026-11-21T09:14:02Z", elapsed: () => 0 });
  return {
    world: {
      connect,
      kafka: () => kafkaPort,
      oracle: () => oraclePort,
      jmx: () => listening("jmx", {}),
      redact: unredacted,
      clock,
      state: listening("state", {}),
      close: async () => {},
    },
    calls,
  };
}

const settingsOf = async ({ config }: { readonly config: Readonly<Record<string, string>> }) => ({
  ...(connectorSettings(config, "GET /connectors/orders-cdc") as BoundSettings),
  config,
});

const failing = (kind: FailureKind) => async () => {
  throw new CallFailed("oracle", kind, {
    message: "ORA-00942: V$ARCHIVED_LOG",
    remedy: "GRANT SELECT ON V_$ARCHIVED_LOG",
  });
};

observing("only reads, and gives a plan that is ready", async () => {
  const { world: seen, calls } = world({});
  const { facts: found } = await observeOffsetChange(intent(), seen, { settingsOf });
  assert.is(planOffsetChange(intent(), found).outcome.state, "ready");
  for (const call of calls) assert.not.match(call, /stop|resume|patch|append|state\./);
});

observing("holds no password", async () => {
  const { facts: found } = await observeOffsetChange(intent(), world({}).world, { settingsOf });
  assert.is(found.connector.config["cdc.database.password"], "********");
});

observing("a missing right leaves a fact unknown, with its reason and remedy", async () => {
  for (const kind of ["forbidden", "unsupported"] as const) {
    const { world: seen } = world({ oracle: { archivedLogs: failing(kind) } });
    const { facts: found } = await observeOffsetChange(intent(), seen, { settingsOf });
    assert.not(found.redo.known);
    if (!found.redo.known)
      assert.match(`${found.redo.why} ${linesOf(found.redo.remedies ?? [])}`, /ORA-00942.*GRANT SELECT/);
    assert.is(planOffsetChange(intent(), found).outcome.state, "blocked");
  }
});

observing("any other failure ends it", async () => {
  for (const kind of ["unreachable", "unauthorized", "timeout", "lost", "protocol"] as const) {
    const { world: seen } = world({ oracle: { archivedLogs: failing(kind) } });
    const error = await observeOffsetChange(intent(), seen, { settingsOf }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.instance(error, CallFailed);
  }
});

const UNREADABLE: Partial<KafkaPort> = {
  extents: async () => [{ partition: 0, from: 0n, to: 1n }],
  async *recordsInPlace() {
    const bytes = { key: new Uint8Array([0, 1]), value: new Uint8Array([2]) };
    yield inPlace([{ partition: 0, offset: 0n, headers: {}, ...bytes }]);
  },
};

for (const [what, to, stored, read, deliverAgain] of [
  ["a move back", 2169287n, STORED, false],
  ["a move back that delivers again what was delivered", 2169287n, STORED, true, true],
  ["the same SCN", 2204511n, STORED, false],
  ["a move forward", 2204512n, STORED, true],
  ["a first offset", 2169287n, null, true],
] as const)
  observing(`the journal is ${read ? "" : "not "}read for ${what}, and only if its form is known`, async () => {
    const seen = world({ kafka: UNREADABLE, stored });
    const { facts: found } = await observeOffsetChange(toScn(to, { deliverAgain }), seen.world, { settingsOf });
    assert.is(seen.calls.includes("kafka.recordsInPlace"), read);
    const { known, ...journaled } = found.journaled;
    assert.is(known, !read);
    if ("why" in journaled) assert.match(journaled.why, "1 record of orders.cdc.txjournal can't be read");
    else assert.equal(journaled.value, []);
    assert.equal([found.kind, found.target], ["OffsetChange", { by: "scn" }]);
    const shown = stored === null ? [to] : [...new Set([to, 2204511n, 2204498n])];
    assert.equal(found.times.known && found.times.value.map(({ scn }) => scn), [...shown, 2241020n]);
  });

const CAPTURING = { ...CONFIG, "cdc.database.pdbs": "ORCLPDB1", "cdc.tables.include": "ORCLPDB1[.]SALES[.].*" };
const layoutOf = (table: string, server = "orders", value: Uint8Array | null = new Uint8Array([2])) => ({
  ...{ partition: 0, offset: 0n, headers: {}, timestamp: 0n, stampedBy: "producer" as const, value },
  key: new TextEncoder().encode(JSON.stringify({ server, pdb: "ORCLPDB1", owner: "SALES", table })),
});

const RANGE = { ...CAPTURING, "cdc.mining.mode": "range" };
const restoring = (offset: JsonObject) => intent({ position: { to: "restore", run: "a", offset, replacing: STORED } });

for (const [what, wanted, config, read, stored] of [
  ["a move forward", toScn(2204512n), CAPTURING, true],
  ["a move back", intent(), CAPTURING, false],
  ["a move back by range", intent(), RANGE, true],
  ["the same SCN by range", toScn(2204511n), RANGE, false],
  ["a first offset", toScn(2204512n), CAPTURING, false, null],
  ["the restore of a later offset", restoring({ ...STORED, resume_scn: 2204512n }), CAPTURING, false],
  ["the restore of a later offset by range", restoring({ ...STORED, resume_scn: 2204512n }), RANGE, false],
  ["a target that is unknown", restoring({ resume_scn: "x" }), RANGE, false],
] as const)
  observing(`when captured tables were last defined is ${read ? "" : "not "}read for ${what}`, async () => {
    const records: KafkaPort["records"] = async function* () {
      yield [layoutOf("ORDERS"), layoutOf("LINES"), layoutOf("LINES", "billing"), layoutOf("LINES", "orders", null)];
    };
    const extents: KafkaPort["extents"] = async () => [{ partition: 0, from: 0n, to: 4n }];
    const seen = world({ config, stored, kafka: { records, extents, recordsInPlace: async function* () {} } });
    const { facts: found } = await observeOffsetChange(wanted, seen.world, { settingsOf });
    assert.equal(
      found.ddl?.known && found.ddl.value,
      read
        ? {
            schemaTopic: "orders.cdc.schema",
            tables: [
              { table: "ORCLPDB1.SALES.LINES", lastDdl: undefined, layout: null },
              { table: "ORCLPDB1.SALES.ORDERS", lastDdl: "2026-11-21T09:00:00Z", layout: "ORCLPDB1.SALES.ORDERS" },
            ],
          }
        : undefined,
    );
  });

observing("layouts are not known where the schema topic may not be read", async () => {
  const topic: KafkaPort["topic"] = async (name) => {
    if (name === "orders.cdc.schema") throw new CallFailed("kafka", "forbidden", { message: "no right" });
    return undefined;
  };
  const seen = world({ config: CAPTURING, kafka: { topic } });
  const { facts: found } = await observeOffsetChange(toScn(2204512n), seen.world, { settingsOf });
  assert.ok(found.ddl?.known && found.ddl.value.tables.every((table) => !("layout" in table)));
});

observing("a missing ops topic is found while planning, and nothing is read from it", async () => {
  const { world: seen, calls } = world({ kafka: { topic: async () => undefined } });
  const { facts: found } = await observeOffsetChange(intent(), seen, { settingsOf });
  assert.ok(found.opsTopic.known && found.opsTopic.value === "missing");
  assert.not(calls.includes("kafka.read"));
});

observing("a pinned timestamp is not resolved again", async () => {
  const at = intent({ position: { to: "timestamp", timestamp: "2026-11-20T18:30:00Z" } });
  const first = world({});
  assert.equal((await observeOffsetChange(at, first.world, { settingsOf })).facts.target, {
    by: "timestamp",
    scn: 2169287n,
  });
  const second = world({});
  const { facts: found } = await observeOffsetChange(at, second.world, { settingsOf }, { pinned: 2160000n });
  assert.not(second.calls.includes("oracle.scnAt"));
  assert.equal(found.target, { by: "timestamp", scn: 2160000n });
});

observing("every log from the target on is tried, and none if the task itself adds none", async () => {
  const probed: string[] = [];
  const probeLogs: OraclePort["probeLogs"] = async (files) => {
    probed.push(...files);
    return files.map((file) => ({ file, opened: true as const }));
  };
  await observeOffsetChange(toScn(2190000n), world({ oracle: { probeLogs } }).world, { settingsOf });
  assert.equal(probed.sort(), ["/arch/1_120_1.arc", "/arch/1_121_1.arc", "/redo/redo01.log"]);
  const inside = world({ config: { ...CONFIG, "cdc.mining.mode": "range" } });
  const { facts: found } = await observeOffsetChange(intent(), inside.world, { settingsOf });
  assert.not(inside.calls.includes("oracle.probeLogs"));
  assert.ok(found.probes.known && !found.probes.value.applies);
});

observing("finding the earliest available SCN tries every file", async () => {
  const earliest = intent({ position: { to: "earliestAvailable" } });
  const asked: bigint[] = [];
  const archivedLogs: OraclePort["archivedLogs"] = async (from) => {
    asked.push(from);
    return CATALOGUE.archived;
  };
  const { facts: found } = await observeOffsetChange(earliest, world({ oracle: { archivedLogs } }).world, {
    settingsOf,
  });
  assert.equal([asked, found.target], [[0n], { by: "earliestAvailable" }]);
  assert.is(found.probes.known && found.probes.value.files.length, CATALOGUE.archived.length + CATALOGUE.online.length);
  assert.ok(found.times.known && found.times.value.some(({ scn }) => scn === 2100000n));
  assert.is(planOffsetChange(earliest, found).decided.scn, 2100000n);
});

observing("finding the earliest available SCN tries the files before a gap too, which may not be one", async () => {
  const earliest = intent({ position: { to: "earliestAvailable" } });
  const archivedLogs: OraclePort["archivedLogs"] = async () =>
    CATALOGUE.archived.map((log) => (log.sequence === 118n ? { ...log, deleted: true, status: "D" } : log));
  const { facts: found } = await observeOffsetChange(earliest, world({ oracle: { archivedLogs } }).world, {
    settingsOf,
  });
  assert.ok(found.probes.known && found.probes.value.files.some(({ file }) => file === "/arch/1_117_1.arc"));
  assert.is(planOffsetChange(earliest, found).decided.scn, 2170000n);
});

observing("no file is tried where no SCN has all redo", async () => {
  const earliest = intent({ position: { to: "earliestAvailable" } });
  const { world: seen, calls } = world({ oracle: { onlineLogs: async () => [] } });
  const { facts: found } = await observeOffsetChange(earliest, seen, { settingsOf });
  assert.ok(found.redo.known);
  assert.not(calls.includes("oracle.probeLogs"));
});

observing("no file is tried while the missing redo is unknown", async () => {
  const earliest = intent({ position: { to: "earliestAvailable" } });
  const { world: seen, calls } = world({ oracle: { threads: failing("forbidden") } });
  const { facts: found } = await observeOffsetChange(earliest, seen, { settingsOf });
  assert.not(calls.includes("oracle.probeLogs"));
  assert.is(planOffsetChange(earliest, found).outcome.state, "blocked");
});

for (const [what, offset, from] of [
  ["of an earlier offset begins at its resume SCN", { ...STORED, resume_scn: 2160000n }, 2160000n],
  ["of one that is already stored begins there", STORED, 2204511n],
  ["of a later one begins at the stored offset", { ...STORED, resume_scn: 2230000n }, 2204511n],
  ["of an unreadable one leaves nothing out", { resume_scn: "x" }, 0n],
] as const)
  observing(`a restore ${what}`, async () => {
    const asked: bigint[] = [];
    const archivedLogs: OraclePort["archivedLogs"] = async (lowest) => {
      asked.push(lowest);
      return [];
    };
    await observeOffsetChange(restoring(offset), world({ oracle: { archivedLogs } }).world, { settingsOf });
    assert.equal(asked, [from]);
  });

const RECORDED = { ...STORED, resume_scn: 2160000n };
const applied = (outcome: "applied" | "failed", new_offset: JsonObject): KafkaRecord => ({
  ...{ partition: 0, offset: 0n, timestamp: 0n, stampedBy: "producer", headers: {} },
  ...encodeOpsEvent(opsEvent({ run: "a", outcome, new_offset: canonicalJson(new_offset) }), "json"),
});
const nothingWritten: readonly KafkaRecord[] = [];

for (const [what, records, from] of [
  ["begins at its resume SCN", [applied("applied", RECORDED)], 2160000n],
  ["of a run that has failed is none, so that nothing is left out", [applied("failed", RECORDED)], 0n],
  ["whose resume SCN can't be read leaves nothing out", [applied("applied", { ...STORED, resume_scn: "x" })], 0n],
  ["that nobody has recorded leaves nothing out", nothingWritten, 0n],
] as const)
  observing(`the offset that the ops topic records last ${what}`, async () => {
    const asked: bigint[] = [];
    const archivedLogs: OraclePort["archivedLogs"] = async (lowest) => {
      asked.push(lowest);
      return CATALOGUE.archived;
    };
    const read: KafkaPort["read"] = async () => ({ records, whole: true, reachedEnd: true, readTo: [] });
    const unreadable = { ...STORED, resume_scn: "x" };
    const seen = world({ oracle: { archivedLogs }, kafka: { read }, stored: unreadable });
    const { facts: found } = await observeOffsetChange(LAST_RECORDED, seen.world, { settingsOf });
    assert.equal([asked, found.target], [[from], { by: "lastRecorded" }]);
    const shown = from === 0n ? [] : [from];
    assert.equal(found.times.known && found.times.value.map(({ scn }) => scn), [...shown, 2241020n]);
    assert.is(seen.calls.includes("oracle.probeLogs"), from !== 0n);
    const { outcome, decided } = planOffsetChange(LAST_RECORDED, found);
    assert.equal([outcome.state, decided.scn], from === 0n ? ["blocked", undefined] : ["ready", from]);
  });

observing("the offset that the ops topic records last is unknown where the topic may not be read", async () => {
  const read: KafkaPort["read"] = () =>
    Promise.reject(new CallFailed("kafka", "forbidden", { message: "no right to read" }));
  const seen = world({ kafka: { read }, stored: { ...STORED, resume_scn: "x" } });
  const { facts: found } = await observeOffsetChange(LAST_RECORDED, seen.world, { settingsOf });
  const { outcome, findings } = planOffsetChange(LAST_RECORDED, found);
  assert.is(outcome.state, "blocked");
  assert.ok(findings.some(({ effect, seen: why }) => effect === "blocks" && why?.includes("no right to read")));
});

observing("an offset in which nothing was committed yet has no other time than its own", async () => {
  const { world: seen } = world({ stored: { v: 1n, resume_scn: 2204511n, dbid: 2914731n, resetlogs_scn: 1n } });
  const { facts: found } = await observeOffsetChange(intent(), seen, { settingsOf });
  assert.equal(found.times.known && found.times.value.map(({ scn }) => scn), [2169287n, 2204511n, 2241020n]);
});

for (const [what, stored, unread] of [
  ["read from its beginning for a first offset: the task handles what it holds", null, ["a"]],
  ["not read where an offset is stored: its signals stay as they are", STORED, undefined],
] as const)
  observing(`the signals topic is ${what}`, async () => {
    const value = new TextEncoder().encode('{"id":"a","type":"snapshot","data":{"tables":["SALES.ORDERS"]}}');
    const records = ["orders-cdc", "billing-cdc"].map((key, i) => ({
      ...{ partition: 0, offset: BigInt(i), timestamp: 0n, stampedBy: "producer" as const, headers: {} },
      ...{ key: new TextEncoder().encode(key), value },
    }));
    const kafka: Partial<KafkaPort> = {
      endOffsets: async () => [{ partition: 0, offset: 2n }],
      read: async (topic) => ({
        records: topic === "orders.cdc.signals" ? records : [],
        ...{ whole: true, reachedEnd: true, readTo: [] },
      }),
    };
    const { world: seen } = world({ kafka, stored });
    const { signals } = (await observeOffsetChange(intent(), seen, { settingsOf })).facts;
    assert.equal(signals?.known && [signals.source, signals.value.end], unread && ["orders.cdc.signals", 2n]);
    assert.equal(signals?.known && signals.value.unread.map(({ id }) => id), unread);
  });

observing("no file is tried if a timestamp resolves to no SCN, and nothing is read that depends on one", async () => {
  const at = intent({ position: { to: "timestamp", timestamp: "1999-01-01T00:00:00Z" } });
  for (const stored of [STORED, null]) {
    const config = { ...CAPTURING, "cdc.mining.mode": "range" };
    const { world: seen, calls } = world({ oracle: { scnAt: async () => undefined }, stored, config });
    const { facts: found } = await observeOffsetChange(at, seen, { settingsOf });
    assert.equal(found.target, { by: "timestamp", scn: undefined });
    assert.not(calls.includes("oracle.probeLogs"));
    assert.not(calls.includes("oracle.lastDdl"), "nothing is skipped or mined again yet");
    assert.not(calls.includes("kafka.extents"), "nor is any transaction of the journal left in part");
  }
});

observing("a connector of another kind is refused before any other query", async () => {
  const { world: seen, calls } = world({ config: { "connector.class": "org.example.Sink" } });
  const error = await observeOffsetChange(intent(), seen, { settingsOf }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Refusal && error.code === "CON301");
  assert.not(calls.some((call) => call.startsWith("oracle.") || call.startsWith("kafka.")));
});

observing.run();
