/** Names of the connector's runbooks, by code (its ErrorCode). */
const RUNBOOKS: Readonly<Record<string, string>> = {
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
};

/** The message of the connector's error: `[CDC-nnnn] what happened Operator action: … Runbook: …`. */
export function stopMessage(code: string, happened: string, action = "Read the runbook and restart the task."): string {
  const runbook = `https://kafkacdcconnector.com/runbooks/${RUNBOOKS[code] ?? code}`;
  return `[${code}] ${happened} Operator action: ${action} Runbook: ${runbook}`;
}

/**
 * The trace with which the connector's task stops at its start. Rule: reference: connector codes (form of the trace).
 *
 * @param happened a sentence
 */
export function stopTrace(code: string, happened: string, action?: string): string {
  const message = stopMessage(code, happened, action);
  return [
    `org.apache.kafka.connect.errors.ConnectException: ${message}`,
    "\tat sh.oso.connect.oracle.OracleCdcSourceTask.start(OracleCdcSourceTask.java:141)",
    "\tat " +
      "org.apache.kafka.connect.runtime.AbstractWorkerSourceTask.initializeAndStart(AbstractWorkerSourceTask.java:283)",
    "\tat org.apache.kafka.connect.runtime.WorkerTask.doStart(WorkerTask.java:176)",
    "\tat org.apache.kafka.connect.runtime.WorkerTask.run(WorkerTask.java:259)",
    `Caused by: sh.oso.connect.oracle.core.errors.OracleCdcException: ${message}`,
    "\t... 4 more",
    "",
  ].join("\n");
}
