import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { Refusal, UsageError } from "../../core/errors.ts";
import { connectorNamed } from "../../core/kinds/connector/observe.ts";
import { type Advice, lineOf } from "../../core/values/remedy.ts";
import { shellFile } from "../../core/values/shell-word.ts";
import { parseIgnoredColumn } from "../../core/verification/cutover/ignored-columns.ts";
import type { CutoverRequest, TableWanted } from "../../core/verification/cutover/request.ts";
import { DEFAULT_MEMORY, LEAST_MEMORY } from "../../core/verification/engine/memory-plan.ts";
import { checkEvidence } from "../../core/verification/evidence/check-evidence.ts";
import { printEvidence } from "../../core/verification/evidence/evidence.ts";
import { readConnectorConfig } from "../../providers/contexts/connector-config.ts";
import { refuseLogins } from "../../providers/contexts/spark-section.ts";
import type { Evidence } from "../../schemas/generated/evidence.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";
import type { Flags } from "../options/common.ts";
import type { verifyOptions } from "../options/migrate.ts";
import { writeLine } from "../screen.ts";
import { evidenceReport } from "../views/evidence.ts";
import { textOf } from "../views/rendered.ts";
import { audited, refuseOfCutover } from "./audit/audited.ts";
import { databaseLogin } from "./database-login.ts";
import { MAX_EVIDENCE_BYTES } from "./evidence-file.ts";
import { readText, refuseExisting, writeNewFile } from "./files.ts";
import { type OpenWorld, openWorld, typedTarget } from "./open-world.ts";
import { type Reported, reported, writeInForm, writeReport } from "./report-forms.ts";
import { countOf, durationOf, scnOf } from "./typed-values.ts";
import {
  finishedEvidence,
  jobIn,
  ownJobFolder,
  plannedJob,
  submitLine,
  withoutContext,
  withoutSubmit,
} from "./verify-job.ts";
import { sessionsIn, submittedEvidence, WORKER_COMMAND } from "./verify-spark.ts";
import { verifiedEvidence } from "./verifying.ts";

const MOST_SESSIONS = 9999;

export type VerifyFlags = Flags<typeof verifyOptions>;

/**
 * Runs `migrate verify`. @returns 0 only when every table passed (or the evidence file is intact and says so), else 1
 */
export async function verify(flags: VerifyFlags, host: Host): Promise<number> {
  if (flags["check-evidence"] !== undefined) return checkFile(flags["check-evidence"], flags, host);
  if (flags.finish !== undefined) {
    await refuseExisting([flags.output, flags.report]);
    return give(await finishedEvidence(flags.finish, host), flags, host);
  }
  refuseContradictions(flags);
  const asked = await readFlags(flags, host);
  await refuseExisting([flags.output, flags.report]);
  await using world = await openWorld(typedTarget(asked.connector, flags), { ...flags, config: flags.input }, host);
  if (flags.engine === "spark") return await onSpark(asked, flags, world, host);
  const evidence = await run(asked, flags, world, host);
  if (evidence === "interrupted") {
    writeLine(host.stderr, "Interrupted: run the same command again to resume.");
    return EXIT.refused;
  }
  return await give(evidence, flags, host);
}

type Asked = Omit<CutoverRequest, "config">;

async function readFlags(flags: VerifyFlags, host: Host): Promise<Asked> {
  const read = async (file: string | undefined) =>
    file === undefined ? undefined : readConnectorConfig(file, { resolveReferences: false, env: host.env });
  const named = await read(flags.input);
  const connector = flags.connector ?? named?.name ?? named?.config["name"];
  if (connector === undefined)
    throw new UsageError(
      "no connector to verify is named",
      "Pass --connector, or --input with the configuration as returned by GET /connectors/NAME.",
    );
  const legacy = await read(flags["legacy-config"]);
  return {
    connector,
    legacyConfig: legacy?.config,
    legacyConnector: legacy?.name ?? legacy?.config["name"],
    tables: tablesWanted(flags.table ?? [], flags["legacy-topic"] ?? []),
    checkScn: flags["check-scn"] === undefined ? undefined : scnOf("check-scn", flags["check-scn"]),
    safetyMarginMillis: durationOf("safety-margin", flags["safety-margin"]),
    waitMillis: durationOf("wait", flags.wait),
    ignoredColumns: (flags["ignore-column"] ?? []).map(parseIgnoredColumn),
    memory: bytesOf("memory", flags.memory),
  };
}

const UNITS: Readonly<Record<string, number>> = { kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30 };

