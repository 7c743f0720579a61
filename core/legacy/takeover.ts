import type { ConnectorStatus } from "../../schemas/generated/facts.ts";
import { isStopped } from "../facts/connector/connector.ts";
import type { LegacyFacts } from "../facts/connector-facts.ts";
import { probeApplies, span, timesInDoubt } from "../facts/database/database.ts";
import type { Observed } from "../facts/observed.ts";
import { examineSeen, firstMined, type MiningSettings, redoSeenFrom } from "../facts/redo/from.ts";
import { bringBack, type RedoExamination, restoreCommands } from "../facts/redo/redo.ts";
import { counted, showCount } from "../values/amounts.ts";
import { highest } from "../values/lists.ts";
import type { Advice } from "../values/remedy.ts";
import type { Scn } from "../values/scn.ts";
import { connectorsLine } from "../values/shell-word.ts";
import { CONNECTOR_CLASS, hasOwnSettings, LEGACY_CLASSES } from "./connector-class.ts";
import { foreignConnector } from "./foreign-connectors.ts";
import { legacyKindOf, positionRulesOf } from "./legacy-kind.ts";
import {
  type AskedBy,
  type LegacyOffsets,
  leavingOut,
  type Overlap,
  problem,
  showTransactions,
  type TakeoverProblem,
  type TakeoverReading,
  type TakeoverSettings,
  unproven,
} from "./position.ts";

interface TakeoverChoice {
  /** Names of stored partitions that don't count. */
  readonly leaveOut: readonly string[];
  readonly mining: TakeoverSettings;
  /** The operator's start, in place of the stored one. */
  readonly startScn?: Scn | undefined;
  readonly asked?: AskedBy;
}

/**
 * Evaluates a takeover from the legacy connector: where the new connector starts, what both deliver, and what forbids
 * it. Pure.
 *
 * Rule: specification, "Takeover rules"; legacy properties, "Stored offsets".
 */
export function readTakeover(
  facts: LegacyFacts,
  { leaveOut, mining, startScn, asked = "command" }: TakeoverChoice,
): TakeoverReading {
  const { legacy, database } = facts;
  const rules = positionRulesOf(legacy);
  const stranger = notTheLegacyOne(legacy);
  const basic = [stranger, notStopped(legacy.name, legacy.status, facts.worker.url)].flatMap((found) => found ?? []);
  const read = rules.read(legacy.offsets, leaveOut, asked);
  if (!read.ok) return { ...NO_POSITION, problems: [...basic, read.problem] };
  const offsets = startScn === undefined ? read.offsets : { ...read.offsets, startScn, given: true as const };
  const incarnation = wrongIncarnation(offsets, database, asked);
  // There is no redo to inspect above the current SCN.
  const reached = incarnation === undefined && offsets.startScn <= database.currentScn;
  const redo = examineSeen(redoSeenFrom(offsets.startScn, facts, mining));
  return {
    offsets,
    redo,
    overlap: overlapOf(offsets, facts.times),
    problems: [
      ...basic,
      ...(incarnation === undefined ? notReached(offsets, database) : [incarnation]),
      ...(reached ? redoProblems(redo, offsets, facts, mining, asked) : []),
      ...(offsets.given ? startProblems(offsets.startScn, read.offsets, facts, asked) : []),
      ...databaseProblems(facts),
      ...(stranger === undefined ? rules.problems(facts, offsets, mining.tables.pdbs) : []),
      ...(reached ? firstStartProblems(facts, offsets, redo, mining) : []),
    ],
    warnings: [...rules.warnings(facts, offsets), ...minedWarnings(offsets, facts, mining), ...clockWarning(facts)],
  };
}

const NO_POSITION = { offsets: undefined, redo: undefined, overlap: undefined, warnings: [] } as const;

