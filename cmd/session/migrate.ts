import { listed } from "../../core/checks/listed.ts";
import { connectorSettings } from "../../core/document/connector-settings.ts";
import type { MigrationIntent } from "../../core/document/intent.ts";
import { orUndefined, Refusal, UsageError } from "../../core/errors.ts";
import type { BoundSettings, ConnectorSettings } from "../../core/facts/connector/settings.ts";
import { observerAt } from "../../core/facts/observer.ts";
import { isEmptyOffset } from "../../core/facts/offset/stored-offset.ts";
import { capturedIn } from "../../core/facts/tables/tables.ts";
import { inspectDeployed, inspectItsRedo, inspectLegacyConnector } from "../../core/kinds/migration/observe.ts";
import { deliveredBy } from "../../core/kinds/migration/reading.ts";
import {
  buildsAmong,
  CONNECTOR_CLASS,
  checkConnectorClass,
  classMissing,
  LEGACY_CLASSES,
} from "../../core/legacy/connector-class.ts";
import { legacyOf, positionRulesOf, refuseForeign } from "../../core/legacy/legacy-kind.ts";
import {
  ACCEPTABLE,
  type TakeoverCode,
  type TakeoverProblem,
  type TakeoverReading,
} from "../../core/legacy/position.ts";
import { notStopped, notTheLegacyOne, readTakeover } from "../../core/legacy/takeover.ts";
import { leftToDo, neverDelivered, notCapturedSentence, startingAt } from "../../core/legacy/target-config.ts";
import { otherClass, redactTranslation, translate } from "../../core/legacy/translation.ts";
import { redactConfiguration, redactSecrets } from "../../core/redaction/redact.ts";
import { REFUSALS } from "../../core/refusals.ts";
import { printJson } from "../../core/values/json.ts";
import { lineOf } from "../../core/values/remedy.ts";
import { MASK } from "../../core/values/secret.ts";
import { truncate } from "../../core/values/truncate.ts";
import type { Translation } from "../../schemas/generated/shared.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";
import type { Flags } from "../options/common.ts";
import type { takeoverOptions, translateOptions } from "../options/migrate.ts";
import { writeLine } from "../screen.ts";
import { type TakeoverReport, takeoverDocument, takeoverReport } from "../views/takeover.ts";
import {
  type TranslationReport,
  translationDocument,
  translationReport,
  type Validation,
} from "../views/translation.ts";
import { readConfigFile } from "./config-file.ts";
import { databaseLogin } from "./database-login.ts";
import { refuseExisting, writeNewFile } from "./files.ts";
import { type OpenWorld, openWorld, typedTarget } from "./open-world.ts";
import { reported, writeInForm, writeReport } from "./report-forms.ts";
import { scnOf } from "./typed-values.ts";

type TranslateFlags = Flags<typeof translateOptions>;

/**
 * Runs `migrate translate`. @returns 1 when the input is not the legacy connector's configuration or a worker
 * finds the result invalid, 2 with `--detailed-exitcode` while manual properties remain, else 0
 */
export async function translateFile(flags: TranslateFlags, host: Host): Promise<number> {
  const { input, output, report } = flags;
  await refuseExisting([output, report]);
  const asks = flags["connect-url"] !== undefined || flags.context !== undefined;
  await using world = asks ? await openWorld(typedTarget(flags.name ?? "", flags), flags, host) : undefined;
  const { source, translation, isLegacy } = await translated(flags, world, host);
  const validation = world && (await validated(translation, world));
  const whole: TranslationReport = { source, translation: redactTranslation(translation), validation };
  if (output !== undefined && isLegacy)
    await writeNewFile(output, `${printJson({ name: translation.name, config: translation.config })}\n`);
  const forms = reported(translationReport, translationDocument, whole, input);
  if (report !== undefined) await writeReport(report, forms, host);
  writeInForm(flags.format, forms, host);
  for (const path of [output, report])
    if (path !== undefined)
      writeLine(
        host.stderr,
        isLegacy || path === report
          ? `wrote ${path}`
          : `${path} is not written: the input is not a legacy connector's configuration`,
      );
  if (!isLegacy || (validation?.problems ?? []).length > 0) return EXIT.refused;
  const manual = translation.properties.some(({ fate }) => fate === "manual");
  return manual && flags["detailed-exitcode"] ? EXIT.somethingToChange : EXIT.done;
}

