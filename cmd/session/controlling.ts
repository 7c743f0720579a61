import { WAIT_LIMITS } from "../../core/apply/context.ts";
import { controlConnector, type Verb } from "../../core/change/control.ts";
import { EXIT } from "../command.ts";
import type { Flags } from "../options/common.ts";
import type { controlOptions, namePositional, restartOptions } from "../options/connectors.ts";
import { writeLine } from "../screen.ts";
import { type ChangeHost, reportRun } from "./machine-output.ts";
import { callerOf } from "./narration.ts";
import { openWorld, typedTarget } from "./open-world.ts";
import { openings, ownPlaceOf } from "./places.ts";
import { reportSettled } from "./recovering.ts";
import { durationOf } from "./typed-values.ts";

type ControlFlags = Flags<typeof controlOptions & typeof namePositional> &
  Partial<Pick<Flags<typeof restartOptions>, "all">>;

/**
 * `connectors stop`, `resume` and `restart`.
 *
 * @returns 0 in the requested state, 1 otherwise, 3 when it is in doubt whether the call took effect
 */
export function controlling(control: Verb): (flags: ControlFlags, host: ChangeHost) => Promise<number> {
  return async (flags, host) => {
    const wait = durationOf("wait", flags.wait);
    const { patch = WAIT_LIMITS.patch } = host.patience ?? {};
    const limits = { ...WAIT_LIMITS, patch, stop: wait, resume: wait };
    const { all = false, ticket, "without-ops-topic": withoutOpsTopic } = flags;
    const asks = control === "stop" && host.interactive && flags.reason === undefined;
    const reason = flags.reason ?? (asks ? (await host.ask("Why is it stopped? ")).trim() : "");
    const target = typedTarget(flags.name, flags);
    await using world = await openWorld(target, flags, host, "a worker that restarts");
    const asked = { control, target, all, reason, ticket, withoutOpsTopic };
    const settling = { world, caller: callerOf(host, world), limits };
    await using opened = openings(host);
    const done = await controlConnector(asked, settling, (run) => opened.world(ownPlaceOf(run, flags)));
    if ("settled" in done) return reportSettled(done.settled, host);
    if ("nothing" in done) {
      writeLine(host.stdout, done.nothing);
      host.machine?.nothing(done.nothing);
      return EXIT.done;
    }
    reportRun(done.report, host);
    if (done.report.outcome === "unfinished") return EXIT.unfinished;
    return done.report.outcome === "succeeded" ? EXIT.done : EXIT.refused;
  };
}
