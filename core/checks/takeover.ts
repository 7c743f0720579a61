import { bringBack, restoreCommands } from "../facts/redo/redo.ts";
import type { TakeoverCode, TakeoverReading } from "../legacy/position.ts";
import { type Check, type CheckPage, fail, pass, type Verdict } from "./check.ts";

interface PositionReading {
  readonly takeover: Pick<TakeoverReading, "problems">;
}

const UNREADABLE: readonly TakeoverCode[] = ["LEG001", "LEG003", "LEG004", "LEG005", "LEG017", "LEG018", "LEG030"];

/**
 * A running connector is not an obstacle here: the cutover stops it, waits, and checks again.
 *
 * Rule: specification, "Takeover rules", 2; legacy properties, "Stored offsets".
 */
export const positionUnreadable = positionCheck([...UNREADABLE, "LEG016", "LEG019"], {
  code: "MIG110",
  title: "The legacy connector's position can't be taken over",
  problem: "Without its stored SCNs the new connector has no start that loses nothing.",
  remedy: "Check `spec.from.connector`, and inspect `GET /connectors/NAME/offsets`.",
  grade: "refusal",
});

/**
 * The legacy offsets do not identify their database; only the SCNs give a hint.
 *
 * Rule: specification, "Takeover rules", 3; legacy properties, "Stored offsets".
 */
export const otherIncarnation = positionCheck(["LEG006"], {
  code: "MIG111",
  title: "The position is from an earlier incarnation",
  problem: "Its SCNs mean nothing in the database that the new connector mines: changes would be lost silently.",
  remedy: "Check cdc.database.* of the new connector; after a RESETLOGS, start it with a snapshot, without a takeover.",
  grade: "refusal",
});

/** A rewound database, or another one: the legacy offsets do not tell which. */
export const positionAboveCurrent = positionCheck(["LEG007"], {
  code: "MIG124",
  title: "The position is above the database's current SCN",
  problem:
    "The offsets come from another database, or this one was rewound and no longer holds what was delivered since.",
  remedy: "Correct cdc.database.* of the new connector. After a restore or a flashback: `spec.accept: [MIG124]`.",
  grade: "acceptable",
});

/**
 * Checks the redo from the legacy connector's lowest SCN on, as the new connector's task would.
 *
 * Rule: specification, "Takeover rules", 3; reference: Oracle, "Is the redo from an SCN to now all present?".
 */
export const redoNotAllThere = positionCheck(["LEG008"], {
  code: "MIG112",
  title: "Redo is missing between the start and now",
  problem: "The new connector's task would stop with CDC-2001 or CDC-2002, after the legacy connector was stopped.",
  remedy: "Restore the archived logs, or leave out the partition of a quiet table that pins the start.",
  grade: "refusal",
});

/**
 * What is worth checking before a takeover, without refusing it: partitions left out, transactions that began before
 * the start.
 */
export const takeoverWarnings: Check<unknown, { readonly takeover: Pick<TakeoverReading, "warnings"> }> = {
  code: "MIG114",
  title: "The takeover has something to review",
  problem: "It may be harmless, but only you can decide.",
  remedy: "Review each: a partition that is left out, an open transaction, a database of another form.",
  grade: "advisory",

  run(_intent, { takeover: { warnings } }) {
    return warnings.length === 0 ? pass : fail(warnings.join("; "), { remedies: [] });
  },
};

/** Rule: legacy properties, "Stored offsets". */
export const noDatabasePartition = positionCheck(["LEG009"], {
  code: "MIG116",
  title: "The legacy offsets have no database partition",
  problem:
    "The legacy connector stores where its mining resumes in a partition of the database. Without it, an " +
    "undelivered commit can lie below the lowest SCN.",
  remedy:
    "Check `spec.from.connector`, and that it has delivered changes. If it stores its offsets that way: " +
    "`spec.accept: [MIG116]`.",
  grade: "acceptable",
});

/**
 * Rule: specification, "Takeover rules", 2: the stored SCN is at or below every undelivered commit, as long as mining
 * sessions begin at the oldest open transaction.
 */
export const startAboveOpenTransactions = positionCheck(["LEG010"], {
  code: "MIG117",
  title: "The start may lie above open transactions",
  problem:
    "What a transaction changed before the start would be lost if it was open when the legacy connector stopped.",
  remedy:
    "Have the legacy connector run once with use.transaction.begin.for.mining.session=true and " +
    "record.buffer.mode=connector. Or accept the risk: `spec.accept: [MIG117]`.",
  grade: "acceptable",
});

/**
 * A first start mines from the start of the oldest open transaction on.
 *
 * Rule: reference: connector rules, "The first-start cut".
 */
