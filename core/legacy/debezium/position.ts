import { isStopped } from "../../facts/connector/connector.ts";
import type { LegacyFacts } from "../../facts/connector-facts.ts";
import { isNamed } from "../../facts/database/database.ts";
import { isEmptyOffset, type OffsetEntry } from "../../facts/offset/stored-offset.ts";
import { isHidden } from "../../redaction/redact.ts";
import { counted } from "../../values/amounts.ts";
import { type Config, REFERENCE, settingOf } from "../../values/config.ts";
import { showMillis } from "../../values/duration.ts";
import { millisBetween } from "../../values/instant.ts";
import { canonicalJson } from "../../values/json.ts";
import { highest, lowest } from "../../values/lists.ts";
import type { Scn } from "../../values/scn.ts";
import { ADAPTERS } from "../foreign-connectors.ts";
import {
  type LegacyOffsets,
  type OffsetsReading,
  openAtStop,
  type PositionRules,
  problem,
  refused,
  showTransactions,
  type TakeoverProblem,
  unproven,
} from "../position.ts";
import { isReference } from "../written-topics.ts";
import { type DebeziumOffset, loadOffset } from "./stored-offsets.ts";
import { listedBy } from "./table-lists.ts";

/** Rule: reference: Debezium, "Takeover: is `scn` a safe start? Not always". */
export const DEBEZIUM_POSITION: PositionRules = {
  read,
  /** Its offset names no table. */
  deliveredTables({ config, version }, _leaveOut, _pdbs, dictionary) {
    const pdb = settingOf(config, "database.pdb.name");
    const isListed = listedBy(config, version);
    return (dictionary?.tables ?? [])
      .filter(({ container }) => pdb === undefined || isReference(pdb) || isNamed(container, pdb))
      .filter(({ owner, name }) => isListed(owner, name) !== "no")
      .map((table) => ({ name: `${table.container}.${table.owner}.${table.name}`, mayBe: [table] }));
  },
  lastCommit: (entries) => {
    const loaded = entries.filter(({ offset }) => !isEmptyOffset(offset)).map(loadOffset);
    if (loaded.some((one) => typeof one === "string" || isLastUnknown(one))) return "unreadable";
    return highest(loaded.flatMap((one) => (typeof one === "string" ? [] : one.commits.map(({ scn }) => scn))));
  },
  problems: (facts, offsets) => [...prefixProblems(facts, offsets), ...windowProblems(facts, offsets)],
  warnings,
  recordsOpen: ({ config, offsets }) =>
    isBuffered(config) && (Number(settingOf(config, WINDOW) ?? 0) > 0 || loadedOf(offsets)?.windowAdvance === true),
  earlier: ({ config, offsets }) =>
    offsets.flatMap(({ partition: { server }, offset }) =>
      typeof server === "string" && !isEmptyOffset(offset) && !mayBePrefix(config, server) ? server : [],
    ),
};

/** Each version reads one of them, and which one ran is not always known. */
const PREFIXES = ["topic.prefix", "database.server.name"] as const;

/** Whether a partition may be of the settings as they are: a value that is not known may be any. */
function mayBePrefix(config: Config, server: string): boolean {
  const named = PREFIXES.flatMap((name) => settingOf(config, name) ?? []);
  return named.length === 0 || named.some((one) => one === server || REFERENCE.test(one) || isHidden(one));
}

/** Debezium resumes only from a partition of its own prefix: of another one it has stored nothing, and snapshots. */
function prefixProblems({ legacy: { config } }: LegacyFacts, { prefix }: LegacyOffsets): readonly TakeoverProblem[] {
  if (prefix === undefined || mayBePrefix(config, prefix)) return [];
  const present = PREFIXES.flatMap((name) => settingOf(config, name) ?? []).join(" and ");
  return [
    problem(
      "LEG003",
      `the stored offset is of the prefix ${prefix}, and the settings name ${present}: Debezium would not ` +
        "resume from it",
      "If the prefix was changed, let the connector deliver a change under the present one, then plan again.",
    ),
  ];
}

/**
 * Whether it may have delivered commits of which none is stored: a blocking snapshot comes after streaming, and its
 * records have none. Rule: reference: Debezium, "Stored offset" (3.0.2 to 3.2.1) and "Takeover".
 */
function isLastUnknown({ scn = 0n, commits, snapshot, snapshotScn }: DebeziumOffset): boolean {
  return commits.length === 0 && (snapshot?.type === "BLOCKING" || snapshotScn === undefined || scn > snapshotScn);
}

