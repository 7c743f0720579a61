import { UsageError } from "../errors.ts";
import { isSecretName, redactSecrets, redactText } from "../redaction/redact.ts";
import { type Config, settingOf } from "../values/config.ts";
import { quote } from "./formats.ts";
import type { MigrationIntent } from "./intent.ts";
import { isAddress, namesPlaceOrUser } from "./own-settings.ts";

/** Scopes in which a plan file leads no client anywhere: by what it may set of `cdc`, and by nothing of `topic`. */
const HARMLESS_SCOPES: readonly string[] = ["cdc", "topic"];

/** Settings with which cdcctl's own clients reach the database and the brokers: host, login, certificates. */
const ACCESS = /^cdc\.(?:database\.(?!pdbs$)|stream\.|kafka\.)/;

/** Whether a file of the operator's says how database and brokers are reached: then nothing else does. */
export function givesAccess(own: Config): boolean {
  return Object.keys(own).some((name) => ACCESS.test(name));
}

/**
 * Completes a translated configuration, or a worker's copy, by the operator's own file. Destination and login come from
 * one source only: once the file has any of them, no login in it is sent to a host that the base names.
 *
 * Rule: specification, "Authentication", 1: the configuration file replaces the worker's copy.
 *
 * @param base the configuration that the file completes. Its settings of database and brokers are left out if the file
 * has any
 * @param file path of the operator's file, for messages
 * @throws UsageError naming the settings of the database that the base has and the file must give itself
 */
export function completedBy(base: Config, own: Config, file: string): Config {
  refuseHalves(databaseInHalves(redactSecrets(base), own), file);
  return { ...(givesAccess(own) ? withoutAccess(base) : base), ...own };
}

/**
 * The same for a configuration that is sent to the workers, which send its other secrets themselves.
 *
 * @throws UsageError as `completedBy`, for every scope
 */
export function completedWhole(base: Config, own: Config, file: string): Config {
  const redacted = redactSecrets(base);
  refuseHalves([...databaseInHalves(redacted, own), ...othersInHalves(redacted, own)], file);
  return completedBy(base, own, file);
}

function refuseHalves(problems: readonly Halves[], file: string): void {
  if (problems.length > 0) throw new UsageError(problems.map((problem) => ({ ...problem, file })));
}

/**
 * Refuses what a plan file may not set beside this file of the operator's: a setting that the file has, and one whose
 * scope (a converter, a transformation, `errors`) has a secret or an address in it.
 *
 * @param own the file; no value of it is shown
 * @throws UsageError naming the settings of the plan file
 */
export function keptFromPlanFile(own: Config, { config, topicPrefix }: MigrationIntent["to"], file: string): void {
  const guarded = new Set(
    Object.keys(own)
      .filter((name) => leadsAway(name, own[name] ?? ""))
      .map(scopeOf),
  );
  for (const scope of HARMLESS_SCOPES) guarded.delete(scope);
  const problems = Object.keys(config).flatMap((name) =>
    Object.hasOwn(own, name)
      ? [`${name} is set by spec.to.config, and by the operator's file`]
      : guarded.has(scopeOf(name))
        ? [`${name} is set by spec.to.config, and the operator's file has a secret or an address of ${scopeOf(name)}`]
        : [],
  );
  const prefix = own["cdc.topic.prefix"] ?? topicPrefix;
  if (topicPrefix !== undefined && prefix?.trim() !== topicPrefix)
    problems.push(`cdc.topic.prefix is ${topicPrefix} by spec.to.topicPrefix, and another one in the operator's file`);
  if (problems.length === 0) return;
  const remedy = "Remove it from the plan file; the operator's file can set it.";
  throw new UsageError(problems.map((message) => ({ message, remedy, file })));
}

/** Whether a setting holds a secret, or names where something goes. */
function leadsAway(name: string, value: string): boolean {
  const isReference = value.includes("${");
  return isSecretName(name) || namesPlaceOrUser(name) || isReference || isAddress(value) || redactText(value) !== value;
}

function withoutAccess(config: Config): Config {
  return Object.fromEntries(Object.entries(config).filter(([name]) => !ACCESS.test(name)));
}

interface Halves {
  readonly message: string;
  readonly remedy: string;
}

const DATABASE = "cdc.database.";
/** Each row: alternative settings. A file with one of them covers the row. */
const PLACE: readonly (readonly string[])[] = [
  ["host", "url"],
  ["port", "url"],
  ["service", "sid", "url"],
  ["wallet.location", "tls.truststore.location", "connection.properties", "url"],
];

/** A file with only a login used to be completed with the worker's host; the message names what to add. */
function databaseInHalves(base: Config, own: Config): readonly Halves[] {
  const gives = (name: string): boolean => Object.hasOwn(own, DATABASE + name);
  if (!Object.keys(own).some((name) => name.startsWith(DATABASE) && ACCESS.test(name))) return [];
  const missing = PLACE.filter((row) => !row.some(gives)).flatMap((row) =>
    row.map((name) => DATABASE + name).filter((name) => settingOf(base, name) !== undefined),
  );
  return half(base, missing, "settings of the database", "login", " An empty value means that there is none.");
}

/** @param missing settings of the base that the file lacks; none: it is whole */
function half(base: Config, missing: readonly string[], has: string, sent: string, more = ""): readonly Halves[] {
  if (missing.length === 0) return [];
  return [
    {
      message:
        `the file has ${has}, and ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing: no ${sent} ` +
        "in it is sent to a host that the worker names",
      remedy:
        "Check the values and add them to the file: " +
        `${missing.map((name) => `${quote(name)}: ${quote(base[name] ?? "")}`).join(", ")}.${more}`,
    },
  ];
}

/** The worker sends such a login itself, to the host in the adjacent setting. */
function othersInHalves(base: Config, own: Config): readonly Halves[] {
  return [...new Set(Object.keys(own).filter(isSecretName).map(scopeOf))]
    .filter((scope) => !HARMLESS_SCOPES.includes(scope))
    .flatMap((scope) => {
      const missing = Object.keys(base).filter(
        (name) => scopeOf(name) === scope && namesPlaceOrUser(name) && !Object.hasOwn(own, name),
      );
      return half(base, missing, `secrets of ${scope}`, "secret");
    });
}

const SCOPE =
  /^((?:key|value|header)\.converter|(?:transforms|predicates)\.[^.]+|(?:producer|consumer|admin)\.override)\./;

function scopeOf(name: string): string {
  return SCOPE.exec(name)?.[1] ?? name.split(".")[0] ?? name;
}
