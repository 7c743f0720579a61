import type { IncomingMessage, ServerResponse } from "node:http";
import { type Listener, listen } from "../connect/listener.ts";
import type { TaskJvmOptions, TaskValues } from "./task-jvm.ts";

/** Prometheus' JMX exporter in the worker, with the rules that come with the connector. */
export interface TaskExporter extends Pick<Listener, "port" | "close"> {
  readonly url: string;
  /** Requests so far: the path, and the login that came with it. */
  readonly requests: readonly { readonly path: string; readonly authorization: string | undefined }[];
  /** Replaces the answers from now on; undefined: the answers of an exporter. */
  answer(rule: ((request: IncomingMessage, response: ServerResponse, page: string) => void) | undefined): void;
}

/** Counters are exported with `_total` (the connector's reference "Metrics"). */
const COUNTERS: readonly string[] = [
  "IdlePolls",
  "LagReplays",
  "RowsMined",
  "StepTimeouts",
  "Steps",
  "TransactionsCommitted",
];

export async function startTaskExporter({
  prefix,
  values,
}: Pick<TaskJvmOptions, "prefix" | "values">): Promise<TaskExporter> {
  const requests: { path: string; authorization: string | undefined }[] = [];
  let rule: Parameters<TaskExporter["answer"]>[0];
  const listener = await listen(0, undefined, (request, response) => {
    requests.push({ path: request.url ?? "", authorization: request.headers.authorization });
    const page = pageOf(prefix, values());
    if (rule !== undefined) return rule(request, response, page);
    response.writeHead(request.url === "/metrics" ? 200 : 404, { "content-type": "text/plain; version=0.0.4" });
    response.end(request.url === "/metrics" ? page : "not found\n");
  });
  return {
    port: listener.port,
    url: `http://127.0.0.1:${listener.port}/metrics`,
    requests,
    answer(wanted) {
      rule = wanted;
    },
    close: () => listener.close(),
  };
}

/** Doubles, as Java prints them: whole numbers from ten million on with an exponent. */
function pageOf(prefix: string, { lag = {} }: TaskValues): string {
  const lines = Object.entries(lag).flatMap(([attribute, value]) => {
    const snake = attribute.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
    const isCounter = COUNTERS.includes(attribute);
    const name = `oracle_cdc_${snake}${isCounter ? "_total" : ""}`;
    const number = value < 10_000_000n ? `${value}.0` : Number(value).toExponential().replace("e+", "E");
    return [`# TYPE ${name} ${isCounter ? "counter" : "gauge"}`, `${name}{server="${prefix}",} ${number}`];
  });
  return [...lines, 'jvm_memory_used_bytes{area="heap"} 2.68435456E8', ""].join("\n");
}
