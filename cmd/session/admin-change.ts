import { WAIT_LIMITS } from "../../core/apply/context.ts";
import { applyPlan } from "../../core/change/apply.ts";
import { planNow } from "../../core/change/plan.ts";
import type { Intent, OffsetChangeIntent, ResnapshotIntent } from "../../core/document/intent.ts";
import { codePoint, unprintable } from "../../core/document/printable.ts";
import { Refusal, UsageError } from "../../core/errors.ts";
import { parseXid } from "../../core/values/xid.ts";
import { EXIT } from "../command.ts";
import { textOptions } from "../host.ts";
import type { offsetsSetOptions, resnapshotOptions } from "../options/admin.ts";
import type { adminOptions, Flags, fullOption, stateOption } from "../options/common.ts";
import { planReport } from "../views/plan.ts";
import { renderTerminal } from "../views/report/terminal.ts";
import { refuseUnapproved } from "./approvals/approving.ts";
import { type ChangeHost, reportNothingToDo, reportRun } from "./machine-output.ts";
import { callerOf } from "./narration.ts";
import { openWorld, typedTarget } from "./open-world.ts";
import { policiesOfAdmin } from "./policies/policies.ts";
import { JUST_PLANNED_MILLIS, scnOf, tablesOf } from "./typed-values.ts";

type SetFlags = Flags<typeof offsetsSetOptions>;

/** Runs `admin offsets set`: makes an intent of the flags and applies it like every other change. @returns 0, 1 */
export async function setOffsets(flags: SetFlags, host: ChangeHost): Promise<number> {
  return changeAtOnce(offsetIntent(flags), flags, host, "admin offsets set");
}

function offsetIntent(flags: SetFlags): OffsetChangeIntent {
  const scn = scnOf("scn", flags.scn);
  if (flags.reason === undefined)
    throw new Refusal("OFF113", "moving the offset requires a reason", [
      { text: "Give one", setting: "--reason TEXT" },
    ]);
  if (flags.reason.trim() === "")
    throw new UsageError("--reason is empty", "Give a reason; it is recorded in the ops topic.");
  return {
    kind: "OffsetChange",
    metadata: { name: "offsets-set", reason: reasonOf(flags.reason), ticket: undefined },
    target: typedTarget(flags.name, flags),
    origin: { by: "admin", file: undefined, lines: {} },
    position: { to: "scn", scn },
    allowSkip: flags["allow-skip"],
    forgetReleased: forgetOf(flags["forget-released"]),
    resume: flags.resume,
    opsFormat: flags["ops-format"],
    accept: [],
  };
}

/** A flag without a value means all of them. */
function forgetOf(flag: string | undefined): OffsetChangeIntent["forgetReleased"] {
  if (flag === undefined) return "none";
  if (flag === "" || flag === "all" || flag === "true") return "all";
  const ids = flag.split(",").map((id) => id.trim());
  const wrong = ids.find((id) => parseXid(id) === undefined);
  if (wrong !== undefined)
    throw new UsageError(
      `--forget-released: ${wrong} is not a valid transaction id`,
      "Write transaction ids as CON:USN.SLOT.SQN, comma-separated, or omit the value for all.",
    );
  return ids;
}

type ResnapshotFlags = Flags<typeof resnapshotOptions>;

/** Runs `admin resnapshot`: makes an intent of the flags and applies it like every other change. @returns 0, 1 */
export function resnapshot(flags: ResnapshotFlags, host: ChangeHost): Promise<number> {
  return changeAtOnce(snapshotIntent(flags), flags, host, "admin resnapshot");
}

/** A check decides whether a reason is required, once it is known whether the offset moves. */
function snapshotIntent(flags: ResnapshotFlags): ResnapshotIntent {
  return {
    kind: "Resnapshot",
    metadata: { name: "resnapshot", reason: reasonOf(flags.reason ?? ""), ticket: undefined },
    target: typedTarget(flags.name, flags),
    origin: { by: "admin", file: undefined, lines: {} },
    tables: tablesOf(flags.tables),
    skipGapForUnlistedTables: flags["skip-gap-for-unlisted-tables"] ? "all" : "none",
    readRowScns: false,
    waitForTransactions: undefined,
    waitForAck: undefined,
    resume: flags.resume,
    opsFormat: flags["ops-format"],
    accept: [],
  };
}

/** The options of every `admin` command. */
type AdminFlags = Flags<typeof adminOptions & typeof stateOption & typeof fullOption>;

/** Returns the reason as given. @throws UsageError when it holds an invisible character */
function reasonOf(reason: string): string {
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
async function changeAtOnce(intent: Intent, flags: AdminFlags, host: ChangeHost, command: string): Promise<number> {
  await using world = await openWorld(intent.target, flags, host, "a worker that restarts");
  const policies = await policiesOfAdmin(intent.target, flags, host);
  const { plan, facts } = await planNow(intent, world, { again: true, policies });
  host.machine?.planned([intent], [plan], []);
  host.stdout.write(renderTerminal(planReport(plan, { full: flags.full }), textOptions(host.stdout)));
  if (plan.outcome.state === "blocked") return EXIT.refused;
  if (plan.outcome.state === "no-op") return EXIT.done;
  await refuseUnapproved(intent.target, flags, host);
  const applied = await applyPlan(plan, world, callerOf(host, world), {
    limits: WAIT_LIMITS,
    maxAge: JUST_PLANNED_MILLIS,
    again: true,
    command,
    from: new Map([[plan, facts]]),
    approvals: new Map(),
    policies,
  });
  if ("nothing" in applied) {
    reportNothingToDo(applied.plan, applied.nothing, host);
    return EXIT.done;
  }
  reportRun(applied.report, host);
  return applied.report.outcome === "succeeded" ? EXIT.done : EXIT.refused;
}
