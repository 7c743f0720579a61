// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connectors

import { UsageError } from "../../errors.ts";
import { redactConfiguration } from "../../redaction/redact.ts";
import { alternatives, isOneGroup } from "../../values/regexp.ts";
import {
  above,
  ask,
  changed,
  drop,
  dropped,
  dropWhen,
  each,
  type Fate,
  heartbeat,
  INT,
  LONG,
  manual,
  mapped,
  NUMBER,
  noNumber,
  type PropertyTable,
  positive,
  type Rule,
  type Source,
  THE_CONNECTOR,
  theConnector,
  to,
  toDeadLetters,
  within,
} from "../property-table.ts";

const OWN_BUFFER = "the task buffers by its own settings";
const STORED_ABOVE =
  "with this value the stored scn can be above the begin of a transaction that is not delivered yet: the takeover " +
  "is refused (LEG010)";
const UNKNOWN_ACTION = "the action is unknown: choose cdc.transaction.max.age.ms and cdc.transaction.max.age.action";
const ONLY_WARNED = "it only warned, and this connector has no warn-only limit";
const LDAP_LOGIN = ask("LDAP credentials: pass them to the JDBC driver with cdc.database.connection.properties");
const ZONE = dropWhen(
  (zone) => ["UTC", "Z", "GMT", "+00:00", "ETC/UTC"].includes(zone.toUpperCase()),
  "UTC is what this connector writes",
  "dates are written as they stand in the database, without a zone: check what consumers make of them",
);

/**
 * The translation of every property of the legacy connector (Confluent Oracle CDC Source), one row each, to compare
 * with the specification, "Translation rules", and its list of properties. Names are written with `oracle.`; the
 * spelling `srcdb.` means the same.
 */
