import type { ResnapshotFacts } from "../../facts/connector-facts.ts";
import type { Gap } from "../../facts/redo/gap.ts";
import { type RedoCatalogue, type RedoExamination, type RedoFault, restoreCommands } from "../../facts/redo/redo.ts";
import type { Instant } from "../../values/instant.ts";
import type { Scn } from "../../values/scn.ts";

/** The message goes into a record of the ops topic; what is wrong with every log, the plan's redo tells. */
const MOST_FAULTS = 10;

/**
 * The redo that is gone from the stored position on, and where it begins again. @param examined with at least one fault
 */
export function gapOf(
  { faults, from, firstAvailable }: RedoExamination,
  { times, database, redo }: Pick<ResnapshotFacts, "times" | "database" | "redo">,
): Gap {
  const to = firstAvailable !== undefined && firstAvailable <= database.currentScn ? firstAvailable : undefined;
  const timeOf = (scn: Scn): Instant | undefined =>
    (times.known ? times.value.find((time) => time.scn === scn)?.at : undefined) ??
    (redo.known ? timeAtOrBefore(scn, redo.value, database.resetlogsScn) : undefined);
  const code = faults[0]?.code ?? "CDC-2001";
  return {
    code,
    message: message(faults, code),
    from,
    to,
    fromTime: timeOf(from),
    toTime: to === undefined ? undefined : timeOf(to),
    restore: restoreCommands(faults),
  };
}

function message(faults: readonly RedoFault[], code: Gap["code"]): string {
  const shown = faults
    .slice(0, MOST_FAULTS)
    .map((fault) => (fault.code === code ? fault.message : `${fault.code} ${fault.message}`));
  return `${shown.join("; ")}${faults.length > MOST_FAULTS ? `; and ${faults.length - MOST_FAULTS} more` : ""}`;
}

/**
 * The latest time that a log of the catalogue gives for an SCN at or below this one, whatever destination lists it.
 * Oracle forgets after some days when an SCN was current, the catalogue later. Never later than the SCN's own time:
 * what is compared with it counts rather too much than too little.
 */
function timeAtOrBefore(scn: Scn, { archived }: RedoCatalogue, resetlogsScn: Scn): Instant | undefined {
  let best: { readonly scn: Scn; readonly at: Instant } | undefined;
  const consider = (at: Scn, time: Instant | undefined) => {
    if (time !== undefined && at <= scn && (best === undefined || at > best.scn)) best = { scn: at, at: time };
  };
  for (const log of archived) {
    if (log.resetlogsScn !== resetlogsScn) continue;
    consider(log.firstScn, log.firstTime);
    consider(log.nextScn, log.nextTime);
  }
  return best?.at;
}
