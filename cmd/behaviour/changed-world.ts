import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Test } from "uvu";
import { closing } from "../../core/change/holding.ts";
import { decodeOffsetsSet, type OffsetsSetEvent } from "../../core/facts/ops/ops-event.ts";
import { decodeSignalAck, signalIdOf } from "../../core/facts/ops/signal.ts";
import { unredacted } from "../../core/facts/testing/unredacted.ts";
import type { JournalEntry, RunStarted } from "../../core/run/journal.ts";
import { inOrder } from "../../core/run/order.ts";
import { type Json, printJson } from "../../core/values/json.ts";
import type { Fault as ConnectFault, FaultRequest } from "../../providers/sandbox/connect/fault.ts";
import type { SandboxTask } from "../../providers/sandbox/connect/task.ts";
import type { Fault as KafkaFault, RequestSeen } from "../../providers/sandbox/kafka/broker.ts";
import type { Fault as OracleFault } from "../../providers/sandbox/oracle/options.ts";
import type { OracleWorld, TransactionRow } from "../../providers/sandbox/oracle/world.ts";
import { plainJaas } from "../../providers/sandbox/plain-login.ts";
import {
  CLUSTER_ID,
  CONNECTOR,
  PREFIX,
  type Sandbox,
  type SandboxOptions,
  STORED_SCN,
  startSandbox,
} from "../../providers/sandbox/sandbox.ts";
import { stateDirectory } from "../../providers/state/state-directory.ts";
import type { SignalAck } from "../../schemas/generated/facts.ts";
import { type Change, OFFSET_CHANGE } from "./changes.ts";
import { journalOnDisk, runsIn } from "./journal-on-disk.ts";

export const OPS_TOPIC = `${PREFIX}.cdc.ops`;
export const SIGNALS_TOPIC = `${PREFIX}.cdc.signals`;
export const JOURNAL_TOPIC = `${PREFIX}.cdc.txjournal`;
/** Must appear in no output, file, log or error. */
export const CANARIES = ["canary-database-9f1c", "canary-connect-4b7e", "canary-brokers-c052", "canary-keystore-77d3"];
export const [DATABASE, CONNECT, BROKERS, KEYSTORE] = CANARIES as [string, string, string, string];

/** A sandbox with its files, the state directory beside them, and what a test asks of both. */
export interface ChangedWorld {
  readonly sandbox: Sandbox;
  readonly change: Change;
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly plan: string;
  /** The latest run on disk, read synchronously: what a kill would leave. */
  journal(): readonly JournalEntry[];
  opsEvents(): Promise<readonly OffsetsSetEvent[]>;
  /** Ids of the signals, oldest first. */
  signals(): Promise<readonly string[]>;
  /** Whether the topic holds any signal, read synchronously. */
  signalStands(): boolean;
  acks(): Promise<readonly SignalAck[]>;
  /** Writes an answer as the connector does. */
  answer(ack: SignalAck): void;
  lockExists(): boolean;
  /** Everything that the commands wrote to files. */
  written(): Promise<string>;
  writePlan(name: string, text: string): Promise<string>;
  close(): Promise<void>;
}

/** A task that advances from its offset in small steps, so that its position shows where it started. */
export function creepingTask(): SandboxTask {
  let offset: Record<string, Json> = {};
  return {
    start(stored) {
      const [entry] = stored;
      offset = { ...entry?.offset };
      offset["journal_generation"] = BigInt(String(offset["journal_generation"] ?? 0n)) + 1n;
    },
    tick() {
      const next = BigInt(String(offset["resume_scn"])) + 3n;
      // However slow the test is: no task is ahead of its database.
      if (next < STORED_SCN + 400n) offset = { ...offset, resume_scn: next };
      return [{ partition: { server: PREFIX }, offset }];
    },
  };
}

/**
 * The sandbox behind logins, every password a canary.
 *
 * @param options over what the change needs
 * @param runsOn whether the connector started before the fault, and has not noticed it
 */
