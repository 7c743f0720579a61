import type { ResnapshotIntent } from "../../core/document/intent.ts";
import { UsageError } from "../../core/errors.ts";
import { parseTableList, parseTableName } from "../../core/values/table-name.ts";
import { truncate } from "../../core/values/truncate.ts";
import type { resnapshotOptions } from "../options/admin.ts";
import type { Flags } from "../options/common.ts";
import { changeAtOnce, reasonOf } from "./admin-change.ts";
import type { ChangeHost } from "./machine-output.ts";
import { typedTarget } from "./open-world.ts";

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

/** @throws UsageError for an invalid name, and for an empty element: an unset shell variable would leave a table out */
function tablesOf(list: string): readonly string[] {
  const tables = parseTableList(list);
  const wrong = tables.find((name) => parseTableName(name) === undefined);
  const gap = /(?:^|,)\s*(?:,|$)/.test(list.replaceAll(/"[^"]*"/g, "name"));
  if (wrong === undefined && !gap) return tables;
  throw new UsageError(
    wrong === undefined
      ? `--tables ${shortened(list)} has an empty element`
      : `--tables: ${shortened(wrong)} is not a valid table name`,
    "Give PDB.OWNER.TABLE (OWNER.TABLE without containers), comma-separated; quote a name that needs it: " +
      'SALES."Odd, name". Each part has at most 128 bytes.',
  );
}

function shortened(text: string): string {
  return JSON.stringify(truncate(text, 200));
}
