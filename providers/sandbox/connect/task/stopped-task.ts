/** Runbook of each code: `https://kafkacdcconnector.com/runbooks/SLUG` (source: `ErrorCode`). */
const RUNBOOKS = {
  "CDC-1001": "transient-database",
  "CDC-1002": "mining-step-retry",
  "CDC-2001": "log-gap",
  "CDC-2002": "log-purged",
  "CDC-3001": "decode",
  "CDC-3002": "corruption",
  "CDC-3003": "lob-too-large",
  "CDC-4001": "buffer-exhausted",
  "CDC-4002": "journal-corruption",
  "CDC-4003": "mining-stalled",
  "CDC-4004": "transaction-too-old",
  "CDC-5001": "topology",
  "CDC-5002": "privilege",
  "CDC-6001": "dictionary-unavailable",
  "CDC-6002": "unsupported-ddl",
  "CDC-6003": "schema-mismatch",
  "CDC-6004": "name-collision",
  "CDC-7001": "orphan-release-violation",
  "CDC-7002": "orphan-transaction",
  "CDC-8001": "snapshot-too-old",
} as const;

export type ErrorCode = keyof typeof RUNBOOKS;

/**
 * What stops the task, with its code: the error whose message is the trace that `status` shows (reference: connector
 * codes, form of the trace).
 */
export function stopWith(code: ErrorCode, what: string, action: string): Error {
  const runbook = `https://kafkacdcconnector.com/runbooks/${RUNBOOKS[code]}`;
  return new Error(trace(`[${code}] ${what} Operator action: ${action} Runbook: ${runbook}`));
}

/** An exception of the task's start that carries no code. */
export function stopWithoutCode(exception: string): Error {
  return new Error(trace(`Starting the capture task failed: ${exception}`));
}

function trace(message: string): string {
  return [
    `org.apache.kafka.connect.errors.ConnectException: ${message}`,
    "\tat sh.oso.connect.oracle.OracleCdcSourceTask.start(OracleCdcSourceTask.java:141)",
    "\tat " +
      "org.apache.kafka.connect.runtime.AbstractWorkerSourceTask.initializeAndStart(AbstractWorkerSourceTask.java:283)",
    "\tat org.apache.kafka.connect.runtime.WorkerTask.doStart(WorkerTask.java:176)",
    "\tat org.apache.kafka.connect.runtime.WorkerTask.run(WorkerTask.java:259)",
    "",
  ].join("\n");
}
