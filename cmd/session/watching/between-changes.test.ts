/** `status --fail-on` and `--metrics-file`, by the real command against the sandbox. */
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { CONNECTOR, type Sandbox } from "../../../providers/sandbox/sandbox.ts";
import { contexts, planFile } from "../../../providers/sandbox/scenario.ts";
import { ROOT } from "../../dev/bundle.ts";
import { schemaTester } from "../../views/testing/schema.ts";
import { inSandboxOf } from "../testing/in-sandbox.ts";
import { runApart } from "../testing/run-apart.ts";

const watching = suite("status between changes");
const inSandbox = inSandboxOf(watching);

const IN = ["--context", "sandbox"];
const ALL = "unsettled,undone,in-flight,lag=30m,redo-retention=24h";
const flat = (text: string) => text.replaceAll(/\s+/g, " ");

/** An apply that is cut off after it was announced. @param state of the machine that applies */
async function cutOff(sandbox: Sandbox, folder: string, state: string): Promise<void> {
  sandbox.connect.fail(({ method }) => (method === "PATCH" ? "disconnect-before" : undefined));
  const plan = join(folder, "ben.yaml");
  await writeFile(plan, planFile("orders-replay", "replay", "scn: 2010000", "resume: false"));
  const env = {
    CDCCTL_OPERATOR: "ben",
    CDCCTL_STATE: join(folder, state),
    CDCCTL_CONTEXTS: join(folder, "contexts.yaml"),
  };
  const seen = await runApart(["apply", plan, "--yes", "--settle", "100ms"], env);
  assert.is(seen.exit, 3, seen.output);
  sandbox.connect.fail(undefined);
}

/** What `--fail-on` printed of each condition: whether it holds, and what was seen. */
function conditionsIn(stdout: string): Readonly<Record<string, readonly [result: string, seen: string]>> {
  const { conditions } = JSON.parse(stdout) as {
    readonly conditions: readonly { readonly condition: string; readonly verdict: string; readonly seen: string }[];
  };
  return Object.fromEntries(conditions.map(({ condition, verdict, seen }) => [condition, [verdict, seen]]));
}

inSandbox("has a line for each condition, and exits with 0 where all hold", {}, async (_sandbox, cdcctl) => {
  const holding = "unsettled,undone,in-flight,lag=30m,redo-retention=1h";
  const seen = await cdcctl("status", ...IN, "--fail-on", holding);
  assert.is(seen.exit, 0, seen.output);
  for (const condition of holding.split(","))
    assert.match(seen.stdout, new RegExp(`^  ${condition} +holds `, "m"), condition);
  const json = await cdcctl("status", ...IN, "--fail-on", holding, "--format", "json");
  schemaTester("run.schema.json")(json.stdout);
  assert.equal(Object.keys(conditionsIn(json.stdout)), holding.split(","));
});

inSandbox("fails on a lag above its limit, and on less redo than asked for", {}, async (sandbox, cdcctl) => {
  const late = await cdcctl("status", ...IN, "--fail-on", "lag=10s");
  assert.is(late.exit, 1, late.output);
  assert.match(flat(late.stdout), `lag=10s FAILS ${CONNECTOR}: 49 s behind`);
  // Nothing was ever deleted: 24 h may be kept, or not.
  const young = await cdcctl("status", ...IN, "--fail-on", "redo-retention=24h", "--format", "json");
  assert.is(young.exit, 1);
  assert.is(conditionsIn(young.stdout)["redo-retention=24h"]?.[0], "unknown");
  const [oldest] = sandbox.oracle.archivedLogs;
  for (const log of sandbox.oracle.archivedLogs)
    if (log.sequence === oldest?.sequence) Object.assign(log, { deleted: true, status: "D", name: null });
  const short = await cdcctl("status", ...IN, "--fail-on", "redo-retention=24h", "--format", "json");
  assert.is(short.exit, 1);
  assert.is(conditionsIn(short.stdout)["redo-retention=24h"]?.[0], "fail", short.stdout);
});

inSandbox(
  "sees a change of another machine, and does not say that nothing runs",
  {},
  async (sandbox, cdcctl, folder) => {
    await cutOff(sandbox, folder, "elsewhere");
    const seen = await cdcctl("status", ...IN, "--fail-on", "unsettled,in-flight");
    assert.is(seen.exit, 1, seen.output);
    assert.not.match(seen.stdout, "no runs here");
    assert.match(
      flat(seen.stdout),
      /in-flight FAILS orders-cdc: a change by ben \(self-asserted\) is in flight, run \d/,
    );
    assert.match(flat(seen.stdout), "unsettled holds");
  },
);

