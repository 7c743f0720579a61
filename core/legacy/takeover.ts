import type { ConnectorStatus, OpenTransaction } from "../../schemas/generated/facts.ts";
import { isStopped } from "../facts/connector/connector.ts";
import type { LegacyFacts } from "../facts/connector-facts.ts";
import { probeApplies, span, timesInDoubt } from "../facts/database/database.ts";
import { mapObserved, type Observed } from "../facts/observed.ts";
import { examineSeen, firstMined, type MiningSettings, redoSeenFrom } from "../facts/redo/from.ts";
import { bringBack, type RedoExamination, restoreCommands } from "../facts/redo/redo.ts";
import { counted, showCount } from "../values/amounts.ts";
import { highest } from "../values/lists.ts";
import type { Advice } from "../values/remedy.ts";
import type { Scn } from "../values/scn.ts";
import { connectorsLine } from "../values/shell-word.ts";
import { printXid } from "../values/xid.ts";
import { CONNECTOR_CLASS, hasOwnSettings, LEGACY_CLASS } from "./connector-class.ts";
import { namedElsewhere } from "./named-database.ts";
import { openAtStop, type SeenTransaction } from "./open-at-stop.ts";
import { type AskedBy, type LegacyOffsets, leavingOut, readOffsets } from "./stored-offsets.ts";
import { leavesStartToDefault, storedStart } from "./stored-start.ts";

/** Rows of `REFUSALS`. */
export type TakeoverCode =
  `LEG0${"01" | "02" | "03" | "04" | "05" | "06" | "07" | "08" | "09" | "10" | "11" | "12" | "13" | "14" | "15"}`;

/** Codes that an operator can accept: they may be harmless, and only the operator can decide. */
export const ACCEPTABLE: readonly TakeoverCode[] = ["LEG007", "LEG009", "LEG010", "LEG014", "LEG015"];

/** Why a position is not taken over. */
export interface TakeoverProblem {
  readonly code: TakeoverCode;
  /** What was observed, with the values. */
  readonly seen: string;
  /** Remedies for this specific case; without any, those of the code apply. */
  readonly remedies: readonly Advice[];
  /** True if no problem was observed, but a fact needed to rule it out is unknown. */
  readonly unproven?: true;
}

/** The settings of the new connector that a takeover depends on. */
export type TakeoverSettings = MiningSettings & { readonly tables: { readonly pdbs: readonly string[] } };

/** Commits that both deliver. */
export interface Overlap {
  /** The start, inclusive. */
  readonly from: Scn;
  /** The last commit that the legacy connector delivered, inclusive. */
  readonly to: Scn;
  readonly scns: bigint;
  /** The time between the two; undefined if the database does not know one of them. */
  readonly millis?: bigint | undefined;
}

/** What the facts mean for a takeover. A plain value; it may be taken over when there are no `problems`. */
export interface TakeoverReading {
  /** Undefined if the stored offsets are not a position; `problems` explains why. */
  readonly offsets: LegacyOffsets | undefined;
  /** The redo from the start to now, as the new connector would find it; undefined without a start. */
  readonly redo: Observed<RedoExamination> | undefined;
  /** Commits that both deliver; undefined without a start, or if nothing was delivered at or after it. */
  readonly overlap: Overlap | undefined;
  /** Open transactions that began before the start: a first start mines from the oldest of them on. */
  readonly torn: Observed<readonly OpenTransaction[]>;
  /** The most basic first. */
  readonly problems: readonly TakeoverProblem[];
  /** Warnings, which do not refuse the takeover. */
  readonly warnings: readonly string[];
}

/**
 * Evaluates a takeover from the legacy connector: where the new connector starts, what both deliver, and what forbids
 * it. Pure.
 *
 * Rule: specification, "Takeover rules"; legacy properties, "Stored offsets".
 *
 * @param leaveOut names of stored partitions that don't count
 */
