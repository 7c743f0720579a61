/** Pages that are no genuine page of a worker's JMX exporter: one clear message each, and nothing of them repeated. */
import { gzipSync } from "node:zlib";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CONNECTOR, type Sandbox, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { scenarioNamed } from "../../providers/sandbox/scenarios.ts";
import { runHere } from "../behaviour/run-command.ts";

/** No output may contain it: what a page says is the worker's. */
const CANARY = "canary-metrics-83d1";
const ESCAPES = "\u001b[2J\u202e";

interface PageRow {
  readonly page: string;
  /** Changes the genuine page. */
  readonly body: (page: string) => string | Buffer;
  readonly exit: 0 | 1;
  readonly says: RegExp;
}

const NOT_THE_FORMAT = /of the answer is not in Prometheus' text format/;
/** The attribute alone is not known then; the rest of the page counts. */
const unknown = (why: RegExp): Pick<PageRow, "exit" | "says"> => ({ exit: 0, says: why });
const withValue = (value: string) => (page: string) =>
  page.replace(/^(oracle_cdc_queue_depth\{.*\}) .*$/m, `$1 ${value}`);
const withLine = (line: string) => (page: string) => `${page}${line}\n`;

const PAGES: readonly PageRow[] = [
  {
    page: "a sign-in page",
    body: () => `<!doctype html>\n<html><body><h1>${CANARY}</h1></body></html>\n`,
    exit: 1,
    says: NOT_THE_FORMAT,
  },
  { page: "JSON", body: () => `{"error": "${CANARY}"}\n`, exit: 1, says: NOT_THE_FORMAT },
  { page: "an empty page", body: () => "", exit: 1, says: /no metrics of a task/ },
  { page: "compressed bytes", body: (page) => gzipSync(page), exit: 1, says: NOT_THE_FORMAT },
  {
    page: "a page that ends in the middle of a line",
    body: (page) => `${page}oracle_cdc_steps_total{server="${CANARY}`,
    exit: 1,
    says: /ends in the middle of it/,
  },
  {
    page: "a page of 17 MB",
    body: (page) => `${page}${`up{a="${CANARY}"} 1\n`.repeat(17_000_000 / 30)}`,
    exit: 1,
    says: /the answer has more than 16\.8 MB/,
  },
  {
    page: "a line of 70,000 characters",
    body: withLine(`up{a="${"x".repeat(70_000)}"} 1`),
    exit: 1,
    says: /longer than 65,536 characters/,
  },
  { page: "a label named __proto__", body: withLine(`up{__proto__="${CANARY}"} 1`), exit: 0, says: /queue|Kafka/ },
  {
    page: "a task's label named __proto__",
    body: (page) => page.replaceAll("{server=", "{__proto__="),
    exit: 1,
    says: /no metrics of a task for the topic prefix orders/,
  },
  { page: "a label's name with an escape", body: withLine(`up{${ESCAPES}="1"} 1`), exit: 1, says: NOT_THE_FORMAT },
  { page: "a label's name with a quote", body: withLine(`up{a"b="${CANARY}"} 1`), exit: 1, says: NOT_THE_FORMAT },
  { page: "a label without a value", body: withLine("up{server} 1"), exit: 1, says: NOT_THE_FORMAT },
  {
    page: "a task whose prefix moves the cursor",
    body: (page) => page.replaceAll('"orders"', `"${ESCAPES}"`),
    exit: 1,
    says: /no metrics of a task for the topic prefix orders; it has metrics for \S+/,
  },
  {
    page: "a thousand tasks",
    body: (page) =>
      page.replaceAll('"orders"', '"t0"') +
      Array.from({ length: 1000 }, (_, i) => `oracle_cdc_queue_depth{server="t${i + 1}"} 1\n`).join(""),
    exit: 1,
    says: /no metrics of a task for the topic prefix orders/,
  },
  { page: "a text for a number", body: withValue(CANARY), exit: 1, says: NOT_THE_FORMAT },
  { page: "no number", body: withValue(""), exit: 1, says: NOT_THE_FORMAT },
  { page: "a hexadecimal number", body: withValue("0x10"), exit: 1, says: NOT_THE_FORMAT },
  { page: "NaN", body: withValue("NaN"), ...unknown(/oracle_cdc_queue_depth is NaN/) },
  { page: "an infinite number", body: withValue("+Inf"), ...unknown(/oracle_cdc_queue_depth is Infinity/) },
  { page: "a fraction", body: withValue("0.5"), ...unknown(/a fraction, not a whole number/) },
  { page: "a number beyond doubles", body: withValue("1e400"), ...unknown(/oracle_cdc_queue_depth is Infinity/) },
  {
    page: "the same sample twice",
    body: (page) => `${page + (/^oracle_cdc_queue_depth.*$/m.exec(page)?.[0] ?? "")}\n`,
    ...unknown(/occurs 2 times/),
  },
];

const pages = suite<{ sandbox: Sandbox }>("a page of the JMX exporter");

pages.before(async (context) => {
  context.sandbox = await startSandbox(scenarioNamed("lag-kafka").options);
});
pages.after(({ sandbox }) => sandbox.close());

for (const { page, body, exit, says } of PAGES)
  pages(`with ${page} is reported as such`, async ({ sandbox }) => {
    sandbox.exporter?.answer((_request, response, genuine) =>
      response.writeHead(200, { "content-type": "text/plain" }).end(body(genuine)),
    );
    const ended = await runHere(
      [
        ...["doctor", "explain-lag", "--connect-url", sandbox.connect.url, "--connector", CONNECTOR],
        ...["--metrics-url", sandbox.exporter?.url ?? "", "--interval", "10ms", "--format", "json"],
      ],
      { env: { HOME: "/nonexistent" } },
    );
    assert.is(ended.exit, exit, ended.output);
    assert.match(ended.output.replace(/\s+/g, " "), says);
    for (const never of [CANARY, ESCAPES, "This is a bug"]) assert.not.ok(ended.output.includes(never), ended.output);
    assert.ok(ended.output.length < 100_000);
  });

pages.run();
