import type { TableJob } from "../../../schemas/generated/verification-job.ts";
import { Refusal, UsageError } from "../../errors.ts";
import type { DatabaseSeen } from "../../facts/database/database.ts";
import type { TableLayout } from "../../facts/tables/layout.ts";
import { fullNameOf, tableFinder } from "../../facts/tables/tables.ts";
import type { LegacyConnector } from "../../legacy/legacy-kind.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ConnectPort } from "../../ports/connect.ts";
import type { KafkaPort } from "../../ports/kafka.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import type { SpoolPort } from "../../ports/spool.ts";
import type { Config } from "../../values/config.ts";
import type { Scn } from "../../values/scn.ts";
import { parseTableName } from "../../values/table-name.ts";
import type { ByteWork } from "../byte-work.ts";
import type { UnitRunner } from "../engine/unit-runner.ts";
import type { VerifyNotice, VerifyProgress } from "../engine/watch.ts";

export interface CutoverRequest {
  readonly connector: string;
  /** Its configuration as registered. */
  readonly config: Config;
  /** The legacy connector's configuration; undefined for its defaults. */
  readonly legacyConfig: Config | undefined;
  readonly legacyConnector: string | undefined;
  /** The connector itself, if it is the legacy one, and is audited; `config` is then its translation. */
  readonly audited?: LegacyConnector | undefined;
  readonly tables: readonly TableWanted[];
  /** Undefined for the SCN of one safety margin ago. */
  readonly checkScn: Scn | undefined;
  readonly safetyMarginMillis: number;
  readonly waitMillis: number;
  readonly ignoredColumns: readonly IgnoredColumn[];
  /** Memory that the process may use, in bytes. */
  readonly memory: number;
}

/** A table by the name that an operator gave, and its topics. */
export interface TableWanted {
  /** `OWNER.TABLE`, or `PDB.OWNER.TABLE`. */
  readonly name: string;
  /** Undefined for the topic that the connector's configuration names. */
  readonly topic: string | undefined;
  readonly legacyTopic?: string | undefined;
  /**
   * Whether a plan decided on the table: the name is then the connector's exact spelling, and a missing new topic was
   * accepted as one without records.
   */
  readonly decided?: boolean;
}

/** A column by the name that an operator gave. */
export interface IgnoredColumn {
  /** A name in `tables`, or another name that matches; undefined for every table that has such a column. */
  readonly table: string | undefined;
  /** The name as written or in upper case; exact in double quotes. */
  readonly column: string;
}

export interface CutoverPorts {
  readonly connect: ConnectPort;
  readonly kafka: KafkaPort;
  readonly oracle: OraclePort;
  readonly spools: SpoolPort;
  readonly clock: Clock;
  readonly work: ByteWork;
  /** Left out to do all work in one thread. */
  readonly threads?: UnitThreads;
}

/** Threads that carry out a table's units of work, each with its own ports. */
export interface UnitThreads {
  /** Number of records and rows from which threads are worth starting. */
  readonly from: number;
  /** @param spool name of the table's spool, which this process has open */
  open(job: TableJob, spool: string): UnitRunner & { close(): Promise<void> };
}

export type CutoverEvent =
  | {
      readonly is: "check SCN";
      readonly scn: Scn;
      readonly chosen: "given" | "by the safety margin" | "by what was delivered" | "of the interrupted run";
    }
  | { readonly is: "waiting"; readonly checkScn: Scn; readonly resumeScn: Scn; readonly millis: number }
  | { readonly is: "passed"; readonly checkScn: Scn; readonly resumeScn: Scn }
  | {
      readonly is: "table";
      readonly table: string;
      readonly newTopic: string;
      readonly legacyTopic: string | undefined;
      readonly remarks: readonly string[];
    }
  | { readonly is: "notice"; readonly table: string; readonly notice: VerifyNotice }
  | { readonly is: "progress"; readonly table: string; readonly progress: VerifyProgress }
  | { readonly is: "done"; readonly table: string };

/** A table found by the name that an operator gave. */
export interface FoundTable {
  readonly layout: TableLayout;
  /** The connector's name for it: `PDB.OWNER.TABLE`, or `OWNER.TABLE` without containers. */
  readonly fullName: string;
  /** Whether the table is in a PDB that the connector names. */
  readonly inPdb: boolean;
}

/**
 * Finds tables by name, by the same rule as a plan. A table that a plan decided on is found by its exact spelling only.
 *
 * @param pdbs `cdc.database.pdbs`; empty for a database without containers
 * @returns in the order of the names
 * @throws UsageError for an invalid name, a name that matches several tables, or a table listed twice; Refusal VER104
 * if not found
 */
export async function findTables(
  oracle: OraclePort,
  wanted: readonly Pick<TableWanted, "name" | "decided">[],
  pdbs: readonly string[],
  database: DatabaseSeen,
): Promise<readonly FoundTable[]> {
  for (const { name, decided } of wanted)
    if (!decided && parseTableName(name) === undefined)
      throw new UsageError(`--table ${name} is not a valid table name`, "Write OWNER.TABLE or PDB.OWNER.TABLE.");
  const { tables } = await oracle.dictionary(pdbs);
  const named = tables.map((table) => ({ ...table, fullName: fullNameOf(table, pdbs) }));
  const find = tableFinder(named);
  const found = new Map<string, FoundTable>();
  for (const { name, decided } of wanted) {
    const fits = decided ? named.filter(({ fullName }) => fullName === name) : find(name);
    const [table, ...others] = fits;
    if (others.length > 0)
      throw new UsageError(
        `${name} matches several tables: ${fits.map(({ fullName }) => fullName).join(" and ")}`,
        'Write PDB.OWNER.TABLE. Put lower-case names in double quotes: SALES."orders".',
      );
    const layout = table && (await oracle.layout(table));
    if (table === undefined || layout === undefined)
      throw new Refusal(
        "VER104",
        `table ${name} not found in ${(pdbs.length > 0 ? pdbs : [database.connectedTo]).join(", ")}, ` +
          "or not visible to this login",
        [
          "Check the name. Put lower-case names in double quotes.",
          "GRANT SELECT ANY TABLE, SELECT ANY DICTIONARY to the login.",
        ],
      );
    if (found.has(table.fullName))
      throw new UsageError(`${name} is ${table.fullName}, which is already listed`, "List each table once.");
    found.set(table.fullName, { layout, fullName: table.fullName, inPdb: pdbs.length > 0 });
  }
  return [...found.values()];
}
