// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connectors

import { UsageError } from "../../errors.ts";
import { isSecretName, redactConfiguration, redactSetting } from "../../redaction/redact.ts";
import { type Config, REFERENCE, settingOf } from "../../values/config.ts";
import { shellWord } from "../../values/shell-word.ts";
import { columnReaders } from "../follow-ups.ts";
import {
  type AddedSetting,
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
  type Translated,
  theConnector,
  to,
  toDeadLetters,
  when,
} from "../property-table.ts";
import { everything, excluded, included } from "./table-lists.ts";
import { canonical, isBefore, misspelt, NEWEST, ranBy, SPELT_TWICE } from "./versions.ts";

const OWN_BUFFER = "the task buffers by its own settings";
const OWN_PACE = "the task paces its mining itself";
const NO_SNAPSHOT = "no snapshot is taken: the start is cdc.start.scn";
const NO_HISTORY = "the new connector keeps no schema history";
const LOST = "the new connector does not do that: without an equivalent, its records have the values as they are";
const ITS_CLASS = "it needs classes of Debezium's, which the new connector's workers may not have";
const NO_CLUSTERS = "clustered databases are not supported: point the connector at one instance";

const isTrue = (value: string | undefined): boolean => value?.toLowerCase() === "true";
const isFalse = (value: string): boolean => value.toLowerCase() === "false";
const oneOf =
  (...values: readonly string[]): ((value: string) => boolean) =>
  (value) =>
    values.includes(value.toLowerCase());
const isPlaceholder = (value: string): boolean => /^<.*>$|^\{\{.*\}\}$/.test(value);

const onlyBefore2 = (target: string): string =>
  `Debezium reads it before 2.0 only, and captures every table since: set ${target}, or pass the version`;

/** A setting that only Debezium before 2.0 reads. */
const before2 =
  (rule: Rule, since2: string): Rule =>
  (value, source, name) =>
    isBefore(source, "2.0") ? rule(value, source, name) : manual(since2);

/**
 * What becomes of every property of Debezium's Oracle connector, 1.9 to 3.6, by the newest name that it has had.
 *
 * Rule: reference: Debezium, "Property table".
 */
