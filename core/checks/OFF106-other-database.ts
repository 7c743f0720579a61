import type { ConnectorKind } from "../document/intent.ts";
import { fromElsewhere } from "../facts/offset/origin.ts";
import { type Check, fail, pass, unknown } from "./check.ts";

/**
 * SCNs of another database, or of an earlier incarnation, mean nothing in this one. The connector refuses such an
 * offset too; it takes one that does not say where it is from.
 *
 * Rule: reference: wire formats, "Stored offset" (`dbid`, `resetlogs_scn`).
 */
export const otherDatabase: Check<ConnectorKind> = {
  code: "OFF106",
  title: "The stored offset belongs to another database or incarnation",
  problem:
    "Its SCNs were taken elsewhere: mining from them here would lose or repeat changes without anybody noticing.",
  remedy: "Check `cdc.database.*` of the connector.",
  grade: "refusal",
  unknown: "advisory",

  run(_intent, { stored, facts: { database, connector } }) {
    if (stored.state !== "stored") return pass;
    const found = fromElsewhere(stored.offset, database, connector.name);
    if (found !== undefined) return fail({ seen: found.seen, remedies: found.remedies });
    const { dbid, resetlogsScn } = stored.offset;
    return dbid === undefined || resetlogsScn === undefined
      ? unknown(
          `the stored offset does not say in which ${dbid === undefined ? "database" : "incarnation"} it was ` +
            "taken; whether it is this one can't be told",
        )
      : pass;
  },
};