const WINDOW = "log.mining.window.max.ms";

/** Debezium has one task, and one partition: others are of an earlier topic.prefix. */
function read(entries: readonly OffsetEntry[], leaveOut: readonly string[] = []): OffsetsReading {
  const stored = entries.filter(({ offset }) => !isEmptyOffset(offset));
  const names = stored.map(({ partition: { server } }) => (typeof server === "string" ? server : undefined));
  const counted = stored.filter((_, at) => !leaveOut.includes(names[at] ?? ""));
  const [entry] = counted;
  const stray = names.indexOf(undefined);
  const unknown = leaveOut.find((name) => !names.includes(name));
  if (stored.length === 0)
    return refused("LEG003", "the legacy connector has no stored offset, so there is no position to take over");
  if (stray >= 0)
    return refused("LEG004", `a stored partition has an unknown format: ${canonicalJson(stored[stray]?.partition)}`);
  if (unknown !== undefined || entry === undefined)
    return refused(
      "LEG005",
      unknown === undefined ? "every partition is left out" : `no partition is named ${unknown}`,
      [`Leave out only partitions of an earlier topic.prefix: ${names.join(", ")} are stored.`],
    );
  if (counted.length > 1)
    return refused("LEG004", `Debezium stores one partition, and there are several: ${names.join(", ")}`, [
      "Leave out those of an earlier topic.prefix.",
    ]);
  const server = String(entry.partition["server"]);
  if (["v", "resume_scn"].some((field) => field in (entry.offset ?? {})))
    return refused("LEG004", `the offset of ${server} is the new connector's, not Debezium's`);
  const loaded = loadOffset(entry);
  if (typeof loaded === "string") return refused("LEG004", `the offset of ${server} ${loaded}`);
  const verdict = refusalOf(loaded, server);
  if (verdict !== undefined) return { ok: false, problem: verdict };
  const { scn, commits } = loaded;
  if (scn === undefined || scn === 0n)
    return refused("LEG004", `the offset of ${server} has no scn: it has never mined a commit`, [LET_IT_DELIVER]);
  const threads = commits.length === 0 ? [undefined] : commits;
  return {
    ok: true,
    offsets: {
      startScn: startOf(scn, loaded),
      lastDelivered: highest(commits.map((commit) => commit.scn)),
      lastUnknown: isLastUnknown(loaded),
      prefix: server,
      unread: [],
      partitions: threads.map((commit) => ({
        name: threads.length === 1 ? server : `${server} (redo thread ${commit?.thread})`,
        of: "database",
        scn: startOf(scn, loaded),
        commitScn: commit?.scn,
        leftOut: false,
      })),
    },
  };
}

const LET_IT_DELIVER = "Let it deliver one change, then stop it and plan again.";

/** Why an offset is not a position to stream from. */
function refusalOf({ adapter, snapshot, incremental }: DebeziumOffset, server: string): TakeoverProblem | undefined {
  if (adapter !== undefined) {
    const { title, why, remedies } = ADAPTERS[adapter];
    return problem("LEG017", `the offset of ${server} is that of ${title}: ${why}`, ...remedies);
  }
  const { type, completed = true } = snapshot ?? {};
  if (type === "INITIAL" && !completed)
    return problem(
      "LEG018",
      `the initial snapshot of ${server} is not complete`,
      "Let it finish, and let one change be delivered; then stop it and plan again.",
    );
  if (type === "BLOCKING" && !completed)
    return problem(
      "LEG018",
      `a blocking snapshot of ${server} is under way: its tables are partly snapshotted`,
      "Let it finish, then stop it and plan again.",
    );
  if (type === "INCREMENTAL" || incremental)
    return problem(
      "LEG018",
      incremental
        ? `an incremental snapshot of ${server} is under way: its tables are partly snapshotted`
        : `the last record of ${server} was a row of an incremental snapshot, which may not be over`,
      incremental ? "Let it finish, or stop it by a signal; then let one change be delivered." : LET_IT_DELIVER,
    );
  return undefined;
}

/** A connector that has not streamed since its snapshot goes back to the transactions that were open then. */
function startOf(scn: Scn, { snapshotScn, pending }: DebeziumOffset): Scn {
  return scn === snapshotScn && pending.length > 0 ? (lowest([scn, ...pending]) ?? scn) - 1n : scn;
}