export function readTakeover(
  facts: LegacyFacts,
  {
    leaveOut,
    mining,
    asked = "command",
  }: {
    readonly leaveOut: readonly string[];
    readonly mining: TakeoverSettings;
    readonly asked?: AskedBy;
  },
): TakeoverReading {
  const { legacy, database } = facts;
  const basic = [notTheLegacyOne(legacy), notStopped(legacy.name, legacy.status, facts.worker.url)].flatMap(
    (problem) => problem ?? [],
  );
  const read = readOffsets(legacy.offsets, leaveOut, asked);
  if (!read.ok) {
    return {
      offsets: undefined,
      redo: undefined,
      overlap: undefined,
      warnings: [],
      torn: mapObserved(facts.transactions, () => []),
      problems: [...basic, read.problem],
    };
  }
  const { offsets } = read;
  const incarnation = wrongIncarnation(offsets, database, asked);
  // There is no redo to inspect above the current SCN.
  const reached = incarnation === undefined && offsets.startScn <= database.currentScn;
  const redo = examineSeen(redoSeenFrom(offsets.startScn, facts, mining));
  const torn = mapObserved(facts.transactions, (open) => open.filter(({ startScn }) => startScn < offsets.startScn));
  return {
    offsets,
    redo,
    overlap: overlapOf(offsets, facts.times),
    torn,
    problems: [
      ...basic,
      ...(incarnation === undefined ? notReached(offsets, database) : [incarnation]),
      ...(reached ? redoProblems(redo, offsets, facts, mining, asked) : []),
      ...databaseProblems(facts),
      ...anotherDatabase(offsets, facts, mining.tables.pdbs),
      ...withoutDatabase(offsets),
      ...storedAbove(facts, offsets),
      ...(reached ? firstStartProblems(facts, offsets, redo, mining) : []),
    ],
    warnings: [...warningsOf(offsets, torn, facts, mining), ...clockWarning(facts)],
  };
}

/** Why a connector can't be taken over from; undefined if it can. */
export function notTheLegacyOne({
  name,
  connectorClass,
  config,
}: Pick<LegacyFacts["legacy"], "name" | "connectorClass" | "config">): TakeoverProblem | undefined {
  const isNew = connectorClass === CONNECTOR_CLASS || hasOwnSettings(config);
  if (connectorClass === LEGACY_CLASS && !isNew) return undefined;
  const what = connectorClass?.trim() || (isNew ? "connector with cdc.* settings" : "connector without a class");
  const but = isNew ? ": it is a connector to take over to, not from" : `, not the legacy connector (${LEGACY_CLASS})`;
  return problem("LEG001", `${name} is a ${what}${but}`);
}

/**
 * Why the legacy connector's position can't be taken over yet; undefined if it is stopped.
 *
 * Rule: specification, "Takeover rules", 1.
 *
 * @param url of a worker, for the command that stops it
 */
export function notStopped(name: string, status: ConnectorStatus, url: string): TakeoverProblem | undefined {
  if (isStopped(status)) return undefined;
  const stop = {
    text: "Stop it, and wait until it is STOPPED",
    command: connectorsLine("stop", name, { connectUrl: url }),
  };
  switch (status.state) {
    case "PAUSED":
      return problem("LEG002", `${name} is only PAUSED: its task still exists and may commit once more`, stop);
    case "STOPPED":
      return problem(
        "LEG002",
        `${name} is being stopped: it still has ${counted(status.tasks.length, "task")}`,
        "Wait until its tasks are gone, and try again.",
      );
    case "FAILED":
      return problem("LEG002", `${name} has FAILED, and a failed connector is not a stopped one`, stop);
    default:
      return problem("LEG002", `${name} is ${status.state}: its offsets may still move`, stop);
  }
}

/** @param remedies for this case; without any, those of the code apply */
function problem(code: TakeoverCode, seen: string, ...remedies: readonly Advice[]): TakeoverProblem {
  return { code, seen, remedies };
}

/** A fact that is needed to rule the problem out is unknown. */
function unproven(code: TakeoverCode, seen: string, ...remedies: readonly Advice[]): TakeoverProblem {
  return { ...problem(code, seen, ...remedies), unproven: true };
}

/**
 * Whether the start can belong to the connected database's incarnation: the legacy offsets have no identity.
 *
 * Rule: specification, "Takeover rules", 3; legacy properties, "Stored offsets".
 */
