import { WAIT_LIMITS } from "../../core/apply/context.ts";
import type { Intent } from "../../core/document/intent.ts";
import { codePoint, unprintable } from "../../core/document/printable.ts";
import { UsageError } from "../../core/errors.ts";
import { observe, planFor } from "../../core/kinds/catalogue.ts";
import { EXIT } from "../command.ts";
import { textOptions } from "../host.ts";
import type { adminOptions, Flags, fullOption, stateOption } from "../options/common.ts";
import { planReport } from "../views/plan.ts";
import { renderTerminal } from "../views/report/terminal.ts";
import { applyPlan } from "./applying.ts";
import { type ChangeHost, reportNothingToDo, reportRun } from "./machine-output.ts";
import { openWorld } from "./open-world.ts";
import { JUST_PLANNED_MILLIS } from "./typed-values.ts";

/** The options of every `admin` command. */
type AdminFlags = Flags<typeof adminOptions & typeof stateOption & typeof fullOption>;

/** Returns the reason as given. @throws UsageError when it holds an invisible character */
export function reasonOf(reason: string): string {
  const hidden = unprintable(reason);
  if (hidden === undefined) return reason;
  throw new UsageError(`--reason contains the character ${codePoint(hidden)}`, "Write it in one line of plain text.");
}

/**
 * Plans, shows and applies the change of an `admin` command without confirmation, by the same code as every other
 * change.
 *
 * @param command its name, for the lock
 * @returns 0 when it is applied or there was nothing to do, 1 otherwise (specification, "Exit codes of the `admin`
 * commands")
 */
export async function changeAtOnce(
  intent: Intent,
  flags: AdminFlags,
  host: ChangeHost,
  command: string,
): Promise<number> {
  await using world = await openWorld(intent.target, flags, host, "a worker that restarts");
  const { facts } = await observe(intent, world, world.sources);
  const plan = planFor(intent, facts, { again: true });
  host.machine?.planned([intent], [plan], []);
  host.stdout.write(renderTerminal(planReport(plan, { brief: !flags.full }), textOptions(host.stdout)));
  if (plan.outcome.state === "blocked") return EXIT.refused;
  if (plan.outcome.state === "no-op") return EXIT.done;
  const applied = await applyPlan(plan, world, host, {
    limits: WAIT_LIMITS,
    maxAge: JUST_PLANNED_MILLIS,
    again: true,
    command,
    from: new Map([[plan, facts]]),
  });
  if ("nothing" in applied) {
    reportNothingToDo(applied.plan, applied.nothing, host);
    return EXIT.done;
  }
  reportRun(applied.report, host);
  return applied.report.outcome === "succeeded" ? EXIT.done : EXIT.refused;
}