/** What a connector has stored, once it is known to be readable. */
function loadedOf(entries: readonly OffsetEntry[]): DebeziumOffset | undefined {
  const loaded = entries.filter(({ offset }) => !isEmptyOffset(offset)).map(loadOffset);
  return loaded.find((one) => typeof one !== "string");
}

/** Whether transactions wait in Debezium's own cache; the unbuffered adapter's `scn` is a low watermark of the logs. */
const isBuffered = (config: Config): boolean =>
  settingOf(config, "database.connection.adapter")?.toLowerCase() !== "logminer_unbuffered";

/** A window lets `scn` pass the begin of transactions that stay open longer; the operator may know a start below. */
function windowProblems({ legacy, openBefore, transactions }: LegacyFacts, offsets: LegacyOffsets) {
  if (offsets.given || !isBuffered(legacy.config) || !loadedOf(legacy.offsets)?.windowAdvance) return [];
  const { startScn, lastDelivered, partitions } = offsets;
  const delivered = partitions.slice(0, 1).map((one) => ({ ...one, of: "table" as const, commitScn: lastDelivered }));
  const found = openAtStop({ startScn, partitions: delivered }, openBefore, transactions);
  // While it runs, only those that are open now can be judged; the cutover records them before the stop.
  if (found.is === "none" || (found.is === "unknown" && transactions.known && !isStopped(legacy.status))) return [];
  const begun = found.is === "some" ? [...found.open, ...found.ended] : [];
  const oldest = lowest(begun.map((one) => one.startScn));
  const why = found.is === "unknown" ? found.why : `these began before it: ${showTransactions(begun)}`;
  return [
    (found.is === "unknown" ? unproven : problem)(
      "LEG019",
      `${WINDOW} has been on (window_advance_enabled), so that the stored scn ${startScn} may lie above the begin of ` +
        `a transaction that ${legacy.name} has not delivered: ${why}`,
      {
        text: "Give a start at or below the lowest START_SCN of GV$TRANSACTION as of the stop",
        setting: `--start-scn ${oldest ?? "SCN"}`,
        note: `(spec.from.startScn of a plan file)`,
      },
      "Or resume it, and stop it while its metric OldestScn is at or above the stored scn.",
    ),
  ];
}

interface Seen {
  readonly facts: LegacyFacts;
  readonly config: Config;
  readonly loaded: DebeziumOffset;
  readonly offsets: LegacyOffsets;
  /** How the stored `scn` lies to the snapshot's, if both are known: -1 below, 0 equal, 1 above. */
  readonly sinceSnapshot: number | undefined;
}

const BOUNDARY = "internal.log.mining.transaction.snapshot.boundary.mode";
const RETENTION = ["log.mining.transaction.retention.ms", "log.mining.transaction.retention.hours"];
const DEFERRED = "log.mining.buffer.deferred.transaction";