async function translated(flags: TranslateFlags, world: OpenWorld | undefined, host: Host) {
  const { input, name: newName, topics, "topic-prefix": topicPrefix, "debezium-version": version } = flags;
  const named = flags["connector-class"];
  const connectorClass = world === undefined ? named && checkConnectorClass(named) : world.connectorClass;
  const {
    written: { name, config },
  } = await readConfigFile(input, host);
  const connector = name ?? config["name"]?.trim() ?? "";
  if (connector === "" && (newName === undefined || topicPrefix === undefined)) {
    throw new UsageError({
      file: input,
      message: "it does not name the legacy connector",
      remedy: "Pass --name and --topic-prefix, or the connector as returned by GET /connectors/NAME.",
    });
  }
  const className = config["connector.class"]?.trim() ?? "";
  if (className === "")
    throw new UsageError({
      file: input,
      message: "it has no connector.class: is it a connector's configuration?",
      remedy: `For a legacy connector it is ${LEGACY_CLASSES.join(" or ")}.`,
    });
  refuseForeign(connector === "" ? input : connector, config);
  const installed = (await world?.connect.plugins())?.find((one) => one.className === className)?.version;
  const options = { name: newName, topicPrefix, connectorClass, topics, version, installed };
  return {
    source: redactConfiguration(config),
    translation: translate(connector, config, options),
    /** Whether the input is a legacy connector's configuration. */
    isLegacy: otherClass(className).length === 0,
  };
}

/** The errors the workers find. A masked secret is not a value, so their findings about it are ignored. */
async function validated({ config }: Translation, { connect, connectorClass }: OpenWorld): Promise<Validation> {
  const worker = connect.url;
  const wanted = connectorClass ?? CONNECTOR_CLASS;
  const plugins = await connect.plugins();
  if (!plugins.some(({ className }) => className === wanted)) {
    const { seen, remedies } = classMissing(wanted, buildsAmong(plugins));
    return {
      worker,
      problems: [{ setting: "connector.class", errors: [`the workers have ${seen}`, ...remedies.map(lineOf)] }],
      notJudged: [],
    };
  }
  const found = await connect.validate(wanted, config);
  const masked = (setting: string): boolean => (config[setting] ?? "").includes("********");
  return {
    worker,
    problems: found.filter(({ setting }) => !masked(setting)),
    notJudged: found.map(({ setting }) => setting).filter(masked),
  };
}

type TakeoverFlags = Flags<typeof takeoverOptions>;

/** Runs `migrate takeover`. @returns 1 when the position cannot be taken over; the report has the reasons */
export async function takeOver(flags: TakeoverFlags, host: Host): Promise<number> {
  const { output, report } = flags;
  await refuseExisting([output, report]);
  const accept = acceptable(flags.accept ?? []);
  const target = await readTarget(flags, host);
  const choice = {
    leaveOut: flags["leave-out"] ?? [],
    startScn: flags["start-scn"] === undefined ? undefined : scnOf("start-scn", flags["start-scn"]),
  };
  const { facts, newClass, plugins, dictionary, captured } = await observe(flags, target, choice, host);
  const reading = accepted(readTakeover(facts, { ...choice, mining: target.settings }), accept);
  const config =
    reading.offsets === undefined || reading.problems.length > 0
      ? undefined
      : startingAt(target.config, reading.offsets.startScn);
  const { tables } = target.settings;
  const legacy = legacyOf({ from: { connector: facts.legacy.name } }, facts.legacy);
  const delivered = deliveredBy(legacy, { from: choice }, { settings: target.settings, dictionary });
  const shown: TakeoverReport = {
    facts,
    reading,
    target: { file: flags["target-config"], name: target.name },
    config: config === undefined ? undefined : redactConfiguration(config),
    leftToDo: [
      ...leftToDo(target.config, facts.legacy, newClass, plugins),
      ...(reading.offsets === undefined
        ? []
        : [...notCapturedSentence(delivered, tables), ...neverDelivered(reading.offsets, delivered, captured, tables)]),
    ],
    written: Object.values(target.config).some((value) => value.includes(MASK)) ? undefined : output,
  };
  if (config !== undefined && output !== undefined) await writeConfiguration(output, target.name, config, host);
  const forms = reported(takeoverReport, takeoverDocument, shown);
  if (report !== undefined) {
    await writeReport(report, forms, host);
    writeLine(host.stderr, `wrote ${report}`);
  }
  writeInForm(flags.format, forms, host);
  return reading.problems.length === 0 ? EXIT.done : EXIT.refused;
}

/** @throws UsageError for a code that cannot be accepted */
function acceptable(codes: readonly string[]): readonly TakeoverCode[] {
  return codes.map((code) => {
    const known = ACCEPTABLE.find((one) => one === code);
    if (known === undefined)
      throw new UsageError(
        `--accept ${JSON.stringify(truncate(code, 20))}: this refusal cannot be accepted`,
        `Only ${listed(ACCEPTABLE)} can be accepted.`,
      );
    return known;
  });
}