/** Why a connector can't be taken over from; undefined if it can. */
export function notTheLegacyOne({
  name,
  connectorClass,
  config,
}: Pick<LegacyFacts["legacy"], "name" | "connectorClass" | "config">): TakeoverProblem | undefined {
  const foreign = foreignConnector(config);
  if (foreign !== undefined)
    return problem("LEG030", `${name} is ${foreign.title}: ${foreign.why}`, ...foreign.remedies);
  const isNew = connectorClass === CONNECTOR_CLASS || hasOwnSettings(config);
  if (legacyKindOf({ "connector.class": connectorClass ?? "" }) !== undefined && !isNew) return undefined;
  const what = connectorClass?.trim() || (isNew ? "connector with cdc.* settings" : "connector without a class");
  const but = isNew
    ? ": it is a connector to take over to, not from"
    : `, not the legacy connector (${LEGACY_CLASSES.join(" or ")})`;
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
  const { state, tasks } = status;
  if (state === "STOPPED")
    return problem(
      "LEG002",
      `${name} is being stopped: it still has ${counted(tasks.length, "task")}`,
      "Wait until its tasks are gone, and try again.",
    );
  return problem("LEG002", `${name} ${AT_WORK[state] ?? `is ${state}: its offsets may still move`}`, {
    text: "Stop it, and wait until it is STOPPED",
    command: connectorsLine("stop", name, { connectUrl: url }),
  });
}

const AT_WORK: Readonly<Record<string, string>> = {
  PAUSED: "is only PAUSED: its task still exists and may commit once more",
  FAILED: "has FAILED, and a failed connector is not a stopped one",
};

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

/** A start of the operator's may lie neither above what is stored, nor above the begin of an open transaction. */
function startProblems(
  given: Scn,
  stored: LegacyOffsets,
  { transactions, openBefore }: LegacyFacts,
  asked: AskedBy,
): readonly TakeoverProblem[] {
  if (!transactions.known)
    return [unproven("LEG016", `whether a transaction began before ${given} is unknown: ${transactions.why}`)];
  const lowest = firstMined(stored.startScn, [...transactions.value, ...(openBefore?.open ?? [])]);
  if (given <= lowest) return [];
  const why =
    given > stored.startScn
      ? `the stored ${stored.startScn}: commits in between may not have been delivered`
      : `${lowest}, where a transaction began that is open, or was before the stop: its first changes would be lost`;
  const setting = asked === "command" ? `--start-scn ${lowest}` : `spec.from.startScn: ${lowest}`;
  return [
    problem("LEG016", `the given start ${given} is above ${why}`, { text: "Give a start that loses nothing", setting }),
  ];
}

/** If only tables have old SCNs, they may be dropped or quiet ones. */
function pins(partitions: LegacyOffsets["partitions"], bound: Scn, asked: AskedBy): readonly Advice[] {
  const old = partitions.filter(({ scn, leftOut }) => !leftOut && scn <= bound);
  if (old.some(({ of }) => of === "database")) return [];
  const names = old.map(({ name }) => name);
  const setting = leavingOut(names, asked);
  return [{ text: "If these tables were dropped, or have not changed since, leave them out", setting }];
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
        `to the start ${startScn} is missing: ${showTransactions(held)}; ${listed(faults)}`,
      `Wait until ${held.length === 1 ? "the transaction has" : "the transactions have"} ended, or have ${them} ` +
        "ended, then try again.",
      ...bringBack(restoreCommands(faults)),
    ),
  ];
}

const listed = (faults: RedoExamination["faults"]): string =>
  faults.map(({ code, message }) => `${code} ${message}`).join("; ");

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

function minedWarnings(
  { startScn }: LegacyOffsets,
  { database, transactions }: LegacyFacts,
  mining: MiningSettings,
): readonly string[] {
  const torn = transactions.known ? transactions.value.filter((open) => open.startScn < startScn) : [];
  return [
    transactions.known ? [] : `which transactions are open is unknown: ${transactions.why}`,
    torn.length === 0
      ? []
      : `${counted(torn.length, "open transaction")} began before the start: delivered whole if still open when the ` +
        "new connector first starts; what one that ends before then changed below the start is not delivered",
    probeApplies({ connector: mining, database })
      ? []
      : "opening the log files was not tried: from inside a PDB the task adds no files either",
  ].flat();
}