const RULES: Readonly<Record<string, Rule>> = {
  // ---- The connector itself
  ...THE_CONNECTOR,
  [SPELT_TWICE]: drop("another spelling of it is given as well, and counts"),

  // ---- The database
  "database.hostname": unlessPlaceholder("cdc.database.host"),
  "database.port": to("cdc.database.port"),
  "database.user": unlessPlaceholder("cdc.database.user"),
  "database.password": to("cdc.database.password"),
  "database.url": (value, source) => {
    const [, service] =
      /(?<!\/)\/([\w$#]+)|SERVICE_NAME\s*=\s*([\w$#]+)/i.exec(value)?.flatMap((one) => one ?? []) ?? [];
    return service !== undefined && service.toUpperCase() === source.get("database.pdb.name")?.toUpperCase()
      ? manual("it names the PDB: write cdc.database.url with a service of the root")
      : mapped("cdc.database.url", value);
  },
  "database.dbname": (value, source) =>
    source.get("database.pdb.name") === undefined
      ? mapped("cdc.database.service", value)
      : changed("cdc.database.service", value, "in a container database it has to be a service of the root"),
  "database.pdb.name": to("cdc.database.pdbs"),
  "database.connection.adapter": dropWhen(
    oneOf("logminer", "logminer_unbuffered"),
    "the new connector mines with LogMiner",
    "the adapter is unknown: this translation is of one that mines with LogMiner",
  ),
  ...each(
    "xstream.out.server.name xstream.*",
    drop("a left-over of the XStream adapter, which LogMiner does not read"),
  ),
  "openlogreplicator.*": drop("of the OpenLogReplicator adapter, which LogMiner does not read"),
  "rac.nodes": ask(NO_CLUSTERS),
  "secondary.*": ask("the new connector mines one database: choose which, and set cdc.database.* for it"),
  "log.mining.read.only": dropWhen(
    isFalse,
    "false was the default",
    "the new connector has no such mode: point it at a primary",
  ),
  ...driver(),

  // ---- What is captured, and where it goes
  "topic.prefix": (value, source) =>
    source.topics === "keep"
      ? mapped("cdc.topic.prefix", value)
      : changed("cdc.topic.prefix", topicPrefix(source), "new topics, below a prefix of their own"),
  "topic.delimiter": (_value, source) =>
    byHandName(source)
      ? manual("topic names are manual")
      : changed("cdc.topic.template", template(source), "what stands between the parts of a topic's name"),
  "topic.naming.strategy": dropWhen(
    (value) => /(?:^|\.)SchemaTopicNamingStrategy$/.test(value),
    "cdc.topic.template names topics as it did",
    "write cdc.topic.template manually: DefaultTopicNamingStrategy gives PREFIX.PDB.TABLE, the Unicode ones write " +
      "_u0024 for $",
  ),
  ...each("topic.cache.size topic.key.* topic.regex topic.replacement", drop("Debezium's own naming of topics")),
  ...each("table.include.list schema.include.list", included),
  ...each("table.exclude.list schema.exclude.list", excluded),
  ...each("table.whitelist schema.whitelist", before2(included, onlyBefore2("cdc.tables.include"))),
  ...each("table.blacklist schema.blacklist", before2(excluded, onlyBefore2("cdc.tables.exclude"))),
  "table.ignore.builtin": drop("schemas of the database itself are captured only if cdc.tables.include names them"),
  ...each("column.include.list column.whitelist", ask("name the other columns in cdc.columns.exclude")),
  "column.exclude.list": columnsExcluded,
  "column.blacklist": before2(
    columnsExcluded,
    "Debezium reads it before 2.0 only: these columns are in its records since",
  ),
  ...each(
    "column.mask.* column.truncate.to.*",
    ask(`${LOST}, in clear: name such columns in cdc.columns.exclude, or mask them with a transformation`),
  ),
  ...each(
    "column.propagate.source.type datatype.propagate.source.type",
    ask(`${LOST}: schemas do not name the columns' types`),
  ),
  "message.key.columns": keyColumns,

  // ---- Snapshots
  "snapshot.mode": (value) =>
    changed(
      "cdc.snapshot.mode",
      "none",
      `it was ${redactSetting("snapshot.mode", value)}; the start is cdc.start.scn, which the takeover sets`,
    ),
  "snapshot.select.statement.overrides*": ask(
    "the rows that Debezium's snapshot left out: a resnapshot by the new connector reads every row",
  ),
  "snapshot.fetch.size": positive("cdc.snapshot.fetch.size", 1n, INT),
  "snapshot.max.threads": positive("cdc.snapshot.threads", 1n, 64n),
  "incremental.snapshot.chunk.size": positive("cdc.snapshot.chunk.rows", 1n, INT),
  ...each("snapshot.* incremental.snapshot.* streaming.delay.ms legacy.snapshot.max.threads", drop(NO_SNAPSHOT)),

  // ---- The form of records
  "decimal.handling.mode": (value, source) => {
    if (!oneOf("precise", "double", "string")(value)) return manual("the mode is unknown: choose cdc.decimal.mode");
    const mode = value.toLowerCase();
    if (mode !== "precise" && isBefore(source, "2.7"))
      return changed(
        "cdc.decimal.mode",
        mode,
        "Debezium before 2.7 left whole numbers up to 18 digits as integers: check what consumers make of them",
      );
    return set("cdc.decimal.mode", value, mode);
  },
  "legacy.decimal.handling.strategy": (value, source) =>
    isTrue(value) && (source.get("decimal.handling.mode") ?? "precise") !== "precise"
      ? manual(
          "whole numbers up to 18 digits were integers in this mode too: check what consumers make of cdc.decimal.mode",
        )
      : dropped("it changes nothing in this mode"),
  "time.precision.mode": (value) => {
    if (oneOf("adaptive", "adaptive_time_microseconds")(value)) return set("cdc.temporal.mode", value, "adaptive");
    if (oneOf("isostring")(value)) return changed("cdc.temporal.mode", "iso_string", "the same as ISO text");
    return manual(
      "it has no equivalent: check what consumers make of cdc.temporal.mode=adaptive, or choose another mode",
    );
  },
  "interval.handling.mode": dropWhen(
    oneOf("numeric"),
    "microseconds, as before",
    "intervals are microseconds: check what consumers make of them",
  ),
  "binary.handling.mode": dropWhen(
    oneOf("bytes"),
    "bytes, as before",
    "RAW and BLOB are bytes: check what consumers make of them",
  ),
  "lob.enabled": (value) =>
    isTrue(value)
      ? changed("cdc.lob.mode", "inline", "LOB columns are in the records")
      : changed("cdc.lob.mode", "skip", "LOB columns had no value"),
  "unavailable.value.placeholder": to("cdc.unavailable.placeholder"),
  "tombstones.on.delete": to("cdc.tombstones.on.delete"),
  "skipped.operations": dropWhen(
    oneOf("t"),
    "truncates were not delivered; the new connector delivers them",
    "the new connector delivers every operation, truncates too: check what consumers make of them",
  ),
  "schema.name.adjustment.mode": to("cdc.schema.name.adjustment.mode"),
  "field.name.adjustment.mode": to("cdc.field.name.adjustment.mode"),
  "sanitize.field.names": (value) =>
    changed(
      "cdc.field.name.adjustment.mode",
      isTrue(value) ? "avro" : "none",
      `it was sanitize.field.names=${isTrue(value)}`,
    ),
  "source.struct.version": dropWhen(
    oneOf("v2"),
    "the form of source that there is",
    "source has another form: check what consumers make of it",
  ),
  ...each("sourceinfo.struct.maker transaction.metadata.factory", ask(ITS_CLASS)),
  "converters*": ask(`${ITS_CLASS}: values have the form that cdc.decimal.mode and the like give them`),
  "post.processors*": ask(ITS_CLASS),
  "provide.transaction.metadata": dropWhen(
    isFalse,
    "false was the default",
    "there is no topic of BEGIN and END: move its consumers to transaction and source of the records",
  ),
  ...each("key.converter value.converter header.converter", (value, _source, name) =>
    isDebeziums(value) ? manual(ITS_CLASS) : mapped(name, value),
  ),
  ...each("transforms predicates", transformations),
  ...each("transforms.* predicates.*", transformation),

  // ---- Pace, and when something goes wrong
  "heartbeat.interval.ms": heartbeat,
  ...each(
    "heartbeat.action.query topic.heartbeat.*",
    drop("heartbeats go to cdc.heartbeat.topic, without a statement"),
  ),
  "log.mining.session.max.ms": (value, source, name) =>
    value === "0"
      ? dropped("0: no limit was set")
      : positive("cdc.mining.session.max.age.ms", 1n, LONG)(value, source, name),
  "max.batch.size": positive("cdc.poll.max.records", 1n, 100_000n),
  "log.mining.transaction.retention.ms": retention(1n),
  "log.mining.transaction.retention.hours": (value, source, name) =>
    source.get("log.mining.transaction.retention.ms") !== undefined && !isBefore(source, "2.3")
      ? dropped("log.mining.transaction.retention.ms is given as well, and counts")
      : retention(3_600_000n)(value, source, name),
  "log.mining.archive.log.only.mode": (value) =>
    isTrue(value)
      ? changed("cdc.capture.mode", "archive_only", "archived logs only, as before")
      : dropped("online logs too, as before"),
  "archive.destination.name": (value) =>
    value.includes(",")
      ? manual("cdc.archive.destination is one name: choose it")
      : mapped("cdc.archive.destination", value),
  "log.mining.username.exclude.list": to("cdc.users.exclude"),
  ...each(
    "log.mining.username.include.list log.mining.clientid.*",
    ask("this connector has no such list: name the other users in cdc.users.exclude"),
  ),
  "event.processing.failure.handling.mode": (value) => {
    if (oneOf("fail")(value)) return set("cdc.on.decode.error", value, "fail");
    if (!oneOf("warn", "skip", "ignore")(value)) return manual("the behaviour is unknown: choose cdc.on.decode.error");
    return toDeadLetters(
      `it was ${value}: changes that can't be decoded go to the dead letter topic, which has to be monitored`,
    );
  },

  // ---- Dropped
  ...each(
    "schema.history.internal* include.schema.changes include.schema.comments topic.transaction",
    drop(NO_HISTORY),
  ),
  ...each(
    "signal.* notification.*",
    drop("the new connector has its own signals (cdc.signals.topic) and its own record of them"),
  ),
  "log.mining.flush.table.name": drop("the new connector has no flush table: drop it after the retirement"),
  "log.mining.strategy": drop("the task chooses the dictionary itself"),
  "log.mining.path.dictionary": drop("the task chooses the dictionary itself"),
  "log.mining.include.redo.sql": drop("source has no redo_sql"),
  "log.mining.query.filter.mode": drop("the task filters by cdc.tables.include itself"),
  ...each(
    "log.mining.buffer.infinispan.* log.mining.buffer.ehcache.* log.mining.buffer.location",
    drop(`${OWN_BUFFER}: delete the old one's files after the retirement`),
  ),
  "log.mining.buffer.*": drop(OWN_BUFFER),
  "log.mining.window.max.ms": drop(`${OWN_PACE}; where it has ever been on, the takeover asks for a start`),
  "internal.log.mining.transaction.snapshot.boundary.mode": drop(
    "it decides which start the takeover takes, and no setting",
  ),
  "internal.*": drop("internal to Debezium"),
  ...each(
    "log.mining.batch.size.* log.mining.sleep.time.* log.mining.scn.gap.detection.* " +
      "log.mining.continuous.mine log.mining.restart.connection log.mining.log.count.min " +
      "log.mining.view.fetch.size log.mining.archive.log.only.scn.poll.interval.ms archive.log.hours " +
      "query.fetch.size poll.interval.ms database.query.timeout.ms connection.validation.timeout.ms " +
      "capture.mode",
    drop(OWN_PACE),
  ),
  ...each(
    "max.queue.size max.queue.size.in.bytes queue.provider.type memory.management.* guardrail.*",
    drop(OWN_BUFFER),
  ),
  ...each(
    "errors.max.retries retriable.restart.connector.wait.ms executor.shutdown.timeout.ms " +
      "event.converting.failure.handling.mode",
    drop("the new connector retries by cdc.retry.*"),
  ),
  ...each(
    "custom.metric.tags custom.sanitize.pattern statistics.metrics.enabled extended.headers.enabled " +
      "openlineage.integration.* skip.messages.without.change",
    drop("of Debezium's own metrics, logs and headers"),
  ),
};

function unlessPlaceholder(target: string): Rule {
  return (value) =>
    isPlaceholder(value)
      ? manual(`it is a placeholder that was never filled in: set ${target}`)
      : mapped(target, value);
}

/** The same word in another case or spelling is another value. */
function set(target: string, value: string, becomes: string): Fate {
  return value === becomes ? mapped(target, becomes) : changed(target, becomes, `the same as ${value}`);
}

/** Properties of the JDBC driver: what has a setting gets it, and Oracle's others go on together. */
function driver(): Readonly<Record<string, Rule>> {
  const trust = "driver.javax.net.ssl.trustStore";
  return {
    [trust]: to("cdc.database.tls.truststore.location"),
    [`${trust}Password`]: to("cdc.database.tls.truststore.password"),
    [`${trust}Type`]: to("cdc.database.tls.truststore.type"),
    "driver.oracle.net.wallet_location": (value) => {
      const directory =
        /^(?:file:)?(\/[^()=]+)$/.exec(value)?.[1] ?? /DIRECTORY\s*=\s*([^()]+?)\s*\)/i.exec(value)?.[1];
      return directory === undefined
        ? manual("it names no directory: set cdc.database.wallet.location")
        : changed("cdc.database.wallet.location", directory, "the wallet's directory");
    },
    "driver.*": (_value, source, name) => {
      if (isSecretName(name))
        return manual("a secret of the JDBC driver: pass it in cdc.database.connection.properties, by a reference");
      if (!/^driver\.oracle\./.test(name))
        return manual("a property of the JDBC driver: pass it in cdc.database.connection.properties, if it is needed");
      const all = Object.entries(source.written).filter(
        ([other]) =>
          /^driver\.oracle\./.test(other) && !isSecretName(other) && other !== "driver.oracle.net.wallet_location",
      );
      if (all.some(([, one]) => /[;=]/.test(one)))
        return manual("write cdc.database.connection.properties manually: a value has a semicolon or an equals sign");
      return changed(
        "cdc.database.connection.properties",
        all.map(([other, one]) => `${other.slice("driver.".length)}=${one.trim()}`).join(";"),
        "the JDBC driver's properties, together",
      );
    },
  };
}

/** `SCHEMA.TABLE.COLUMN`, where it stands there plainly. */
function columnsExcluded(value: string, source: Source): Fate {
  const pdb = source.get("database.pdb.name");
  const names = value.split(",").map((column) => column.trim().replaceAll("\\.", "."));
  if (names.some((column) => !/^\w+\.\w+\.\w+$/.test(column)))
    return manual("it has patterns, or names that are not SCHEMA.TABLE.COLUMN: write cdc.columns.exclude manually");
  const patterns = names.map((column) => [...(pdb === undefined ? [] : [pdb]), ...column.split(".")].join("[.]"));
  return changed("cdc.columns.exclude", patterns.join(","), "matched against the whole name of the column");
}

function keyColumns(value: string): Fate {
  const entries = value.split(";").flatMap((entry) => entry.trim().replaceAll("\\.", ".") || []);
  if (entries.some((entry) => !/^\w+\.\w+(?:\.\w+)?:\w+(?:\s*,\s*\w+)*$/.test(entry)))
    return manual("a table is named by a pattern: write cdc.key.columns manually, as SCHEMA.TABLE:COL1,COL2;…");
  return set("cdc.key.columns", value, entries.join(";"));
}

/** An age at which transactions are given up. @param unit of the property, in milliseconds */
function retention(unit: bigint): Rule {
  return (value, source, name) => {
    if (!NUMBER.test(value)) return noNumber("cdc.transaction.max.age.ms");
    if (BigInt(value) <= 0n) return dropped("0: no transaction was given up");
    const millis = (BigInt(value) * unit).toString();
    return unit === 1n
      ? positive("cdc.transaction.max.age.ms", 1000n, LONG)(millis, source, name)
      : changed("cdc.transaction.max.age.ms", millis, "in milliseconds");
  };
}

const isDebeziums = (className: string): boolean => className.trim().startsWith("io.debezium.");

/** A list of transformations or predicates, without those of Debezium's classes. */
function transformations(value: string, { written }: Source, name: string): Fate {
  const all = value.split(",").flatMap((one) => one.trim() || []);
  const theirs = all.filter((one) => isDebeziums(settingOf(written, `${name}.${one}.type`) ?? ""));
  if (theirs.length === 0) return mapped(name, value);
  const others = all.filter((one) => !theirs.includes(one));
  return others.length === 0
    ? manual(`each of them is a class of Debezium's: see ${name}.${theirs[0]}.type`)
    : changed(
        name,
        others.join(","),
        `without ${theirs.join(", ")}, of Debezium's classes: see ${name}.${theirs[0]}.type`,
      );
}

/** A setting of a transformation or predicate. */
function transformation(value: string, { written }: Source, name: string): Fate {
  const [, of = "", setting = ""] = /^(\w+\.[^.]+)\.(.+)$/.exec(name) ?? [];
  if (!isDebeziums(settingOf(written, `${of}.type`) ?? "")) return mapped(name, value);
  if (setting !== "type") return manual(`a setting of ${of}: see ${of}.type`);
  if (/\.ExtractNewRecordState$/.test(value))
    return manual(
      "the topics hold flat rows, which migrate verify can't read and the new connector does not write: decide with " +
        `the consumers; to go on with flat rows, ${ITS_CLASS}`,
    );
  return manual(`${ITS_CLASS}: install them there, or replace it`);
}

/** The part of `converters` and `post.processors` that are settings of these. */
function unknown(_value: string, source: Source, name: string): Fate {
  const owner = ["converters", "post.processors"].find((list) =>
    source
      .get(list)
      ?.split(",")
      .some((one) => one.trim() !== "" && name.startsWith(`${one.trim()}.`)),
  );
  if (owner !== undefined) return manual(`a setting of one of the ${owner}: ${ITS_CLASS}`);
  return dropped(
    /^(?:\/\/|#|_)/.test(name) ? "a comment: unknown to Debezium" : "unknown to Debezium, which does not read it",
  );
}

/** Whether the names of topics are manual. */
const byHandName = (source: Source): boolean =>
  !/(?:^|\.)SchemaTopicNamingStrategy$/.test(source.get("topic.naming.strategy") ?? "SchemaTopicNamingStrategy");

/** No PDB. Both connectors write `_` for every character that a topic's name can't have. */
function template(source: Source): string {
  return ["${prefix}", "${schema}", "${table}"].join(source.get("topic.delimiter") ?? ".");
}

/** `cdc.topic.prefix`: Debezium's own where its topics are kept. */
function topicPrefix(source: Source): string {
  const { topics, topicPrefix: wanted, connector } = source;
  const theirs = source.get("topic.prefix");
  if (topics === undefined)
    throw new UsageError(
      "whether the topics of Debezium are kept has to be decided",
      "Pass --topics keep (the new connector writes into them, and consumers stay) or --topics new (spec.to.topics " +
        "of a plan file).",
    );
  if (topics === "keep") {
    if (theirs === undefined)
      throw new UsageError("there is no topic.prefix, so no topics can be kept", "Pass --topics new.");
    if (wanted !== undefined && wanted !== theirs)
      throw new UsageError(
        `topics are kept, so the prefix is theirs, ${JSON.stringify(theirs)}`,
        "Leave out --topic-prefix, or pass --topics new.",
      );
    if (/^\.|\.\.|\.$/.test(theirs))
      throw new UsageError(
        `the topics of ${JSON.stringify(theirs)} can't be kept: the new connector's have no two dots in a row, and ` +
          "none in front",
        "Pass --topics new.",
      );
    return theirs;
  }
  const prefix = wanted ?? connector;
  if (prefix === theirs)
    throw new UsageError(
      `${JSON.stringify(prefix)} is the prefix of Debezium's own topics`,
      "Name another one with --topic-prefix, or pass --topics keep.",
    );
  return prefix;
}

const isAvro = (config: Config): boolean =>
  /Avro/.test((config["key.converter"] ?? "") + (config["value.converter"] ?? ""));

/** Defaults of Debezium's that differ from the new connector's, or did in some version. */
const additions: PropertyTable["additions"] = (source) => {
  const assumed = ranBy(source) === undefined ? ` (assumed: that of ${NEWEST}, because its version is not known)` : "";
  const all = everything(source);
  const pin = (is: boolean, target: string, value: string, reason: string): readonly AddedSetting[] =>
    is ? [{ target, value, reason }] : [];
  return [
    ...theConnector(source),
    ...pin(true, "cdc.topic.prefix", topicPrefix(source), "every topic begins with it"),
    ...pin(!byHandName(source), "cdc.topic.template", template(source), "Debezium's names have no PDB"),
    ...pin(source.get("database.url") === undefined, "cdc.database.port", "1528", "Debezium's default"),
    ...pin(all !== undefined, "cdc.tables.include", all ?? "", "everything that is not excluded was captured"),
    ...pin(true, "cdc.tables.case.sensitive", "false", "Debezium matches names in any case"),
    ...pin(true, "cdc.snapshot.mode", "none", "the start is cdc.start.scn, which the takeover sets"),
    ...pin(true, "cdc.key.missing", "none", "Debezium's records of a table without a key have none"),
    ...pin(true, "cdc.decimal.mode", "precise", "Debezium's default"),
    ...pin(true, "cdc.tombstones.on.delete", "true", "Debezium's default"),
    ...pin(true, "cdc.lob.mode", "skip", "Debezium's default: LOB columns had no value"),
    ...pin(
      isTrue(source.get("lob.enabled")),
      "cdc.unavailable.placeholder",
      "__debezium_unavailable_value",
      "Debezium's default",
    ),
    ...pin(
      true,
      "cdc.schema.name.adjustment.mode",
      isBefore(source, "2.0") ? "avro" : "none",
      `Debezium's default${assumed}`,
    ),
    ...pin(
      true,
      "cdc.field.name.adjustment.mode",
      // The Avro converter turned sanitize.field.names on before there was a mode (Debezium's CommonConnectorConfig).
      isBefore(source, "2.2") && isAvro(source.written) ? "avro" : "none",
      `Debezium's default${assumed}`,
    ),
    ...pin(limits(source), "cdc.transaction.max.age.action", "discard", "older transactions were given up"),
    ...pin(true, "cdc.output.format", "debezium", "the format of its records"),
  ];
};

const limits = (source: Source): boolean =>
  ["ms", "hours"].some((unit) => /[1-9]/.test(source.get(`log.mining.transaction.retention.${unit}`) ?? ""));

const shown = (source: Source, name: string): string | undefined => redactSetting(name, source.get(name));

/** What Debezium did that no setting shows. */
function lacks({ source, config }: Translated): readonly string[] {
  const has = (name: string) => source.get(name) !== undefined;
  const readers = (of: Config) => columnReaders(redactConfiguration(of));
  const lost = readers(config).filter((reader) => !readers(source.written).includes(reader));
  return [
    ...when(
      ranBy(source) === undefined,
      `Debezium's version is not known: its defaults are taken as those of ${NEWEST}. Pass --debezium-version; ` +
        "source.version of any of its records has it.",
    ),
    ...misspelt(Object.keys(source.written), ranBy(source)),
    ...when(
      !has("database.connection.adapter") && has("xstream.out.server.name"),
      "database.connection.adapter is not set, so LogMiner is assumed, every version's default, although settings of " +
        "XStream are there. Its stored offset tells: scn is of LogMiner, lcr_position of XStream.",
    ),
    ...when(
      config["cdc.tables.include"] === undefined && !["table", "schema"].some((what) => has(`${what}.include.list`)),
      "Without a list Debezium captured every table of every schema but the database's own: choose cdc.tables.include.",
    ),
    ...editions(source),
    ...when(
      !isBefore(source, "2.0") && !has("skipped.operations"),
      "Debezium skips truncates by default since 2.0; the new connector delivers them, as op t.",
    ),
    ...when(
      lost.length > 0,
      `These transformations no longer reach columns, which are below before and after: ${lost.join("; ")}. What ` +
        "they changed or masked flows in clear.",
    ),
    ...unchecked(source, config),
    ...when(
      !isFalse(source.get("include.schema.changes") ?? "") && has("topic.prefix"),
      `The topic of schema changes, ${shown(source, "topic.prefix")}, gets nothing any more.`,
    ),
    ...when(
      has("signal.data.collection") || has("notification.enabled.channels"),
      "Signals and notifications of Debezium get no answer any more: move who sends and reads them.",
    ),
    ...when(
      has("heartbeat.action.query"),
      "Drop the table of heartbeat.action.query and its grants after the retirement.",
    ),
    `Drop the flush table (${shown(source, "log.mining.flush.table.name") ?? "LOG_MINING_FLUSH"}) and the grants of ` +
      "Debezium's user after the retirement.",
  ];
}

/** Names of a database and a PDB that are of different editions: one of the two was copied from elsewhere. */
function editions(source: Source): readonly string[] {
  const [database = "", pdb = ""] = ["database.dbname", "database.pdb.name"].map((name) =>
    source.get(name)?.toUpperCase(),
  );
  const usual: Readonly<Record<string, string>> = { XE: "XEPDB1", FREE: "FREEPDB1" };
  if (!Object.hasOwn(usual, database) || pdb === usual[database] || !Object.values(usual).includes(pdb)) return [];
  return [`database.dbname ${database} and database.pdb.name ${pdb} are of different editions of Oracle: check both.`];
}

/** Schemas of the new records meet those of Debezium's in a registry's subjects, if topics are kept. */
function unchecked(source: Source, config: Config): readonly string[] {
  const url = settingOf(config, "value.converter.schema.registry.url")?.split(",")[0]?.trim();
  if (source.topics !== "keep" || url === undefined) return [];
  const table = /^(?:\w+\[\.\])?(\w+)(?:\.|\\\.|\[\.\])(\w+)$/.exec(config["cdc.tables.include"]?.split(",")[0] ?? "");
  const subject = `${shown(source, "topic.prefix")}.${table?.[1] ?? "SCHEMA"}.${table?.[2] ?? "TABLE"}-value`;
  const registry = REFERENCE.test(url) ? "REGISTRY" : redactSetting("value.converter.schema.registry.url", url);
  return [
    "Whether the schema registry takes the new connector's schemas in the subjects of the kept topics is unchecked: " +
      "its records have other names (sh.oso.cdc.Source), which BACKWARD may refuse at the first write. Look at the " +
      `level of each subject: curl ${shellWord(`${registry}/config/${subject}?defaultToGlobal=true`)}`,
  ];
}

export const DEBEZIUM_PROPERTIES: PropertyTable = {
  canonical,
  rules: RULES,
  unknown,
  mayBeEmpty: new Set(),
  topicPrefix,
  additions,
  brokers: "schema.history.internal.kafka.bootstrap.servers",
  lacks,
  consumers: (topics) =>
    topics === "keep"
      ? "Consumers stay, and see the changes of the overlap twice in one stream: same keys, source.scn going back. " +
        "source.connector is oracle-cdc from then on, and schemas have other names."
      : "Point consumers at the new topics: the envelope is the same, source.connector is oracle-cdc, and schemas " +
        "have other names.",
};
