import type { Config } from "../values/config.ts";
import { DEBEZIUM_SETTINGS } from "./debezium/harmless-settings.ts";

/**
 * Settings whose values are shown: those with a known meaning, each with the format of its values. A value in another
 * format is not shown either: a password pasted into the wrong setting is a password.
 *
 * Rule: reference "The connector's settings"; Apache Kafka, "Kafka Connect configs" and the client configs;
 * `core/legacy/confluent/properties.ts`.
 */

const list = (one: string): RegExp => new RegExp(`^\\s*(?:(?:${one})\\s*)?(?:[,;]\\s*(?:(?:${one})\\s*)?)*$`, "i");

/** The options that a JDBC URL may have, and the words of a connect descriptor. */
const JDBC_OPTION =
  "(?:connect_timeout|transport_connect_timeout|retry_count|retry_delay|sdu|load_balance|failover|" +
  "ssl_server_dn_match)=\\w*";
const DESCRIPTOR_WORD =
  "(?:DESCRIPTION(?:_LIST)?|ADDRESS(?:_LIST)?|PROTOCOL|HOST|PORT|CONNECT_DATA|SERVICE_NAME|SID|SERVER|" +
  "INSTANCE_NAME|LOAD_BALANCE|FAILOVER|CONNECT_TIMEOUT|TRANSPORT_CONNECT_TIMEOUT|RETRY_COUNT|RETRY_DELAY|" +
  "SDU|SECURITY|SSL_SERVER_DN_MATCH|ENABLE)";

