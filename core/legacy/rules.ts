import { redactConfiguration } from "../redaction/redact.ts";
import { changed, dropped, type Fate, manual, mapped } from "./fate.ts";
import { tableSelection, topicTemplate } from "./patterns.ts";

/**
 * The translation of every property of the legacy connector (Confluent Oracle CDC Source), one row each, to compare
 * with the specification, "Translation rules", and its list of properties. Names are written with `oracle.`; the
 * spelling `srcdb.` means the same.
 *
 * A property that has no row is unknown, and manual.
 */
type Rule = (value: string, source: Source) => Fate;

/** What a rule may use besides its own value. */
export interface Source {
  /** The legacy connector's name. */
  readonly connector: string;
  readonly newName: string;
  readonly connectorClass: string;
  /**
   * A property by its `oracle.` spelling, in whichever spelling it was written; undefined when it is absent or empty.
   */
  get(property: string): string | undefined;
}

const to =
  (target: string): Rule =>
  (value) =>
    mapped(target, value);

const drop =
  (reason: string): Rule =>
  () =>
    dropped(reason);

const ask =
  (instruction: string): Rule =>
  () =>
    manual(instruction);

/** Dropped while it is as it should be, otherwise manual. */
const dropWhen =
  (fine: (value: string) => boolean, reason: string, instruction: string): Rule =>
  (value) =>
    fine(value) ? dropped(reason) : manual(instruction);

const set =
  (target: string, value: string, reason: string): Rule =>
  (before) =>
    before === value ? mapped(target, value) : changed(target, value, reason);

const NUMBER = /^-?\d{1,18}$/;
const noNumber = (target: string): Fate => manual(`it is not a whole number: set ${target} manually`);

/** Whole numbers are brought inside the bounds that the target allows. */
const within =
  (target: string, lowest: bigint, highest: bigint): Rule =>
  (value) => {
    if (!NUMBER.test(value)) return noNumber(target);
    const number = BigInt(value);
    const inside = number < lowest ? lowest : number > highest ? highest : number;
    return inside === number
      ? mapped(target, value)
      : changed(target, inside.toString(), `${target} allows ${lowest} to ${highest}`);
  };

/**
 * The same, for a value with a special meaning below `lowest` (none, no limit, the driver's choice) that has no
 * equivalent in the target.
 */
const above =
  (floor: bigint, rule: Rule, target: string): Rule =>
  (value, source) =>
    NUMBER.test(value) && BigInt(value) < floor
      ? manual(`${value} has no equivalent: choose ${target}`)
      : rule(value, source);

const positive = (target: string, lowest: bigint, highest: bigint): Rule =>
  above(1n, within(target, lowest, highest), target);

/** Java's largest int, and the largest long that `NUMBER` accepts. */
const INT = 2n ** 31n - 1n;
const LONG = 10n ** 18n;

const RECORD_FORMAT = "the envelope has its own fields: consumers read source, op and ts_ms instead";
const OWN_BUFFER = "the task buffers by its own settings";
const STORED_ABOVE =
  "with this value the stored scn can be above the begin of a transaction that is not delivered yet: the takeover " +
  "is refused (LEG010)";
const NO_REDO_TOPIC = "there is no redo log topic: mining happens inside the task";
const NO_LICENCE = "this connector does not need a licence";
const UNKNOWN_ACTION = "the action is unknown: choose cdc.transaction.max.age.ms and cdc.transaction.max.age.action";
const NO_POOL = "the task opens its own few sessions";
const ONLY_WARNED = "it only warned, and this connector has no warn-only limit";
const LDAP_LOGIN = ask("LDAP credentials: pass them to the JDBC driver with cdc.database.connection.properties");
const ZONE = dropWhen(
  (zone) => ["UTC", "Z", "GMT", "+00:00", "ETC/UTC"].includes(zone.toUpperCase()),
  "UTC is what this connector writes",
  "dates are written as they stand in the database, without a zone: check what consumers make of them",
);

