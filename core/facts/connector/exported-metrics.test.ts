import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readExportedMetrics, readPrometheusText } from "./exported-metrics.ts";
import { readTaskMetrics, TASK_ATTRIBUTES } from "./task-metrics.ts";

const exported = suite("metrics of the JMX exporter");
const everything = () => true;

/** The page as the JMX exporter 0.x writes it by the connector's rules, of two tasks. */
const PAGE = [
  "# HELP oracle_cdc_queue_depth Records waiting for Kafka Connect to poll.",
  "# TYPE oracle_cdc_queue_depth gauge",
  'oracle_cdc_queue_depth{server="orders",} 7900.0',
  'oracle_cdc_queue_depth{server="billing",} 1.0',
  'oracle_cdc_steps_total{server="orders",} 1.2345E4',
  'oracle_cdc_millis_behind_source{server="orders"} 45000 1759740000000',
  'oracle_cdc_scn_lag{server="orders",} NaN',
  'oracle_cdc_mined_to_scn{server="orders"} 9.007199254740993E15',
  'oracle_cdc_oldest_open_scn{server="orders"} -1.0',
  'oracle_cdc_window_logs{server="orders"} 2.5',
  'oracle_cdc_lag_replays_total{server="orders",worker="a"} 1.0',
  'oracle_cdc_lag_replays_total{server="orders",worker="b"} 2.0',
  "oracle_cdc_last_step_millis 9.0",
  "jvm_threads_current 40.0",
  "",
].join("\n");

function read(text: string, prefix = "orders") {
  const seen = readExportedMetrics(text, prefix, TASK_ATTRIBUTES);
  assert.is(seen.is, "read");
  return readTaskMetrics(seen.is === "read" ? seen.attributes : new Map(), "bean", "2026-11-20T18:00:00Z");
}

exported("a task's numbers are read by its prefix, whole and exact", () => {
  const { lag, largestTransactions } = read(PAGE);
  const values = Object.entries(lag).flatMap(([name, seen]) => (seen.known ? [[name, seen.value]] : []));
  assert.equal(Object.fromEntries(values), {
    QueueDepth: 7_900n,
    Steps: 12_345n,
    MillisBehindSource: 45_000n,
    OldestOpenScn: -1n,
  });
  const why = (name: keyof typeof lag) => (lag[name].known ? "known" : lag[name].why);
  assert.is(why("ScnLag"), "oracle_cdc_scn_lag is NaN");
  assert.match(why("MinedToScn"), "beyond 2^53");
  assert.match(why("WindowLogs"), "a fraction, not a whole number");
  assert.match(why("LagReplays"), "occurs 2 times");
  assert.match(why("LastStepMillis"), "does not export LastStepMillis for this task");
  assert.match(largestTransactions.known ? "" : largestTransactions.why, "To read it, use --jmx-url");
});

exported("the exporter's default names are read, in each of their spellings", () => {
  for (const name of ["QueueDepth", "queuedepth", "queue_depth", "QueueDepth_total"])
    assert.equal(read(`sh_oso_cdc_task_${name}{server="orders"} 7.0\n`).lag.QueueDepth, {
      known: true,
      value: 7n,
      source: "bean QueueDepth",
      at: "2026-11-20T18:00:00Z",
    });
});

exported("the label of a quoted prefix is read as the exporter's rules write it, and without its quotes", () => {
  for (const label of ['\\"orders eu\\"', "orders eu"])
    assert.equal(read(`oracle_cdc_idle_polls_total{server="${label}"} 7.0\n`, "orders eu").lag.IdlePolls, {
      known: true,
      value: 7n,
      source: "bean IdlePolls",
      at: "2026-11-20T18:00:00Z",
    });
});

exported("a page without this task names the others", () => {
  assert.equal(readExportedMetrics(PAGE, "sales", TASK_ATTRIBUTES), { is: "missing", others: ["orders", "billing"] });
  assert.equal(readExportedMetrics("", "sales", TASK_ATTRIBUTES), { is: "missing", others: [] });
});

exported("a label's value has three escapes", () => {
  const text = 'up{path="C:\\\\tmp", said = "a \\"quoted\\"\\nline" , } +Inf\n\n  # a comment\n';
  const [sample] = readPrometheusText(text, everything) as readonly { readonly labels: ReadonlyMap<string, string> }[];
  assert.equal(Object.fromEntries(sample?.labels ?? []), { path: "C:\\tmp", said: 'a "quoted"\nline' });
});

const WRONG: readonly (readonly [line: string, why: string])[] = [
  ["<html>", "does not begin with a metric name"],
  ["up", "is not a number"],
  ["up{", "a label has no name"],
  ['up{a="1}', "not quoted"],
  ['up{a="\\t"} 1', "not quoted"],
  ["up{a=1} 1", "not quoted"],
  ["up{a} 1", "has no value"],
  ['up{a="1",a="2"} 1', "twice"],
  ['up{a="1" b="2"} 1', "neither a comma nor a closing brace"],
  ["up-time 1", "an invalid character"],
  ["up 0x10", "is not a number"],
  ["up 1 2 3", "follows its value"],
  ["up 1 soon", "follows its value"],
  [`up{a="${"x".repeat(65_536)}"} 1`, "longer than"],
];

exported("an invalid line makes the page invalid, and is not repeated", () => {
  for (const [line, why] of WRONG) {
    const seen = readPrometheusText(`up 1\n${line}\n`, everything) as { readonly line: number; readonly why: string };
    assert.is(seen.line, 2, line.slice(0, 40));
    assert.match(seen.why, why);
  }
  assert.equal(readPrometheusText("up 1\nup 2", everything), { line: 2, why: "the text ends in the middle of it" });
});

exported("written metrics are read back, whatever the labels contain", async () => {
  const escaped = (text: string) => text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
  const labels = fc.dictionary(fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/), fc.string({ unit: "binary" }));
  await fc.assert(
    fc.property(labels, fc.double(), (given, value) => {
      const entries = Object.entries(given);
      const inside = entries.map(([name, held]) => `${name}="${escaped(held)}"`).join(",");
      const number = Number.isNaN(value) ? "NaN" : String(value).replace("Infinity", "Inf").replace(/^Inf/, "+Inf");
      const seen = readPrometheusText(`up{${inside}} ${number}\n`, everything);
      assert.equal(seen, [{ name: "up", labels: new Map(entries), value }]);
    }),
  );
});

exported("no text hangs it or makes it throw", async () => {
  const pieces = fc.constantFrom("up", "{", "}", '"', "\\", ",", "=", " ", "\n", "1", "NaN", "#", "a", "\r");
  await fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      readExportedMetrics(parts.join(""), "orders", TASK_ATTRIBUTES);
    }),
  );
});

exported.run();
