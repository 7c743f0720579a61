import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OffsetEntry } from "../../../core/facts/offset/stored-offset.ts";
import type { OffsetsSetEvent } from "../../../core/facts/ops/ops-event.ts";
import { redactConfiguration } from "../../../core/redaction/redact.ts";
import type { JournalEntry } from "../../../core/run/journal.ts";
import { journalLine, readJournal } from "../../../core/run/read-journal.ts";
import { until } from "../../../providers/connect/contract.ts";
import type { SandboxConnector } from "../../../providers/sandbox/connect/cluster.ts";
import { MEANWHILE } from "../../../providers/sandbox/migration/orders-script.ts";
import { migrationFile, NEW_CONNECTOR, NEW_TOPIC } from "../../../providers/sandbox/migration/scenario.ts";
import { LEGACY_CONNECTOR } from "../../../providers/sandbox/migration/stage.ts";
import { plainJaas } from "../../../providers/sandbox/plain-login.ts";
import { CLUSTER_ID, type Sandbox, type SandboxOptions, startSandbox } from "../../../providers/sandbox/sandbox.ts";
import { BROKERS, CONNECT, contexts, environment, OPS_TOPIC, opsEventsOf, textsBelow } from "../changed-world.ts";
import { journalOnDisk, runsIn } from "../journal-on-disk.ts";

const EVIDENCE = "orders-to-cdc.evidence.json";

/** A sandbox with a running legacy connector, an operator's files for its migration, and what a test reads of both. */
export interface MigrationWorld {
  readonly sandbox: Sandbox;
  /** The operator's files; the state directory is another. */
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  /** No output and no file of the state directory may contain these. */
  readonly secrets: readonly string[];
  /** Writes a plan file. @returns its path */
  plan(phase: string, ...spec: readonly string[]): Promise<string>;
  write(name: string, text: string): Promise<string>;
  /**
   * What is on disk of the latest run that began in this world, read at once; of its connectors the new one's folder
   * holds it.
   */
  journal(): readonly JournalEntry[];
  connector(which: "legacy" | "new"): SandboxConnector | undefined;
  stored(which: "legacy" | "new"): readonly OffsetEntry[];
  topics(): readonly string[];
  opsEvents(): Promise<readonly OffsetsSetEvent[]>;
  /** The evidence of a verification beside its plan file. */
  evidence(): string | undefined;
  lockExists(): boolean;
  /** Everything that the commands wrote to the state directory. */
  written(): Promise<string>;
  close(): Promise<void>;
}

/** The state of a migration when the test begins. */
export interface Beginning {
  readonly configuration: Readonly<Record<string, string>>;
  readonly addresses: readonly string[];
  /** The state directory as the cutover, and what came after it, left it. */
  readonly state: string;
  /** The evidence of a verification that passed; the consumers of the legacy topic read the new one by then. */
  readonly evidence: string | undefined;
}

const nameOf = (which: "legacy" | "new"): string => (which === "legacy" ? LEGACY_CONNECTOR : NEW_CONNECTOR);

/**
 * @param after a cutover that was carried out: its connectors are there, and its journal
 * @param guarded whether the workers ask for a login
 */