function wrongIncarnation(
  { partitions, startScn }: LegacyOffsets,
  { resetlogsScn, name, address }: LegacyFacts["database"],
  asked: AskedBy,
): TakeoverProblem | undefined {
  if (startScn > resetlogsScn) return undefined;
  return problem(
    "LEG006",
    `${startScn} was taken in an earlier incarnation: ${name} (${address}) was opened with RESETLOGS at ` +
      `${resetlogsScn}`,
    ...pins(partitions, resetlogsScn, asked),
  );
}

/** Whether the database has reached every stored SCN. A start that it has not reached stops the task with CDC-5001. */
function notReached(
  { partitions, startScn }: LegacyOffsets,
  { currentScn, name, address }: LegacyFacts["database"],
): readonly TakeoverProblem[] {
  const counted = partitions.filter(({ leftOut }) => !leftOut);
  const top = highest(counted.flatMap(({ scn, commitScn }) => (commitScn === undefined ? [scn] : [scn, commitScn])));
  if (top === undefined || top <= currentScn) return [];
  const until =
    startScn > currentScn ? `; until it has reached ${startScn}, the new connector stops with CDC-5001` : "";
  return [
    problem(
      "LEG007",
      `${top} is above the current SCN of ${name} (${address}), ${currentScn}: the offsets are from another ` +
        `database, or from before it was rewound${until}`,
    ),
  ];
}

/** If only tables have old SCNs, they may be dropped or quiet ones. */
function pins(partitions: LegacyOffsets["partitions"], bound: Scn, asked: AskedBy): readonly Advice[] {
  const old = partitions.filter(({ scn, leftOut }) => !leftOut && scn <= bound);
  if (old.some(({ of }) => of === "database")) return [];
  const names = old.map(({ name }) => name);
  return [
    {
      text: "If these tables were dropped, or have not changed since, leave them out",
      setting: leavingOut(names, asked),
    },
  ];
}

function redoProblems(
  redo: Observed<RedoExamination>,
  { partitions }: LegacyOffsets,
  facts: LegacyFacts,
  mining: MiningSettings,
  asked: AskedBy,
): readonly TakeoverProblem[] {
  if (!redo.known)
    return [unproven("LEG008", `the redo could not be inspected: ${redo.why}`, ...(redo.remedies ?? []))];
  const { from, complete, faults, firstAvailable, probed } = redo.value;
  if (!complete)
    return [
      problem(
        "LEG008",
        `redo is missing from ${from} onwards; ${listed(faults)}`,
        ...bringBack(restoreCommands(faults)),
        ...(firstAvailable === undefined ? [] : pins(partitions, firstAvailable - 1n, asked)),
        {
          text: "If the logs can't be restored, start the new connector with a snapshot",
          setting: "cdc.snapshot.mode=initial",
        },
      ),
    ];
  const { probes, database } = facts;
  if (probed || !probeApplies({ connector: mining, database })) return [];
  if (probes.known) return [unproven("LEG008", "opening the logs was not tried")];
  return [unproven("LEG008", `whether every log can be opened is unknown: ${probes.why}`, ...(probes.remedies ?? []))];
}

/** Checks the database: the connector can't mine one that overwrites its redo, or a clustered one. */
function databaseProblems({ database, redo }: LegacyFacts): readonly TakeoverProblem[] {
  const threads = redo.known ? redo.value.threads.filter(({ enabled }) => enabled !== "DISABLED") : [];
  const { name, address, logMode } = database;
  const overwrites = `${name} (${address}) is in NOARCHIVELOG mode: redo is overwritten after a few log switches`;
  const numbers = threads.map(({ thread }) => thread).join(", ");
  const several = `${showCount(threads.length)} redo threads of ${name} are enabled (${numbers})`;
  return [
    ...(logMode === "NOARCHIVELOG" ? [problem("LEG012", overwrites)] : []),
    ...(threads.length > 1 ? [problem("LEG013", several)] : []),
  ];
}

/** The SCNs are then of another database. */
function anotherDatabase(offsets: LegacyOffsets, facts: LegacyFacts, pdbs: readonly string[]) {
  const named = namedElsewhere(offsets.partitions, facts, pdbs);
  return named.length === 0 ? [] : [problem("LEG015", `the stored offsets name ${named.join("; ")}`)];
}

