/** The metrics of `status` as Prometheus' own tools read them: its Python client, and promtool of Debian's package. */
import { execFile, execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { canBeHad, programOf } from "../../../providers/real/debian-program.ts";
import { pythonPackages } from "../../../providers/real/python-packages.ts";
import { ROOT } from "../../dev/bundle.ts";
import { inSandboxOf } from "../testing/in-sandbox.ts";

const real = suite("metrics in Prometheus");
const inSandbox = inSandboxOf(real);

const PROMTOOL = { names: ["promtool"], package: "prometheus" };

/** Names of connectors that end a label or a line, if they are not escaped. */
const HOSTILE = ['a"} 1\n# HELP x', "back\\slash\\", "tab\tand \u001b[2J", "\u00f6\u00df \u8868", "{a,b}="];

const READ = `
import json, sys
from prometheus_client.parser import text_string_to_metric_families
families = text_string_to_metric_families(sys.stdin.buffer.read().decode())
print(json.dumps([[s.name, s.labels, s.value] for f in families for s in f.samples]))
`;

const client = await pythonPackages("prometheus_client==0.21.1");
if (typeof client !== "string") process.stdout.write(`NOT RUN  ${client.why}\n`);
const promtool = canBeHad(PROMTOOL) ? await programOf(PROMTOOL) : undefined;
if (promtool === undefined) process.stdout.write("NOT RUN  promtool was not found; install it (Debian: prometheus)\n");

inSandbox("they are read back whole, whatever a connector is called", {}, async (sandbox, cdcctl, folder) => {
  for (const [at, name] of HOSTILE.entries())
    void sandbox.connect.cluster.create(name, { ...sandbox.config, "cdc.topic.prefix": `other${at}` }, "STOPPED");
  const file = join(folder, "cdcctl.prom");
  const seen = await cdcctl("status", "--context", "sandbox", "--metrics-file", file);
  assert.is(seen.exit, 0, seen.output);
  const text = await readFile(file, "utf8");
  if (promtool !== undefined) execFileSync(promtool, ["check", "metrics"], { input: text });
  if (typeof client !== "string") return;
  const reading = promisify(execFile)("python3", ["-c", READ], { env: { ...process.env, PYTHONPATH: client } });
  reading.child.stdin?.end(text);
  const samples = JSON.parse((await reading).stdout) as [string, Record<string, string>, number][];
  const connectors = samples.flatMap(([metric, { connector }]) =>
    metric === "cdcctl_unsettled_runs" ? connector : [],
  );
  assert.equal(connectors.sort(), ["orders-cdc", ...HOSTILE].sort());
  const [, , scn] =
    samples.find(([metric, { connector }]) => metric === "cdcctl_resume_scn" && connector === "orders-cdc") ?? [];
  assert.is(scn, 2_044_511);
});

if (promtool !== undefined)
  real("the alert rules of the examples are sound", () => {
    execFileSync(promtool, ["check", "rules", join(ROOT, "examples/monitoring/alerts.yaml")], { stdio: "pipe" });
  });

real.run();