/** What is worth knowing before the takeover. Rule: reference: Debezium, "Stored offset" and "Takeover". */
const WARNINGS: readonly ((seen: Seen) => string | undefined)[] = [
  ({ loaded: { loads } }) =>
    loads.upTo === undefined
      ? undefined
      : `its offset was edited by hand: Debezium after ${loads.upTo} would fail on it${
          loads.since === undefined ? "" : `, and before ${loads.since} as well`
        }`,
  ({ loaded: { threadless, scn = 0n, commits } }) => {
    const last = highest(commits.map((commit) => commit.scn)) ?? scn;
    return threadless && scn > last
      ? `its scn ${scn} is above its last commit ${last}, in a form that is also written by hand: check it, since ` +
          "commits in between are not delivered"
      : undefined;
  },
  ({ loaded: { commits } }) =>
    new Set(commits.map(({ thread }) => thread)).size === commits.length
      ? undefined
      : "commit_scn names a redo thread twice: which entry Debezium would use is not defined; the highest counts",
  ({ loaded: { pending }, sinceSnapshot, offsets: { startScn } }) => {
    if (pending.length === 0) return undefined;
    return sinceSnapshot === 0
      ? `it has not streamed since its snapshot, when ${counted(pending.length, "transaction")} ` +
          `${pending.length === 1 ? "was" : "were"} open: the start is ${startScn}, below the oldest`
      : sinceSnapshot === 1
        ? "snapshot_pending_tx is left over from the initial snapshot, and is ignored"
        : undefined;
  },
  ({ loaded: { pending, snapshot }, sinceSnapshot, config }) => {
    if (sinceSnapshot !== 0 || pending.length > 0) return undefined;
    const recorded = ["transaction_view_only", "all"].includes(settingOf(config, BOUNDARY) ?? "");
    // Since 3.2.2 they are stored beside `snapshot` only.
    if (recorded && snapshot !== undefined) return undefined;
    return (
      "it has not streamed since its snapshot, and does not record the transactions that were open then: what they " +
      "changed before the snapshot is in neither its topics nor the redo above the start. To have it delivered, give " +
      "a start at or below the lowest START_SCN at the snapshot, or take a snapshot with the new connector"
    );
  },
  ({ sinceSnapshot }) =>
    sinceSnapshot === -1
      ? "it was stopped while it mined the transactions that were open at its snapshot: if it was restarted then, " +
        "Debezium 3.2.2 and later skipped what they changed before, and its topics lack those rows"
      : undefined,
  ({ config }) => {
    const set = RETENTION.filter((name) => Number(settingOf(config, name) ?? 0) > 0);
    if (settingOf(config, `${DEFERRED}.start`) === "true" && settingOf(config, `${DEFERRED}.retention.ms`) !== "0")
      set.push(`${DEFERRED}.retention.ms`);
    return set.length === 0
      ? undefined
      : `${set.join(" and ")} let it abandon long transactions: those above the start are delivered now, or in part`;
  },
  ({ loaded: { txId, commits } }) =>
    txId === undefined || commits.some(({ txIds }) => txIds.includes(txId))
      ? undefined
      : `it stopped in the middle of transaction ${txId}, which is delivered again as a whole`,
  ({ offsets: { lastUnknown } }) =>
    lastUnknown
      ? "the last commit that it delivered is not stored: the size of the overlap is unknown, and so is which keys " +
        "of the legacy topics may hold later changes"
      : undefined,
  ({ loaded: { commits }, config }) => {
    const threads = [...new Set(commits.map(({ thread }) => thread))].sort().join(", ");
    const nodes = settingOf(config, "rac.nodes");
    return threads.includes(",") || nodes !== undefined
      ? `it mines a cluster (${nodes === undefined ? `redo threads ${threads}` : `rac.nodes=${nodes}`}), which the ` +
          "new connector does not support"
      : undefined;
  },
  age,
  ({ facts: { legacy } }) =>
    !isStopped(legacy.status) && DEBEZIUM_POSITION.recordsOpen(legacy)
      ? `${WINDOW} of ${legacy.name} lets its scn pass open transactions: the cutover records those before the stop, ` +
        "and backs out unless that proves that there was none"
      : undefined,
];

/** An offset is stored with a record only, so that on quiet tables it is as old as their last change. */
function age({ facts, config, offsets: { partitions } }: Seen): string | undefined {
  const { times, database, legacy } = facts;
  const scn = partitions[0]?.scn;
  if (!times.known || scn === undefined) return undefined;
  const since = times.value.find((time) => time.scn === scn)?.at;
  const millis = since === undefined ? undefined : millisBetween(since, facts.at);
  const interval = Number(settingOf(config, "heartbeat.interval.ms") ?? 0);
  const query = settingOf(config, "heartbeat.action.query");
  const lacking =
    interval === 0
      ? "heartbeat.interval.ms is 0"
      : database.container && query === undefined
        ? "heartbeat.action.query is not set, which a container database needs"
        : undefined;
  if (lacking === undefined && (millis ?? 0) < HOUR) return undefined;
  const old = millis === undefined ? "older than the database's times of SCNs" : `${showMillis(millis)} old`;
  const why = lacking === undefined ? "" : `; ${legacy.name} stores one only with a record (${lacking})`;
  return (
    `the stored scn ${scn} is ${old}${why}: the redo since then is mined again, and what was delivered in between ` +
    "is delivered once more. To shorten that, let it deliver one change, then stop it"
  );
}

const HOUR = 3_600_000;

function warnings(facts: LegacyFacts, offsets: LegacyOffsets): readonly string[] {
  const { config, offsets: entries } = facts.legacy;
  const loaded = loadedOf(entries);
  if (loaded === undefined) return [];
  const { scn, snapshotScn } = loaded;
  const sinceSnapshot =
    scn === undefined || snapshotScn === undefined ? undefined : scn < snapshotScn ? -1 : scn > snapshotScn ? 1 : 0;
  return WARNINGS.flatMap((warning) => warning({ facts, config, loaded, offsets, sinceSnapshot }) ?? []);
}
