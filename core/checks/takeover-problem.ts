import type { TakeoverCode, TakeoverReading } from "../legacy/takeover.ts";
import { fail, pass, type Verdict } from "./check.ts";

/** What of some codes speaks against the legacy connector's position, as a finding of a plan file. */
export function problemOf({ problems }: TakeoverReading, codes: readonly TakeoverCode[]): Verdict {
  const found = problems.filter(({ code }) => codes.includes(code));
  if (found.length === 0) return pass;
  const remedies = found.flatMap((problem) => problem.remedies.map(inPlanFile));
  return fail({
    seen: found.map(({ seen }) => seen).join("; "),
    ...(remedies.length === 0 ? {} : { remedies }),
    ...(codes.includes("LEG005") && found.some(({ code }) => code === "LEG005") ? { at: "spec.from.leaveOut" } : {}),
  });
}

/** Redo from the lowest SCN of the legacy connector on: what can't be seen is told from what is gone. */
export function redoProblemOf(takeover: TakeoverReading): Verdict {
  const verdict = problemOf(takeover, ["LEG008"]);
  if (verdict.verdict === "pass") return pass;
  const isGone = takeover.redo?.known === true && !takeover.redo.value.complete;
  return isGone ? verdict : { ...verdict, verdict: "unknown" };
}

/** The option of the command, as the plan file's key. */
function inPlanFile(remedy: string): string {
  const [head = "", ...names] = remedy.split("--leave-out ");
  return names.length === 0 ? remedy : `${head}spec.from.leaveOut: ${JSON.stringify(names.map((name) => name.trim()))}`;
}
