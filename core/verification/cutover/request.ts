import type { Clock } from "../../ports/clock.ts";
import type { ConnectPort } from "../../ports/connect.ts";
import type { KafkaPort } from "../../ports/kafka.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import type { SpoolPort } from "../../ports/spool.ts";
import type { Scn } from "../../values/scn.ts";
import type { ByteWork } from "../byte-work.ts";
import type { VerifyNotice, VerifyProgress } from "../engine/progress.ts";
import type { UnitRunner } from "../engine/unit-runner.ts";
import type { TableJob } from "./table-job.ts";

/** What is to be verified. */
export interface CutoverRequest {
  /** Name of the new connector. */
  readonly connector: string;
  /** Its configuration, as it is registered. */
  readonly config: Readonly<Record<string, string>>;
  /** The legacy connector's; undefined: its defaults. */
  readonly legacyConfig: Readonly<Record<string, string>> | undefined;
  /** The legacy connector's name, where it is known. */
  readonly legacyConnector: string | undefined;
  readonly tables: readonly TableWanted[];
  /** Undefined: the SCN of the safety margin ago. */
  readonly checkScn: Scn | undefined;
  readonly safetyMarginMillis: number;
  /** How long the connector is waited for. */
  readonly waitMillis: number;
  /** Left out of the comparison. */
  readonly ignoredColumns: readonly IgnoredColumn[];
  /** What the process may use, in bytes. */
  readonly memory: number;
}

/** A table by the name that an operator writes, and its topics. */
export interface TableWanted {
  /** `OWNER.TABLE`, or `PDB.OWNER.TABLE`. */
  readonly name: string;
  /** Undefined: the one that the connector's configuration names. */
  readonly topic: string | undefined;
  readonly legacyTopic: string | undefined;
  /**
   * By a plan: the name is the connector's own spelling and stands for no other table, and a new topic that is not
   * there was accepted as one without records.
   */
  readonly decided?: boolean;
}

/** A column as an operator names it. */
export interface IgnoredColumn {
  /** As `tables` has it, or another name that fits it; undefined: of every table that has such a column. */
  readonly table: string | undefined;
  /** As it is written, or in capitals; in double quotes to the letter. */
  readonly column: string;
}

/** Whom a verification asks. */
export interface CutoverPorts {
  readonly connect: ConnectPort;
  readonly kafka: KafkaPort;
  readonly oracle: OraclePort;
  readonly spools: SpoolPort;
  readonly clock: Clock;
  readonly work: ByteWork;
  /** Left out: one thread does it all. */
  readonly threads?: UnitThreads;
}

/** Threads that carry out a table's units of work, each with ports of its own. */
export interface UnitThreads {
  /** Records and rows from which on they are worth starting. */
  readonly from: number;
  /** @param spool the name of the table's spool, which this process has open */
  open(job: TableJob, spool: string): UnitRunner & { close(): Promise<void> };
}

/** What happens while a verification runs. */
export type CutoverEvent =
  | {
      readonly is: "check SCN";
      readonly scn: Scn;
      readonly chosen: "given" | "by the safety margin" | "of the interrupted run";
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
