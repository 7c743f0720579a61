import type { RunState } from "./state.ts";
import type { MigrationSubject } from "./subject.ts";
import { unprovenOf } from "./unproven.ts";

/** What a phase of a migration came to, by its journal alone. */
export function phaseDone({ phase, legacy, connector }: MigrationSubject, state: RunState): string {
  const { takeover, verified, returning } = state;
  const unproven = unprovenOf(state);
  const but = unproven.length === 0 ? "" : `; unproven: ${unproven.join("; ")}`;
  switch (phase) {
    case "cutover":
      return (
        `${connector} has taken over from ${legacy} at ${takeover?.startScn}: it runs, and ${legacy} is ` +
        `stopped${but}`
      );
    case "verify":
      return (
        `${verified?.tables.length === 1 ? "the table and its topics agree" : `${verified?.tables.length ?? 0} tables and their topics agree`}; ` +
        `evidence ${verified?.evidence.file}, ${verified?.evidence.digest}`
      );
    case "rollback":
      return (
        `${legacy} runs again, from the offsets that it stopped ` +
        `with${returning?.removed.length === 0 ? "" : `; ${connector} and its offsets are deleted`}${but}`
      );
    case "retire":
      return `${legacy} is deleted, and its topics; ${connector} stays${but}`;
  }
}

/** What stays as it is when an operator ends a run. */
export function phaseAbandoned({ phase, legacy, connector }: MigrationSubject, { steps, calls }: RunState): string {
  const open = [...calls].flatMap(([call, at]) => (at === "sent" ? [call] : []));
  const unknown = open.length === 0 ? "" : `; whether ${open.join(", ")} took effect was never known`;
  const begun = [...steps].filter(([, at]) => at !== "pending" && at !== "failed").map(([step]) => step);
  const left =
    begun.length === 0
      ? "nothing was changed"
      : `the ${phase} of ${legacy} and ${connector} is left as it stands after ${begun.at(-1)}`;
  return `${left}${unknown}`;
}