/** `512MB`, `1G`; a kilobyte is 1024 bytes, as for memory. */
function bytesOf(option: string, text: string): number {
  const [, count, unit] = /^(\d{1,6}(?:\.\d+)?)\s*([kmg])i?b?$/i.exec(text.trim()) ?? [];
  const bytes = count === undefined ? undefined : Math.floor(Number(count) * (UNITS[`${unit?.toLowerCase()}b`] ?? 1));
  if (bytes === undefined)
    throw new UsageError(
      `--${option} ${text} is not a valid size`,
      `Write it as ${DEFAULT_MEMORY / 2 ** 20}MB or 2GB.`,
    );
  if (bytes < LEAST_MEMORY)
    throw new UsageError(`--${option} ${text} is too small`, `Pass at least ${LEAST_MEMORY / 2 ** 20}MB.`);
  return bytes;
}

async function run(asked: Asked, flags: VerifyFlags, world: OpenWorld, host: Host): Promise<Evidence | "interrupted"> {
  const { request, kafka, oracle } = await portsFor(asked, flags, world, host);
  const output = { workDir: flags["work-dir"], values: flags["show-values"] };
  return verifiedEvidence(request, world, { kafka, oracle }, output, host);
}

/**
 * Plans a job; prints how to submit it, or submits it and combines its results. A temporary folder is removed on
 * success; one named by the operator stays.
 */
async function onSpark(asked: Asked, flags: VerifyFlags, world: OpenWorld, host: Host): Promise<number> {
  const { "job-dir": named, "spark-submit": typed, "show-values": values } = flags;
  const { context, spark } = world;
  if (context === undefined) throw withoutContext();
  const submit = typed ?? spark?.submit;
  const plansOnly = named !== undefined && typed === undefined;
  if (submit === undefined && !plansOnly) throw withoutSubmit(context);
  const worker = flags["worker-command"] ?? spark?.workerCommand ?? WORKER_COMMAND;
  const folder = named ?? (await ownJobFolder(randomUUID(), host));
  if (plansOnly) await refuseExisting([folder]);
  const job = await jobIn(
    folder,
    asked,
    values,
    async () => {
      const { request, ...ports } = await portsFor(asked, flags, world, host);
      const { "database-sessions": sessions } = flags;
      const databaseSessions =
        sessions === undefined ? sessionsIn(spark) : countOf("database-sessions", sessions, MOST_SESSIONS);
      return plannedJob(request, world, ports, { values, databaseSessions }, host);
    },
    host,
  );
  if (job === "interrupted") {
    writeLine(host.stderr, "Interrupted: nothing was written.");
    return EXIT.refused;
  }
  if (submit === undefined || plansOnly) {
    host.stdout.write(textOf([submitLine(submit ?? "spark-submit", folder, worker)]));
    writeLine(host.stderr, `then:  cdcctl migrate verify --finish ${shellFile(folder)} --output evidence.json`);
    return EXIT.done;
  }
  const evidence = await submittedEvidence(job.digest, folder, { submit, worker, again: goingOn(folder) }, host);
  if (evidence === "interrupted") {
    writeLine(host.stderr, `Interrupted: the job is cancelled; ${lineOf(goingOn(folder))}`);
    return EXIT.refused;
  }
  const exit = await give(evidence, flags, host);
  if (named === undefined) await rm(folder, { recursive: true, force: true });
  return exit;
}

function goingOn(folder: string): Advice {
  return { text: "to continue, run the same command with", setting: `--job-dir ${shellFile(folder)}` };
}

async function portsFor(asked: Asked, flags: VerifyFlags, world: OpenWorld, host: Host) {
  const { request, settings: read } = flags.audit
    ? await audited(asked.connector, world)
    : await deployed(asked.connector, world);
  const settings = {
    ...read,
    database: databaseLogin(flags, read.database, { origin: read.origin, from: await world.configurationOf() }, host),
  };
  return { request: { ...asked, ...request }, kafka: world.kafka(settings), oracle: world.oracle(settings) };
}

async function deployed(name: string, world: OpenWorld) {
  const settings = await world.settingsOf(await connectorNamed(name, world.connect));
  return { request: { config: settings.config }, settings };
}

/** Options that name a host or a login for this process only: workers resolve theirs by the context. */
const OF_THIS_PROCESS = [
  "input",
  "db-dsn",
  "db-user",
  "db-password-env",
  "bootstrap-servers",
  "command-config",
  "connect-url",
] as const;

