import { CallFailed } from "../../errors.ts";
import type { ConnectorStatus } from "../../facts/connector.ts";
import type { OffsetChangeFacts } from "../../facts/connector-facts.ts";
import type { OpenTransaction } from "../../facts/database.ts";
import type { OffsetsSetEvent } from "../../facts/ops-event.ts";
import type { ResnapshotFacts } from "../../facts/resnapshot-facts.ts";
import type { Clock, ConnectPort, KafkaPort, OraclePort, PatchAnswer } from "../../ports.ts";
import { type Instant, instantOf } from "../../values/instant.ts";
import { canonicalJson, type JsonObject } from "../../values/json.ts";
import { offsetChangeFacts, resnapshotFacts } from "./memory-facts.ts";
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
  /** Knows the open transactions only. */
  readonly oracle: OraclePort;
  readonly clock: Clock;
  /** What happens to the calls and journal entries to come, in their order; afterwards all is well. */
  fates: Fate[];
  stored: JsonObject | null;
  state: "RUNNING" | "STOPPED" | "PAUSED" | "gone";
  /** The events of the ops topic. */
  readonly events: readonly OffsetsSetEvent[];
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
  /** The task fails for a reason of its own: whenever it is started, or so that a stop and a start mend it. */
  taskFails: boolean | "until stopped";
  /** How the task answers a signal that it reads; undefined: never. */
  answers: { readonly outcome: string; readonly message: string } | undefined;
  /** How long an append that is applied later takes, milliseconds. */
  appendsLateBy: number;
  /** Open now; each ends by itself when the world's time has come to `until`, milliseconds. */
  transactions: readonly (OpenTransaction & { readonly until: number })[];
  /** A task that outlived its stop commits what it had once more, after so many milliseconds. */
  lateCommitAfter: number | undefined;
  /** Another hand starts the connector so many milliseconds after it was stopped. */
  startedAfter: number | undefined;
  /** Decides for one call or journal entry whether the process outlives it. */
  fate(): Fate;
  facts(): OffsetChangeFacts;
  snapshotFacts(): ResnapshotFacts;
  /** Another hand writes to a topic. */
  put(topic: string, value: string): void;
  /** Something happens after so many milliseconds. */
  after(millis: number, act: () => void): void;
  /** Everything that is under way happens. */
  settle(): Promise<void>;
}

/** Connect, a broker and a database as plain values, in virtual time. A running task commits a little further every 20 ms. */
export function memoryWorld(stored: JsonObject | null = STORED, state: MemoryWorld["state"] = "RUNNING"): MemoryWorld {
  let now = 0;
  let generation: bigint | undefined;
  let chance = 42;
  let signalsRead = 0;
  const topics = memoryTopics();
  let due: { readonly at: number; readonly act: () => void }[] = [];
  const at = (): Instant => instantOf(Date.UTC(2026, 10, 21) + now);

  const resumeScn = () => BigInt(String(world.stored?.["resume_scn"] ?? CURRENT_SCN));
  const taskRuns = () =>
    world.state === "RUNNING" &&
    world.taskFails === false &&
    !(world.purged && world.stored !== null && resumeScn() < GAP_END);
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
    if (!taskRuns()) return;
    readSignals();
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
    tasks:
      world.state === "STOPPED"
        ? []
        : [
            taskRuns() || world.state === "PAUSED"
              ? { id: 0n, state: world.state, worker: "w:8083" }
              : { id: 0n, state: "FAILED", worker: "w:8083", trace: "CDC-2002 a log is gone\n\tat Task.poll" },
          ],
  });
  const openNow = () => world.transactions.filter(({ until }) => now < until);
  const seen = () => ({ status: status(), transactions: openNow(), at: at() });

  const world: MemoryWorld = {
    fates: [],
    stored,
    state,
    get events() {
      return topics.events(OPS_TOPIC);
    },
    get signals() {
      return topics.signalIds(SIGNALS_TOPIC);
    },
    patches: [],
    purged: false,
    taskFails: false,
    answers: { outcome: "ok", message: "" },
    appendsLateBy: 700,
    transactions: [],
    lateCommitAfter: undefined,
    startedAfter: undefined,
    fate: () => world.fates.shift() ?? "answered",
    connect: {
      url: "http://w:8083",
      worker: async () => ({ version: "3.9.2", commit: "c", clusterId: "k" }),
      plugins: async () => [],
      validate: async () => [],
      connector: async () => ({ name: CONNECTOR, config: {}, taskIds: [], type: "source" }),
      async status() {
        pass(1);
        return world.state === "gone" ? undefined : status();
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
          if (world.taskFails === "until stopped") world.taskFails = false;
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
        world.patches.push({
          body: canonicalJson(entries),
          stored: world.stored,
          state: world.state,
          signals: world.signals,
          announced: world.events.some(({ details }) => details.outcome === "applying"),
        });
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
      async append(topic, { value }) {
        call("kafka", () => topics.add(topic, value), world.appendsLateBy);
        return { partition: 0, offset: topics.end(topic) - 1n };
      },
      endOffsets: async (topic) => [{ partition: 0, offset: topics.end(topic) }],
      async read(topic, { from }) {
        pass(1);
        return topics.read(topic, from);
      },
      close: async () => {},
    },
    oracle: { openTransactions: async () => openNow() } as unknown as OraclePort,
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
    put(topic, value) {
      topics.add(topic, new TextEncoder().encode(value));
    },
    after(millis, act) {
      due.push({ at: now + millis, act });
    },
    async settle() {
      pass(100_000);
    },
  };
  return world;
}
