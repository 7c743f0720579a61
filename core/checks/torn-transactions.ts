import type { OffsetChangeIntent, ResnapshotIntent } from "../document/intent.ts";
import { isRunning } from "../facts/connector/connector.ts";
import type { CapturedTable } from "../facts/tables/tables.ts";
import { counted, showCount } from "../values/amounts.ts";
import { type Check, type CheckIn, fail, pass, unseen } from "./check.ts";
import { few } from "./listed.ts";
import type { ConnectorReading, OffsetChangeReading, ResnapshotReading } from "./readings.ts";

/** Waiting helps the tables that are snapshotted afterwards. */
const RESNAPSHOT = [
  {
    text: "Let cdcctl wait for their end, so that the snapshot holds all of them",
    setting: "spec.waitForTransactions: 10m",
  },
  { text: "Or accept that they are torn", setting: "spec.accept: [TRX501]" },
];

/** `admin` has neither option. */
const ADMIN = ["To keep them whole, wait until they have ended, then run the command again."];

/**
 * A transaction that was open at the target and commits later loses the part before the target, while the rest is
 * delivered. A transaction that the journal holds is refused before (TRX505), or its records are removed.
 *
 * Rule: reference: Oracle, "Torn transactions".
 */
export const tornTransactions: Check<
  Pick<OffsetChangeIntent, "origin">,
  Pick<ConnectorReading, "torn" | "tears" | "move" | "waits">
> = {
  code: "TRX501",
  title: "Open transactions would be torn",
  problem: "Their changes before the target are lost, those after it are delivered: consumers see half a transaction.",
  remedy:
    "Wait until they have ended (a Resnapshot can: spec.waitForTransactions), or accept it: spec.accept: [TRX501].",
  grade: "acceptable",

  run(intent, { torn, tears, move, waits }) {
    if (!tears || move === undefined) return pass;
    // They are waited for then, before anything is done: see TRX504.
    if (waits === true && torn.known) return pass;
    if (!torn.known) return unseen(torn, "open transactions could not be read");
    if (torn.value.length === 0) return pass;
    const named = torn.value.map(
      (one) => `${nameOf(one)} from ${one.startScn}${one.seenIn === "GV$TRANSACTION" ? "" : ", journaled"}`,
    );
    return fail(
      `${counted(torn.value.length, "open transaction")} began before ${move.to}: ${few(named)}` +
        (move.direction === "backward" ? "; without the last commit, their first part is not delivered" : ""),
      {
        ...(intent.origin.by === "admin" ? { remedies: ADMIN } : waits !== undefined ? { remedies: RESNAPSHOT } : {}),
        at: "spec.accept",
      },
    );
  },
};

/**
 * What was open at the target and has ended since is in no view any more. A snapshot taken now holds it: of a
 * resnapshot, only the tables that are not snapshotted are concerned.
 *
 * Rule: reference: Oracle, "Torn transactions".
 */
export const endedTransactionsUnseen: Check<
  unknown,
  Pick<ConnectorReading, "tears" | "move"> & (Pick<ResnapshotReading, "unlisted"> | Pick<OffsetChangeReading, "target">)
> = {
  code: "TRX502",
  title: "Transactions that have ended since can't be seen",
  problem: "Of those that were open at the target, the part before it is lost too.",
  remedy: "Choose a target at a quiet moment; of a Resnapshot, name every table that may be concerned.",
  grade: "advisory",

  run(_intent, reading) {
    const { tears, move } = reading;
    if (!tears || move === undefined) return pass;
    const ended = `transactions that were open at ${move.to} and have ended since can't be seen`;
    if (!("unlisted" in reading)) {
      return fail(
        move.direction === "backward"
          ? `${ended}; of those that committed after it, the part before it is not delivered again`
          : `${ended}; they are torn as well`,
        { remedies: ["Choose a target at a quiet moment."] },
      );
    }
    if (reading.unlisted.length === 0) return pass;
    return fail(
      `${ended}; in the ${unlistedTables(reading.unlisted)} they are torn, in the named ones the snapshot holds them`,
      { remedies: ["Name every captured table that such a transaction may have touched."] },
    );
  },
};

