import { UsageError } from "../errors.ts";
import { isSecretName, redactSecrets } from "../redaction/redact.ts";
import { quote } from "./formats.ts";
import { namesPlaceOrUser } from "./own-settings.ts";

type Config = Readonly<Record<string, string>>;

/**
 * Settings that lead cdcctl's own clients to the database and the brokers: which host, which login, which certificates.
 */
const ACCESS = /^cdc\.(?:database\.(?!pdbs$)|stream\.|kafka\.)/;

/**
 * A translated configuration, or a worker's copy, completed by the operator's own file. Where to go and as whom come
 * from one source only, and that is the file: no login in it reaches a host that the base names.
 *
 * Rule: specification, "Authentication", 1: the configuration file replaces the worker's copy.
 *
 * @param base what the file completes. Its settings of database and brokers are left out
 * @param file path of the operator's file, for messages
 * @throws UsageError naming the settings that the base has and the file would have to say for itself
 */
export function completedBy(base: Config, own: Config, file: string): Config {
  const shown = redactSecrets(base);
  const problems = [...databaseInHalves(shown, own), ...othersInHalves(shown, own)];
  if (problems.length > 0) throw new UsageError(problems.map((problem) => ({ ...problem, file })));
  return { ...withoutAccess(base), ...own };
}

function withoutAccess(config: Config): Config {
  return Object.fromEntries(Object.entries(config).filter(([name]) => !ACCESS.test(name)));
}

interface Halves {
  readonly message: string;
  readonly remedy: string;
}

const DATABASE = "cdc.database.";
/** Each row: settings that stand for one another. A file that says one of them says what the row is about. */
const PLACE: readonly (readonly string[])[] = [
  ["host", "url"],
  ["port", "url"],
  ["service", "sid", "url"],
  ["wallet.location", "tls.truststore.location", "connection.properties", "url"],
];

/** A file with a login alone was completed by the worker's host once; it is told what to add. */
function databaseInHalves(base: Config, own: Config): readonly Halves[] {
  const says = (name: string): boolean => Object.hasOwn(own, DATABASE + name);
  if (!Object.keys(own).some((name) => name.startsWith(DATABASE) && ACCESS.test(name))) return [];
  const missing = PLACE.filter((row) => !row.some(says)).flatMap((row) =>
    row.map((name) => DATABASE + name).filter((name) => (base[name] ?? "").trim() !== ""),
  );
  if (missing.length === 0) return [];
  return [
    {
      message:
        `the file has settings of the database, and ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} ` +
        "missing: no login in it is sent to a host that the worker names",
      remedy:
        "Check the values and add them to the file: " +
        `${missing.map((name) => `${quote(name)}: ${quote(base[name] ?? "")}`).join(", ")}. An empty value means ` +
        "that there is none.",
    },
  ];
}

/** The worker sends such a login itself, to where the setting beside it says. */
function othersInHalves(base: Config, own: Config): readonly Halves[] {
  return [...new Set(Object.keys(own).filter(isSecretName).map(scopeOf))]
    .filter((scope) => scope !== "cdc")
    .flatMap((scope) => {
      const missing = Object.keys(base).filter(
        (name) => scopeOf(name) === scope && namesPlaceOrUser(name) && !Object.hasOwn(own, name),
      );
      if (missing.length === 0) return [];
      return [
        {
          message:
            `the file has secrets of ${scope}, and ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} ` +
            "missing: no secret in it is sent to a host that the worker names",
          remedy:
            "Check the values and add them to the file: " +
            `${missing.map((name) => `${quote(name)}: ${quote(base[name] ?? "")}`).join(", ")}.`,
        },
      ];
    });
}

const SCOPE =
  /^((?:key|value|header)\.converter|(?:transforms|predicates)\.[^.]+|(?:producer|consumer|admin)\.override)\./;

function scopeOf(name: string): string {
  return SCOPE.exec(name)?.[1] ?? name.split(".")[0] ?? name;
}
