import { explainLag, hasEnoughData } from "../../core/doctor/lag/explain-lag.ts";
import { observeLag, type Wait } from "../../core/doctor/lag/observe-lag.ts";
import { UsageError } from "../../core/errors.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";
import type { Flags } from "../options/common.ts";
import type { explainLagOptions } from "../options/doctor.ts";
import { writeLine } from "../screen.ts";
import { lagReport } from "../views/lag.ts";
import { lagDocument } from "../views/lag-json.ts";
import { showMillis } from "../views/quantities.ts";
import { systemClock } from "./clock.ts";
import { type Heartbeat, heartbeat } from "./heartbeat.ts";
import { openWorld, typedTarget } from "./open-world.ts";
import { reported, writeInForm } from "./report-forms.ts";
import { durationOf } from "./typed-values.ts";

export type ExplainLagFlags = Flags<typeof explainLagOptions>;

/** How often the remaining wait is printed. */
const REPORT_MILLIS = 1000;

/** Runs `doctor explain-lag`, which is read-only. @returns 1 without enough data, or when interrupted */
export async function explainLagOf(flags: ExplainLagFlags, host: Host): Promise<number> {
  const { name } = flags;
  const interval = durationOf("interval", flags.interval);
  if (flags["jmx-url"] !== undefined && flags["metrics-url"] !== undefined)
    throw new UsageError("--jmx-url and --metrics-url are mutually exclusive", "Pass one of them.");
  await using world = await openWorld(typedTarget(name, flags), flags, host);
  const beat = heartbeat(host);
  beat.note("first sample");
  const { "jmx-url": jmxUrl, "metrics-url": metricsUrl } = flags;
  const jmx =
    jmxUrl !== undefined ? world.jmx(jmxUrl) : metricsUrl !== undefined ? world.metrics(metricsUrl) : undefined;
  const question = { name, context: flags.context, interval, jmx };
  const facts = await observeLag(question, world, world.settingsOf, waiting(beat, host)).finally(() => beat.end());
  if (facts === undefined) {
    writeLine(host.stderr, "Interrupted between the two samples: nothing was changed.");
    return EXIT.refused;
  }
  const explanation = explainLag(facts);
  const enoughData = hasEnoughData(explanation, jmx !== undefined);
  const shown = {
    explanation: { ...explanation, remarks: [...explanation.remarks, ...(jmx?.remarks ?? [])] },
    looked: enoughData,
  };
  writeInForm(flags.format, reported(lagReport, lagDocument, shown), host);
  return enoughData ? EXIT.done : EXIT.refused;
}

/**
 * Waits, prints the remaining time, and stops at once when interrupted. Before the wait, Ctrl-C ends the process:
 * nothing is held.
 */
function waiting(beat: Heartbeat, host: Host): Wait {
  return async (millis) => {
    const { interrupt } = host;
    const end = systemClock.elapsed() + millis;
    for (let left = millis; left > 0 && !interrupt.aborted; left = end - systemClock.elapsed()) {
      beat.note(`second sample in ${showMillis(Math.ceil(left / 1000) * 1000)}`);
      await systemClock.sleep(Math.min(left, REPORT_MILLIS), interrupt);
    }
    beat.note("second sample");
    return !interrupt.aborted;
  };
}