export const redoOfOpenTransactionGone = positionCheck(["LEG014"], {
  code: "MIG119",
  title: "Redo of an open transaction is missing",
  problem:
    "The new connector mines from the start of the oldest open transaction on, by whatever user: where that redo is " +
    "gone it stops with CDC-2002 at once, and no setting skips it.",
  remedy: "Wait until the transaction has ended, or have it ended; or restore the archived logs.",
  grade: "acceptable",
});

/**
 * SID and PDB are all that the legacy offsets hold of their database's identity.
 *
 * Rule: specification, "Takeover rules", 3; legacy properties, "Stored offsets".
 */
export const namesAnotherDatabase = positionCheck(["LEG015"], {
  code: "MIG122",
  title: "The stored offsets name another database",
  problem: "Their SID or PDB is not that of the settings or of the database: the SCNs may be of another database.",
  remedy: "Check the settings of both connectors, and accept it only if it is the same database under another name.",
  grade: "acceptable",
});

/**
 * The legacy connector mines from its lowest SCN on, which lies where it was stopped.
 *
 * Rule: specification, "Start, verification and rollback".
 */
export const redoOfLegacyGone: Check<unknown, { readonly takeover: Pick<TakeoverReading, "problems" | "redo"> }> = {
  code: "MIG301",
  title: "Redo is missing since the legacy connector stopped",
  problem: "It would stop at the gap or continue after it, and the new connector would already be deleted.",
  remedy: "Restore the archived logs, or keep the new connector.",
  grade: "acceptable",

  run(_intent, { takeover }) {
    const verdict = problemOf(takeover, ["LEG008"]);
    if (verdict.verdict === "pass") return verdict;
    // A resumed connector can't use the alternatives of a takeover.
    const { redo } = takeover;
    const restores =
      verdict.verdict === "unknown" || redo?.known !== true
        ? (verdict.remedies ?? [])
        : bringBack(restoreCommands(redo.value.faults));
    return {
      ...verdict,
      remedies: [...restores, "Or keep the new connector: it has delivered what is missing."],
    };
  },
};

/** The position where it would resume has to be known before the new connector is deleted. */
export const legacyPositionUnreadable = positionCheck(UNREADABLE, {
  code: "MIG302",
  title: "The legacy connector's position can't be read",
  problem:
    "Without its stored position it would start over, or not at all, and the new connector would already be deleted.",
  remedy: "Check `spec.from.connector`, and inspect `GET /connectors/NAME/offsets`.",
  grade: "refusal",
});

/** The legacy connector has no position to resume from after a RESETLOGS. */
export const legacyOtherIncarnation = positionCheck(["LEG006"], {
  code: "MIG304",
  title: "The legacy position is from an earlier incarnation",
  problem: "The legacy connector would resume from an SCN that means nothing in this database.",
  remedy: "Keep the new connector. If it is another database, check its cdc.database.* settings.",
  grade: "refusal",
});

/** The legacy connector resumes only once the database has reached its position, as in MIG124. */
export const legacyAboveCurrent = positionCheck(["LEG007"], {
  code: "MIG308",
  title: "The legacy position is above the current SCN",
  problem: "The legacy connector would resume where this database has no redo yet, and miss the changes up to there.",
  remedy: "Keep the new connector. If you don't need these changes: `spec.accept: [MIG308]`.",
  grade: "acceptable",
});

/** The key of a plan file that a problem comes from. */
const AT: Partial<Readonly<Record<TakeoverCode, string>>> = {
  LEG005: "spec.from.leaveOut",
  LEG016: "spec.from.startScn",
};

/** Returns the problems with the given codes as a finding of a plan file. */
function problemOf({ problems }: PositionReading["takeover"], codes: readonly TakeoverCode[]): Verdict {
  const found = problems.filter(({ code }) => codes.includes(code));
  if (found.length === 0) return pass;
  const remedies = found.flatMap((problem) => problem.remedies);
  const [at] = found.flatMap(({ code }) => AT[code] ?? []);
  return {
    verdict: found.some(({ unproven }) => unproven === true) ? "unknown" : "fail",
    seen: found.map(({ seen }) => seen).join("; "),
    ...(remedies.length === 0 ? {} : { remedies }),
    ...(at === undefined ? {} : { at }),
  };
}

/** Builds a check of the legacy connector's position from problems with the given codes. */
function positionCheck(codes: readonly TakeoverCode[], page: CheckPage): Check<unknown, PositionReading> {
  return { ...page, run: (_intent, { takeover }) => problemOf(takeover, codes) };
}
