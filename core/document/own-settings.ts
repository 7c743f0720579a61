// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connector
import { isHarmless } from "../redaction/harmless-settings.ts";
import { isSecretName, redactText } from "../redaction/redact.ts";
import { nearest } from "../values/nearest.ts";
import { anyOf, inSequence } from "../values/regexp.ts";
import type { Fault } from "./formats.ts";

/**
 * Settings that a plan file may make in a new connector's configuration, each part of a name in place of `*`: what the
 * connector captures and how, how topics are created, what happens at an error. A plan file can be edited by a user who
 * may not see the secrets; nothing here leads a client to a host, names a class or a file, or changes what is done with
 * a secret.
 *
 * Rule: architecture, "Who is trusted".
 */
const ALLOWED = [
  ..."cdc.tables.include cdc.tables.exclude cdc.tables.case.sensitive cdc.columns.exclude".split(" "),
  ..."cdc.key.columns cdc.key.missing cdc.users.exclude cdc.database.pdbs".split(" "),
  ..."cdc.topic.template cdc.ops.topic cdc.signals.topic cdc.heartbeat.topic cdc.txjournal.topic".split(" "),
  ..."cdc.schema.topic cdc.dlq.topic cdc.txjournal.threshold.ms cdc.heartbeat.interval.ms".split(" "),
  ..."cdc.capture.mode cdc.mining.mode cdc.archive.destination cdc.mining.fetch.size".split(" "),
  ..."cdc.mining.query.timeout.ms cdc.dictionary.build.interval.ms cdc.eos.batch.max.ms".split(" "),
  ..."cdc.snapshot.threads cdc.snapshot.fetch.size cdc.snapshot.chunk.rows".split(" "),
  ..."cdc.transaction.max.age.ms cdc.transaction.max.age.action".split(" "),
  ..."cdc.poll.max.records cdc.poll.linger.ms cdc.shutdown.timeout.ms".split(" "),
  ..."cdc.decimal.mode cdc.temporal.mode cdc.lob.mode cdc.unavailable.placeholder".split(" "),
  ..."cdc.tombstones.on.delete value.converter.schemas.enable".split(" "),
  ..."cdc.on.decode.error cdc.retry.max.time.ms cdc.retry.extra.error.codes".split(" "),
  ..."errors.tolerance errors.retry.timeout errors.retry.delay.max.ms".split(" "),
  ..."errors.log.enable errors.log.include.messages".split(" "),
];
/**
 * What Connect takes for each group of topics that it creates: its own settings and Kafka's topic configurations. The
 * default group matches every topic.
 *
 * Rule: Kafka documentation, "Source connector configs" (KIP-158) and "Topic configs".
 */
const OF_GROUP = [
  ..."include exclude partitions replication.factor cleanup.policy compression.type compression.gzip.level".split(" "),
  ..."compression.lz4.level compression.zstd.level delete.retention.ms file.delete.delay.ms flush.messages".split(" "),
  ..."flush.ms index.interval.bytes local.retention.bytes local.retention.ms max.compaction.lag.ms".split(" "),
  ..."max.message.bytes message.downconversion.enable message.timestamp.after.max.ms".split(" "),
  ..."message.timestamp.before.max.ms message.timestamp.difference.max.ms message.timestamp.type".split(" "),
  ..."min.cleanable.dirty.ratio min.compaction.lag.ms min.insync.replicas preallocate retention.bytes".split(" "),
  ..."retention.ms remote.log.copy.disable remote.log.delete.on.disable remote.storage.enable".split(" "),
  ..."segment.bytes segment.index.bytes segment.jitter.ms segment.ms unclean.leader.election.enable".split(" "),
];
const CREATION = new RegExp(
  "^topic[.]creation[.](?:groups|(?!default[.](?:in|ex)clude$)[\\w-][\\w.-]*[.]" +
    `(?:${OF_GROUP.join("|").replaceAll(".", "[.]")}))$`,
);

/** The variables that the connector fills in (reference: wire formats, "Topic names"; connector settings). */
const IN_TEMPLATE = ["${prefix}", "${pdb}", "${schema}", "${table}", "${database}"];
const IN_TOPIC = ["${prefix}"];

