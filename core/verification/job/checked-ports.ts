import { CallFailed, Refusal } from "../../errors.ts";
import type { KafkaPort } from "../../ports/kafka.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import type { Job } from "./job.ts";

/** Ports of the worker's own context, once they are known to lead to where the job was planned. */
export interface CheckedPorts {
  kafka(): Promise<KafkaPort>;
  oracle(): Promise<OraclePort>;
}

/**
 * Compares where the worker's context leads with where the job was planned, before a record or row is read. A job names
 * no host that a login would go to; it can only be refused. What refused a login is not asked again: an account is
 * locked after a few wrong passwords, and a cluster has many workers.
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
      // Its session ends before rows are read by another one: a worker never has two.
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

/** Whether the other side may be back for another attempt: everything else would fail again. */
export function mayPass({ kind }: CallFailed): boolean {
  return kind === "unreachable" || kind === "timeout" || kind === "lost";
}

function mustBe({ context }: Job, what: string, own: string, planned: unknown): void {
  if (own === planned) return;
  throw new Refusal(
    "VER110",
    `the context ${context} leads to the ${what} ${own}, and the job is of ${String(planned)}`,
    ["Give the worker the contexts file that the job was planned with (--contexts), or plan the job again."],
  );
}
