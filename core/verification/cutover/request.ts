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

/** What to verify. */
export interface CutoverRequest {
  /** Name of the new connector. */
  readonly connector: string;
  /** Its configuration as registered. */
  readonly config: Readonly<Record<string, string>>;
  /** The legacy connector's configuration; undefined for its defaults. */
  readonly legacyConfig: Readonly<Record<string, string>> | undefined;
  /** The legacy connector's name, if known. */
  readonly legacyConnector: string | undefined;
  readonly tables: readonly TableWanted[];
  /** Undefined for the SCN of one safety margin ago. */
  readonly checkScn: Scn | undefined;
  readonly safetyMarginMillis: number;
  /** How long to wait for the connector. */
  readonly waitMillis: number;
  /** Columns excluded from the comparison. */
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
  /** As in `tables`, or another name that matches; undefined for every table that has such a column. */
  readonly table: string | undefined;
  /** As written or in upper case; exact in double quotes. */
  readonly column: string;
}

/** Ports that a verification uses. */
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

/** Events of a running verification. */
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