/** The formats of values. A blank value and `true` or `false` are shown whatever the setting. */
const FORM = {
  number: /^\s*[+-]?\d{1,20}(?:\.\d{1,9})?\s*$/,
  name: /^\s*[\w.$#-]{1,255}\s*$/,
  names: list("[\\w.$#:-]{1,255}"),
  className: /^\s*(?:[A-Za-z_$][\w$]*\.)*[A-Za-z_$][\w$]*\s*$/,
  classNames: list("(?:[A-Za-z_$][\\w$]*\\.)*[A-Za-z_$][\\w$]*"),
  hosts: list("(?:[A-Z_]{1,20}://)?(?:[\\w.-]{1,255}|\\[[0-9a-f:.%]+\\])(?::\\d{1,5})?"),
  urls: list("https?://(?:\\*{8}@)?(?:[\\w.-]{1,255}|\\[[0-9a-f:.]+\\])(?::\\d{1,5})?(?:/[\\w./-]*)?"),
  path: /^\s*[\w./@%+ -]{1,4096}\s*$/,
  /** Names that contain connector variables: `${prefix}.${schema}`. */
  template: /^\s*(?:[\w.:#/-]|\$\{[\w.]*\}|\$\d{1,2})*\s*$/,
  /** Java patterns for names of tables and topics, separated by commas. */
  patterns: /^[\w\s.,:;$#()[\]{}?*+|^\\&!<>="-]*$/,
  /** `SCHEMA.TABLE:COL1,COL2;PDB.SCHEMA.TABLE:COL` */
  columns: /^[\w\s.,:;$#"-]*$/,
  zone: /^\s*[\w/+:-]{1,60}\s*$/,
  /** A format of `SimpleDateFormat`. */
  dateFormat: /^[\w\s.,:'/-]{1,80}$/,
  errorCodes: list("(?:ORA-)?\\d{1,5}"),
  version: /^[\w.,()[\]+-]{1,60}$/,
  jdbcUrl: new RegExp(
    `^\\s*jdbc:oracle:\\w{1,20}:@(?:(?:(?:tcps?:)?//)?[\\w.:/,[\\]-]*(?:\\?${JDBC_OPTION}(?:&` +
      `${JDBC_OPTION})*)?|(?:[\\s()]|${DESCRIPTOR_WORD}\\s*=(?:\\s*[\\w.:-]+|(?=\\s*\\()))*)\\s*$`,
    "i",
  ),
  /** Distinguished names. */
  principal: list("(?:cn|ou|dc|uid|o|c)=[\\w.-]{1,255}"),
  ldapUrl: /^\s*(?:jdbc:oracle:\w+:@)?ldaps?:\/\/[\w.-]+(?::\d{1,5})?\/[\w.,=/-]*\s*$/i,
} satisfies Readonly<Record<string, RegExp>>;

const oneOf = (...words: readonly string[]): RegExp => new RegExp(`^\\s*(?:${words.join("|")})\\s*$`, "i");

/** Each row: settings by name, `*` for one part of a name, and the format of their values. */
type Row = readonly [names: string, form: RegExp];

const CONNECTOR: readonly Row[] = [
  ["cdc.topic.prefix cdc.ops.topic cdc.signals.topic cdc.heartbeat.topic cdc.txjournal.topic", FORM.template],
  ["cdc.schema.topic cdc.dlq.topic cdc.topic.template", FORM.template],
  ["cdc.tables.include cdc.tables.exclude cdc.columns.exclude cdc.columns.include", FORM.patterns],
  ["cdc.key.columns", FORM.columns],
  ["cdc.key.missing", oneOf("fail", "rowid", "none")],
  ["cdc.users.exclude cdc.users.include cdc.database.user cdc.database.pdbs", FORM.names],
  ["cdc.database.host", FORM.hosts],
  ["cdc.database.service cdc.database.sid cdc.archive.destination", FORM.name],
  ["cdc.database.url", FORM.jdbcUrl],
  ["cdc.database.url", FORM.ldapUrl],
  ["cdc.database.wallet.location cdc.database.tls.truststore.location cdc.database.tls.keystore.location", FORM.path],
  ["cdc.database.tls.truststore.type cdc.database.tls.keystore.type", oneOf("JKS", "PKCS12", "PEM", "SSO")],
  ["cdc.capture.mode", oneOf("online", "archive_only")],
  ["cdc.mining.mode", oneOf("auto", "logs", "range")],
  ["cdc.snapshot.mode", oneOf("initial", "none", "always", "schema_only", "initial_only", "never", "when_needed")],
  ["cdc.decimal.mode", oneOf("precise", "double", "string", "best_fit")],
  [
    "cdc.temporal.mode",
    oneOf("adaptive", "adaptive_time_microseconds", "connect", "iso", "iso_string", "string", "micros", "nanos"),
  ],
  ["cdc.schema.name.adjustment.mode cdc.field.name.adjustment.mode", oneOf("none", "avro", "avro_unicode")],
  ["cdc.lob.mode", oneOf("skip", "inline", "reselect")],
  ["cdc.on.decode.error", oneOf("fail", "dlq", "skip", "log")],
  ["cdc.output.format", oneOf("debezium", "envelope", "flat")],
  ["cdc.transaction.max.age.action", oneOf("discard", "fail", "warn")],
  ["cdc.unavailable.placeholder", oneOf("__cdc_unavailable_value", "__debezium_unavailable_value")],
  ["cdc.retry.extra.error.codes", FORM.errorCodes],
  // All other settings of the connector: a number is a limit, a rate or an SCN.
  ["cdc.**", FORM.number],
];

const CONNECT: readonly Row[] = [
  ["name", FORM.name],
  ["connector.class", FORM.className],
  ["tasks.max errors.retry.timeout errors.retry.delay.max.ms transaction.boundary.interval.ms", FORM.number],
  ["connector.plugin.version", FORM.version],
  ["config.action.reload", oneOf("none", "restart")],
  ["exactly.once.support", oneOf("required", "requested")],
  ["transaction.boundary", oneOf("poll", "interval", "connector")],
  ["offsets.storage.topic errors.deadletterqueue.topic.name", FORM.template],
  ["errors.deadletterqueue.topic.replication.factor", FORM.number],
  ["errors.tolerance", oneOf("none", "all")],
  ["transforms predicates topic.creation.groups", FORM.names],
  ["transforms.*.type predicates.*.type", FORM.className],
  ["transforms.*.predicate predicates.*.name", FORM.name],
  ["predicates.*.pattern topic.creation.*.include topic.creation.*.exclude", FORM.patterns],
  ["topic.creation.*.cleanup.policy", oneOf("compact", "delete", "compact,delete", "delete,compact")],
  ["topic.creation.*.compression.type", oneOf("producer", "none", "uncompressed", "gzip", "snappy", "lz4", "zstd")],
  ["topic.creation.*.message.timestamp.type", oneOf("CreateTime", "LogAppendTime")],
  ["topic.creation.*.**", FORM.number],
];

/** Prefixes of the settings of a converter. */
const CONVERTERS = ["key.converter", "value.converter", "header.converter", "cdc.journal.converter"];
const CONVERTER: readonly Row[] = [
  ["schemas.cache.size schemas.cache.config max.schemas.per.subject", FORM.number],
  ["schema.registry.url", FORM.urls],
  ["decimal.format", oneOf("BASE64", "NUMERIC")],
  ["encoding", oneOf("UTF-?8", "UTF-?16", "US-ASCII", "ISO-8859-1")],
  ["basic.auth.credentials.source bearer.auth.credentials.source", oneOf("URL", "USER_INFO", "SASL_INHERIT")],
  ["key.subject.name.strategy value.subject.name.strategy reference.subject.name.strategy", FORM.className],
  ["schema.compatibility", oneOf("NONE", "BACKWARD", "FORWARD", "FULL")],
  ["plugin.version", FORM.version],
];

/** Prefixes of the properties of a Kafka client. */
const CLIENTS = [
  ...["cdc.stream", "cdc.kafka", "producer.override", "consumer.override", "admin.override"],
  ...["redo.log.consumer", "confluent.topic", "confluent.topic.producer", "confluent.topic.consumer"],
  ...["errors.deadletterqueue.producer", "errors.deadletterqueue.admin"],
];
const CLIENT: readonly Row[] = [
  ["bootstrap.servers", FORM.hosts],
  ["client.id group.id client.rack transactional.id group.instance.id", FORM.name],
  ["security.protocol", oneOf("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")],
  ["sasl.mechanism", oneOf("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "GSSAPI", "OAUTHBEARER")],
  ["sasl.kerberos.service.name", FORM.name],
  ["sasl.oauthbearer.token.endpoint.url sasl.oauthbearer.jwks.endpoint.url", FORM.urls],
  [
    "sasl.login.callback.handler.class sasl.client.callback.handler.class sasl.login.class ssl.engine.factory.class",
    FORM.className,
  ],
  ["ssl.truststore.location ssl.keystore.location", FORM.path],
  ["ssl.truststore.type ssl.keystore.type", oneOf("JKS", "PKCS12", "PEM", "BCFKS")],
  ["ssl.endpoint.identification.algorithm", oneOf("https")],
  ["ssl.protocol ssl.enabled.protocols", list("TLS|TLSv1(?:\\.[0-3])?|SSL|SSLv[23]")],
  ["ssl.cipher.suites", list("TLS_\\w{1,60}")],
  ["acks", oneOf("all", "-1", "0", "1")],
  ["compression.type", oneOf("none", "gzip", "snappy", "lz4", "zstd")],
  ["isolation.level", oneOf("read_committed", "read_uncommitted")],
  ["auto.offset.reset", oneOf("earliest", "latest", "none")],
  ["client.dns.lookup", oneOf("use_all_dns_ips", "resolve_canonical_bootstrap_servers_only")],
  ["key.serializer value.serializer key.deserializer value.deserializer partitioner.class", FORM.className],
  ["interceptor.classes metric.reporters partition.assignment.strategy", FORM.classNames],
  // Limits and times; no secret of a client has such a name.
  ["*.ms **.ms *.bytes **.bytes batch.size buffer.memory retries replication.factor", FORM.number],
  ["max.poll.records max.in.flight.requests.per.connection min.insync.replicas partitions", FORM.number],
];

/** The legacy connector's settings, with the prefix `oracle.`; `srcdb.` means the same. */
const LEGACY: readonly Row[] = [
  ["oracle.server", FORM.hosts],
  ["oracle.port", FORM.number],
  ["oracle.username oracle.sid oracle.service.name oracle.pdb.name", FORM.name],
  ["log.mining.archive.destination.name", FORM.name],
  ["oracle.ssl.truststore.file oracle.kerberos.cache.file", FORM.path],
  ["ldap.url", FORM.ldapUrl],
  ["ldap.security.principal", FORM.principal],
  ["db.timezone db.timezone.date", FORM.zone],
  ["table.inclusion.regex table.exclusion.regex", FORM.patterns],
  ["table.topic.name.template lob.topic.name.template redo.log.topic.name key.template", FORM.template],
  ["redo.log.corruption.topic heartbeat.topic.name confluent.topic", FORM.template],
  ["start.from", oneOf("snapshot", "current", "force_current", "\\d{1,20}", "\\d{4}-\\d\\d-\\d\\d[T ]?[\\d:.]*")],
  ["redo.log.row.poll.username.include redo.log.row.poll.username.exclude", FORM.names],
  ["redo.log.row.poll.fields.include redo.log.row.poll.fields.exclude", FORM.names],
  ["retry.error.codes", FORM.errorCodes],
  ["numeric.mapping", oneOf("none", "best_fit", "best_fit_or_(?:decimal|double|string)", "precision_only")],
  ["oracle.date.mapping", oneOf("date", "timestamp")],
  ["oracle.dictionary.mode", oneOf("auto", "online", "redo_log")],
  ["oracle.supplemental.log.level", oneOf("full", "msl")],
  ["record.buffer.mode", oneOf("connector", "database")],
  ["behavior.on.dictionary.mismatch behavior.on.unparsable.statement", oneOf("fail", "log")],
  ["log.mining.transaction.threshold.breached.action", oneOf("warn", "discard")],
  ["max.batch.size max.buffer.size query.timeout.ms poll.linger.ms max.retry.time.ms", FORM.number],
  ["snapshot.row.fetch.size redo.log.row.fetch.size snapshot.threads.per.task", FORM.number],
  ["heartbeat.interval.ms max.batch.timeout.ms numeric.default.scale", FORM.number],
  ["log.mining.transaction.age.threshold.ms log.mining.end.scn.deviation.ms", FORM.number],
  ["redo.log.poll.interval.ms redo.log.initial.delay.interval.ms redo.log.startup.polling.limit.ms", FORM.number],
  ["table.task.reconfig.checking.interval.ms table.rps.logging.interval.ms", FORM.number],
  ["oracle.validation.result.fetch.size connection.pool.**", FORM.number],
  ["output.*.field output.**.field", FORM.template],
  ["output.op.*.value", oneOf("[A-Z]{1,12}")],
];

/** Settings of Kafka's own transformations that name fields and topics; values that they insert are not among them. */
const TRANSFORMATION: readonly Row[] = [
  ["field fields include exclude renames whitelist blacklist headers header spec", FORM.columns],
  ["offset.field partition.field timestamp.field topic.field static.field schema.name", FORM.name],
  ["schema.version", FORM.number],
  ["topic.format", FORM.template],
  ["timestamp.format format", FORM.dateFormat],
  ["delim delimiter", /^[._:-]$/],
  ["operation", oneOf("move", "copy")],
  ["target.type", oneOf("string", "unix", "Date", "Time", "Timestamp")],
  ["unix.precision", oneOf("seconds", "milliseconds", "microseconds", "nanoseconds")],
];
const APACHE = /^\s*org\.apache\.kafka\.connect\.transforms\.(\w+)(?:\$(?:Key|Value))?\s*$/;
/** The transformation whose patterns match topic names. */
const ROUTER: readonly Row[] = [
  ["regex", FORM.patterns],
  ["replacement", FORM.template],
];

const under = (prefixes: readonly string[], rows: readonly Row[]): readonly Row[] =>
  prefixes.flatMap((prefix) => rows.map(([names, form]): Row => [names.replace(/\S+/g, `${prefix}.$&`), form]));

const ofSettings = compiled([
  ...CONNECTOR,
  ...CONNECT,
  [CONVERTERS.join(" "), FORM.className],
  ...under(CONVERTERS, CONVERTER),
  ...under(CLIENTS, CLIENT),
  ...LEGACY,
  ...DEBEZIUM_SETTINGS.map(([names, form]): Row => [names, typeof form === "string" ? FORM[form] : form]),
]);
const ofTransformations = compiled(TRANSFORMATION);
const ofRouters = compiled([...TRANSFORMATION, ...ROUTER]);

/** The formats by literal name, and by name pattern, which takes longer to match: of each name once. */
function compiled(rows: readonly Row[]): (name: string) => readonly RegExp[] {
  const names = rows.flatMap(([all, form]) => all.split(" ").map((name) => ({ name, form })));
  const written = new Map<string, readonly RegExp[]>();
  for (const { name, form } of names) if (!name.includes("*")) written.set(name, [...(written.get(name) ?? []), form]);
  const patterns = names
    .filter(({ name }) => name.includes("*"))
    .map(({ name, form }) => ({ is: patternOf(name), form }));
  const known = new Map<string, readonly RegExp[]>();
  return (name) => {
    const fits = () => patterns.filter(({ is }) => is.test(name)).map(({ form }) => form);
    const forms = known.get(name) ?? [...(written.get(name) ?? []), ...fits()];
    known.set(name, forms);
    return forms;
  };
}

/** `*` is one part of a name, `**` any number of them. */
function patternOf(name: string): RegExp {
  const parts = name.split(".").map((part) => (part === "*" ? "[^.]+" : part === "**" ? ".+" : part));
  return new RegExp(`^${parts.join("\\.")}$`);
}

const HARMLESS_ANYWHERE = /^\s*(?:true|false)?\s*$/i;
const REFERENCES = /\$\{[^{}:]+:[^{}]*\}/g;
/** Replaces a reference in any format; a reference reveals nothing about its value. */
const PLACEHOLDER = "1";

/**
 * Whether the value of a setting may be shown: nothing but references, a truth value, or in the format of this harmless
 * setting's values.
 *
 * @param config the setting's configuration: a transformation's class decides what its settings mean
 */
export function isHarmless(name: string, value: string, config: Config): boolean {
  const literal = value.replace(REFERENCES, "");
  if (HARMLESS_ANYWHERE.test(literal)) return true;
  const plain = value.replace(REFERENCES, PLACEHOLDER);
  return formsFor(name, config).some((form) => form.test(plain));
}

/** Whether the meaning of a setting is known, whatever its value. */
export function isKnownSetting(name: string, config: Config): boolean {
  return formsFor(name, config).length > 0;
}

function formsFor(name: string, config: Config): readonly RegExp[] {
  const [, transformation, rest = ""] = /^transforms\.([^.]+)\.(.+)$/.exec(name) ?? [];
  const type = `transforms.${transformation}.type`;
  const [, own] = APACHE.exec(Object.hasOwn(config, type) ? (config[type] ?? "") : "") ?? [];
  const legacy = name.replace(/^srcdb\./, "oracle.");
  return [
    ...ofSettings(legacy),
    ...(transformation === undefined || own === undefined
      ? []
      : (own === "RegexRouter" ? ofRouters : ofTransformations)(rest)),
  ];
}
