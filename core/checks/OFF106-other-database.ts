import type { ConnectorKind } from "../document/intent.ts";
import { type Check, fail, pass, unknown } from "./check.ts";

/**
 * SCNs of another database, or of an earlier incarnation, mean nothing in this one. The connector refuses such an offset too; it takes one that
 * does not say where it is from.
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
    const { dbid, resetlogsScn } = stored.offset;
    const otherDbid = dbid !== undefined && dbid !== database.dbid;
    const otherIncarnation = resetlogsScn !== undefined && resetlogsScn !== database.resetlogsScn;
    if (!otherDbid && !otherIncarnation) {
      return dbid === undefined || resetlogsScn === undefined
        ? unknown(
            `the stored offset does not say in which ${dbid === undefined ? "database" : "incarnation"} it was taken; whether it is this one can't be told`,
          )
        : pass;
    }
    return fail({
      seen: otherDbid
        ? `the stored offset was taken in the database with dbid ${dbid}; connected is ${database.name} with dbid ${database.dbid}`
        : `the stored offset was taken in the incarnation with resetlogs SCN ${resetlogsScn}; ${database.name} was opened with RESETLOGS at ${database.resetlogsScn} since`,
      remedies: [
        "The wrong database is configured:  correct cdc.database.* of the connector; nothing is lost.",
        "The database was moved or opened with RESETLOGS:  snapshot every table again. In this order: stop the connector; DELETE " +
          `/connectors/${connector.name}/offsets; start it with cdc.snapshot.mode=initial. Deletes between the last delivered commit and the snapshot are lost, and so are all intermediate versions.`,
        "The consumers can do without the changes since:  the same with cdc.snapshot.mode=none and cdc.start.scn. Every change between the stored position and that SCN is lost.",
      ],
    });
  },
};
