import type { OffsetChangeIntent } from "../../document/intent.ts";
import { CallFailed } from "../../errors.ts";
import type { ConnectorStatus } from "../../facts/connector.ts";
import type { OffsetChangeFacts } from "../../facts/connector-facts.ts";
import type { Observed } from "../../facts/observed.ts";
import { decodeOffsetsSet, type OffsetsSetEvent } from "../../facts/ops-event.ts";
import type { Clock, ConnectPort, KafkaPort, OraclePort, PatchAnswer } from "../../ports.ts";
import { type Instant, instantOf } from "../../values/instant.ts";
import { canonicalJson, type JsonObject } from "../../values/json.ts";

export const CONNECTOR = "orders-cdc";
export const OPS_TOPIC = "orders.cdc.ops";
export const PREVIOUS_SCN = 2_044_511n;
export const CURRENT_SCN = 2_100_000n;

export const STORED: JsonObject = {
  v: 1n,
  resume_scn: PREVIOUS_SCN,
  resume_rs_id: "0x00002a.00000f1c.0010",
  resume_ssn: 3n,
  last_commit_scn: PREVIOUS_SCN - 13n,
  event_index: 14n,
  journal_generation: 7n,
  dbid: 2914731n,
  resetlogs_scn: 1n,
  released_xids: "1:4.9.771,1:5.2.802",
};

/** The process ends here; what it would have done next is never done. */
export class Killed extends Error {
  override readonly name = "Killed";
}

/** What becomes of one call that changes something. Reads always answer: that they don't is another tier's matter. */
export type Fate =
  | "answered"
  | "lost"
  | "lost, applied"
  | "lost, applied later"
  | "refused"
  | "killed before"
  | "killed after";

export interface MemoryWorld {
  readonly connect: ConnectPort;
  readonly kafka: KafkaPort;
  /** Knows the open transactions only. */
  readonly oracle: OraclePort;
  readonly clock: Clock;
  /** What happens to the calls and journal entries to come, in their order; afterwards all is well. */
  fates: Fate[];
  stored: JsonObject | null;
  state: "RUNNING" | "STOPPED";
  readonly events: OffsetsSetEvent[];
  /** Bodies of the PATCHes that arrived, with what stood there then. */
  readonly patches: { readonly body: string; readonly stored: JsonObject | null; readonly state: string }[];
  /** A task that outlived its stop commits what it had once more, after so many milliseconds. */
  lateCommitAfter: number | undefined;
  /** Another hand starts the connector so many milliseconds after it was stopped. */
  startedAfter: number | undefined;
  /** Decides for one call or journal entry whether the process outlives it. */
  fate(): Fate;
  facts(): OffsetChangeFacts;
  /** Everything that is under way happens. */
  settle(): Promise<void>;
}

/** Connect, a broker and a database as plain values, in virtual time. A running task commits a little further every 20 ms. */
export function memoryWorld(stored: JsonObject | null = STORED, state: "RUNNING" | "STOPPED" = "RUNNING"): MemoryWorld {
  let now = 0;
  let generation: bigint | undefined;
  let due: { readonly at: number; readonly act: () => void }[] = [];
  const at = (): Instant => instantOf(Date.UTC(2026, 10, 21) + now);

  const commit = () => {
    if (world.state !== "RUNNING") return;
    const from = world.stored ?? { resume_scn: CURRENT_SCN };
    generation ??= BigInt(String(from["journal_generation"] ?? 0n)) + 1n;
    world.stored = {
      ...from,
      resume_scn: BigInt(String(from["resume_scn"])) + 1n,
      journal_generation: generation,
    };
  };
  const start = () => {
    world.state = "RUNNING";
  };
  const pass = (millis: number) => {
    const until = now + Math.max(1, millis);
    for (let step = 0; now < until && step < 50; step++) {
      now = Math.min(until, now + Math.max(20, (until - now) / 10));
      for (const { act } of due.filter((one) => one.at <= now)) act();
      due = due.filter((one) => one.at > now);
      commit();
    }
  };
  const lost = (system: "connect" | "kafka") =>
    new CallFailed({ system, kind: "timeout", message: `${system} did not answer` });

  /** Carries out a call as its fate wants it. */
  const call = (system: "connect" | "kafka", act: () => void): void => {
    pass(1);
    switch (world.fate()) {
      case "answered":
        act();
        return;
      case "lost":
        throw lost(system);
      case "lost, applied":
        act();
        throw lost(system);
      case "lost, applied later":
        due.push({ at: now + 700, act });
        throw lost(system);
      case "refused":
        throw new CallFailed({ system, kind: "forbidden", message: `${system} says no` });
      case "killed before":
        throw new Killed();
      case "killed after":
        act();
        throw new Killed();
    }
  };

  const status = (): ConnectorStatus => ({
    state: world.state,
    worker: "w:8083",
    tasks: world.state === "RUNNING" ? [{ id: 0n, state: "RUNNING", worker: "w:8083" }] : [],
  });

  const world: MemoryWorld = {
    fates: [],
    stored,
    state,
    events: [],
    patches: [],
    lateCommitAfter: undefined,
    startedAfter: undefined,
    fate: () => world.fates.shift() ?? "answered",
    connect: {
      url: "http://w:8083",
      worker: async () => ({ version: "3.9.2", commit: "c", clusterId: "k" }),
      plugins: async () => [],
      connector: async () => ({ name: CONNECTOR, config: {}, taskIds: [], type: "source" }),
      async status() {
        pass(1);
        return status();
      },
      async offsets() {
        pass(1);
        return world.stored === null ? [] : [{ partition: { server: "orders" }, offset: world.stored }];
      },
      async stop() {
        call("connect", () => {
          if (world.state === "RUNNING" && world.lateCommitAfter !== undefined) {
            const last = world.stored;
            due.push({
              at: now + world.lateCommitAfter,
              act: () => {
                world.stored = last;
              },
            });
            world.lateCommitAfter = undefined;
          }
          if (world.startedAfter !== undefined) {
            due.push({ at: now + world.startedAfter, act: start });
            world.startedAfter = undefined;
          }
          world.state = "STOPPED";
          generation = undefined;
        });
      },
      async resume() {
        call("connect", start);
      },
      async patchOffsets(_name, entries): Promise<PatchAnswer> {
        const [entry] = entries;
        const act = () => {
          if (world.state === "STOPPED") world.stored = entry?.offset ?? null;
        };
        world.patches.push({ body: canonicalJson(entries), stored: world.stored, state: world.state });
        try {
          call("connect", act);
          return { answer: "applied", message: "altered", checked: true };
        } catch (failure) {
          if (!(failure instanceof CallFailed)) throw failure;
          return failure.kind === "forbidden"
            ? { answer: "rejected", status: 403, message: "not allowed" }
            : { answer: "unanswered", why: failure.message };
        }
      },
      close: async () => {},
    },
    kafka: {
      brokers: "k:9092",
      clusterId: async () => "k",
      topic: async () => undefined,
      async append(_topic, { value }) {
        const event = decodeOffsetsSet(value);
        call("kafka", () => {
          if (event !== undefined) world.events.push(event);
        });
        return { partition: 0, offset: BigInt(world.events.length) };
      },
      endOffsets: async () => [{ partition: 0, offset: BigInt(world.events.length) }],
      async read() {
        pass(1);
        const { encodeOpsEvent } = await import("../../facts/ops-event.ts");
        const records = world.events.map((event, i) => ({
          partition: 0,
          offset: BigInt(i),
          timestamp: 0n,
          key: null,
          headers: {},
          value: encodeOpsEvent(event, "json").value,
        }));
        return { records, whole: true, reachedEnd: true };
      },
      close: async () => {},
    },
    oracle: { openTransactions: async () => [] } as unknown as OraclePort,
    clock: {
      now: at,
      elapsed: () => now,
      random: () => 0.5,
      async sleep(millis) {
        pass(millis);
      },
    },
    facts: () => factsOf(world, status(), at()),
    async settle() {
      pass(100_000);
    },
  };
  return world;
}

