import type { ResnapshotIntent } from "../../core/document/intent.ts";
import { UsageError } from "../../core/errors.ts";
import { parseTableList } from "../../core/values/table-name.ts";
import type { Host } from "../host.ts";
import { type AdminFlags, changeAtOnce } from "./admin-change.ts";

export interface ResnapshotFlags extends AdminFlags {
  readonly tables: string;
  readonly reason: string | undefined;
  readonly "skip-gap-for-unlisted-tables": boolean;
  readonly resume: boolean;
  readonly "ops-format": "json" | "json_schemas" | undefined;
}

/** `admin resnapshot`: the flags as an intent, then the road of every other change. @returns 0, 1 */
export function resnapshot(flags: ResnapshotFlags, host: Host): Promise<number> {
  return changeAtOnce(intentOf(flags), flags, host, "admin resnapshot");
}

/** Whether a reason is needed is known once it is known whether the offset moves: a check says so. */
function intentOf(flags: ResnapshotFlags): ResnapshotIntent {
  const tables = parseTableList(flags.tables);
  if (tables === undefined || tables.length === 0)
    throw new UsageError(
      `--tables ${flags.tables.slice(0, 200)} is no list of tables`,
      'Give PDB.OWNER.TABLE (OWNER.TABLE without containers), comma-separated; quote a name that needs it: SALES."Odd, name"',
    );
  return {
    kind: "Resnapshot",
    metadata: { name: "resnapshot", reason: flags.reason ?? "", ticket: undefined },
    target: { context: undefined, connectUrl: flags["connect-url"], connector: flags.name },
    origin: { by: "admin", file: undefined, lines: {} },
    tables,
    skipGapForUnlistedTables: flags["skip-gap-for-unlisted-tables"] ? "all" : "none",
    readRowScns: false,
    waitForTransactions: undefined,
    waitForAck: undefined,
    resume: flags.resume,
    opsFormat: flags["ops-format"],
    accept: [],
  };
}
