import type { LogProbe } from "./redo.ts";
import { examineRedo, type RedoCatalogue, type RedoExamination, type RedoQuestion } from "./redo-examination.ts";

/**
 * The redo from an SCN to now as the task would find it. In `archive_only` a task that has come to the end of what is archived waits for the next log
 * switch: redo that is on line only is not archived yet, and not gone.
 */
export function redoFrom(
  catalogue: RedoCatalogue,
  question: RedoQuestion,
  probes: readonly LogProbe[] | undefined,
): RedoExamination {
  const examined = examineRedo(catalogue, question, probes);
  const nothingYet = examined.faults.every(({ reason, thread }) => reason === "no log at all" && thread !== undefined);
  if (examined.complete || question.captureMode === "online" || !nothingYet) return examined;
  const onLine = examineRedo(catalogue, { ...question, captureMode: "online" }, probes);
  return onLine.complete ? { ...examined, complete: true, faults: [], firstAvailable: question.from } : examined;
}