export const RULES: Readonly<Record<string, Rule>> = {
  // ---- The connector itself
  name: (_value, source) => changed("name", source.newName, "the new connector has a name of its own"),
  "connector.class": (value, source) =>
    set("connector.class", source.connectorClass, "this connector's class")(value, source),
  "tasks.max": set("tasks.max", "1", "one task captures every table with one mining session"),

  // ---- The database
  "oracle.server": to("cdc.database.host"),
  "oracle.port": to("cdc.database.port"),
  "oracle.username": to("cdc.database.user"),
  "oracle.password": to("cdc.database.password"),
  "oracle.sid": to("cdc.database.sid"),
  "oracle.service.name": to("cdc.database.service"),
  "oracle.pdb.name": to("cdc.database.pdbs"),
  "oracle.ssl.truststore.file": to("cdc.database.tls.truststore.location"),
  "oracle.ssl.truststore.password": to("cdc.database.tls.truststore.password"),
  "ldap.url": (value) =>
    /^(?:jdbc:|ldaps?:\/\/)/.test(value)
      ? changed("cdc.database.url", value.replace(/^ldap/, "jdbc:oracle:thin:@ldap"), "a JDBC URL over LDAP")
      : manual("it is not a URL of LDAP or JDBC: write cdc.database.url manually"),
  "ldap.security.principal": LDAP_LOGIN,
  "ldap.security.credentials": LDAP_LOGIN,
  "oracle.kerberos.cache.file": ask(
    "Kerberos: set up the JDBC driver with cdc.database.connection.properties, or use a password",
  ),
  "oracle.fan.events.enable": dropWhen(
    (value) => value.toLowerCase() === "false",
    "false was the default",
    "clustered databases are not supported: point the connector at one instance",
  ),
  "db.timezone": ZONE,
  "db.timezone.date": ZONE,

  // ---- What is captured, and where it goes
  "table.inclusion.regex": (value, source) => tableSelection("cdc.tables.include", value, source),
  "table.exclusion.regex": (value, source) => tableSelection("cdc.tables.exclude", value, source),
  "table.topic.name.template": topicTemplate,
  "start.from": (value) =>
    changed(
      "cdc.snapshot.mode",
      "none",
      `it was ${redactConfiguration({ "start.from": value })["start.from"]}; the start is cdc.start.scn, which the ` +
        "takeover sets",
    ),
  "redo.log.row.poll.username.exclude": to("cdc.users.exclude"),
  "redo.log.row.poll.username.include": ask(
    "this connector has no list of users to include: name the others in cdc.users.exclude",
  ),
  "log.mining.archive.destination.name": to("cdc.archive.destination"),
  "lob.topic.name.template": (value) =>
    value === ""
      ? changed("cdc.lob.mode", "skip", "blank: LOBs were not captured")
      : manual("LOBs had topics of their own; choose cdc.lob.mode (inline, skip or reselect) and move their consumers"),

  // ---- Pace
  "max.batch.size": positive("cdc.poll.max.records", 1n, 100_000n),
  "poll.linger.ms": above(0n, within("cdc.poll.linger.ms", 0n, 60_000n), "cdc.poll.linger.ms"),
  "query.timeout.ms": positive("cdc.mining.query.timeout.ms", 10_000n, LONG),
  "max.retry.time.ms": positive("cdc.retry.max.time.ms", 1000n, LONG),
  "snapshot.row.fetch.size": positive("cdc.snapshot.fetch.size", 1n, INT),
  "redo.log.row.fetch.size": within("cdc.mining.fetch.size", 100n, 1_000_000n),
  "snapshot.threads.per.task": positive("cdc.snapshot.threads", 1n, 64n),
  "heartbeat.interval.ms": (value) => {
    if (!NUMBER.test(value)) return noNumber("cdc.heartbeat.interval.ms");
    return BigInt(value) > 0n
      ? mapped("cdc.heartbeat.interval.ms", value)
      : dropped("no heartbeat was set; this connector's default heartbeat applies");
  },

  // ---- When something goes wrong
  "log.mining.transaction.age.threshold.ms": (value, source) => {
    const action = source.get("log.mining.transaction.threshold.breached.action") ?? "warn";
    if (action === "warn") return dropped(ONLY_WARNED);
    if (action !== "discard") return manual(UNKNOWN_ACTION);
    if (!NUMBER.test(value)) return noNumber("cdc.transaction.max.age.ms");
    if (BigInt(value) < 0n) return dropped("-1: no limit was set");
    return positive("cdc.transaction.max.age.ms", 1000n, LONG)(value, source);
  },
  "log.mining.transaction.threshold.breached.action": (value, source) => {
    if (value === "warn") return dropped(ONLY_WARNED);
    if (value !== "discard") return manual(UNKNOWN_ACTION);
    const age = source.get("log.mining.transaction.age.threshold.ms");
    return age === undefined || age.startsWith("-")
      ? dropped("no limit was set for it to act on")
      : mapped("cdc.transaction.max.age.action", value);
  },
  "behavior.on.dictionary.mismatch": onDecodeError,
  "behavior.on.unparsable.statement": onDecodeError,
  "retry.error.codes": (value) => {
    const codes = value
      .replace(/,\s*$/, "")
      .split(",")
      .map((code) => /^\s*(?:ORA-)?(\d{1,5})\s*$/i.exec(code)?.[1]);
    if (codes.some((code) => code === undefined))
      return manual("write them as ORA-nnnnn, comma-separated, into cdc.retry.extra.error.codes");
    const target = "cdc.retry.extra.error.codes";
    const written = codes.map((code) => `ORA-${(code ?? "").padStart(5, "0")}`).join(",");
    return written === value ? mapped(target, value) : changed(target, written, "codes are written as ORA-nnnnn");
  },
  "log.sensitive.data": to("cdc.log.sensitive.data"),

  // ---- The form of records
  "numeric.mapping": (value) =>
    ["none", "best_fit", "best_fit_or_decimal"].includes(value)
      ? changed(
          "cdc.decimal.mode",
          "precise",
          `it was ${value}; whole numbers up to 18 digits are integers, other NUMBERs decimals`,
        )
      : manual("it has no equivalent: check what consumers make of cdc.decimal.mode=precise, or choose another mode"),
  "numeric.default.scale": dropWhen(
    (value) => value === "127",
    "127 was the default",
    "a NUMBER without scale is written with its own scale: check what consumers make of it",
  ),
  "emit.tombstone.on.delete": to("cdc.tombstones.on.delete"),
  "oracle.date.mapping": ask("a DATE is written with its time of day: check what consumers make of it"),
  "key.template": ask(
    "the key is the struct of the key columns: check what consumers make of it, or set cdc.key.columns",
  ),
  "output.*": ask(RECORD_FORMAT),

  // ---- Dropped
  "redo.log.topic.name": drop(NO_REDO_TOPIC),
  "redo.log.consumer.*": drop(NO_REDO_TOPIC),
  "redo.log.corruption.topic": drop("corrupt redo stops the task"),
  "redo.log.poll.interval.ms": drop("mining is paced by the task itself"),
  "redo.log.initial.delay.interval.ms": drop(NO_REDO_TOPIC),
  "redo.log.startup.polling.limit.ms": drop(NO_REDO_TOPIC),
  "redo.log.row.poll.fields.include": drop(NO_REDO_TOPIC),
  "redo.log.row.poll.fields.exclude": drop(NO_REDO_TOPIC),
  "confluent.license": drop(NO_LICENCE),
  "confluent.topic": drop(NO_LICENCE),
  "confluent.topic.*": drop(NO_LICENCE),
  "connection.pool.*": drop(NO_POOL),
  "oracle.dictionary.mode": drop("the task chooses the dictionary itself"),
  "use.transaction.begin.for.mining.session": (value) =>
    dropped(
      value.toLowerCase() === "false"
        ? `the task always begins at the oldest open transaction; ${STORED_ABOVE}`
        : "the task always begins at the oldest open transaction",
    ),
  "record.buffer.mode": (value) =>
    dropped(value.toLowerCase() === "database" ? `${OWN_BUFFER}; ${STORED_ABOVE}` : OWN_BUFFER),
  "max.buffer.size": drop(OWN_BUFFER),
  "max.batch.timeout.ms": drop(OWN_BUFFER),
  "heartbeat.topic.name": drop("heartbeats go to cdc.heartbeat.topic, which has a default"),
  "enable.large.lob.object.support": drop("cdc.lob.mode decides"),
  "enable.metrics.collection": drop("metrics are always there over JMX"),
  "table.task.reconfig.checking.interval.ms": drop("one task captures every table"),
  "table.rps.logging.interval.ms": drop("metrics show the rate"),
  "log.mining.end.scn.deviation.ms": drop("mining ends where redo is safely written"),
  "snapshot.by.table.partitions": drop("cdc.snapshot.threads decides"),
  "oracle.validation.result.fetch.size": drop("this connector has no such validation"),
  "oracle.supplemental.log.level": drop("the supplemental logging of each table decides"),
};

/** Connect's own properties: copied unchanged. */
export const COPIED: readonly string[] = [
  "key.converter*",
  "value.converter*",
  "header.converter*",
  "transforms*",
  "predicates*",
  "errors.*",
  "topic.creation.*",
  "config.action.reload",
  "producer.override.*",
  "consumer.override.*",
  "admin.override.*",
  "offsets.storage.topic",
  "tasks.max.enforce",
  "exactly.once.support",
  "transaction.boundary",
  "transaction.boundary.interval.ms",
];

/**
 * The two properties became one setting: if either of them continued after errors, there will be a dead letter topic.
 */
function onDecodeError(_value: string, source: Source): Fate {
  const both = ["behavior.on.dictionary.mismatch", "behavior.on.unparsable.statement"].map(
    (name) => source.get(name) ?? "fail",
  );
  const strange = both.find((one) => one !== "fail" && one !== "log");
  if (strange !== undefined) return manual("the behaviour is unknown: choose cdc.on.decode.error");
  return both.includes("log")
    ? changed(
        "cdc.on.decode.error",
        "dlq",
        "log: changes that can't be decoded go to the dead letter topic, which has to be monitored",
      )
    : mapped("cdc.on.decode.error", "fail");
}
