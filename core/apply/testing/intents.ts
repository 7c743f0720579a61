import type { OffsetChangeIntent, ResnapshotIntent } from "../../document/intent.ts";
import { CONNECTOR } from "./story.ts";

/** A move to an SCN, forward ones allowed. */
export function moveTo(scn: bigint, more: Partial<OffsetChangeIntent> = {}): OffsetChangeIntent {
  return {
    kind: "OffsetChange",
    metadata: { name: "replay", reason: "replay", ticket: undefined },
    target: { context: undefined, connectUrl: "http://w:8083", connector: CONNECTOR },
    origin: { by: "plan file", file: undefined, lines: {} },
    position: { to: "scn", scn },
    allowSkip: true,
    forgetReleased: "none",
    resume: true,
    opsFormat: undefined,
    accept: [],
    ...more,
  };
}

/** A snapshot of two tables, one of a name that holds a comma; the others are said to have had no changes. */
export function snapshotAgain(more: Partial<ResnapshotIntent> = {}): ResnapshotIntent {
  return {
    kind: "Resnapshot",
    metadata: { name: "after-purge", reason: "archived logs purged", ticket: undefined },
    target: { context: undefined, connectUrl: "http://w:8083", connector: CONNECTOR },
    origin: { by: "plan file", file: undefined, lines: {} },
    tables: ["ORCLPDB1.SALES.ORDERS", 'ORCLPDB1.SALES."LINES, OLD"'],
    skipGapForUnlistedTables: "all",
    readRowScns: false,
    waitForTransactions: undefined,
    waitForAck: undefined,
    resume: true,
    opsFormat: undefined,
    accept: [],
    ...more,
  };
}
