import type {
  ConnectorStatus,
  ConsumerGroupSeen,
  OffsetChangeFacts,
  OpenTransaction,
  RecordedEvent,
  ResnapshotFacts,
} from "../../../schemas/generated/facts.ts";
import type { SettingProblem } from "../../../schemas/generated/shared.ts";
import { CallFailed } from "../../errors.ts";
import { connectVersion, isAtLeast, type PluginDescription } from "../../facts/connector/connector.ts";
import { unredacted } from "../../facts/testing/unredacted.ts";
import type { ChangeAnswer, PatchAnswer } from "../../ports/answers.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ConnectPort } from "../../ports/connect.ts";
import type { KafkaPort } from "../../ports/kafka.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import type { StatePort } from "../../ports/state.ts";
import type { World } from "../../ports/world.ts";
import { type Instant, instantOf } from "../../values/instant.ts";
import { canonicalJson, type JsonObject } from "../../values/json.ts";
import { type MemoryConnector, type MemoryConnectors, memoryConnectors } from "./memory-connectors.ts";
import { offsetChangeFacts, resnapshotFacts, topicSeenAt } from "./memory-facts.ts";
import { memoryOracle } from "./memory-oracle.ts";
import { acknowledgement, memoryTopics } from "./memory-topics.ts";
import { CONNECTOR, CURRENT_SCN, GAP_END, OPS_TOPIC, SIGNALS_TOPIC, STORED } from "./story.ts";

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
  readonly oracle: OraclePort;
  readonly clock: Clock;
  /** What happens to the calls and journal entries to come, in their order; afterwards all is well. */
  fates: Fate[];
  /** The stored offset of the story's connector; the others are in `connectors`, and it is too. */
  stored: JsonObject | null;
  state: MemoryConnector["state"] | "gone";
  /**
   * All connectors, and all that is stored under their names. One of the legacy class commits in each partition it has.
   */
  readonly connectors: MemoryConnectors;
  /** What the worker says of itself; `initial_state` is known from 3.7 on. */
  version: string;
  plugins: readonly PluginDescription[];
  /** What the workers find wrong with a configuration. */
  problems: readonly SettingProblem[];
  /** The groups as the broker would show them if it were asked about all topics. */
  groups: readonly ConsumerGroupSeen[];
  /**
   * Every POST and DELETE that was sent, in their order: `POST orders-cdc STOPPED`, `DELETE orders-cdc offsets`,
   * `DELETE topic a`.
   */
  readonly changes: readonly string[];
  /**
   * Topics that are there. A connector with a prefix makes the one of its table, and its ops topic, when it first
   * commits.
   */
  readonly topics: readonly string[];
  /** The events of the ops topic. */
  readonly events: readonly RecordedEvent[];
  /** Ids of the signals in their topic. */
  readonly signals: readonly string[];
  /** Bodies of the PATCHes that were sent, with what stood there then. */
  readonly patches: {
    readonly body: string;
    readonly stored: JsonObject | null;
    readonly state: string;
    readonly signals: readonly string[];
    readonly announced: boolean;
  }[];
  /** The log in which the stored position lies is gone: a task that stands before its end fails. */
  purged: boolean;
  /** `RESETLOGS_CHANGE#` of the database. */
  resetlogsScn: bigint;
  /** The task fails for a reason of its own: whenever it is started, or so that a stop and a start fix it. */
  taskFails: boolean | "until stopped";
  /** How the task answers a signal that it reads; undefined: never. */
  answers: { readonly outcome: string; readonly message: string } | undefined;
  /** How long an append that is applied later takes, milliseconds. */
  appendsLateBy: number;
  /** Open now; each ends by itself when the world's time has come to `until`, milliseconds. */
  transactions: readonly (OpenTransaction & { readonly until: number })[];
  /** A task that kept running after its stop commits what it had once more, after so many milliseconds. */
  lateCommitAfter: number | undefined;
  /** Another hand starts the connector so many milliseconds after it was stopped. */
  startedAfter: number | undefined;
  /** Called whenever time passes, and after each call: what must never be is seen here. */
  watch(): void;
  /** Decides for one call or journal entry whether the process outlives it. */
  fate(): Fate;
  facts(): OffsetChangeFacts;
  snapshotFacts(): ResnapshotFacts;
  /** A topic is there, without records. */
  makeTopic(topic: string): void;
  /** Another hand writes to a topic. */
  put(topic: string, value: string | null, key?: string): void;
  /** Something happens after so many milliseconds. */
  after(millis: number, act: () => void): void;
  /** Everything that is under way happens. */
  settle(): Promise<void>;
}

