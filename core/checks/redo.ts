import type { ConnectorFacts } from "../facts/connector-facts.ts";
import { probeApplies } from "../facts/database/database.ts";
import { mapObserved, type Observed } from "../facts/observed.ts";
import type { TargetReading } from "../facts/offset/move.ts";
import { bringBack, type RedoExamination, restoreCommands } from "../facts/redo/redo.ts";
import type { TakeoverReading } from "../legacy/takeover.ts";
import { showCount } from "../values/amounts.ts";
import { type Check, fail, pass, unknown, type Verdict } from "./check.ts";

/**
 * The task mines every log from the target on. One that is missing (CDC-2001), marked deleted or can't be opened
 * (CDC-2002) stops it. The remedy comes first: purged is not lost while there is a backup.
 *
 * Rule: specification, `offsets set`, rule 2; reference: Oracle, "Is the redo from an SCN to now all present?".
 */
export const redoIncomplete: Check<
  unknown,
  {
    readonly target: TargetReading;
    readonly redo: Observed<RedoExamination> | undefined;
    readonly facts: Pick<ConnectorFacts, "database" | "connector" | "probes">;
  }
> = {
  code: "OFF102",
  title: "Redo from the target to now is not all there",
  problem: "The task stops with CDC-2001 (a sequence is missing) or CDC-2002 (a log is deleted or can't be opened).",
  remedy:
    "Restore the archived logs, choose an SCN after the gap, or snapshot the tables again: `cdcctl init resnapshot`.",
  grade: "refusal",

  run(_intent, { target, redo, facts }) {
    if (!target.pinned || redo === undefined || target.scn > facts.database.currentScn) return pass;
    if (!redo.known) return unknown(`the redo can't be seen: ${redo.why}`, redo.remedies);
    const { faults, firstAvailable, complete } = redo.value;
    if (!complete) {
      return fail({
        seen:
          faults.length === 0
            ? `redo from ${target.scn} on is not all there`
            : faults.map(({ code, message }) => `${code} ${message}`).join("; "),
        remedies: [
          ...bringBack(restoreCommands(faults)),
          firstAvailable === undefined
            ? "No later SCN works either: after the gap there is none from which all redo up to now is present."
            : { text: "The nearest SCN that works", setting: `${firstAvailable}` },
          {
            text: "If the logs can't be brought back, the changes in the gap are lost; snapshot the tables again",
            command: "cdcctl init resnapshot",
          },
        ],
        at: "spec.scn",
      });
    }
    return logsOpened(redo.value, facts);
  },
};

/**
 * Which way a resnapshot goes is decided by the redo from the stored position on, each of its files opened.
 *
 * Rule: specification, `resnapshot`.
 */
export const redoUnseen: Check<
  unknown,
  {
    readonly redo: Observed<RedoExamination> | undefined;
    readonly facts: Pick<ConnectorFacts, "connector" | "database" | "probes">;
  }
> = {
  code: "SNP904",
  title: "Whether redo is gone can't be told",
  problem:
    "A signal alone would not help a connector that stands before a gap, and a move would skip changes for nothing.",
  remedy: "Give the capture user its grants on the redo catalogue and on DBMS_LOGMNR.",
  grade: "refusal",

  run(_intent, { redo, facts }) {
    if (redo === undefined) return pass;
    if (!redo.known) return unknown(`the redo can't be seen: ${redo.why}`, redo.remedies);
    return logsOpened(redo.value, facts);
  },
};

/** Whether every log was opened, where the task opens them. */
function logsOpened(
  { probed }: RedoExamination,
  facts: Pick<ConnectorFacts, "database" | "connector" | "probes">,
): Verdict {
  if (!probeApplies(facts) || probed) return pass;
  return facts.probes.known
    ? unknown("whether every log can be opened was not tried")
    : unknown(`whether every log can be opened: ${facts.probes.why}`, facts.probes.remedies);
}

/**
 * From inside a PDB LogMiner refuses to add files, and the task adds none: a file that was removed with rm can't be
 * noticed.
 *
 * Rule: reference: connector settings, `cdc.mining.mode`.
 */
export const probeDoesNotApply: Check<unknown, { readonly facts: Pick<ConnectorFacts, "connector" | "database"> }> = {
  code: "RED201",
  title: "Log files can't be probed from inside a PDB",
  problem: "A file that was removed without RMAN still counts as present; the task would stop at it.",
  remedy: "Ask the DBA for `CROSSCHECK ARCHIVELOG ALL` (RMAN) and look again.",
  grade: "advisory",

  run(_intent, { facts }) {
    if (probeApplies(facts)) return pass;
    return fail({
      seen:
        "the catalogue says which logs are there; whether the files can be opened was not tried (mining from " +
        "inside a PDB)",
    });
  },
};

/** Copies restored under another destination close no gap: the connector reads its own destination only. */
export const restoredElsewhere: Check<
  unknown,
  { readonly redo: Observed<RedoExamination> | undefined } | { readonly takeover: Pick<TakeoverReading, "redo"> }
> = {
  code: "RED202",
  title: "Missing logs are listed under another destination",
  problem: "The connector reads its own archive destination only, so these copies are of no use to it.",
  remedy:
    "Restore them to the connector's destination (RMAN: SET ARCHIVELOG DESTINATION), or set cdc.archive.destination.",
  grade: "advisory",

  run(_intent, reading) {
    const { redo } = "takeover" in reading ? reading.takeover : reading;
    if (redo === undefined) return pass;
    if (!redo.known) return unknown(`the redo can't be seen: ${redo.why}`, redo.remedies);
    if (redo.value.restoredElsewhere.length === 0) return pass;
    const copies = redo.value.restoredElsewhere;
    const named = copies
      .slice(0, 5)
      .map(
        ({ thread, sequence, destination }) => `thread ${thread} sequence ${sequence} under destination ${destination}`,
      );
    return fail({ seen: `${named.join(", ")}${copies.length > 5 ? ` and ${copies.length - 5} more` : ""}` });
  },
};

/** The connector supports one enabled redo thread; continuity is checked for each all the same. */
export const severalThreads: Check<unknown, { readonly facts: Pick<ConnectorFacts, "redo"> }> = {
  code: "RED203",
  title: "More than one redo thread is enabled",
  problem: "Clustered databases are not supported by the connector.",
  remedy: "Mine one thread's database, or ask the connector's vendor.",
  grade: "advisory",

  run(_intent, { facts }) {
    const threads = mapObserved(facts.redo, (catalogue) =>
      catalogue.threads.filter(({ enabled }) => enabled !== "DISABLED"),
    );
    if (!threads.known) return unknown(`the redo threads can't be seen: ${threads.why}`, threads.remedies);
    if (threads.value.length < 2) return pass;
    return fail({
      seen:
        `${showCount(threads.value.length)} redo threads are enabled ` +
        `(${threads.value.map(({ thread }) => thread).join(", ")})`,
    });
  },
};