/**
 * The legacy connector stores where its mining resumes in the database's partition; with tables alone the lowest `scn`
 * may be another one.
 */
function withoutDatabase({ partitions }: LegacyOffsets): readonly TakeoverProblem[] {
  if (partitions.some(({ of }) => of === "database")) return [];
  return [
    problem(
      "LEG009",
      "the stored offsets have no partition of the database itself, only of tables: where the legacy connector's " +
        "mining resumes is unknown",
    ),
  ];
}

/**
 * A transaction that began below the start and commits after the legacy connector has stopped would be delivered only
 * in part by the new one, and not at all by the legacy one. No view of the database shows those that have ended since
 * the stop (reference: Oracle, "Torn transactions"). While the connector runs, only those that are open now can be
 * judged.
 */
function storedAbove(facts: LegacyFacts, offsets: LegacyOffsets): readonly TakeoverProblem[] {
  const { legacy, worker, transactions, openBefore } = facts;
  const { startScn } = offsets;
  const start = storedStart(legacy.config);
  if (start.is === "oldest open transaction" || notTheLegacyOne(legacy) !== undefined) return [];
  const found = openAtStop(offsets, openBefore, transactions);
  if (found.is === "none") return [];
  const runs = !isStopped(legacy.status);
  if (runs && found.is === "unknown" && transactions.known) return [];
  const [open, ended] = found.is === "some" ? [found.open, found.ended] : [[], []];
  const lowest = [...open, ...ended].reduce((low, { startScn: scn }) => (scn < low ? scn : low), startScn);
  const settings = [
    ...(transactions.known
      ? [
          open.length === 0
            ? "no transaction that began before it is open now"
            : `${showCount(open.length)} that began before it ${open.length === 1 ? "is" : "are"} open: ${named(open)}`,
        ]
      : []),
    ...(ended.length === 0
      ? []
      : [
          `${showCount(ended.length)} that began before it ${ended.length === 1 ? "was" : "were"} open before ` +
            `the stop and ` +
            `${ended.length === 1 ? "has" : "have"} ended since: ${named(ended)}`,
        ]),
    ...(found.is === "unknown" ? [found.why] : []),
    ...(ended.length === 0 && !runs
      ? ["a transaction that was open at the stop and has ended since is not visible"]
      : []),
  ];
  return [
    (found.is === "unknown" ? unproven : problem)(
      "LEG010",
      `the start ${startScn} may lie above the begin of a transaction that ${legacy.name} has not delivered ` +
        `(${start.because.join(" and ")}): ${settings.join("; ")}`,
      {
        text:
          `Set use.transaction.begin.for.mining.session=true and record.buffer.mode=connector for ${legacy.name}, ` +
          "resume it, and stop it again once it has stored a new scn",
        command: connectorsLine("resume", legacy.name, { connectUrl: worker.url }),
      },
      ...(lowest < startScn
        ? [
            "Or start where the oldest of these began: accept LEG010 in migrate takeover, and set " +
              `cdc.start.scn=${lowest} in the configuration that it writes. The redo from there on has to be ` +
              "available.",
          ]
        : []),
      "Or make sure that no transaction of a captured table that began before the start was open at the stop, " +
        "then accept it by its code.",
    ),
  ];
}

/**
 * A first start mines open transactions whole, from the start of the oldest on, by whatever user and in whatever table.
 * With that redo gone the task stops at once, and no setting skips it.
 *
 * Rule: reference: connector rules, "The first-start cut".
 */
