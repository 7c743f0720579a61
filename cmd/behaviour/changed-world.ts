import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JournalEntry } from "../../core/apply/journal.ts";
import { decodeOffsetsSet, type OffsetsSetEvent } from "../../core/facts/ops-event.ts";
import { type Json, type JsonObject, parseJson } from "../../core/values/json.ts";
import type { Fault as ConnectFault, FaultRequest } from "../../providers/sandbox/connect/fault.ts";
import type { SandboxTask } from "../../providers/sandbox/connect/task.ts";
import type { Fault as KafkaFault, RequestSeen } from "../../providers/sandbox/kafka/broker.ts";
import {
  CLUSTER_ID,
  CONNECTOR,
  PREFIX,
  type Sandbox,
  type SandboxOptions,
  STORED_SCN,
  startSandbox,
} from "../../providers/sandbox/sandbox.ts";
import { planFile } from "../../providers/sandbox/scenarios.ts";
import { stateDirectory } from "../../providers/state/state-directory.ts";

export const TARGET_SCN = 2_010_000n;
export const OPS_TOPIC = `${PREFIX}.cdc.ops`;
/** In no output, file, log or error. */
export const CANARIES = ["canary-database-9f1c", "canary-connect-4b7e", "canary-brokers-c052", "canary-keystore-77d3"];
const [DATABASE, CONNECT, BROKERS, KEYSTORE] = CANARIES as [string, string, string, string];

/** A sandbox with its files, the state directory beside them, and what a test asks of both. */
export interface ChangedWorld {
  readonly sandbox: Sandbox;
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly plan: string;
  /** What is on disk of the latest run, read at once: what a kill would leave. */
  journal(): readonly JournalEntry[];
  opsEvents(): Promise<readonly OffsetsSetEvent[]>;
  lockExists(): boolean;
  /** Everything that the commands wrote to files. */
  written(): Promise<string>;
  writePlan(name: string, text: string): Promise<string>;
  close(): Promise<void>;
}

/** A task that goes on from its offset in small steps, so that its position tells where it started. */
export function creepingTask(): SandboxTask {
  let offset: Record<string, Json> = {};
  return {
    start(stored) {
      const [entry] = stored;
      offset = { ...entry?.offset };
      offset["journal_generation"] = BigInt(String(offset["journal_generation"] ?? 0n)) + 1n;
    },
    tick() {
      offset = { ...offset, resume_scn: BigInt(String(offset["resume_scn"])) + 3n };
      return [{ partition: { server: PREFIX }, offset }];
    },
  };
}

/** The sandbox behind logins, every password a canary. */
export async function openChangedWorld(options: SandboxOptions = {}): Promise<ChangedWorld> {
  const sandbox = await startSandbox({
    ...options,
    oracle(world) {
      world.users = { "C##CDC": { password: DATABASE } };
      options.oracle?.(world);
    },
    config: {
      "cdc.database.password": DATABASE,
      "cdc.stream.security.protocol": "SASL_PLAINTEXT",
      "cdc.stream.sasl.mechanism": "PLAIN",
      "cdc.stream.sasl.jaas.config": `org.apache.kafka.common.security.plain.PlainLoginModule required username="cdc" password="${BROKERS}";`,
      "cdc.stream.ssl.keystore.password": KEYSTORE,
      ...options.config,
    },
    broker: { auth: { mechanisms: ["PLAIN"], users: { cdc: BROKERS } }, ...options.broker },
    connect: {
      commitInterval: 20,
      statusLag: 5,
      auth: { user: "cdcctl", password: CONNECT },
      task: creepingTask,
      ...options.connect,
    },
  });
  const dir = await mkdtemp(join(tmpdir(), "cdcctl-behaviour-"));
  const env = {
    CDCCTL_CONTEXTS: join(dir, "contexts.yaml"),
    CDCCTL_STATE: join(dir, "state"),
    CDCCTL_OPERATOR: "ana",
    CONNECT_PASSWORD: CONNECT,
    HOME: dir,
    NO_PROXY: "*",
  };
  const writePlan = async (name: string, text: string): Promise<string> => {
    await writeFile(join(dir, name), text, { mode: 0o600 });
    return join(dir, name);
  };
  await writePlan("contexts.yaml", contexts(sandbox.connect.url));
  const plan = await writePlan(
    "replay.yaml",
    planFile("orders-replay", "replay after the bad deploy", `scn: ${TARGET_SCN}`, "resume: true"),
  );
  const folder = join(env.CDCCTL_STATE, CLUSTER_ID, CONNECTOR);
  return {
    sandbox,
    dir,
    env,
    plan,
    writePlan,
    journal() {
      const [latest] = existsSync(folder)
        ? readdirSync(folder)
            .filter((name) => name.endsWith(".journal.jsonl"))
            .sort()
            .reverse()
        : [];
      return latest === undefined ? [] : entriesOf(readFileSync(join(folder, latest), "utf8"));
    },
    async opsEvents() {
      const records = await sandbox.broker.records(OPS_TOPIC);
      return records.flatMap(({ value }) => decodeOffsetsSet(value) ?? []);
    },
    lockExists: () => existsSync(join(folder, "lock")),
    async written() {
      const names = await readdir(dir, { recursive: true, withFileTypes: true });
      const files = names.filter((entry) => entry.isFile());
      const texts = await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), "utf8")));
      return texts.join("\n");
    },
    async close() {
      await sandbox.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The runs' journals through the production store, as `recover` reads them. */
export async function settledJournal(world: ChangedWorld): Promise<readonly JournalEntry[]> {
  const store = stateDirectory(join(world.dir, "state"));
  const latest = (await store.list()).at(-1);
  return latest === undefined ? [] : store.read(latest);
}

function entriesOf(text: string): readonly JournalEntry[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => (parseJson(line) as JsonObject)["entry"] as unknown as JournalEntry);
}

function contexts(url: string): string {
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

/** A request of either system, as a rule for faults sees it. */
export type Arrival = ({ readonly system: "connect" } & FaultRequest) | ({ readonly system: "kafka" } & RequestSeen);

export type Misfortune = { readonly connect?: ConnectFault; readonly kafka?: KafkaFault };

/** One rule over both systems. */
export function failBoth(sandbox: Sandbox, rule: ((arrival: Arrival) => Misfortune | undefined) | undefined): void {
  sandbox.connect.fail(rule && ((request) => rule({ system: "connect", ...request })?.connect));
  sandbox.failBroker(rule && ((request) => rule({ system: "kafka", ...request })?.kafka));
}

/** Where the connector stands: it went on from the target, from where it was, or stands at the target itself. */
export function whereItStands(offset: JsonObject | undefined): "at the target" | "from the target" | "as before" {
  const scn = BigInt(String(offset?.["resume_scn"] ?? 0n));
  if (scn === TARGET_SCN) return "at the target";
  return scn > TARGET_SCN && scn < STORED_SCN ? "from the target" : "as before";
}