/**
 * Connect, a broker and a database as plain values, in virtual time. A running task commits a little further every 20
 * ms.
 */
export function memoryWorld(stored: JsonObject | null = STORED, state: MemoryWorld["state"] = "RUNNING"): MemoryWorld {
  let now = 0;
  let chance = 42;
  let signalsRead = 0;
  const topics = memoryTopics();
  const connectors = memoryConnectors();
  const changes: string[] = [];
  let due: { readonly at: number; readonly act: () => void }[] = [];
  const at = (): Instant => instantOf(Date.UTC(2026, 10, 21) + now);

  const resumeScn = () => BigInt(String(world.stored?.["resume_scn"] ?? CURRENT_SCN));
  const taskRuns = (name = CONNECTOR) =>
    connectors.all.get(name)?.state === "RUNNING" &&
    connectors.all.get(name)?.fails !== true &&
    (name !== CONNECTOR ||
      (world.taskFails === false && !(world.purged && world.stored !== null && resumeScn() < GAP_END)));
  const readSignals = () => {
    for (const id of world.signals.slice(signalsRead)) {
      const { answers } = world;
      if (answers !== undefined)
        due.push({
          at: now + 150,
          act: () => {
            for (const record of acknowledgement(id, answers)) topics.add(OPS_TOPIC, record);
          },
        });
    }
    signalsRead = world.signals.length;
  };
  const commit = () => {
    world.watch();
    for (const name of connectors.all.keys()) {
      if (!taskRuns(name)) continue;
      if (name === CONNECTOR) readSignals();
      connectors.commit(name);
      const prefix = connectors.all.get(name)?.config["cdc.topic.prefix"];
      if (prefix === undefined) continue;
      topics.create(`${prefix}.ORCLPDB1.SALES.ORDERS`);
      topics.create(`${prefix}.cdc.ops`);
    }
  };
  const named = (name: string): MemoryConnector => {
    const connector = connectors.all.get(name);
    if (connector !== undefined) return connector;
    throw new CallFailed("connect", "missing", { message: `Connector ${name} not found` });
  };
  const start = (name: string) => {
    const connector = connectors.all.get(name);
    if (connector !== undefined) connector.state = "RUNNING";
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
    new CallFailed(system, "timeout", { message: `${system} did not answer` });

  /** Carries out a call as its fate wants it. */
  const call = (system: "connect" | "kafka", act: () => void, lateBy = 700): void => {
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
        due.push({ at: now + lateBy, act });
        throw lost(system);
      case "refused":
        throw new CallFailed(system, "forbidden", { message: `${system} says no` });
      case "killed before":
        throw new Killed();
      case "killed after":
        act();
        throw new Killed();
    }
  };

  /** A task takes a moment to begin. */
  const created = (name: string, answer: ChangeAnswer): ChangeAnswer => {
    const connector = connectors.all.get(name);
    if (answer.answer === "applied" && connector !== undefined) {
      connector.starting = true;
      due.push({ at: now + 100, act: () => void delete connector.starting });
    }
    return answer;
  };

  /** Carries out a call and answers what it came to: what the act itself answers, or that it was applied. */
  const answered = (act: () => ChangeAnswer | undefined, system: "connect" | "kafka" = "connect"): ChangeAnswer => {
    let answer: ChangeAnswer = { answer: "applied", message: "" };
    try {
      call(system, () => {
        answer = act() ?? answer;
      });
      return answer;
    } catch (failure) {
      return answerOf(failure);
    }
  };

  /** The same, of a call that is listed. */
  const change = (system: "connect" | "kafka", description: string, act: () => ChangeAnswer): ChangeAnswer => {
    changes.push(description);
    return answered(act, system);
  };

  const status = (name = CONNECTOR): ConnectorStatus => {
    const current = connectors.all.get(name)?.state ?? "gone";
    const worker = "w:8083";
    if (current === "STOPPED") return { state: current, worker, tasks: [] };
    const trace = "CDC-2002 a log is gone\n\tat Task.poll";
    return {
      state: current,
      worker,
      tasks: [
        taskRuns(name) || current === "PAUSED"
          ? { id: 0n, state: current, worker }
          : { id: 0n, state: "FAILED", worker, trace },
      ],
    };
  };
  const openNow = () => world.transactions.filter(({ until }) => now < until);
  const seen = () => ({ status: status(), transactions: openNow(), at: at(), opsTopicEnd: topics.end(OPS_TOPIC) });

  const world: MemoryWorld = {
    fates: [],
    get stored() {
      return connectors.offsets.get(CONNECTOR)?.[0]?.offset ?? null;
    },
    set stored(offset) {
      if (offset === null) connectors.offsets.delete(CONNECTOR);
      else connectors.offsets.set(CONNECTOR, [{ partition: { server: "orders" }, offset }]);
    },
    get state() {
      return connectors.all.get(CONNECTOR)?.state ?? "gone";
    },
    set state(wanted) {
      const connector = connectors.all.get(CONNECTOR);
      if (wanted === "gone") connectors.all.delete(CONNECTOR);
      else if (connector === undefined) connectors.all.set(CONNECTOR, { config: {}, state: wanted });
      else connector.state = wanted;
    },
    connectors,
    version: "3.9.2",
    plugins: [],
    problems: [],
    groups: [],
    changes,
    get topics() {
      return topics.names();
    },
    get events() {
      return topics.events(OPS_TOPIC);
    },
    get signals() {
      return topics.signalIds(SIGNALS_TOPIC);
    },
    patches: [],
    purged: false,
    resetlogsScn: 1n,
    watch: () => {},
    taskFails: false,
    answers: { outcome: "ok", message: "" },
    appendsLateBy: 700,
    transactions: [],
    lateCommitAfter: undefined,
    startedAfter: undefined,
    fate: () => world.fates.shift() ?? "answered",
    connect: {
      url: "http://w:8083",
      worker: async () => ({ version: world.version, commit: "c", clusterId: "k" }),
      connectors: async () => [...connectors.all.keys()],
      plugins: async () => world.plugins,
      validate: async () => world.problems,
      async connector(name) {
        const found = connectors.all.get(name);
        return found && { name, config: found.config, taskIds: found.state === "STOPPED" ? [] : [0], type: "source" };
      },
      async status(name) {
        pass(1);
        return connectors.all.has(name) ? status(name) : undefined;
      },
      async offsets(name) {
        pass(1);
        named(name);
        return connectors.offsets.get(name) ?? [];
      },
      time: () => at(),
      stop: async (name) =>
        answered(() => {
          const connector = named(name);
          if (connector.state === "RUNNING" && world.lateCommitAfter !== undefined) {
            const last = connectors.offsets.get(name) ?? [];
            due.push({ at: now + world.lateCommitAfter, act: () => void connectors.offsets.set(name, last) });
            world.lateCommitAfter = undefined;
          }
          if (world.startedAfter !== undefined) {
            due.push({ at: now + world.startedAfter, act: () => start(name) });
            world.startedAfter = undefined;
          }
          if (name === CONNECTOR && world.taskFails === "until stopped") world.taskFails = false;
          connector.state = "STOPPED";
          connectors.ended(name);
        }),
      resume: async (name) =>
        answered(() => {
          named(name).state = "RUNNING";
        }),
      restart: async (name) =>
        answered(() => {
          named(name);
          world.taskFails = false;
        }),
      create: async (name, config, initialState) =>
        change("connect", ["POST", name, ...(initialState === undefined ? [] : [initialState])].join(" "), () =>
          created(name, connectors.create(name, config, initialState, knowsInitialState(world.version))),
        ),
      deleteOffsets: async (name) => change("connect", `DELETE ${name} offsets`, () => connectors.deleteOffsets(name)),
      deleteConnector: async (name) => change("connect", `DELETE ${name}`, () => connectors.remove(name)),
      async patchOffsets(_name, entries): Promise<PatchAnswer> {
        const [entry] = entries;
        world.patches.push({
          body: canonicalJson(entries),
          stored: world.stored,
          state: world.state,
          signals: world.signals,
          announced: world.events.some(({ details }) => details.outcome === "applying"),
        });
        const answer = answered(() => {
          if (world.state === "STOPPED") world.stored = entry?.offset ?? null;
        });
        return answer.answer === "applied" ? { ...answer, checked: true } : answer;
      },
      close: async () => {},
    },
    kafka: {
      brokers: "k:9092",
      clusterId: async () => "k",
      topics: async () => topics.names(),
      mayCreateTopics: async () => true,
      maxTransactionMillis: async () => 900_000n,
      topic: async (name) => (topics.names().includes(name) ? topicSeenAt(name, at()) : undefined),
      async append(topic, records) {
        const add = () => {
          for (const { key, value } of [records].flat()) topics.add(topic, value, key);
        };
        call("kafka", add, world.appendsLateBy);
        return { partition: 0, offset: topics.end(topic) - 1n };
      },
      endOffsets: async (topic) => [{ partition: 0, offset: topics.end(topic) }],
      extents: async (topic) => [{ partition: 0, from: 0n, to: topics.end(topic) }],
      async *records(topic, { from }) {
        const { records } = topics.read(topic, [{ partition: 0, offset: from }]);
        if (records.length > 0) yield records;
      },
      recordsInPlace: () => {
        throw new Error("no run reads a topic record by record");
      },
      async read(topic, { from }) {
        pass(1);
        return topics.read(topic, from);
      },
      createTopic: async (name, partitions, config) =>
        change("kafka", `CREATE topic ${name} ${partitions} ${config["cleanup.policy"]}`, () => {
          if (topics.names().includes(name)) return { answer: "rejected", status: 36, message: "TOPIC_ALREADY_EXISTS" };
          topics.create(name);
          return { answer: "applied", message: "created" };
        }),
      deleteTopic: async (name) =>
        change("kafka", `DELETE topic ${name}`, () =>
          topics.delete(name)
            ? { answer: "applied", message: "deleted" }
            : { answer: "rejected", status: 3, message: "UNKNOWN_TOPIC_OR_PARTITION" },
        ),
      async consumersOf(asked) {
        const among = (named: readonly string[]) => named.filter((topic) => asked.includes(topic));
        return world.groups
          .map((group) => ({ ...group, active: among(group.active), committed: among(group.committed) }))
          .filter(({ active, committed, unclear }) => active.length + committed.length > 0 || unclear !== undefined);
      },
      close: async () => {},
    },
    get oracle() {
      return oracle;
    },
    clock: {
      now: at,
      elapsed: () => now,
      random() {
        chance = (chance * 1_103_515_245 + 12_345) % 2 ** 31;
        return chance / 2 ** 31;
      },
      async sleep(millis) {
        pass(millis);
      },
    },
    facts: () => offsetChangeFacts(world, seen()),
    snapshotFacts: () => resnapshotFacts(world, seen()),
    makeTopic: topics.create,
    put(topic, value, key) {
      const bytes = (text: string) => new TextEncoder().encode(text);
      topics.add(topic, value === null ? null : bytes(value), key === undefined ? null : bytes(key));
    },
    after(millis, act) {
      due.push({ at: now + millis, act });
    },
    async settle() {
      pass(100_000);
    },
  };
  const oracle = memoryOracle(world, async () => openNow());
  world.state = state;
  world.stored = stored;
  return world;
}

/** The world as a command has it. @param state the journals, as far as the test has any */
export function worldOf(
  world: Pick<MemoryWorld, "connect" | "kafka" | "oracle" | "clock">,
  state: Partial<StatePort> = {},
): World {
  return {
    ...world,
    kafka: () => world.kafka,
    oracle: () => world.oracle,
    jmx: () => {
      throw new Error("no JVM is asked");
    },
    redact: unredacted,
    state: state as StatePort,
    close: async () => {},
  };
}

function knowsInitialState(version: string): boolean {
  const release = connectVersion(version);
  return release !== undefined && isAtLeast(release, 3, 7);
}

/** What the caller of a changing call is told; that the process ended it is never told. */
function answerOf(failure: unknown): Exclude<ChangeAnswer, { readonly answer: "applied" }> {
  if (!(failure instanceof CallFailed)) throw failure;
  if (failure.kind === "missing") return { answer: "rejected", status: 404, message: failure.message };
  return failure.kind === "forbidden"
    ? { answer: "rejected", status: 403, message: "not allowed" }
    : { answer: "unanswered", why: failure.message };
}
