import { CallFailed, Refusal } from "../../errors.ts";
import type { KafkaPort } from "../../ports/kafka.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import type { Job } from "./job.ts";

/** Ports of the worker's own context, after checking that they lead to where the job was planned. */
export interface CheckedPorts {
  kafka(): Promise<KafkaPort>;
  oracle(): Promise<OraclePort>;
}

/**
 * Checks that the worker's context leads to where the job was planned, before a record or row is read. A job contains
 * no address that a login would be sent to; it can only be refused. A login that was rejected is not tried again: an
 * account is locked after a few wrong passwords, and a cluster has many workers.
 */
export function checkedPorts(
  job: Job,
  open: { kafka(): Promise<KafkaPort>; oracle(): Promise<OraclePort> },
): CheckedPorts {
  const { brokers, database, dbid, resetlogsScn } = job.inputs;
  const once = <Port>(connect: () => Promise<Port>) => {
    let connected: Promise<Port> | undefined;
    return (): Promise<Port> => {
      connected ??= connect().catch((error: unknown) => {
        if (error instanceof CallFailed && mayPass(error)) connected = undefined;
        throw error;
      });
      return connected;
    };
  };
  return {
    kafka: once(async () => {
      const kafka = await open.kafka();
      mustBe(job, "brokers", kafka.brokers, brokers);
      mustBe(job, "Kafka cluster", await kafka.clusterId(), job.clusterId);
      return kafka;
    }),
    oracle: once(async () => {
      // Its session ends before another one reads rows: a worker never has two.
      const first = await open.oracle();
      try {
        mustBe(job, "database", first.address, database);
        const seen = await first.database();
        mustBe(job, "dbid", String(seen.dbid), dbid);
        mustBe(job, "resetlogs SCN", String(seen.resetlogsScn), resetlogsScn);
      } finally {
        await first.close();
      }
      return open.oracle();
    }),
  };
}

/** Whether another attempt may succeed; any other failure would repeat. */
export function mayPass({ kind }: CallFailed): boolean {
  return kind === "unreachable" || kind === "timeout" || kind === "lost";
}

function mustBe({ context }: Job, what: string, own: string, planned: unknown): void {
  if (own === planned) return;
  throw new Refusal(
    "VER110",
    `the context ${context} leads to ${what} ${own}, but the job was planned for ${String(planned)}`,
    ["Pass the contexts file that the job was planned with to the worker (--contexts), or plan the job again."],
  );
}