/** A healthy database, all redo there, beside what the world shows now. */
function factsOf(world: MemoryWorld, status: ConnectorStatus, at: Instant): OffsetChangeFacts {
  const known = <T>(value: T): Observed<T> => ({ known: true, value, source: "memory", at });
  return {
    kind: "OffsetChange",
    at,
    worker: { url: "http://w:8083", version: "3.9.2", clusterId: "k" },
    connector: {
      name: CONNECTOR,
      connectorClass: "io.oso.cdc.oracle.OracleCdcSourceConnector",
      config: { "cdc.database.host": "db", "cdc.topic.prefix": "orders" },
      configOrigin: "memory",
      prefix: "orders",
      opsTopic: OPS_TOPIC,
      signalsTopic: "orders.cdc.signals",
      captureMode: "online",
      miningMode: "auto",
      archiveDestination: undefined,
      tables: { pdbs: ["ORCLPDB1"], include: "ORCLPDB1[.]SALES[.].*", exclude: undefined, caseSensitive: false },
      valueConverter: undefined,
      valueConverterSchemas: undefined,
      status,
      offsets: world.stored === null ? [] : [{ partition: { server: "orders" }, offset: world.stored }],
    },
    database: {
      dbid: 2914731n,
      name: "ORCLCDB",
      version: "19.22.0.0.0",
      container: true,
      connectedTo: "CDB$ROOT",
      logMode: "ARCHIVELOG",
      openMode: "READ WRITE",
      role: "PRIMARY",
      currentScn: CURRENT_SCN,
      resetlogsScn: 1n,
      zone: "+00:00",
      address: "db:1521/ORCLCDB",
    },
    target: { by: "scn" },
    redo: known({
      threads: [{ thread: 1n, enabled: "PUBLIC", status: "OPEN", sequence: 9n, enableScn: 1n, disableScn: undefined }],
      destinations: [{ id: 1n, name: "LOG_ARCHIVE_DEST_1", status: "VALID", type: "LOCAL" }],
      archived: [],
      online: [
        {
          thread: 1n,
          sequence: 9n,
          firstScn: 1n,
          nextScn: undefined,
          status: "CURRENT",
          archived: false,
          member: "/redo/9.log",
          bytes: 1n,
        },
      ],
    }),
    probes: known({ applies: true, files: [{ file: "/redo/9.log", opened: true as const }] }),
    transactions: known([]),
    journaled: known([]),
    times: known([]),
    brokers: known({ address: "k:9092", clusterId: "k" }),
    opsTopic: known({
      name: OPS_TOPIC,
      partitions: 1n,
      replicas: 1n,
      cleanupPolicy: known("delete"),
      minInsyncReplicas: known(1n),
      maxMessageBytes: known(1_048_588n),
      mayWrite: known(true),
    }),
    opsHistory: known({ events: world.events, whole: true }),
  };
}

/** A move to an SCN, forward ones allowed. */
export function moveTo(scn: bigint, more: Partial<OffsetChangeIntent> = {}): OffsetChangeIntent {
  return {
    kind: "OffsetChange",
    metadata: { name: "replay", reason: "replay", ticket: undefined },
    target: { context: undefined, connectUrl: "http://w:8083", connector: CONNECTOR },
    origin: { by: "plan file", file: undefined, lines: {} },
    position: { to: "scn", scn },
    allowSkip: true,
    forgetReleased: "none",
    resume: true,
    opsFormat: undefined,
    accept: [],
    ...more,
  };
}
