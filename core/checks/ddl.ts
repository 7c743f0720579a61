import type { OffsetChangeIntent, ResnapshotIntent } from "../document/intent.ts";
import { type MaybeAltered, SLACK_MILLIS } from "../facts/tables/ddl.ts";
import { epochMillis, instantOf } from "../values/instant.ts";
import { largest } from "../values/lists.ts";
import type { Advice } from "../values/remedy.ts";
import { type Check, fail, pass, unseen } from "./check.ts";
import { listed } from "./listed.ts";
import type { ConnectorReading, ResnapshotReading, SchemasRemoved } from "./readings.ts";

/** `tables`: those that the change snapshots. */
type DdlReading = Pick<ConnectorReading, "move"> &
  Pick<SchemasRemoved, "altered"> &
  Partial<Pick<ResnapshotReading, "tables">>;

type Intent = Pick<OffsetChangeIntent | ResnapshotIntent, "kind" | "origin" | "removeTableSchemas">;

const SNAPSHOT: Advice = { text: "Snapshot these tables afterwards", command: "cdcctl init resnapshot" };

/**
 * The task compares the layouts on the schema topic with the dictionary. A layout from before a DDL that was skipped
 * stops the next start, unless it was removed.
 *
 * Rule: reference: connector rules, "Where the database may be mined"; connector codes, CDC-6003.
 */
export const ddlSkipped: Check<Intent, DdlReading> = {
  code: "TAB112",
  title: "A skipped DDL may stop the next start",
  problem:
    "The schema topic holds the layout from before the DDL, and no DDL lies ahead to explain the difference: the " +
    "task stops with CDC-6003.",
  remedy:
    "Set `spec.removeTableSchemas: true`, which removes these layouts while the connector is stopped, and snapshot " +
    "the tables.",
  grade: "acceptable",

  run({ kind, removeTableSchemas }, { altered, move, tables = [] }) {
    const removes = removeTableSchemas === true;
    if (altered === undefined || move?.direction !== "forward") return pass;
    if (!altered.known) return unseen(altered);
    const left = altered.value.filter(({ table }) => !removes || !tables.includes(table));
    if (left.length === 0) return pass;
    const seen = `${changed(left)}, between the stored ${move.from} and ${move.to}`;
    if (!removes)
      return fail(`${seen}: the next start would stop with CDC-6003`, {
        remedies: [
          {
            text: "Remove their layouts from the schema topic before the move",
            setting: "spec.removeTableSchemas: true",
          },
          ...(kind === "Resnapshot" ? [] : [SNAPSHOT]),
        ],
        at: "spec.removeTableSchemas",
      });
    return fail(`${seen}: their layouts are removed, and rows skipped or of another layout are not delivered`, {
      remedies: [SNAPSHOT],
      grade: "advisory",
    });
  },
};

/**
 * The task has no dictionary in the redo in range mode: rows from before a DDL can't be decoded.
 *
 * Rule: reference: connector rules, "Where the database may be mined"; connector codes, CDC-6001.
 */
export const ddlMinedInRange: Check<unknown, DdlReading> = {
  code: "TAB113",
  title: "Rows from before a DDL would be mined by range",
  problem: "In range mode no dictionary decodes rows from before a DDL on their table: the task stops with CDC-6001.",
  remedy: "Move to an SCN after the DDL, and snapshot the tables that need the changes from before it.",
  grade: "acceptable",

  run(_intent, { altered, move }) {
    if (altered === undefined || move?.direction !== "backward") return pass;
    if (!altered.known) return unseen(altered);
    if (altered.value.length === 0) return pass;
    const clear = instantOf(largest(altered.value.map(({ at }) => epochMillis(at))) + 2 * SLACK_MILLIS);
    return fail(`${changed(altered.value)}, after the target ${move.to}`, {
      remedies: [{ text: "Move to a time after it", setting: `spec.timestamp: ${clear}` }, SNAPSHOT],
    });
  },
};

function changed(altered: readonly MaybeAltered[]): string {
  const seen = listed(altered.map(({ table, at }) => `${table} was changed at ${at}`));
  return `${seen} (LAST_DDL_TIME), which may be a DDL`;
}
