import type { Finding } from "../../core/checks/finding.ts";
import type { RedoExamination } from "../../core/facts/redo-examination.ts";

export function redoSentences(redo: RedoExamination, _findings: readonly Finding[]) {
  return {
    complete: redo.complete,
    sentence: redo.complete ? "all there" : "not all there",
    details: redo.faults.map((f) => `${f.code} ${f.message}`),
  };
}