inSandbox("exits with 3 for an unsettled run of this machine", {}, async (sandbox, cdcctl, folder) => {
  await cutOff(sandbox, folder, "state");
  const seen = await cdcctl("status", "--fail-on", "lag=30m,unsettled");
  assert.is(seen.exit, 3, seen.output);
  assert.match(flat(seen.stdout), /unsettled FAILS orders-cdc: run \S+ is not settled/);
  const other = await cdcctl("status", "--fail-on", "lag=30m");
  assert.is(other.exit, 0, "only the conditions that are named decide");
});

inSandbox("exits with 3 for a change of another machine that was undone", {}, async (sandbox, cdcctl, folder) => {
  const before = sandbox.stored();
  assert.ok(before);
  const plan = join(folder, "ben.yaml");
  await writeFile(plan, planFile("orders-replay", "replay", "scn: 2010000", "resume: false"));
  const env = { CDCCTL_STATE: join(folder, "elsewhere"), CDCCTL_CONTEXTS: join(folder, "contexts.yaml") };
  const applied = await runApart(["apply", plan, "--yes", "--settle", "100ms"], env);
  assert.is(applied.exit, 0, applied.output);
  assert.is((await cdcctl("status", ...IN, "--fail-on", "undone")).exit, 0);
  sandbox.connect.cluster.alter(CONNECTOR, [{ partition: { server: "orders" }, offset: before }]);
  const seen = await cdcctl("status", ...IN, "--fail-on", "undone");
  assert.is(seen.exit, 3, seen.output);
  assert.match(flat(seen.stdout), "undone FAILS orders-cdc: ");
});

inSandbox("never takes an unknown fact for a pass, and says what it could not read", {}, async (sandbox, cdcctl) => {
  const nowhere = await cdcctl("status", "--fail-on", ALL, "--format", "json");
  assert.is(nowhere.exit, 1, nowhere.output);
  const { unsettled, ...others } = conditionsIn(nowhere.stdout);
  assert.is(unsettled?.[0], "pass", "it needs no system");
  for (const [verdict, seen] of Object.values(others)) {
    assert.is(verdict, "unknown");
    assert.match(seen, "no CDC connector was found");
  }
  sandbox.failBroker(() => "disconnect-before");
  const broker = await cdcctl("status", ...IN, "--fail-on", "undone,in-flight,lag=30m", "--format", "json");
  assert.is(broker.exit, 1, broker.output);
  const read = conditionsIn(broker.stdout);
  assert.is(read["undone"]?.[0], "unknown");
  assert.is(read["in-flight"]?.[0], "unknown");
  assert.match(read["in-flight"]?.[1] ?? "", /127\.0\.0\.1/);
  assert.is(read["lag=30m"]?.[0], "pass");
  sandbox.connect.fail(() => "disconnect-before");
  const workers = await cdcctl("status", ...IN, "--fail-on", "lag=30m");
  assert.is(workers.exit, 1, workers.output);
});

inSandbox("refuses conditions that it cannot read, before it reads anything", {}, async (sandbox, cdcctl) => {
  sandbox.connect.fail(() => "disconnect-before");
  for (const [typed, says] of [
    ["lagg=30m", "did you mean lag?"],
    ["lag", "lag needs a duration"],
    ["lag=soon", "lag needs a duration"],
    ["lag=1h=2h", "lag needs a duration"],
    ["unsettled=3", "unsettled takes no value"],
    ["unsettled,", "empty condition"],
    ["__proto__", "not a condition"],
  ] as const) {
    const seen = await cdcctl("status", ...IN, "--fail-on", typed);
    assert.is(seen.exit, 64, typed);
    assert.match(flat(seen.stderr), says);
  }
  const offline = await cdcctl("status", ...IN, "--no-check", "--fail-on", "lag=1h");
  assert.is(offline.exit, 64, offline.output);
});

