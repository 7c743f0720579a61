import type { Scn } from "../values/scn.ts";
import type { LogProbe } from "./redo.ts";
import { examineRedo, type RedoCatalogue, type RedoExamination, type RedoQuestion } from "./redo-examination.ts";

/**
 * The redo from an SCN to now as the task would find it. In `archive_only` a task that has come to the end of what is archived waits for the next log
 * switch: redo that is on line only is not archived yet, and not gone. So an SCN in such redo is one to mine from, whoever asks: also as the first one
 * after a gap, and as the earliest of all.
 */
export function redoFrom(
  catalogue: RedoCatalogue,
  question: RedoQuestion,
  probes: readonly LogProbe[] | undefined,
): RedoExamination {
  const examined = examineRedo(catalogue, question, probes);
  if (question.captureMode === "online") return examined;
  const online = examineRedo(catalogue, { ...question, captureMode: "online" }, probes);
  if (!examined.complete && online.complete && onlyUnarchived(examined))
    return { ...examined, complete: true, faults: [], firstAvailable: question.from };
  const orUnarchived = (scn: Scn | undefined, other: Scn | undefined): Scn | undefined =>
    scn ?? (other !== undefined && waits(catalogue, { ...question, from: other }, probes) ? other : undefined);
  return {
    ...examined,
    firstAvailable: orUnarchived(examined.firstAvailable, online.firstAvailable),
    earliest: orUnarchived(examined.earliest, online.earliest),
  };
}

/** Whether a task in `archive_only` would wait at an SCN for the next log switch, with nothing missing. */
function waits(catalogue: RedoCatalogue, question: RedoQuestion, probes: readonly LogProbe[] | undefined): boolean {
  return (
    onlyUnarchived(examineRedo(catalogue, question, probes)) &&
    examineRedo(catalogue, { ...question, captureMode: "online" }, probes).complete
  );
}

/** No archived log reaches the SCN, and nothing else is at fault. */
function onlyUnarchived({ faults }: RedoExamination): boolean {
  return faults.every(({ reason, thread }) => reason === "no log at all" && thread !== undefined);
}