/** @throws UsageError for options that do not go together */
function refuseContradictions(flags: VerifyFlags): void {
  const { engine, "job-dir": folder, "spark-submit": submit } = flags;
  if (flags.audit) refuseOfCutover(flags);
  if (engine === "local") {
    if (folder === undefined && submit === undefined) return;
    const option = folder === undefined ? "--spark-submit" : "--job-dir";
    throw new UsageError(`${option} requires --engine spark`, { text: "Add", setting: "--engine spark" });
  }
  const own = OF_THIS_PROCESS.find((name) => flags[name] !== undefined);
  if (own !== undefined)
    throw new UsageError(`--${own} applies only to this process; the workers do not have it`, {
      text: "Set it in the context and pass",
      setting: "--context NAME",
    });
  if (flags.context === undefined) throw withoutContext();
  for (const option of ["spark-submit", "worker-command"] as const) refuseLogins(`--${option}`, flags[option]);
}

async function give(evidence: Evidence, flags: VerifyFlags, host: Host): Promise<number> {
  const { output, report } = flags;
  // First print the result of hours of work, even if writing the files fails.
  writeInForm(flags.format, formsOf(evidence), host);
  if (output !== undefined) await writeNewFile(output, printEvidence(evidence));
  if (report !== undefined) await writeReport(report, formsOf(evidence), host);
  for (const path of [output, report]) if (path !== undefined) writeLine(host.stderr, `wrote ${path}`);
  return evidence.outcome === "pass" ? EXIT.done : EXIT.refused;
}

const formsOf = (evidence: Evidence): Reported => reported(evidenceReport, (document) => document, evidence);

/** Checks an evidence file offline: no network, no other file. */
async function checkFile(path: string, { format }: VerifyFlags, host: Host): Promise<number> {
  const checked = checkEvidence(await readText(path, MAX_EVIDENCE_BYTES));
  if (!checked.sound)
    throw new Refusal("VER107", `${path} is not valid evidence: ${checked.problems.slice(0, 10).join("; ")}`, [
      "Verify again; an evidence file must not be edited.",
    ]);
  writeInForm(format, formsOf(checked.evidence), host);
  return checked.evidence.outcome === "pass" ? EXIT.done : EXIT.refused;
}

/**
 * The tables named by `--table`, with their topics from `--table` and `--legacy-topic`.
 *
 * @throws UsageError for a legacy topic without a table, a table without a name, or a duplicate
 */
export function tablesWanted(tables: readonly string[], legacyTopics: readonly string[]): readonly TableWanted[] {
  if (tables.length === 0) throw new UsageError("no table is given", "Pass --table OWNER.TABLE.");
  const wanted = tables.map((text) => splitAtTopic(text));
  const names = wanted.map(({ name }) => name.toUpperCase());
  const twice = wanted.find(({ name }, at) => names.indexOf(name.toUpperCase()) < at);
  if (twice !== undefined) throw new UsageError(`--table ${twice.name} is given twice`, "Name each table once.");
  const topicOf = new Map<string, string>();
  for (const text of legacyTopics) {
    const { name, topic } = splitAtTopic(text);
    const table = topic === undefined ? onlyOne(wanted, text) : name;
    const key = table.toUpperCase();
    if (!names.includes(key))
      throw new UsageError(`--legacy-topic ${text} belongs to a table that is not verified`, `Add --table ${table}.`);
    if (topicOf.has(key))
      throw new UsageError(`two legacy topics are given for ${table}`, "A table has one legacy topic: name it once.");
    topicOf.set(key, topic ?? name);
  }
  return wanted.map(({ name, topic }) => ({ name, topic, legacyTopic: topicOf.get(name.toUpperCase()) }));
}

/** Splits at the last equals sign: a table's quoted name may contain one, a topic's name cannot. */
function splitAtTopic(text: string): { readonly name: string; readonly topic: string | undefined } {
  const [, name, topic] = /^(.+)=([A-Za-z0-9._-]+)$/.exec(text.trim()) ?? [];
  return name === undefined || topic === undefined
    ? { name: text.trim(), topic: undefined }
    : { name: name.trim(), topic };
}

function onlyOne(wanted: readonly { readonly name: string }[], text: string): string {
  const [only] = wanted;
  if (only === undefined || wanted.length > 1)
    throw new UsageError(`--legacy-topic ${text} does not name its table`, {
      text: "With several tables",
      setting: `--legacy-topic OWNER.TABLE=${text}`,
    });
  return only.name;
}
