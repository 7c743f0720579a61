import { isOfFlags, type OffsetChangeIntent, type ResnapshotIntent } from "../document/intent.ts";
import type { DatabaseSeen } from "../facts/database/database.ts";
import type { Move, TargetReading } from "../facts/offset/move.ts";
import { aboveCurrent, misplaced } from "../facts/offset/origin.ts";
import { nothingLost, type StoredReading } from "../facts/offset/stored-offset.ts";
import { counted } from "../values/amounts.ts";
import { type Check, fail, pass } from "./check.ts";

interface StoredIn {
  readonly stored: StoredReading;
  readonly facts: { readonly database: DatabaseSeen; readonly connector: { readonly name: string } };
}

/**
 * The database has not reached the SCN yet, so there is nothing to mine from it.
 *
 * Rule: specification, `offsets set`, rule 1.
 */
export const scnAboveCurrent: Check<
  unknown,
  { readonly target: TargetReading; readonly facts: Pick<StoredIn["facts"], "database"> }
> = {
  code: "OFF101",
  title: "The SCN is above the database's current SCN",
  problem: "The database has not reached that SCN: the task would find no redo to start from.",
  remedy: "Use an SCN at or below the current one.",
  grade: "refusal",

  run(_intent, { target, facts: { database } }) {
    if (!target.pinned || target.scn <= database.currentScn) return pass;
    return fail(aboveCurrent(`${target.scn}`, database), { at: "spec.scn" });
  },
};

/**
 * An offset above all redo was stored in a copy of this database, or before it was restored or flashed back: dbid and
 * incarnation do not distinguish them. A rollback returns from there. A resnapshot leaves it there, since no redo is
 * missing above the current SCN: `admin`, where nobody accepts anything, refuses that.
 *
 * Rule: reference: connector rules, "What a stored offset must hold for the task to start".
 */
export const storedAboveCurrent: Check<OffsetChangeIntent | ResnapshotIntent, StoredIn> = {
  code: "OFF118",
  title: "The stored SCN is above the database's current SCN",
  problem:
    "The offset was stored in another copy of the database, or before this one was restored to an earlier SCN: what " +
    "the connector delivered since is not what this database holds.",
  remedy: "Correct cdc.database.* of the connector. After a restore or a flashback: `spec.accept: [OFF118]`.",
  grade: "acceptable",

  run(intent, { stored, facts: { database, connector } }) {
    const returns = intent.kind === "OffsetChange" && intent.position.to === "restore";
    if (returns || stored.state !== "stored") return pass;
    const found = misplaced(stored.offset, database, connector.name);
    if (found?.code !== "OFF101") return pass;
    if (intent.kind === "OffsetChange") return fail(found.seen);
    return fail(`${found.seen}: changes between a snapshot taken now and that SCN would never be delivered`, {
      remedies: [...found.remedies, { text: "If you don't need these changes", setting: "spec.accept: [OFF118]" }],
      firm: true,
    });
  },
};

/**
 * A forward move skips every change committed between the stored resume SCN and the target, in every captured table.
 * The connector has no way to fetch them later, so the operator has to confirm that this is intended.
 *
 * Rule: specification, `offsets set`, rule 3.
 */
export const forwardSkipsCommits: Check<
  Pick<OffsetChangeIntent, "allowSkip" | "origin">,
  { readonly move: Move | undefined; readonly stored: StoredReading }
> = {
  code: "OFF103",
  title: "A forward move skips commits",
  problem:
    "Changes committed between the stored resume SCN and the target are never delivered, for any captured table.",
  remedy:
    "Set `spec.allowSkip: true` (`--allow-skip`) if you don't need them. If redo is missing, snapshot the " +
    "tables again: `cdcctl init resnapshot`.",
  grade: "refusal",

  run({ allowSkip, origin }, { move, stored }) {
    if (move?.direction !== "forward" || allowSkip) return pass;
    const kept = stored.state === "stored" ? nothingLost(stored.offset, move.to) : undefined;
    return fail(
      `${move.to} is ${counted(move.distance, "SCN")} ahead of the stored ${move.from}: ` +
        (kept === undefined
          ? "every commit in between would be skipped, for all captured tables, and not delivered later"
          : `no commit in between would be lost, since ${kept.why}; transactions open at ${move.to} would lose their ` +
            "changes before it"),
      {
        remedies: [
          { text: "If that is intended", setting: isOfFlags(origin) ? "--allow-skip" : "spec.allowSkip: true" },
          { text: "If redo is missing", command: "cdcctl init resnapshot" },
        ],
        at: "spec.allowSkip",
      },
    );
  },
};

/** A timestamp, or "the earliest available", has to become one SCN before anything can be planned. */
export const noSuchTarget: Check<Pick<OffsetChangeIntent, "position">, { readonly target: TargetReading }> = {
  code: "OFF108",
  title: "The position does not resolve to an SCN",
  problem: "The offset has no target to move to.",
  remedy: "Give the SCN itself: spec.scn.",
  grade: "refusal",

  run({ position }, { target }) {
    if (target.pinned) return pass;
    return fail(target.why, { remedies: target.remedies, at: `spec.${position.to}` });
  },
};
