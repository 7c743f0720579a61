import { WAIT_LIMITS } from "../../core/apply/context.ts";
import type { OffsetChangeIntent } from "../../core/document/intent.ts";
import { UsageError } from "../../core/errors.ts";
import { observeOffsetChange } from "../../core/kinds/offset-change/observe.ts";
import { planOffsetChange } from "../../core/kinds/offset-change/plan.ts";
import { parseScn } from "../../core/values/scn.ts";
import { parseXid } from "../../core/values/xid.ts";
import { EXIT } from "../command.ts";
import { type Host, textOptions } from "../host.ts";
import { renderPlanText } from "../views/plan-text.ts";
import { renderReport } from "../views/report-text.ts";
import { applyPlan } from "./applying.ts";
import { JUST_PLANNED_MILLIS } from "./durations.ts";
import { openWorld } from "./open-world.ts";

export interface SetFlags {
  readonly "connect-url": string;
  readonly name: string;
  readonly config: string | undefined;
  readonly "bootstrap-servers": string | undefined;
  readonly "command-config": string | undefined;
  readonly scn: string;
  readonly reason: string;
  readonly "allow-skip": boolean;
  readonly resume: boolean;
  readonly "forget-released": string | undefined;
  readonly "ops-format": "json" | "json_schemas" | undefined;
}

/** `admin offsets set`: the flags as an intent, then the road of every other change. Never prompts. @returns 0, 1 */
export async function setOffsets(flags: SetFlags, host: Host): Promise<number> {
  const intent = intentOf(flags);
  const world = await openWorld(intent.target, flags, host);
  try {
    const { facts } = await observeOffsetChange(intent, world, world.settingsOf);
    const plan = planOffsetChange(intent, facts, { again: true });
    host.stdout.write(renderPlanText(plan, textOptions(host.stdout)));
    if (plan.outcome.state === "blocked") return EXIT.refused;
    if (plan.outcome.state === "no-op") return EXIT.done;
    const applied = await applyPlan(plan, world, host, {
      limits: WAIT_LIMITS,
      maxAge: JUST_PLANNED_MILLIS,
      again: true,
      command: "admin offsets set",
    });
    host.stdout.write(renderReport(applied, textOptions(host.stdout)));
    return "nothing" in applied || applied.report.outcome === "succeeded" ? EXIT.done : EXIT.refused;
  } finally {
    await world.close();
  }
}

function intentOf(flags: SetFlags): OffsetChangeIntent {
  const scn = parseScn(flags.scn);
  if (scn === undefined || scn === 0n)
    throw new UsageError(
      `--scn ${flags.scn} is no SCN`,
      "Give a positive integer, digits only, up to 9223372036854775807.",
    );
  if (flags.reason.trim() === "")
    throw new UsageError("--reason is empty", "Say why: it is recorded in the ops topic.");
  return {
    kind: "OffsetChange",
    metadata: { name: "offsets-set", reason: flags.reason, ticket: undefined },
    target: { context: undefined, connectUrl: flags["connect-url"], connector: flags.name },
    origin: { by: "admin", file: undefined, lines: {} },
    position: { to: "scn", scn },
    allowSkip: flags["allow-skip"],
    forgetReleased: forgetOf(flags["forget-released"]),
    resume: flags.resume,
    opsFormat: flags["ops-format"],
    accept: [],
  };
}

/** Without a value: all of them. */
function forgetOf(flag: string | undefined): OffsetChangeIntent["forgetReleased"] {
  if (flag === undefined) return "none";
  if (flag === "" || flag === "all" || flag === "true") return "all";
  const ids = flag.split(",").map((id) => id.trim());
  const wrong = ids.find((id) => parseXid(id) === undefined);
  if (wrong !== undefined)
    throw new UsageError(
      `--forget-released: ${wrong} is no transaction id`,
      "Write them as CON:USN.SLOT.SQN, comma-separated, or leave the value out for all.",
    );
  return ids;
}
