import type { ResnapshotIntent } from "../../core/document/intent.ts";
import type { resnapshotOptions } from "../options/admin.ts";
import type { Flags } from "../options/common.ts";
import { changeAtOnce, reasonOf } from "./admin-change.ts";
import type { ChangeHost } from "./machine-output.ts";
import { typedTarget } from "./open-world.ts";
import { tablesOf } from "./typed-values.ts";

export type ResnapshotFlags = Flags<typeof resnapshotOptions>;

/** Runs `admin resnapshot`: makes an intent of the flags and applies it like every other change. @returns 0, 1 */
export function resnapshot(flags: ResnapshotFlags, host: ChangeHost): Promise<number> {
  return changeAtOnce(intentOf(flags), flags, host, "admin resnapshot");
}

/** A check decides whether a reason is required, once it is known whether the offset moves. */
function intentOf(flags: ResnapshotFlags): ResnapshotIntent {
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
