import type { ConnectorFacts } from "../facts/connector-facts.ts";
import { probeApplies } from "../facts/database/database.ts";
import { mapObserved } from "../facts/observed.ts";
import { bringBack, type RedoExamination, restoreCommands } from "../facts/redo/redo.ts";
import type { TakeoverReading } from "../legacy/position.ts";
import { showCount } from "../values/amounts.ts";
import { type Check, type CheckIn, type CheckOf, fail, pass, unknown, unseen, type Verdict } from "./check.ts";
import type { ConnectorReading, OffsetChangeReading } from "./readings.ts";

/**
 * The task mines every log from the target on. A log that is missing (CDC-2001), marked deleted or can't be opened
 * (CDC-2002) stops it. The remedy comes first: purged redo is not lost while a backup exists.
 *
 * Rule: specification, `offsets set`, rule 2; reference: Oracle, "Is the redo from an SCN to now all present?".
 */
export const redoIncomplete: CheckIn<OffsetChangeReading, "target" | "redo", "database" | "connector" | "probes"> = {
  code: "OFF102",
  title: "Redo is missing between the target and now",
  problem: "The task stops with CDC-2001 (a sequence is missing) or CDC-2002 (a log is deleted or can't be opened).",
  remedy:
    "Restore the archived logs, choose an SCN after the gap, or snapshot the tables again: `cdcctl init resnapshot`.",
  grade: "refusal",

  run(_intent, { target, redo, facts }) {
    if (!target.pinned || redo === undefined || target.scn > facts.database.currentScn) return pass;
    if (!redo.known) return unseen(redo, "the redo could not be inspected");
    const { faults, firstAvailable, complete } = redo.value;
    if (!complete) {
      return fail(
        faults.length === 0
          ? `redo is missing from ${target.scn} onwards`
          : faults.map(({ code, message }) => `${code} ${message}`).join("; "),
        {
          remedies: [
            ...bringBack(restoreCommands(faults)),
            ...(firstAvailable === undefined
              ? ["Do not look for a later SCN: the redo is incomplete from every SCN after the gap."]
              : [
                  { text: "Use the nearest SCN that works", setting: `${firstAvailable}` },
                  { text: "Or give up what is in the gap, and snapshot again", command: "cdcctl init resnapshot" },
                ]),
          ],
          at: "spec.scn",
        },
      );
    }
    return logsOpened(redo.value, facts);
  },
};

/**
 * The redo from the stored position on, with each file opened, decides whether a resnapshot moves the offset.
 *
 * Rule: specification, `resnapshot`.
 */
export const redoUnseen: CheckIn<ConnectorReading, "redo", "database" | "connector" | "probes"> = {
  code: "SNP904",
  title: "Whether redo is missing is unknown",
  problem:
    "A signal alone would not help a connector stopped at a gap, and a move without a gap would skip changes for " +
    "nothing.",
  remedy: "Grant the capture user its privileges on the redo catalogue and on DBMS_LOGMNR.",
  grade: "refusal",

  run(_intent, { redo, facts }) {
    if (redo === undefined) return pass;
    if (!redo.known) return unseen(redo, "the redo could not be inspected");
    return logsOpened(redo.value, facts);
  },
};

/** The verdict on whether every log could be opened, when the task opens logs. */
function logsOpened(
  { probed }: RedoExamination,
  facts: Pick<ConnectorFacts, "database" | "connector" | "probes">,
): Verdict {
  if (!probeApplies(facts) || probed) return pass;
  return facts.probes.known
    ? unknown("opening the logs was not tried")
    : unseen(facts.probes, "whether every log can be opened");
}

/**
 * LogMiner refuses to add files inside a PDB, and the task adds none: a file that was removed with rm goes unnoticed.
 *
 * Rule: reference: connector settings, `cdc.mining.mode`.
 */
export const probeDoesNotApply: CheckOf<ConnectorFacts, "connector" | "database"> = {
  code: "RED201",
  title: "Log files can't be probed from inside a PDB",
  problem: "A file that was removed without RMAN still counts as present, and would stop the task.",
  remedy: "Ask the DBA to run `CROSSCHECK ARCHIVELOG ALL` (RMAN), then plan again.",
  grade: "advisory",

  run(_intent, { facts }) {
    if (probeApplies(facts)) return pass;
    return fail("the catalogue lists the logs; opening their files was not tried (mining from inside a PDB)");
  },
};

/** Copies restored to another destination do not close a gap: the connector reads only its own destination. */
export const restoredElsewhere: Check<
  unknown,
  Pick<ConnectorReading, "redo"> | { readonly takeover: Pick<TakeoverReading, "redo"> }
> = {
  code: "RED202",
  title: "Missing logs are listed under another destination",
  problem: "The connector reads only its own archive destination, so these copies do not help.",
  remedy:
    "Restore them to the connector's destination (RMAN: SET ARCHIVELOG DESTINATION), or set cdc.archive.destination.",
  grade: "advisory",

  run(_intent, reading) {
    const { redo } = "takeover" in reading ? reading.takeover : reading;
    if (redo === undefined) return pass;
    if (!redo.known) return unseen(redo, "the redo could not be inspected");
    if (redo.value.restoredElsewhere.length === 0) return pass;
    const copies = redo.value.restoredElsewhere;
    const named = copies
      .slice(0, 5)
      .map(
        ({ thread, sequence, destination }) => `thread ${thread} sequence ${sequence} under destination ${destination}`,
      );
    return fail(`${named.join(", ")}${copies.length > 5 ? ` and ${copies.length - 5} more` : ""}`);
  },
};

/**
 * The task refuses to start before it reads an offset; continuity is still checked for each thread.
 *
 * Rule: reference: connector rules, "Where the database may be mined".
 */
export const severalThreads: CheckOf<ConnectorFacts, "redo"> = {
  code: "RED203",
  title: "More than one redo thread is enabled",
  problem: "The connector mines one redo thread: with several enabled ones the task refuses to start (CDC-5001).",
  remedy: "Disable the other threads, or use a database with one redo thread.",
  grade: "acceptable",
  unknown: "advisory",

  run(_intent, { facts }) {
    const threads = mapObserved(facts.redo, (catalogue) =>
      catalogue.threads.filter(({ enabled }) => enabled !== "DISABLED"),
    );
    if (!threads.known) return unseen(threads, "the redo threads could not be inspected");
    if (threads.value.length < 2) return pass;
    return fail(
      `${showCount(threads.value.length)} redo threads are enabled ` +
        `(${threads.value.map(({ thread }) => thread).join(", ")})`,
    );
  },
};
