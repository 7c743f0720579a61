import { callName, readCall } from "./calls.ts";
import type { RunState } from "./state.ts";
import { phaseSubject } from "./subject.ts";

/**
 * Whether a phase of a migration has come to where backing out would not bring back what was: the way out is to go on,
 * or another phase. A step that fails from there on leaves the run open.
 *
 * - `cutover`: the new connector may have run. `rollback`: its offsets may be gone, or the legacy one may run.
 *   `retire`: the legacy connector, or a topic of it, may be.
 */
export function isPastReturn(state: RunState): boolean {
  if (state.started.subject.command !== "migrate") return false;
  const { phase, connector } = phaseSubject(state);
  switch (phase) {
    case "cutover":
      return state.calls.has(callName("start", connector));
    case "verify":
      return false;
    case "rollback":
      return deletesAnything(state) || state.steps.get("delete-offsets") === "done" || state.steps.has("resume-legacy");
    case "retire":
      return deletesAnything(state) || state.steps.get("delete-connector") === "done";
  }
}

/** Whether a deletion was sent and not refused. */
function deletesAnything({ calls }: RunState): boolean {
  return [...calls.keys()].some((call) => readCall(call)?.does.startsWith("delete"));
}
