import { bringBack, restoreCommands } from "../facts/redo/redo.ts";
import type { TakeoverCode, TakeoverReading } from "../legacy/takeover.ts";
import { type Check, type CheckPage, fail, pass, type Verdict } from "./check.ts";

interface PositionReading {
  readonly takeover: Pick<TakeoverReading, "problems">;
}

const UNREADABLE: readonly TakeoverCode[] = ["LEG001", "LEG003", "LEG004", "LEG005"];
const ELSEWHERE: readonly TakeoverCode[] = ["LEG006", "LEG007"];

/**
 * That it is not stopped is no obstacle here: the cutover stops it, waits, and looks again.
 *
 * Rule: specification, "Takeover rules", 2; legacy properties, "Stored offsets".
 */
export const positionUnreadable = positionCheck(UNREADABLE, {
  code: "MIG110",
  title: "The legacy connector's position can't be taken over",
  problem: "Without its stored SCNs there is no start for the new connector that loses nothing.",
  remedy: "Check `spec.from.connector`, and look at `GET /connectors/NAME/offsets`.",
  grade: "refusal",
});

/**
 * The legacy offsets hold no identity of their database: what can be told is told by the SCNs.
 *
 * Rule: specification, "Takeover rules", 3; legacy properties, "Stored offsets".
 */
export const otherIncarnation = positionCheck(ELSEWHERE, {
  code: "MIG111",
  title: "The position is of another database or incarnation",
  problem: "Its SCNs mean nothing in the database that the new connector mines: changes would be lost unnoticed.",
  remedy: "Check cdc.database.* of the new connector; after a RESETLOGS start it with a snapshot, without a takeover.",
  grade: "refusal",
});

/**
 * From the lowest SCN of the legacy connector on, as the new connector's task would find it.
 *
 * Rule: specification, "Takeover rules", 3; reference: Oracle, "Is the redo from an SCN to now all present?".
 */
export const redoNotAllThere = positionCheck(["LEG008"], {
  code: "MIG112",
  title: "Redo from the start to now is not all there",
  problem: "The new connector's task would stop with CDC-2001 or CDC-2002, and the legacy one is stopped by then.",
  remedy: "Bring the archived logs back, or leave out the partition of a quiet table that pins the start.",
  grade: "refusal",
});

/**
 * What is worth a look before a takeover, and refuses nothing: partitions left out, transactions that began before the
 * start.
 */
export const takeoverWarnings: Check<unknown, { readonly takeover: Pick<TakeoverReading, "warnings"> }> = {
  code: "MIG114",
  title: "Something about the takeover is worth a look",
  problem: "It need not be wrong, but nobody else tells whether it is.",
  remedy: "Look at each: a partition that is left out, an open transaction, a database of another form.",
  grade: "advisory",

  run(_intent, { takeover: { warnings } }) {
    return warnings.length === 0 ? pass : fail({ seen: warnings.join("; "), remedies: [] });
  },
};

/** Rule: legacy properties, "Stored offsets". */
export const noDatabasePartition = positionCheck(["LEG009"], {
  code: "MIG116",
  title: "No partition of the database is stored",
  problem:
    "The legacy connector stores where its own mining resumes for the database: without that, a commit that it " +
    "has not delivered can lie below the lowest SCN.",
  remedy:
    "Check `spec.from.connector`, and that it has delivered. Where that is how it stores its offsets: " +
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
    "record.buffer.mode=connector. Or accept it: `spec.accept: [MIG117]`.",
  grade: "acceptable",
});

/**
 * The legacy connector mines from its lowest SCN on, which lies where it was stopped.
 *
 * Rule: specification, "Start, verification and rollback".
 */
export const redoOfLegacyGone: Check<unknown, { readonly takeover: Pick<TakeoverReading, "problems" | "redo"> }> = {
  code: "MIG301",
  title: "Redo from where the legacy connector stopped is not all there",
  problem: "It would stop at the gap, or go on behind it, with the new connector deleted by then.",
  remedy: "Bring the archived logs back, or go on with the new connector.",
  grade: "acceptable",

  run(_intent, { takeover }) {
    const verdict = problemOf(takeover, ["LEG008"]);
    if (verdict.verdict === "pass") return verdict;
    // What a takeover could do instead, a connector that is resumed can't.
    const { redo } = takeover;
    const restores =
      verdict.verdict === "unknown" || redo?.known !== true
        ? (verdict.remedies ?? [])
        : bringBack(restoreCommands(redo.value.faults));
    return {
      ...verdict,
      remedies: [...restores, "Or go on with the new connector: it has delivered what is missing."],
    };
  },
};

/** Where it would go on has to be known before the new connector is deleted. */
export const legacyPositionUnreadable = positionCheck(UNREADABLE, {
  code: "MIG302",
  title: "Where the legacy connector would go on can't be read",
  problem: "Without its stored position it would begin anew, or not at all, with the new connector deleted by then.",
  remedy: "Check `spec.from.connector`, and look at `GET /connectors/NAME/offsets`.",
  grade: "refusal",
});

/** After a RESETLOGS the legacy connector has nowhere to go back to. */
export const legacyOtherIncarnation = positionCheck(ELSEWHERE, {
  code: "MIG304",
  title: "The legacy position is of another database or incarnation",
  problem: "The legacy connector would go on from an SCN that means nothing in this database.",
  remedy: "Go on with the new connector; check cdc.database.* of it, if it is another database.",
  grade: "refusal",
});

/** What of some codes speaks against the legacy connector's position, as a finding of a plan file. */
function problemOf({ problems }: PositionReading["takeover"], codes: readonly TakeoverCode[]): Verdict {
  const found = problems.filter(({ code }) => codes.includes(code));
  if (found.length === 0) return pass;
  const remedies = found.flatMap((problem) => problem.remedies);
  return {
    verdict: found.some(({ unproven }) => unproven === true) ? "unknown" : "fail",
    seen: found.map(({ seen }) => seen).join("; "),
    ...(remedies.length === 0 ? {} : { remedies }),
    ...(found.some(({ code }) => code === "LEG005") ? { at: "spec.from.leaveOut" } : {}),
  };
}

/** A rule about the legacy connector's position: what of some codes speaks against it. */
function positionCheck(codes: readonly TakeoverCode[], page: CheckPage): Check<unknown, PositionReading> {
  return { ...page, run: (_intent, { takeover }) => problemOf(takeover, codes) };
}