inSandbox("writes metrics, and an old value is never left behind", {}, async (sandbox, cdcctl, folder) => {
  const file = join(folder, "cdcctl.prom");
  const watch = () => cdcctl("status", ...IN, "--metrics-file", file);
  const labels = `{connector="${CONNECTOR}",context="sandbox"}`;
  assert.is((await watch()).exit, 0);
  const first = await readFile(file, "utf8");
  assert.match(first, `cdcctl_unsettled_runs${labels} 0\n`);
  assert.match(first, `cdcctl_resume_scn${labels} 2044511\n`);
  assert.match(first, new RegExp(`^cdcctl_lag_seconds\\${labels} 49`, "m"));
  assert.match(first, new RegExp(`^cdcctl_redo_retention_left_seconds\\${labels} \\d+`, "m"));
  assert.match(first, `cdcctl_change_in_flight${labels} 0\n`);
  assert.not.match(first, "cdcctl_last_change_timestamp_seconds{");
  assert.is((await stat(file)).mode & 0o777, 0o644, "node_exporter reads it as another user");
  await cutOff(sandbox, folder, "elsewhere");
  assert.is((await watch()).exit, 3, "as without the file");
  const second = await readFile(file, "utf8");
  assert.match(second, `cdcctl_change_in_flight${labels} 1\n`);
  assert.match(
    second,
    /^cdcctl_last_change_timestamp_seconds\{connector="orders-cdc",context="sandbox",outcome="applying"\} \d{10}/m,
  );
  sandbox.failBroker(() => "disconnect-before");
  await watch();
  const third = await readFile(file, "utf8");
  assert.not.match(third, "cdcctl_change_in_flight{");
  assert.match(third, `cdcctl_read_failed{connector="${CONNECTOR}",context="sandbox",fact="in-flight"} 1\n`);
  assert.match(third, `cdcctl_read_failed{connector="${CONNECTOR}",context="sandbox",fact="lag"} 0\n`);
  sandbox.connect.fail(() => "disconnect-before");
  assert.is((await watch()).exit, 1);
  const fourth = await readFile(file, "utf8");
  assert.not.match(fourth, "cdcctl_resume_scn{");
  assert.match(fourth, 'cdcctl_read_failed{connector="other connectors",context="sandbox",fact="lag"} 1\n');
});

inSandbox("is what the CronJob of the examples runs", {}, async (sandbox, cdcctl, folder) => {
  const manifest = parse(await readFile(join(ROOT, "examples/monitoring/cronjob.yaml"), "utf8"));
  const { containers, volumes } = manifest.spec.jobTemplate.spec.template.spec;
  const [{ args, volumeMounts }] = containers;
  const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);
  assert.equal(names(volumeMounts), names(volumes));
  await writeFile(join(folder, "contexts.yaml"), contexts(sandbox).replace("  sandbox:", "  prod:"), { mode: 0o600 });
  const here = (arg: string) => arg.replace(/=\/(?:etc\/cdcctl|metrics|tmp)\//, `=${folder}/`);
  const seen = await cdcctl(...args.map(here));
  // Nothing was ever deleted here: how long redo is kept is not known.
  assert.is(seen.exit, 1, seen.output);
  assert.match(
    flat(seen.stdout),
    /undone holds .*in-flight holds .*lag=30m holds .*redo-retention=24h FAILS: could not/,
  );
  assert.match(await readFile(join(folder, "cdcctl.prom"), "utf8"), `cdcctl_lag_seconds{connector="${CONNECTOR}"`);
});

inSandbox("does not write metrics over another file", {}, async (_sandbox, cdcctl, folder) => {
  const seen = await cdcctl("status", ...IN, "--metrics-file", join(folder, "contexts.yaml"));
  assert.is(seen.exit, 64, seen.output);
  assert.match(flat(seen.stderr), "it already exists and is not a metrics file written by cdcctl");
  assert.match(await readFile(join(folder, "contexts.yaml"), "utf8"), "contexts:");
});

inSandbox("history --ops lists the changes of every machine", {}, async (sandbox, cdcctl, folder) => {
  const none = await cdcctl("history", "--ops", ...IN);
  assert.is(none.exit, 0, none.output);
  assert.is(none.stdout, "no change is recorded\n");
  await cutOff(sandbox, folder, "elsewhere");
  const seen = await cdcctl("history", "--ops", ...IN);
  assert.is(seen.exit, 0, seen.output);
  assert.match(flat(seen.stdout), /\d\d:\d\d:\d\dZ orders-cdc ben .*2044511 2010000 in flight/);
  const json = await cdcctl("history", "--ops", ...IN, "--format", "json");
  schemaTester("run.schema.json")(json.stdout);
  const { changes } = JSON.parse(json.stdout);
  assert.is(changes.length, 1);
  assert.is(changes[0].operator, "ben");
  assert.is(changes[0].outcome, "applying");
  const other = await cdcctl("history", "--ops", ...IN, "--ticket", "CHG-1");
  assert.is(other.stdout, "no change is recorded\n");
  sandbox.failBroker(() => "disconnect-before");
  const lost = await cdcctl("history", "--ops", ...IN);
  assert.is(lost.exit, 1, lost.output);
  assert.match(flat(lost.stdout), "orders-cdc: changes may be missing: ");
  const nowhere = await cdcctl("history", "--ops");
  assert.is(nowhere.exit, 64, nowhere.output);
});

watching.run();
