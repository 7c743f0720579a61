import type { Definitions, ScnTime } from "../../../schemas/generated/facts.ts";
import { epochMillis, type Instant } from "../../values/instant.ts";
import type { Scn } from "../../values/scn.ts";
import type { Observed } from "../observed.ts";
import { type DatedRedo, timeAtOrBefore } from "../redo/redo.ts";

/** A captured table that may have had a DDL in a span of SCNs. */
export interface MaybeAltered {
  readonly table: string;
  readonly at: Instant;
  /** The name under which the schema topic has its layout. */
  readonly layout: string;
}

/** So shortly before the resume SCN the task takes a DDL for one ahead (reference: connector codes, CDC-6003). */
export const SLACK_MILLIS = 10_000;

const MOST_NAMED = 5;

/**
 * The captured tables that were last defined between two SCNs. A forward move compares layouts with the dictionary: a
 * table without a layout in the schema topic has none to compare. Unknown as soon as one table can't be judged.
 *
 * Rule: reference: connector rules, "Where the database may be mined".
 *
 * @param until undefined: until now, whatever the schema topic has
 */
export function alteredBetween(
  facts: DatedRedo & { readonly times: Observed<readonly ScnTime[]>; readonly ddl?: Observed<Definitions> | undefined },
  from: Scn,
  until: Scn | undefined,
): Observed<readonly MaybeAltered[]> {
  const { ddl, times } = facts;
  if (ddl === undefined)
    return { known: false, why: "when the captured tables were last defined was not read", source: "LAST_DDL_TIME" };
  if (!ddl.known) return ddl;
  const begin = timeAtOrBefore(from, facts);
  const end = times.known ? times.value.find(({ scn }) => scn === until)?.at : undefined;
  const altered: MaybeAltered[] = [];
  const open: string[] = [];
  for (const { table, lastDdl, layout } of ddl.value.tables) {
    if (until !== undefined && layout === null) continue;
    const ddlMillis = lastDdl === undefined ? undefined : epochMillis(lastDdl);
    if (ddlMillis !== undefined && begin !== undefined && ddlMillis < epochMillis(begin) - SLACK_MILLIS) continue;
    if (ddlMillis !== undefined && end !== undefined && ddlMillis > epochMillis(end) + SLACK_MILLIS) continue;
    if (lastDdl === undefined || begin === undefined || (until !== undefined && end === undefined)) open.push(table);
    else altered.push({ table, at: lastDdl, layout: layout ?? table });
  }
  if (open.length === 0) return { ...ddl, value: altered };
  const unknown = [
    ...(begin === undefined ? [`SCN ${from}`] : []),
    ...(until !== undefined && end === undefined ? [`SCN ${until}`] : []),
  ];
  return {
    known: false,
    why:
      `whether ${open.slice(0, MOST_NAMED).join(", ")}${open.length > MOST_NAMED ? ", …" : ""} had a DDL in between ` +
      `is unknown: ${unknown.length > 0 ? `the time of ${unknown.join(" and of ")}` : "LAST_DDL_TIME"} is not known`,
    source: ddl.source,
  };
}
