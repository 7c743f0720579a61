import { planRollback, runToRollBack } from "../../core/change/rollback.ts";
import { refuseUnreadable, runNamed, storedRuns } from "../../core/change/stored-runs.ts";
import { Refusal } from "../../core/errors.ts";
import { endOf } from "../../core/run/ways-to-settle.ts";
import { EXIT } from "../command.ts";
import type { rollbackOptions } from "../options/changes.ts";
import type { Flags, runPositional } from "../options/common.ts";
import { applyPlans } from "./apply-files.ts";
import { demandExpectedForm } from "./consent.ts";
import { DOCUMENTS, refuseOther } from "./files.ts";
import type { ChangeHost } from "./machine-output.ts";
import { openWorld } from "./open-world.ts";
import { demandOwnState, openState, placeOf } from "./places.ts";
import { planReport } from "./plan-report.ts";
import { policiesFor } from "./policies/policies.ts";
import { writeResolvedPlan } from "./resolved-files.ts";
import { JUST_PLANNED_MILLIS, waitLimits } from "./typed-values.ts";

type RollbackFlags = Flags<typeof rollbackOptions & typeof runPositional>;

/** Plans the rollback of a run and, without `--out`, applies it. @returns the exit code of `plan` or `apply` */
export async function rollBack(flags: RollbackFlags, host: ChangeHost): Promise<number> {
  const limits = waitLimits(flags, host);
  const store = openState(flags, host);
  const all = await storedRuns(store);
  const stored = flags.run === undefined ? runToRollBack(all) : runNamed(all, flags.run, store.place);
  if (stored === undefined)
    throw new Refusal("APL808", `no run in ${store.place} has succeeded: there is nothing to roll back`);
  refuseUnreadable(all.unreadable, stored.key);
  await demandOwnState(store, stored.key, host);
  endOf(stored.state);
  demandExpectedForm(flags);
  if (flags.out !== undefined) await refuseOther(flags.out, DOCUMENTS.plan);
  const place = placeOf(stored, flags);
  await using world = await openWorld(place.target, place.flags, host, "a worker that restarts");
  // What is applied here is never held against policies; a file is, like any other.
  const policies = flags.out === undefined ? undefined : await policiesFor(place.target, place.flags, host);
  const options = { resume: flags.resume, moveBack: flags["move-back"], policies };
  const { plan, facts } = await planRollback(stored, all, world, options);
  if (flags.out !== undefined) {
    await writeResolvedPlan(flags.out, [plan], host);
    host.stdout.write(planReport([plan], { format: flags.format, files: [], out: flags.out, flags }, host));
    return plan.outcome.state === "blocked" ? EXIT.refused : EXIT.done;
  }
  host.machine?.planned([plan.intent], [plan], []);
  return await applyPlans([plan], place.flags, host, {
    limits,
    maxAge: JUST_PLANNED_MILLIS,
    again: true,
    command: "rollback",
    from: new Map([[plan, facts]]),
    approve: async () => new Map(),
    policiesOf: undefined,
  });
}