const INTO_A_FILE = "into the context's file for the connector, or into the file of --config.";
const ELSEWHERE = `Put it ${INTO_A_FILE}`;

const BY_TAKEOVER: Fault = {
  fault: "is what the takeover sets",
  remedy: "Remove it: the new connector starts where the legacy one stood, without a snapshot.",
};
const BY_MIGRATION: Fault = { fault: "is what the migration sets", remedy: "Remove it." };
const MADE: ReadonlyMap<string, Fault> = new Map([
  ["name", { fault: "is set elsewhere", remedy: "Write the new connector's name as spec.to.name." }],
  ["cdc.topic.prefix", { fault: "is set elsewhere", remedy: "Write it as spec.to.topicPrefix." }],
  ["cdc.start.scn", BY_TAKEOVER],
  ["cdc.snapshot.mode", BY_TAKEOVER],
  ["connector.class", BY_MIGRATION],
  ["tasks.max", BY_MIGRATION],
]);

/** The problem of a setting's name; the name itself precedes it, as the end of its path. */
export function settingFault(name: string): Fault | undefined {
  if (ALLOWED.includes(name) || (CREATION.test(name) && !isSecretName(name))) return undefined;
  const made = MADE.get(name.trim());
  if (made !== undefined) return made;
  if (isSecretName(name)) return { fault: "holds a secret, which a plan file must not", remedy: ELSEWHERE };
  if (namesPlaceOrUser(name.trim()))
    return { fault: "says where the connector goes, or as whom, which a plan file must not", remedy: ELSEWHERE };
  const meant = nearest(name, ALLOWED);
  return {
    fault: "is not one of the settings that a plan file may make",
    remedy: `${meant === undefined ? "Put" : `Did you mean ${meant}? Otherwise put`} it ${INTO_A_FILE}`,
  };
}

/** The problem of a value, which is not repeated, since it may contain a login. What is allowed is shown in a plan. */
export function settingValueFault(name: string, value: string): Fault | undefined {
  if (isAddress(value)) return { fault: "holds a URL, a host, an address or a path", remedy: ELSEWHERE };
  if (redactText(value) !== value) return { fault: "holds a secret, which a plan file must not", remedy: ELSEWHERE };
  const variables = name === "cdc.topic.template" ? IN_TEMPLATE : IN_TOPIC;
  const fills = ([variable]: readonly string[]) => variables.includes(variable ?? "");
  if (/[.]topic([.]template)?$/.test(name) && ![...value.matchAll(/\$\{[^}]*\}?/g)].every(fills))
    return {
      fault: `has a variable other than ${variables.join(", ")}`,
      remedy: "Correct it: the connector fills in no other.",
    };
  if (isHarmless(name, value, {})) return undefined;
  return {
    fault: "has a value of another form than this setting takes",
    remedy: `Correct it, or put it ${INTO_A_FILE}`,
  };
}

/** A URL, a login, a path; host and port; an address in digits; a connect descriptor. */
const ADDRESS = anyOf(
  [
    /[/@]|\\\\|^[a-z]:\\/,
    /(?<!\?):\d/,
    /::|^\s*\[[\da-f:.]+\]/,
    /(?:^|[\s,])\d{1,3}(?:\.\d{1,3}){3}(?:$|[\s,])/,
    /\(\s*\w+\s*=/,
  ],
  "i",
);

/** Whether a value looks like the place of something. */
export function isAddress(value: string): boolean {
  return ADDRESS.test(value);
}

const WHERE_OR_WHO = inSequence(
  [
    /(^|\.)/,
    anyOf([
      /hosts?|hostname|urls?|uri|servers?|endpoints?|port|service|sid|dsn/,
      /user|username|login|wallet|location|files?|path|director(y|ies)|providers?|classes|connection\.properties/,
    ]),
    /(\.|$)/,
  ],
  "i",
);

/** Whether a setting of this name determines a client's destination or user. */
export function namesPlaceOrUser(name: string): boolean {
  return WHERE_OR_WHO.test(name) || /^cdc\.(stream|kafka)\.|\.override\./i.test(name);
}