export async function openMigrationWorld(
  options: SandboxOptions = {},
  after?: Beginning,
  {
    guarded = true,
    fileOf = migrationFile,
  }: { readonly guarded?: boolean; readonly fileOf?: typeof migrationFile } = {},
): Promise<MigrationWorld> {
  const sandbox = await startSandbox({
    migration: true,
    ...options,
    broker: { auth: { mechanisms: ["PLAIN"], users: { cdc: BROKERS } }, ...options.broker },
    connect: {
      commitInterval: 20,
      statusLag: 5,
      ...(guarded ? { auth: { user: "cdcctl", password: CONNECT } } : {}),
      ...options.connect,
    },
  });
  const dir = await mkdtemp(join(tmpdir(), "cdcctl-migration-"));
  const files = join(dir, "files");
  const state = join(dir, "state");
  await mkdir(files);
  const env = environment(dir, files);
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(files, name), text, { mode: 0o600 });
    return join(files, name);
  };
  const legacy = sandbox.migration?.legacyConfig ?? {};
  const configured = `    connectors:\n      ${NEW_CONNECTOR}: { config: orders-cdc.json }\n`;
  await write("contexts.yaml", contexts(sandbox.connect.url) + configured);
  await write("orders-cdc.json", JSON.stringify(ownSettings(legacy)));
  if (after !== undefined) {
    await cp(after.state, state, { recursive: true });
    await standAfterCutover(sandbox, after);
    await verifiedHere(sandbox, join(state, CLUSTER_ID, NEW_CONNECTOR));
    if (after.evidence !== undefined) {
      await write(EVIDENCE, after.evidence);
      sandbox.migration?.moveConsumers(NEW_TOPIC);
    }
  } else await atWork(sandbox);
  const folder = join(state, CLUSTER_ID, NEW_CONNECTOR);
  const before = new Set(runsIn(folder));
  return {
    sandbox,
    dir: files,
    env,
    secrets: [CONNECT, BROKERS, legacy["oracle.password"] ?? legacy["database.password"] ?? "none"],
    write,
    // Short limits, so that failures are not waited for.
    plan: (phase, ...spec) =>
      write(`${phase}.yaml`, fileOf(phase, ...spec).replace("  verify:\n", "  verify:\n    wait: 20s\n")),
    journal() {
      const latest = runsIn(folder).findLast((run) => !before.has(run));
      return latest === undefined ? [] : journalOnDisk(folder, latest);
    },
    connector: (which) => sandbox.connect.cluster.connectors.get(nameOf(which)),
    stored: (which) => sandbox.connect.stored(nameOf(which)),
    topics: () => [...sandbox.broker.state.topics.keys()].sort(),
    opsEvents: () => opsEventsOf(sandbox),
    evidence() {
      const path = join(files, EVIDENCE);
      return existsSync(path) ? readFileSync(path, "utf8") : undefined;
    },
    lockExists: () =>
      [NEW_CONNECTOR, LEGACY_CONNECTOR].some((name) => existsSync(join(state, CLUSTER_ID, name, "lock"))),
    written: async () => (await textsBelow(state)).join("\n"),
    async close() {
      await sandbox.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/**
 * What a later world needs to begin where this one is after its cutover. @param keptIn the state directory is copied to
 * here
 */
export async function beginningOf(world: MigrationWorld, keptIn: string): Promise<Beginning> {
  const configuration = world.connector("new")?.config;
  if (configuration === undefined) throw new Error("there was no cutover");
  await cp(world.env["CDCCTL_STATE"] ?? "", keptIn, { recursive: true });
  return { configuration, addresses: addressesOf(world.sandbox), state: keptIn, evidence: world.evidence() };
}

/** Everything of the script has happened that comes before a cutover. */
function atWork({ oracle }: Sandbox): Promise<void> {
  return until("the legacy connector is up to date", async () => oracle.currentScn() >= (MEANWHILE.at(-1)?.scn ?? 0n));
}

/**
 * The legacy connector stopped, the new one at work; what of another world's addresses stands in its configuration is
 * this one's.
 */
async function standAfterCutover(sandbox: Sandbox, { configuration, addresses }: Beginning): Promise<void> {
  await atWork(sandbox);
  const { cluster } = sandbox.connect;
  const legacy = cluster.connectors.get(LEGACY_CONNECTOR);
  if (legacy === undefined) throw new Error("there is no legacy connector");
  cluster.aim(legacy, "STOPPED");
  await until("it has stopped", async () => legacy.reported?.state === "STOPPED" && legacy.reported.tasks.length === 0);
  const here = addressesOf(sandbox);
  const moved = (value: string) => addresses.reduce((text, there, i) => text.replace(there, here[i] ?? there), value);
  const config = Object.fromEntries(Object.entries(configuration).map(([name, value]) => [name, moved(value)]));
  cluster.create(NEW_CONNECTOR, config, "RUNNING");
  await until("it has committed", async () => sandbox.stored() !== undefined);
}

/**
 * A verification of another world becomes one of this world's connectors: every other entry of its journal stays as it
 * is.
 */
async function verifiedHere(sandbox: Sandbox, folder: string): Promise<void> {
  const config = sandbox.connect.cluster.connectors.get(NEW_CONNECTOR)?.config ?? {};
  const found = {
    configuration: redactConfiguration({ ...config, name: NEW_CONNECTOR }),
    offsets: sandbox.connect.stored(NEW_CONNECTOR),
    legacyOffsets: sandbox.connect.stored(LEGACY_CONNECTOR),
    opsTopic: OPS_TOPIC,
    opsTopicEnds: [],
  };
  for (const path of (await readdir(folder))
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(folder, name))) {
    const read = readJournal(await readFile(path, "utf8"));
    if ("unreadable" in read) throw new Error(`${path}: ${read.unreadable.why}`);
    const entries = read.entries.map((entry) =>
      entry.type === "verification-pinned" ? { ...entry, ...found } : entry,
    );
    await writeFile(path, entries.map(journalLine).join(""), { mode: 0o600 });
  }
}

/** Port of the database, address of the brokers. */
function addressesOf({ migration, broker }: Sandbox): readonly string[] {
  const { "oracle.port": port, "database.port": ofDebezium = "" } = migration?.legacyConfig ?? {};
  return [port ?? ofDebezium, broker.address];
}

/** The legacy connector's configuration does not set that its mining sessions begin with transactions. */
export function startAnywhere(world: MigrationWorld): void {
  const legacy = world.connector("legacy");
  if (legacy === undefined) throw new Error("there is no legacy connector");
  const { "use.transaction.begin.for.mining.session": _set, ...config } = legacy.config;
  legacy.config = config;
}

function ownSettings(legacy: Readonly<Record<string, string>>): Readonly<Record<string, string | undefined>> {
  return {
    "cdc.database.host": legacy["oracle.server"] ?? legacy["database.hostname"],
    "cdc.database.port": legacy["oracle.port"] ?? legacy["database.port"],
    "cdc.database.service": "ORCLCDB",
    "cdc.database.user": legacy["oracle.username"] ?? legacy["database.user"],
    "cdc.database.password": legacy["oracle.password"] ?? legacy["database.password"],
    "cdc.stream.bootstrap.servers":
      legacy["redo.log.consumer.bootstrap.servers"] ?? legacy["schema.history.internal.kafka.bootstrap.servers"],
    "cdc.stream.security.protocol": "SASL_PLAINTEXT",
    "cdc.stream.sasl.mechanism": "PLAIN",
    "cdc.stream.sasl.jaas.config": plainJaas("cdc", BROKERS),
  };
}
