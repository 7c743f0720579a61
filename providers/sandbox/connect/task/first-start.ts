import type { Json } from "../../../../core/values/json.ts";
import type { OracleWorld } from "../../oracle/world.ts";
import { stopWith } from "./stopped-task.ts";

/** What a first start reads from the database. */
export interface FirstStartSource {
  currentScn(): bigint;
  readonly database: { readonly dbid: bigint; readonly resetlogsScn: bigint };
  readonly transactions?: OracleWorld["transactions"];
}

/**
 * The offset of a connector that has none: from `cdc.start.scn` or the current SCN, and if transactions are open in
 * captured containers, from the start of the oldest one, with the three fields of the first-start cut.
 *
 * Rule: reference, connector rules, "The first-start cut"; source: `Position.firstStart`, `PositionCodec.write`.
 *
 * @throws Error with CDC-5001 for a start SCN that the database has not reached
 */
export function firstOffset(
  config: Readonly<Record<string, string>>,
  { currentScn, database, transactions = [] }: FirstStartSource,
): Record<string, Json> {
  const current = currentScn();
  const configured = /^\d+$/.test(config["cdc.start.scn"] ?? "") ? BigInt(config["cdc.start.scn"] ?? "") : undefined;
  if (configured !== undefined && configured > current)
    throw stopWith(
      "CDC-5001",
      `cdc.start.scn ${configured} is ahead of the database's current SCN ${current}`,
      "Set cdc.start.scn to an SCN the database has reached, or leave it empty.",
    );
  const startScn = configured ?? current;
  // The open transactions are read after the open SCN, which is never above the start SCN.
  const openScn = startScn;
  const open = transactions.filter(({ container }) => isCaptured(container));
  const from = open.reduce((lowest, one) => (one.startScn < lowest ? one.startScn : lowest), openScn);
  const xids = open.map(({ container, usn, slot, sequence }) => `${container}:${usn}.${slot}.${sequence}`).sort();
  return {
    ...{ v: 1n, resume_scn: from, last_commit_scn: 0n, last_commit_xid: null, last_commit_thread: 0n },
    ...{ event_index: 0n, journal_generation: 0n, schema_epoch: 0n },
    ...{ dbid: database.dbid, resetlogs_scn: database.resetlogsScn },
    ...{ released_xids: null, snapshot: null, resume_rs_id: null, resume_ssn: null },
    ...{ last_commit_rs_id: null, last_commit_ssn: null },
    ...(from >= startScn
      ? {}
      : { start_floor_scn: startScn, start_open_scn: openScn, start_open_xids: xids.join(",") }),
  };
}

/** The root's own transactions touch no captured table. A transaction's container is 0 in a database without them. */
const isCaptured = (container: bigint): boolean => container !== 1n;
