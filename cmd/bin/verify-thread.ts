/**
 * A thread of a verification: reads and joins the units it is given, over its own connections
 * (`cmd/session/verify-threads.ts`).
 */
import { parentPort, workerData } from "node:worker_threads";
import { inputsOf } from "../../core/verification/cutover/table-job.ts";
import { openKafka } from "../../providers/kafka/open-kafka.ts";
import { openOracle } from "../../providers/oracle/oracle-port.ts";
import { nodeBytes } from "../../providers/spool/node-bytes.ts";
import { filesOfSpool } from "../../providers/spool/spool-directory.ts";
import { serveUnits } from "../../providers/threads/serve-units.ts";
import { traced, tracing } from "../session/tracing.ts";
import { sealed, type ThreadData } from "../session/verify-threads.ts";

const { job, access, place, spool, verbose } = workerData as ThreadData;
if (parentPort === null) throw new Error("this runs in a thread");
await serveUnits(parentPort, async (report) => {
  const { brokers, database, limits } = sealed(access);
  const host = verbose ? { trace: tracing(report) } : {};
  const kafka = traced(host, "kafka", openKafka(brokers, limits.kafka));
  const oracle = traced(host, "oracle", openOracle(database, limits.oracle));
  const files = filesOfSpool(place, spool);
  return {
    inputs: inputsOf(job, { kafka, oracle }),
    files,
    work: nodeBytes,
    close: async () => {
      await Promise.allSettled([kafka.close(), oracle.close(), files.close()]);
    },
  };
});