export async function openChangedWorld(
  options: SandboxOptions = {},
  change: Change = OFFSET_CHANGE,
  { runsOn = false }: { readonly runsOn?: boolean } = {},
): Promise<ChangedWorld> {
  const sandbox = await startSandbox({
    ...change.world,
    ...options,
    oracle(world) {
      world.users = { "C##CDC": { password: DATABASE } };
      change.world.oracle?.(world);
      options.oracle?.(world);
      if (!runsOn) change.fault?.(world);
    },
    config: {
      "cdc.database.password": DATABASE,
      "cdc.stream.security.protocol": "SASL_PLAINTEXT",
      "cdc.stream.sasl.mechanism": "PLAIN",
      "cdc.stream.sasl.jaas.config": plainJaas("cdc", BROKERS),
      "cdc.stream.ssl.keystore.password": KEYSTORE,
      ...change.world.config,
      ...options.config,
    },
    broker: { auth: { mechanisms: ["PLAIN"], users: { cdc: BROKERS } }, ...options.broker },
    connect: {
      commitInterval: 20,
      statusLag: 5,
      auth: { user: "cdcctl", password: CONNECT },
      task: creepingTask,
      ...change.world.connect,
      ...options.connect,
    },
  });
  if (runsOn) change.fault?.(sandbox.oracle);
  const dir = await mkdtemp(join(tmpdir(), "cdcctl-behaviour-"));
  const env = environment(dir, dir);
  const writePlan = async (name: string, text: string): Promise<string> => {
    await writeFile(join(dir, name), text, { mode: 0o600 });
    return join(dir, name);
  };
  await writePlan("contexts.yaml", contexts(sandbox.connect.url));
  const plan = await writePlan("plan.yaml", change.plan);
  const folder = join(env.CDCCTL_STATE, CLUSTER_ID, CONNECTOR);
  const journal = (): readonly JournalEntry[] => {
    const latest = runsIn(folder).at(-1);
    return latest === undefined ? [] : journalOnDisk(folder, latest);
  };
  if (change.waits === true) endWhenWaitedFor(sandbox.oracle, change, journal);
  return {
    sandbox,
    change,
    dir,
    env,
    plan,
    writePlan,
    journal,
    opsEvents: () => opsEventsOf(sandbox),
    async signals() {
      const records = await sandbox.broker.records(SIGNALS_TOPIC);
      return records.map(({ value }) => signalIdOf(value) ?? "no signal");
    },
    signalStands: () => (sandbox.broker.state.topics.get(SIGNALS_TOPIC)?.partitions[0]?.end ?? 0n) > 0n,
    async acks() {
      const records = await sandbox.broker.records(OPS_TOPIC);
      return records.flatMap(({ value }) => decodeSignalAck(value, unredacted) ?? []);
    },
    answer(ack) {
      const details = { type: "snapshot", id: ack.id, outcome: ack.outcome as string, message: ack.message };
      const event = { v: 1n, type: "signal-ack", ts_ms: BigInt(Date.now()), server: PREFIX, details };
      const bytes = (json: Json) => Buffer.from(printJson(json, 0));
      sandbox.broker.append(OPS_TOPIC, { key: bytes({ server: PREFIX }), value: bytes(event) });
    },
    lockExists: () => existsSync(join(folder, "lock")),
    written: async () => (await textsBelow(dir)).join("\n"),
    async close() {
      await sandbox.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** An operator whose workers ask for a login. @param files the folder of their contexts file */
export const environment = (home: string, files: string) => ({
  CDCCTL_CONTEXTS: join(files, "contexts.yaml"),
  CDCCTL_STATE: join(home, "state"),
  CDCCTL_OPERATOR: "ana",
  CONNECT_PASSWORD: CONNECT,
  HOME: home,
  NO_PROXY: "*",
});

export async function opsEventsOf({ broker }: Sandbox): Promise<readonly OffsetsSetEvent[]> {
  if (!broker.state.topics.has(OPS_TOPIC)) return [];
  return (await broker.records(OPS_TOPIC)).flatMap(({ value }) => decodeOffsetsSet(value, unredacted) ?? []);
}

/** Reads every file in a folder and below. */
export async function textsBelow(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), "utf8")));
}

/** The latest run's journal through the production store, which lists two runs of one second in any order. */
export async function settledJournal(world: ChangedWorld): Promise<readonly JournalEntry[]> {
  const store = stateDirectory(join(world.dir, "state"));
  const runs = await Promise.all((await store.list()).map((key) => store.read(key)));
  const begun = runs.filter(([first]) => first?.type === "run-started");
  return inOrder(begun, ([first]) => first as JournalEntry & RunStarted).at(-1) ?? [];
}

/** A contexts file with one context, `sandbox`. */
export function contexts(url: string): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference is written like this
  const password = "${env:CONNECT_PASSWORD}";
  return `apiVersion: cdcctl/v1
kind: Contexts
contexts:
  sandbox:
    connect:
      url: ${url}
      auth:
        basic: { user: cdcctl, password: "${password}" }
`;
}

/** A request to any system, as seen by a fault rule. */
export type Arrival =
  | ({ readonly system: "connect" } & FaultRequest)
  | ({ readonly system: "kafka" } & RequestSeen)
  | { readonly system: "oracle"; readonly statement: string };

export type Fault = {
  readonly connect?: ConnectFault;
  readonly kafka?: KafkaFault;
  readonly oracle?: OracleFault;
};

/** One rule over all systems. */
export function failAll(sandbox: Sandbox, rule: ((arrival: Arrival) => Fault | undefined) | undefined): void {
  sandbox.connect.fail(rule && ((request) => rule({ system: "connect", ...request })?.connect));
  sandbox.failBroker(rule && ((request) => rule({ system: "kafka", ...request })?.kafka));
  sandbox.oracle.fault = rule && ((statement) => rule({ system: "oracle", statement })?.oracle);
}

/** Open from before the change's target until a run that waits for it has seen it once. */
function endWhenWaitedFor(oracle: OracleWorld, { target = 0n }: Change, journal: () => readonly JournalEntry[]): void {
  const open: TransactionRow = {
    instance: 1n,
    container: 3n,
    usn: 9n,
    slot: 4n,
    sequence: 1207n,
    startScn: target - 1000n,
    startTime: oracle.scnTimes.timeOf(target - 1000n),
    user: "BATCH",
    clientId: "nightly-load",
  };
  let ended = false;
  Object.defineProperty(oracle, "transactions", {
    get() {
      if (ended) return [];
      ended = journal().some((entry) => entry.type === "step-started" && entry.step === "wait-for-transactions");
      return [open];
    },
  });
}

/** Adds a test with a world of its own, which is closed afterwards. */
export function inChangedWorld(
  tests: Test,
  name: string,
  act: (world: ChangedWorld) => Promise<void>,
  change?: Change,
): void {
  tests(name, async () => {
    await using world = closing(await openChangedWorld({}, change));
    await act(world);
  });
}

/** How many calls have changed something at Connect. */
export const changesIn = ({ sandbox }: ChangedWorld): number =>
  sandbox.connect.requests.filter(({ method }) => method !== "GET").length;

/** The command that takes over the recorded change of the connector. */
export const RECOVER_FROM_OPS: readonly string[] = [
  "recover",
  "--from-ops",
  "--context",
  "sandbox",
  "--connector",
  CONNECTOR,
  "--yes",
];
