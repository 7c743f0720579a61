import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ConnectorStatus } from "../../../schemas/generated/facts.ts";
import { errorLine, hasTrace, stopIn, withRedactedTraces } from "./traces.ts";

const traces = suite("traces of a connector and its tasks");

// biome-ignore lint/suspicious/noTemplateCurlyInString: as a connector writes it
const REFERENCE = "${file:/etc/secrets:pw}";
const CONFIG = { "cdc.database.password": "hunter22", "cdc.database.url": "jdbc:oracle:thin:@//db:1521/ORCL" };

function status(trace: string): ConnectorStatus {
  return { state: "FAILED", worker: "w1", trace, tasks: [{ id: 0n, state: "FAILED", worker: "w2", trace }] };
}
/** The trace of the task, once the connector's is known to be the same. */
function shown(trace: string, config: Readonly<Record<string, string>> | undefined = CONFIG): string | undefined {
  const masked = withRedactedTraces(status(trace), config);
  assert.is(masked.trace, masked.tasks[0]?.trace);
  return masked.trace;
}

traces("a line that contains a secret is not shown; its code and the other lines are", () => {
  const redacted = shown("ConnectException: CDC-1001 login as CDC/hunter22 failed\n\tat Mining.java:7");
  assert.not.match(redacted ?? "", "hunter22");
  assert.match(
    redacted ?? "",
    /^CDC-1001: this line is redacted, because it repeats a secret of the configuration.*\n\tat Mining\.java:7$/,
  );
});

traces("a trace without secrets is shown as it is", () => {
  const trace = "ConnectException: CDC-2002 thread 1 sequence 119 is purged\n\tat Mining.java:7\n";
  assert.is(shown(trace), trace);
  assert.equal(withRedactedTraces({ state: "RUNNING", worker: "w", tasks: [] }, CONFIG), {
    state: "RUNNING",
    worker: "w",
    tasks: [],
  });
});

traces("the value of a reference is not shown where the worker repeats it as an invalid value", () => {
  const trace =
    "ConfigException: Invalid value s3c\nret for configuration cdc.database.password: too short\n\tat A.java";
  assert.is(
    shown(trace, { "cdc.database.password": REFERENCE }),
    "ConfigException: Invalid value ******** for configuration cdc.database.password\n\tat A.java",
  );
  const open = "ConfigException: Invalid value 0 for configuration cdc.poll.max.records: at least 1";
  assert.is(shown(open), open);
});

traces("a secret written with blanks around it is found without them", () => {
  assert.not.match(shown("said hunter22 here", { "cdc.database.password": " hunter22 " }) ?? "", "hunter22");
});

traces("logins in any URL are masked", () => {
  assert.not.match(shown("no answer from https://me:pa55word@registry:8081/") ?? "", "pa55word");
});

traces("a secret of several lines hides the whole trace", () => {
  const key = { "ssl.keystore.key": "-----BEGIN\nabc123\n-----END" };
  const redacted = shown("CDC-1001 bad key -----BEGIN\nabc123\n-----END\n\tat A.java", key);
  assert.match(redacted ?? "", /^CDC-1001: the trace is redacted, because it repeats a secret/);
  assert.not.match(redacted ?? "", "abc123");
});

traces("no trace is shown while the configuration is unknown", () => {
  const masked = withRedactedTraces(status("said hunter22"), undefined);
  assert.not.match(masked.trace ?? "", "hunter22");
  assert.match(masked.trace ?? "", "could not be read");
});

traces("a state has a trace where the connector or a task has one", () => {
  assert.ok(hasTrace(status("x")));
  assert.not.ok(hasTrace({ state: "RUNNING", worker: "w", tasks: [{ id: 0n, state: "RUNNING", worker: "w" }] }));
});

const RUNBOOK = "Runbook: https://kafkacdcconnector.com/runbooks/log-purged";

traces("of a stopped task says what happened, without what the connector advises", () => {
  const trace =
    "org.apache.kafka.connect.errors.ConnectException: [CDC-2002] Log 119 is gone. Operator action: Restore it. " +
    `${RUNBOOK}\n\tat sh.oso.Task.poll(Task.java:7)\nCaused by: sh.oso.Purged: [CDC-2002] Log 119 is gone.`;
  assert.equal(stopIn(trace), { code: "CDC-2002", happened: "Log 119 is gone." });
  assert.is(errorLine(trace), "CDC-2002 Log 119 is gone.");
});

traces("may repeat Oracle's message of several lines, before the frames", () => {
  const oracle = "ORA-01291: missing logfile\nORA-06512: at line 1\n\nhttps://docs.oracle.com/error-help/";
  const stop = stopIn(
    `X: [CDC-1002] A step failed: ${oracle} Operator action: Look.\nTwice. ${RUNBOOK}\n\tat A.b(A.java)`,
  );
  assert.is(
    stop?.happened,
    "A step failed: ORA-01291: missing logfile ORA-06512: at line 1 https://docs.oracle.com/error-help/",
  );
});

traces("name the code of a cause in the connector's form, but none that stands in a frame or an advice", () => {
  const wrapped = `X: Reading failed\n\tat A.b(A.java)\nCaused by: Y: [CDC-4002] Chunk 2. Operator action: Z.`;
  assert.equal(stopIn(wrapped), { code: "CDC-4002", happened: "Chunk 2." });
  assert.is(stopIn("NullPointerException\n\tat CDC-2001.run"), undefined);
  assert.is(stopIn(`X: [CDC-4004] Old. Operator action: see CDC-2002. ${RUNBOOK}`)?.code, "CDC-4004");
});

traces("without a code, or with nothing but a code, are shown by their first line", () => {
  assert.is(errorLine("java.lang.OutOfMemoryError: heap\n\tat A.b"), "java.lang.OutOfMemoryError: heap");
  assert.equal(stopIn("CDC-9999"), { code: "CDC-9999", happened: "" });
  assert.is(errorLine("CDC-9999"), "CDC-9999");
  assert.is(errorLine(undefined), "");
  assert.is(errorLine(`[CDC-3001] ${"x".repeat(900)}`, 20), "CDC-3001 xxxxxxxxxxx…");
});

traces.run();
