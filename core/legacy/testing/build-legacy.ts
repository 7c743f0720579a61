import type { LegacyFacts } from "../../facts/connector-facts.ts";
import type { OffsetEntry } from "../../facts/offset/stored-offset.ts";
import { type FactsParts, facts } from "../../kinds/offset-change/testing/build-facts.ts";
import type { TakeoverSettings } from "../position.ts";

/**
 * Whole, valid facts of a legacy connector that is stopped, on the database of `orders-cdc`, with nothing in the way of
 * a takeover.
 */

export const DATABASE: OffsetEntry = {
  partition: { sidPdb: "ORCLCDB.ORCLPDB1" },
  offset: { scn: "2169287", tablePlacement: "{}" },
};

/** A stored offset of `ORCLPDB1.SALES.…`. */
export function table(name: string, scn: bigint | string, cscn?: bigint | string): OffsetEntry {
  return {
    partition: { catalog: "ORCLPDB1", schema: "SALES", table: name },
    offset: { scn, ...(cscn === undefined ? {} : { cscn }), rows: 5n },
  };
}

export const MINING: TakeoverSettings = {
  captureMode: "online",
  miningMode: "auto",
  archiveDestination: undefined,
  tables: { pdbs: [] },
};

export interface LegacyParts
  extends Pick<FactsParts, "database" | "redo" | "probes" | "transactions" | "times" | "catalogue" | "unopened"> {
  readonly legacy?: Partial<LegacyFacts["legacy"]>;
  readonly offsets?: readonly OffsetEntry[];
}

export function legacyFacts({ legacy, offsets, ...parts }: LegacyParts = {}): LegacyFacts {
  const { at, worker, database, redo, probes, transactions, times } = facts(parts);
  return {
    at,
    worker,
    legacy: {
      name: "orders-legacy",
      connectorClass: "io.confluent.connect.oracle.cdc.OracleCdcSourceConnector",
      config: {
        "oracle.server": "db.prod",
        "oracle.sid": "ORCLCDB",
        "oracle.pdb.name": "ORCLPDB1",
        "use.transaction.begin.for.mining.session": "true",
      },
      status: { state: "STOPPED", worker: "worker-2:8083", tasks: [] },
      offsets: offsets ?? [DATABASE, table("ORDERS", 2170000n, "2180000"), table("LINES", "2172000", 2179000n)],
      ...legacy,
    },
    database,
    redo,
    probes,
    transactions,
    times,
  };
}