/** Marks accepted findings: they no longer refuse, and stay in the report. */
function accepted(reading: TakeoverReading, accept: readonly TakeoverCode[]): TakeoverReading {
  const isAccepted = ({ code }: TakeoverProblem) => accept.includes(code);
  return {
    ...reading,
    problems: reading.problems.filter((problem) => !isAccepted(problem)).map(remedied),
    warnings: [
      ...reading.problems.filter(isAccepted).map(({ code, seen }) => `accepted (${code}): ${seen}`),
      ...reading.warnings,
    ],
  };
}

interface Target {
  readonly name: string | undefined;
  /** The settings as written, with references and secrets. */
  readonly config: Readonly<Record<string, string>>;
  /** The settings with the database login named by the flags. */
  readonly settings: Omit<ConnectorSettings, "database"> & Pick<BoundSettings, "database">;
}

async function readTarget(flags: TakeoverFlags, host: Host): Promise<Target> {
  const file = flags["target-config"];
  const read = await readConfigFile(file, host);
  const { config } = read.written;
  const name = read.written.name ?? config["name"];
  if (name === flags.connector)
    throw new UsageError({
      file,
      message: `the target configuration has the legacy connector's name, ${JSON.stringify(name)}`,
      remedy: "Give the new connector another name: creating it would replace the legacy one.",
    });
  if ((config["cdc.topic.prefix"] ?? "").trim() === "")
    throw new UsageError({
      file,
      message: "cdc.topic.prefix is not set: this is not a configuration of the new connector",
      remedy: { text: "Translate the legacy connector's first", command: "cdcctl migrate translate --help" },
    });
  const settings = connectorSettings((await read.resolved()).config, file);
  const source = { origin: file, from: "the operator's file" } as const;
  return { name, config, settings: { ...settings, database: databaseLogin(flags, settings.database, source, host) } };
}

/** Reads the position. The database is asked only if a position exists and the connector is stopped. */
async function observe(
  flags: TakeoverFlags,
  { name, settings }: Target,
  choice: Pick<MigrationIntent["from"], "leaveOut" | "startScn">,
  host: Host,
) {
  const { connector } = flags;
  await using world = await openWorld(typedTarget(connector, flags), flags, host);
  const seen = await inspectLegacyConnector(connector, world);
  const read = positionRulesOf(seen.legacy).read(seen.legacy.offsets, choice.leaveOut);
  const problem =
    notTheLegacyOne(seen.legacy) ??
    notStopped(connector, seen.legacy.status, seen.worker.url) ??
    (read.ok ? undefined : read.problem) ??
    (name === undefined ? undefined : await offsetTaken(name, world));
  if (problem !== undefined) {
    const { code, seen, remedies } = remedied(problem);
    throw new Refusal(code, seen, remedies);
  }
  const oracle = world.oracle(settings);
  const [redo, dictionary, plugins] = await Promise.all([
    inspectItsRedo(seen, { ...choice, settings }, world, oracle),
    observerAt(world.clock)("CDB_TABLES", () => oracle.dictionary(settings.tables.pdbs)),
    orUndefined(world.connect.plugins()),
  ]);
  return {
    facts: { ...seen, ...redo },
    // The new connector's: named by the operator, or the documented one.
    newClass: world.connectorClass ?? CONNECTOR_CLASS,
    // Undefined if they could not be listed.
    plugins,
    dictionary,
    captured: capturedIn(settings.tables, dictionary),
  };
}

/** Finds a connector that exists with a stored offset: it would resume from that, and ignore its start. */
async function offsetTaken(name: string, { connect }: OpenWorld): Promise<TakeoverProblem | undefined> {
  const next = await inspectDeployed(name, connect);
  if (next === undefined || next.offsets.every(({ offset }) => isEmptyOffset(offset))) return undefined;
  const { state } = next.status;
  const why = "it would resume from there, and ignore cdc.start.scn";
  return { code: "LEG011", seen: `${name} exists (${state}) and has a stored offset: ${why}`, remedies: [] };
}

/** The problem with the remedies of its code, if it has none of its own. */
function remedied(problem: TakeoverProblem): TakeoverProblem {
  if (problem.remedies.length > 0) return problem;
  return { ...problem, remedies: REFUSALS.flatMap(({ code, remedy }) => (code === problem.code ? remedy : [])) };
}

/** Writes the target configuration, secrets included; a file with a secret is readable only by its owner. */
async function writeConfiguration(
  path: string,
  name: string | undefined,
  config: Readonly<Record<string, string>>,
  host: Host,
): Promise<void> {
  const masked = redactSecrets(config);
  const secret = Object.keys(config).some((setting) => masked[setting] !== config[setting]);
  const body = name === undefined ? config : { name, config };
  await writeNewFile(path, `${printJson(body)}\n`);
  writeLine(host.stderr, `wrote ${path}${secret ? " (it holds secrets of the target configuration)" : ""}`);
}