function nameOf({ xid, user }: { readonly xid: string; readonly user?: string | undefined }): string {
  return `${xid}${user === undefined ? "" : ` (${user})`}`;
}

function unlistedTables({ length }: readonly CapturedTable[]): string {
  return length === 1 ? "unlisted table" : `${showCount(length)} unlisted tables`;
}

const WAITING = " (spec.waitForTransactions)";

/**
 * The task restores them at its start and holds the resume point at their last journaled record until they end: nothing
 * clamps it to the stored position.
 *
 * Rule: reference: connector rules, "Journal and generations".
 */
export const heldByJournal: CheckIn<
  ConnectorReading,
  "held" | "tears" | "move" | "waits",
  "connector",
  Pick<OffsetChangeIntent | ResnapshotIntent, "kind" | "origin" | "removeJournaledTransactions">
> = {
  code: "TRX505",
  title: "Journaled transactions would pull the offset back",
  problem:
    "The task restores them and holds the resume point at their last journaled record: its next commit stores the " +
    "old position again, and where redo is gone the start after that stops with CDC-2002. Of a transaction that " +
    "committed in the skipped span nothing is delivered.",
  remedy:
    "Wait until they have ended, or remove their records from the journal: spec.removeJournaledTransactions: true.",
  grade: "refusal",
  unknown: "acceptable",

  run({ kind, origin, removeJournaledTransactions }, { held, tears, move, waits, facts }) {
    if (!tears || move === undefined) return pass;
    if (!held.known) return unseen(held, "the transaction journal was not read");
    // Only a running task removes the records of a transaction that has ended.
    const waited = waits === true && isRunning(facts.connector.status);
    if (held.value.length === 0 || removeJournaledTransactions === true || waited) return pass;
    const named = held.value.map((one) => `${nameOf(one)}, whose last record is at ${one.at}`);
    const setting = "spec.removeJournaledTransactions: true";
    const isFile = origin.by === "plan file";
    return fail(
      `${counted(held.value.length, "journaled transaction")} would be restored and hold the resume point below ` +
        `${move.to}: ${few(named, 10, "; ")}`,
      {
        remedies: [
          `Wait until they have ended while the connector runs${kind === "Resnapshot" && isFile ? WAITING : ""}.`,
          isFile
            ? { text: "Or remove their records: nothing of them before the new position is delivered", setting }
            : {
                text: `Or remove their records, by a plan file with ${setting}`,
                command: `cdcctl init ${kind === "Resnapshot" ? "resnapshot" : "offset-change"}`,
              },
        ],
        at: "spec.removeJournaledTransactions",
      },
    );
  },
};

/**
 * What is snapshotted after a transaction has ended holds all of it. That helps the named tables, and no others.
 *
 * Rule: reference: Oracle, "Torn transactions".
 */
export const tornElsewhere: Check<
  Pick<ResnapshotIntent, "waitForTransactions">,
  Pick<ResnapshotReading, "tears" | "torn" | "move" | "unlisted">
> = {
  code: "TRX504",
  title: "Waiting for transactions clears the named tables only",
  problem:
    "What is snapshotted after a transaction has ended holds all of it; in the unlisted tables its part before " +
    "the new position is lost.",
  remedy: "Name every captured table that such a transaction may have touched.",
  grade: "advisory",

  run({ waitForTransactions }, { tears, torn, move, unlisted }) {
    if (waitForTransactions === undefined || !tears || move === undefined || unlisted.length === 0) return pass;
    if (!torn.known || torn.value.length === 0) return pass;
    return fail(
      `${counted(torn.value.length, "open transaction")} that began before ${move.to} ` +
        `${torn.value.length === 1 ? "is" : "are"} waited for; in the ${unlistedTables(unlisted)} torn all the same: ` +
        few(torn.value.map(nameOf), 5),
    );
  },
};