const RULES: Readonly<Record<string, Rule>> = {
  // ---- The connector itself
  ...THE_CONNECTOR,

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
  ...each("ldap.security.principal ldap.security.credentials", LDAP_LOGIN),
  "oracle.kerberos.cache.file": ask(
    "Kerberos: set up the JDBC driver with cdc.database.connection.properties, or use a password",
  ),
  "oracle.fan.events.enable": dropWhen(
    (value) => value.toLowerCase() === "false",
    "false was the default",
    "clustered databases are not supported: point the connector at one instance",
  ),
  ...each("db.timezone db.timezone.date", ZONE),

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
  "heartbeat.interval.ms": heartbeat,

  // ---- When something goes wrong
  "log.mining.transaction.age.threshold.ms": (value, source, name) => {
    const action = source.get("log.mining.transaction.threshold.breached.action") ?? "warn";
    if (action === "warn") return dropped(ONLY_WARNED);
    if (action !== "discard") return manual(UNKNOWN_ACTION);
    if (!NUMBER.test(value)) return noNumber("cdc.transaction.max.age.ms");
    if (BigInt(value) < 0n) return dropped("-1: no limit was set");
    return positive("cdc.transaction.max.age.ms", 1000n, LONG)(value, source, name);
  },
  "log.mining.transaction.threshold.breached.action": (value, source) => {
    if (value === "warn") return dropped(ONLY_WARNED);
    if (value !== "discard") return manual(UNKNOWN_ACTION);
    const age = source.get("log.mining.transaction.age.threshold.ms");
    return age === undefined || age.startsWith("-")
      ? dropped("no limit was set for it to act on")
      : mapped("cdc.transaction.max.age.action", value);
  },
  ...each("behavior.on.dictionary.mismatch behavior.on.unparsable.statement", onDecodeError),
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
  "output.*": ask("the envelope has its own fields: consumers read source, op and ts_ms instead"),

  // ---- Dropped
  ...each(
    "redo.log.topic.name redo.log.consumer.* redo.log.initial.delay.interval.ms redo.log.startup.polling.limit.ms " +
      "redo.log.row.poll.fields.include redo.log.row.poll.fields.exclude",
    drop("there is no redo log topic: mining happens inside the task"),
  ),
  "redo.log.corruption.topic": drop("corrupt redo stops the task"),
  "redo.log.poll.interval.ms": drop("mining is paced by the task itself"),
  ...each("confluent.license confluent.topic confluent.topic.*", drop("this connector does not need a licence")),
  "connection.pool.*": drop("the task opens its own few sessions"),
  "oracle.dictionary.mode": drop("the task chooses the dictionary itself"),
  "use.transaction.begin.for.mining.session": (value) =>
    dropped(
      value.toLowerCase() === "false"
        ? `the task always begins at the oldest open transaction; ${STORED_ABOVE}`
        : "the task always begins at the oldest open transaction",
    ),
  "record.buffer.mode": (value) =>
    dropped(value.toLowerCase() === "database" ? `${OWN_BUFFER}; ${STORED_ABOVE}` : OWN_BUFFER),
  ...each("max.buffer.size max.batch.timeout.ms", drop(OWN_BUFFER)),
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

/**
 * The two properties became one setting: if either of them continued after errors, there will be a dead letter topic.
 */
function onDecodeError(_value: string, source: Source): Fate {
  const both = ["behavior.on.dictionary.mismatch", "behavior.on.unparsable.statement"].map(
    (name) => source.get(name) ?? "fail",
  );
  if (both.some((one) => one !== "fail" && one !== "log"))
    return manual("the behaviour is unknown: choose cdc.on.decode.error");
  return both.includes("log")
    ? toDeadLetters("log: changes that can't be decoded go to the dead letter topic, which has to be monitored")
    : mapped("cdc.on.decode.error", "fail");
}

/**
 * `table.inclusion.regex` and `.exclusion.regex`: matched against `PDB.SCHEMA.TABLE` as here; without a PDB the legacy
 * connector matched `SID.SCHEMA.TABLE` and this one matches `SCHEMA.TABLE`, so the SID is removed from the front of
 * each alternative.
 */
function tableSelection(target: string, pattern: string, source: Source): Fate {
  if (pattern.includes(",")) return manual(`${target} is a comma-separated list: write the pattern without a comma`);
  if (source.get("oracle.pdb.name") !== undefined) return mapped(target, pattern);
  const databases = [source.get("oracle.sid"), source.get("oracle.service.name")].filter((name) => name !== undefined);
  const shortened = alternatives(pattern).map((one) => withoutDatabase(one, databases));
  if (shortened.some((one) => one === undefined)) {
    return manual(
      `remove the database's name from the front of each alternative, and write the result into ${target}: it is ` +
        "matched against SCHEMA.TABLE",
    );
  }
  return changed(
    target,
    shortened.join("|"),
    "without a PDB the whole name is SCHEMA.TABLE: the database's name was removed from the front",
  );
}

/**
 * Removes the database's name. @returns undefined if the name is not literally at the front, followed by a dot in one
 * of its spellings
 */
function withoutDatabase(alternative: string, databases: readonly string[]): string | undefined {
  // The whole name is matched: an anchor, or one group around it all, changes nothing.
  const [, anchor = "", bare = "", end = ""] = /^(\^?)(.*?)(\$?)$/s.exec(alternative) ?? [];
  const group = /^(\((?:\?:)?)(?!\?)(.*)\)$/s.exec(bare);
  if (group !== null && isOneGroup(bare)) {
    const inner = alternatives(group[2] ?? "").map((one) => withoutDatabase(one, databases));
    return inner.some((one) => one === undefined) ? undefined : `${anchor}${group[1]}${inner.join("|")})${end}`;
  }
  if (anchor !== "") {
    const rest = withoutDatabase(alternative.slice(1), databases);
    return rest === undefined ? undefined : `^${rest}`;
  }
  const afterName = (name: string) => /^(?:\[\.\]|\\\.|\.)(?![*+?{])(.+)$/s.exec(alternative.slice(name.length))?.[1];
  return databases.flatMap((name) => (alternative.startsWith(name) ? (afterName(name) ?? []) : []))[0];
}

const VARIABLE = /\$\{([^}]*)\}/g;

/** `table.topic.name.template`: new topics always, below the prefix. */
function topicTemplate(template: string, source: Source): Fate {
  if (template === "")
    return manual(
      "blank meant that only the redo log topic was written, which no longer exists: choose cdc.topic.template",
    );
  const odd = template.includes("\\")
    ? "a backslash"
    : /\$\{[^}]*$/.test(template)
      ? "an unclosed variable"
      : undefined;
  if (odd !== undefined) return manual(`it has ${odd}: write cdc.topic.template manually, beginning with \${prefix}.`);
  const database = source.get("oracle.pdb.name") === undefined ? "${database}" : "${pdb}";
  const variables: Readonly<Record<string, string>> = {
    databaseName: database,
    schemaName: "${schema}",
    tableName: "${table}",
    fullyQualifiedTableName: `${database}.\${schema}.\${table}`,
    connectorName: source.connector,
  };
  const [other] = [...template.matchAll(VARIABLE)].flatMap(([whole, name = ""]) => {
    if (Object.hasOwn(variables, name)) return [];
    return /^\w+$/.test(name) ? whole : "a variable in it";
  });
  if (other !== undefined)
    return manual(`${other} has no equivalent: write cdc.topic.template manually, beginning with \${prefix}.`);
  return changed(
    "cdc.topic.template",
    `\${prefix}.${template.replaceAll(VARIABLE, (all, name: string) => variables[name] ?? all)}`,
    "new topics, below the prefix",
  );
}

/** Its records have another form, so its topics can't be kept. */
function topicPrefix({ topicPrefix: wanted, connector, topics, version }: Source): string {
  if (topics === "keep")
    throw new UsageError(
      "the topics of Confluent's connector can't be kept: its records have another form",
      "Leave out --topics (spec.to.topics of a plan file), or pass new.",
    );
  if (version !== undefined)
    throw new UsageError("a version is of Debezium only, and this is Confluent's connector", "Leave out the version.");
  return wanted ?? connector;
}

/** What follows from settings that the source omits as well as from those that it has. */
const additions: PropertyTable["additions"] = (source, byHand) => {
  const database = source.get("oracle.pdb.name") === undefined ? "${database}" : "${pdb}";
  return [
    ...theConnector(source),
    { target: "cdc.topic.prefix", value: topicPrefix(source), reason: "every topic begins with it" },
    { target: "cdc.tables.case.sensitive", value: "true", reason: "the legacy connector matched names as they are" },
    { target: "cdc.snapshot.mode", value: "none", reason: "the start is cdc.start.scn, which the takeover sets" },
    { target: "cdc.decimal.mode", value: "precise", reason: "NUMBER keeps every digit" },
    { target: "cdc.tombstones.on.delete", value: "false", reason: "the legacy connector's default" },
    ...(source.get("lob.topic.name.template") === undefined
      ? [{ target: "cdc.lob.mode", value: "skip", reason: "no LOB topics were used" }]
      : []),
    { target: "cdc.output.format", value: "debezium", reason: "the format of its records" },
    ...(byHand("table.topic.name.template")
      ? []
      : [
          {
            target: "cdc.topic.template",
            value: `\${prefix}.${database}.\${schema}.\${table}`,
            reason: "the legacy connector's default, below the prefix",
          },
        ]),
  ];
};

export const CONFLUENT_PROPERTIES: PropertyTable = {
  canonical: (name) => name.replace(/^srcdb\./, "oracle."),
  rules: RULES,
  unknown: ask("this property is unknown: find out what it did, and set its equivalent here"),
  mayBeEmpty: new Set(["table.topic.name.template", "lob.topic.name.template"]),
  topicPrefix,
  additions,
  brokers: "redo.log.consumer.bootstrap.servers",
  lacks: ({ source }) =>
    source.get("use.transaction.begin.for.mining.session") === undefined
      ? [
          "use.transaction.begin.for.mining.session is not set, and its published default is false. The stored scn " +
            "can then be above the begin of a transaction that is not delivered yet, and the takeover is refused " +
            "(LEG010). Set it to true for the legacy connector, and let it store a new scn before you stop it.",
        ]
      : [],
  consumers: () => "Point consumers at the new topics: records have another format, and keys are structs.",
};