function firstStartProblems(
  facts: LegacyFacts,
  { startScn }: LegacyOffsets,
  redo: Observed<RedoExamination>,
  mining: MiningSettings,
): readonly TakeoverProblem[] {
  const { transactions } = facts;
  if (!transactions.known) {
    const { why, remedies = [] } = transactions;
    return [unproven("LEG014", `whether a transaction is open whose redo is gone is unknown: ${why}`, ...remedies)];
  }
  const from = firstMined(startScn, transactions.value);
  const examined = examineSeen(redoSeenFrom(from, facts, mining));
  // What is missing from the start on is LEG008.
  if (from === startScn || !redo.known || !redo.value.complete || !examined.known || examined.value.complete) return [];
  const { faults, firstAvailable = startScn } = examined.value;
  const held = transactions.value.filter((open) => open.startScn < firstAvailable);
  const them = held.length === 1 ? "it" : "them";
  return [
    problem(
      "LEG014",
      `the new connector would mine from ${from}, where the oldest open transaction began, and the redo from there ` +
        `to the start ${startScn} is missing: ${named(held)}; ${listed(faults)}`,
      `Wait until ${held.length === 1 ? "the transaction has" : "the transactions have"} ended, or have ${them} ` +
        "ended, then try again.",
      ...bringBack(restoreCommands(faults)),
    ),
  ];
}

const listed = (faults: RedoExamination["faults"]): string =>
  faults.map(({ code, message }) => `${code} ${message}`).join("; ");

/** Lists transactions with their start, and their user if known. */
function named(transactions: readonly SeenTransaction[]): string {
  const shown = transactions
    .slice(0, MOST_TRANSACTIONS)
    .map(({ xid, startScn, user }) => `${printXid(xid)} (${user === undefined ? "" : `${user}, `}from ${startScn})`);
  return `${shown.join(", ")}${transactions.length > MOST_TRANSACTIONS ? ", …" : ""}`;
}

const MOST_TRANSACTIONS = 10;

function overlapOf({ startScn, lastDelivered }: LegacyOffsets, times: LegacyFacts["times"]): Overlap | undefined {
  if (lastDelivered === undefined || lastDelivered < startScn) return undefined;
  return {
    from: startScn,
    to: lastDelivered,
    scns: lastDelivered - startScn,
    millis: span(startScn, lastDelivered, times),
  };
}

function clockWarning({ database, at, times }: LegacyFacts): readonly string[] {
  const shown = (times.known ? times.value : []).map((time) => time.at).filter((time) => time !== undefined);
  const doubt = timesInDoubt({ zone: database.zone, now: at }, shown);
  return doubt === undefined ? [] : [doubt];
}

function warningsOf(
  { partitions, unread }: LegacyOffsets,
  torn: TakeoverReading["torn"],
  { database, legacy }: LegacyFacts,
  mining: MiningSettings,
): readonly string[] {
  const leftOut = partitions.filter(({ leftOut: out }) => out);
  const databases = partitions.filter(({ of }) => of === "database");
  return [
    ...leftOut.map(
      ({ name, scn }) =>
        `${name} is left out: changes to it that were committed from ${scn} up to the start, and not delivered, ` +
        "will be missing",
    ),
    ...unread.map((name) => `${name} is left out and has no scn: changes to it that were not delivered may be missing`),
    ...(storedStart(legacy.config).is === "above open transactions" && !isStopped(legacy.status)
      ? [
          `according to the settings of ${legacy.name}, the start can be above the begin of a transaction that is ` +
            "open at the stop: the cutover records the open transactions before the stop, and backs out unless that " +
            "proves that there was none",
        ]
      : leavesStartToDefault(legacy.config)
        ? [
            "use.transaction.begin.for.mining.session is not set for the legacy connector: if it is false, the " +
              "default in its published documentation, the start can be above the begin of a transaction that was " +
              "open at the stop",
          ]
        : []),
    ...databases.flatMap(({ name }) =>
      name.includes(".") === database.container
        ? []
        : [
            `the legacy connector stores its position as ${name}, which belongs to ` +
              `${database.container ? "a database without containers" : "a PDB"}; ${database.name} is ` +
              `${database.container ? "a container database" : "not a container database"}: is it the same database?`,
          ],
    ),
    ...(torn.known
      ? torn.value.length === 0
        ? []
        : [
            `${counted(torn.value.length, "open transaction")} began before the start: delivered whole if still open ` +
              "when the new connector first starts; what one that ends before then changed below the start is not " +
              "delivered",
          ]
      : [`which transactions are open is unknown: ${torn.why}`]),
    ...(probeApplies({ connector: mining, database })
      ? []
      : ["opening the log files was not tried: from inside a PDB the task adds no files either"]),
  ];
}
