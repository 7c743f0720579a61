/** `--format json` and `--events`: what a wrapper reads of a change that is done, refused, or in doubt. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { runState } from "../../core/run/state.ts";
import { type JsonObject, parseJson } from "../../core/values/json.ts";
import { CONNECTOR } from "../../providers/sandbox/sandbox.ts";
import { planFile } from "../../providers/sandbox/scenario.ts";
import { schemaTester } from "../views/testing/schema.ts";
import { type Arrival, CANARIES, type ChangedWorld, failAll, openChangedWorld } from "./changed-world.ts";
import { TARGET_SCN } from "./changes.ts";
import { PATIENCE } from "./injected-faults.ts";
import { type FinishedHere, runHere, startProcess } from "./run-command.ts";

const machine = suite("output for machines");
const LIMITS = ["--settle", "300ms"];
const FITS = {
  Run: schemaTester("run.schema.json"),
  RunList: schemaTester("run.schema.json"),
  ApplyReport: schemaTester("apply.schema.json"),
  Error: schemaTester("error.schema.json"),
  RunEvent: schemaTester("run-event.schema.json"),
};

function inWorld(name: string, act: (world: ChangedWorld) => Promise<void>): void {
  machine(name, async () => {
    const world = await openChangedWorld();
    try {
      await act(world);
    } finally {
      await world.close();
    }
  });
}

const apply = (world: ChangedWorld, ...more: string[]) =>
  runHere(["apply", world.plan, "--yes", ...LIMITS, ...more], { env: world.env, patience: PATIENCE });

/** The one document on standard output, held against its schema. */
function documentOf({ stdout, output }: Pick<FinishedHere, "stdout" | "output">): JsonObject {
  assert.ok(stdout.startsWith("{\n"), output);
  const read = parseJson(stdout) as JsonObject;
  const fits = FITS[read["kind"] as keyof typeof FITS];
  assert.ok(fits !== undefined, `${read["kind"]} has a schema`);
  fits(stdout);
  return read;
}

/** The events, each line by itself held against its schema. */
function eventsOf({ stdout, output }: Pick<FinishedHere, "stdout" | "output">): readonly JsonObject[] {
  assert.ok(stdout === "" || stdout.endsWith("\n"), output);
  for (const canary of CANARIES) assert.not.match(output, canary);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      FITS.RunEvent(line);
      return parseJson(line) as JsonObject;
    });
}

/** A plan file for a stopped connector beside the world's. */
async function replayOf(connector: string, scn: string, { sandbox, writePlan }: ChangedWorld): Promise<string> {
  const { cluster } = sandbox.connect;
  await cluster.create(connector, { ...sandbox.config }, "STOPPED");
  cluster.offsets.write(connector, sandbox.connect.stored(CONNECTOR));
  return writePlan(`${connector}.yaml`, planFile(connector, "replay", `scn: ${scn}`).replace(CONNECTOR, connector));
}

/** Outcome of each document; of one with a run, its status. */
function became(finished: FinishedHere): readonly unknown[] {
  const documents = documentOf(finished)["documents"] as readonly JsonObject[];
  return documents.map((one) => (one["run"] as JsonObject | undefined)?.["status"] ?? one["became"]);
}

const names = (events: readonly JsonObject[]) =>
  events.flatMap((one) => (one["event"] === "waiting" ? [] : [String(one["event"])]));
const isPatch = (arrival: Arrival) => arrival.system === "connect" && arrival.method === "PATCH";
const REFUSES = { connect: { says: "no such partition", status: 400 } } as const;
const requests = ({ sandbox }: ChangedWorld) =>
  sandbox.connect.requests.filter(({ method }) => method !== "GET").length;

inWorld("a finished run prints one document, the same as show RUN, and progress goes to stderr", async (world) => {
  const applied = await apply(world, "--format", "json");
  assert.is(applied.exit, 0, applied.output);
  const run = documentOf(applied);
  assert.is(run["kind"], "Run");
  assert.is(run["status"], "succeeded");
  assert.match(applied.stderr, /patch the stored offset/);
  assert.match(applied.stderr, /resume SCN\s+\d+ .*\s+→\s+\d+/);
  assert.match(applied.stderr, /next: /);
  const shown = await runHere(["show", String(run["run"]), "--format", "json"], world);
  assert.is(applied.stdout, shown.stdout);
  const back = await runHere(["rollback", "--yes", "--move-back", ...LIMITS, "-o", "json"], world);
  assert.is(documentOf(back)["kind"], "Run", back.output);
  assert.is(back.exit, 0);
});

inWorld("a run in doubt, and its recovery, print a document with what is known", async (world) => {
  failAll(world.sandbox, (arrival) => (isPatch(arrival) ? { connect: "500-applied" } : undefined));
  const applied = await apply(world, "--format", "json");
  assert.is(applied.exit, 3, applied.output);
  const run = documentOf(applied);
  assert.is(run["status"], "in doubt");
  assert.is((run["offset"] as JsonObject)["previous"] !== undefined, true);
  const again = documentOf(
    await runHere(["recover", "-y", "--format", "json"], { env: world.env, patience: PATIENCE }),
  );
  assert.is(again["status"], "in doubt");
  failAll(world.sandbox, undefined);
  const recovered = await runHere(["recover", "--yes", ...LIMITS, "--format", "json"], world);
  assert.is(recovered.exit, 0, recovered.output);
  assert.is(documentOf(recovered)["status"], "succeeded");
  const settled = await runHere(["recover", String(run["run"]), "--format", "json"], world);
  assert.is(documentOf(settled)["status"], "succeeded");
  const none = await runHere(["recover", "--format", "json"], world);
  assert.equal(documentOf(none)["runs"], []);
});

inWorld("a run that refuses itself prints a document with its outcome", async (world) => {
  failAll(world.sandbox, (arrival) => (isPatch(arrival) ? REFUSES : undefined));
  const applied = await apply(world, "--format", "json");
  assert.is(applied.exit, 1, applied.output);
  const run = documentOf(applied);
  assert.is(run["status"], "failed");
  assert.match(String(run["message"]), /400/);
});

inWorld("without a run, the document gives the reason", async (world) => {
  assert.is((await apply(world)).exit, 0);
  const again = await apply(world, "--format", "json");
  assert.is(again.exit, 0, again.output);
  assert.is((documentOf(again)["documents"] as readonly JsonObject[])[0]?.["became"], "nothing to do");
  const billing = await replayOf("billing-cdc", "99999999999", world);
  const several = await runHere(["apply", billing, world.plan, "--yes", "--format", "json"], world);
  assert.is(several.exit, 1, several.output);
  assert.equal(became(several), ["blocked", "nothing to do"]);
  const wrong = await runHere(["apply", `${billing}.gone`, "--yes", "-o", "json"], world);
  assert.is(wrong.exit, 64);
  assert.is(documentOf(wrong)["kind"], "Error");
});

inWorld("several plan files: the runs made, and the files not reached", async (world) => {
  const files = [
    world.plan,
    await replayOf("billing-cdc", "2010000", world),
    await replayOf("stock-cdc", "2010000", world),
  ];
  let patches = 0;
  failAll(world.sandbox, (arrival) => (isPatch(arrival) && ++patches > 1 ? REFUSES : undefined));
  const applied = await runHere(["apply", ...files, "--yes", ...LIMITS, "--format", "json"], {
    env: world.env,
    patience: PATIENCE,
  });
  assert.is(applied.exit, 3, applied.output);
  assert.equal(became(applied), ["succeeded", "failed", "not reached"]);
  const [stock = ""] = files.slice(-1);
  const none = await runHere(["apply", stock, `${stock}.gone`, "--yes", "--format", "json"], world);
  assert.is(documentOf(none)["kind"], "Error", none.output);
});

inWorld("admin and connectors print their runs in the same way", async (world) => {
  const at = ["--context", "sandbox", "--name", "orders-cdc"];
  const set = ["admin", "offsets", "set", ...at, "--scn", String(TARGET_SCN), "--reason", "replay", "--resume"];
  const moved = await runHere([...set, "--format", "json"], world);
  assert.is(moved.exit, 0, moved.output);
  assert.is((documentOf(moved)["subject"] as JsonObject)["by"], "admin");
  const table = ["--tables", "ORCLPDB1.SALES.ORDERS"];
  const signalled = await runHere(["admin", "resnapshot", ...at, ...table, "-o", "json"], world);
  assert.is(signalled.exit, 0, signalled.output);
  assert.match(String(documentOf(signalled)["signal"]), /^srcdb-cdc-admin-/);
  const stop = ["connectors", "stop", "orders-cdc", "--context", "sandbox"];
  const stopped = await runHere([...stop, "--format", "json"], world);
  assert.is(documentOf(stopped)["status"], "succeeded", stopped.output);
  assert.equal(names(eventsOf(await runHere([...stop, "--events"], world))), ["outcome"]);
});

inWorld("a finished run reports its events in order, one per line", async (world) => {
  const applied = await apply(world, "--events");
  assert.is(applied.exit, 0, applied.output);
  const events = eventsOf(applied);
  assert.equal(names(events), ["run-started", ...Array(6).fill(["step-started", "step-done"]).flat(), "outcome"]);
  const [first] = events;
  assert.is(first?.["scn"], TARGET_SCN.toString());
  const waits = events.filter((one) => one["event"] === "waiting");
  assert.ok(waits.length > 0, "the stop is waited for");
  assert.is(waits[0]?.["step"], "stop-connector");
  assert.ok(BigInt(String(waits[0]?.["limitMillis"])) > BigInt(String(waits[0]?.["elapsedMillis"])));
  assert.is(events.at(-1)?.["outcome"], "succeeded");
  assert.match(applied.stderr, /every check passed again/);
});

inWorld("a refusal is an outcome with its code, whether or not a run was begun", async (world) => {
  const ahead = await world.writePlan("ahead.yaml", planFile("ahead", "skip some", "scn: 99999999999", "resume: true"));
  const before = requests(world);
  const blocked = await runHere(["apply", ahead, "--yes", "--events"], world);
  assert.is(blocked.exit, 1, blocked.output);
  const [only, ...more] = eventsOf(blocked);
  assert.equal([only?.["event"], only?.["outcome"], only?.["code"], more.length], ["outcome", "refused", "OFF101", 0]);
  const digest = `sha256:${"0".repeat(64)}`;
  const other = await runHere(["apply", world.plan, "--expect", digest, "--events"], world);
  assert.is(eventsOf(other)[0]?.["code"], "APL810", other.output);
  assert.is(requests(world), before);
  failAll(world.sandbox, (arrival) => (isPatch(arrival) ? REFUSES : undefined));
  const failed = await apply(world, "--events");
  assert.is(failed.exit, 1, failed.output);
  const events = eventsOf(failed);
  assert.equal(names(events).slice(-2), ["step-failed", "outcome"]);
  assert.is(events.at(-1)?.["outcome"], "failed");
});

inWorld("a run in doubt ends its events with what to do next", async (world) => {
  failAll(world.sandbox, (arrival) => (isPatch(arrival) ? { connect: "500-applied" } : undefined));
  const applied = await apply(world, "--events");
  assert.is(applied.exit, 3, applied.output);
  const events = eventsOf(applied);
  assert.equal(names(events).slice(-2), ["step-unclear", "outcome"]);
  const last = events.at(-1);
  assert.is(last?.["outcome"], "unfinished");
  assert.equal(last?.["next"], [
    `cdcctl recover ${last?.["run"]}     # to finish it`,
    `cdcctl recover ${last?.["run"]} --abandon     # to call it off, and change nothing more`,
  ]);
  failAll(world.sandbox, undefined);
  const recovered = eventsOf(await runHere(["recover", "--yes", ...LIMITS, "--events"], world));
  assert.is(recovered[0]?.["recovering"], true);
  assert.is(recovered.at(-1)?.["outcome"], "succeeded");
});

inWorld("a reader that closes between the ops event and the PATCH does not end the run", async (world) => {
  const started = startProcess(["apply", world.plan, "--yes", ...LIMITS, "--events"], world);
  let gone = false;
  failAll(world.sandbox, (arrival) => {
    if (isPatch(arrival)) {
      gone = true;
      started.child.stdout?.destroy();
    }
    return undefined;
  });
  const finished = await started.finished;
  assert.ok(gone, finished.output);
  assert.is(finished.exit, 0, finished.output);
  const state = runState(world.journal());
  assert.is(state?.ended?.outcome, "succeeded");
  const read = names(eventsOf(finished));
  assert.is(read[0], "run-started", "the first lines came before the run had ended");
  assert.not.ok(read.includes("outcome"));
  assert.equal(
    (await world.opsEvents()).map(({ details }) => details.outcome),
    ["applying", "applied"],
  );
});

machine("both formats at once, and a question without a terminal, are usage errors", async () => {
  const both = await runHere(["apply", "x.yaml", "--events", "--format", "json"], { env: {} });
  assert.is(both.exit, 64);
  assert.match(both.output, /are mutually exclusive/);
  const unasked = await runHere(["apply", "x.yaml", "--events"], { env: {} });
  assert.is(unasked.exit, 64);
  assert.match(unasked.stderr, /cannot ask for confirmation while standard output is machine-readable/);
  assert.is(eventsOf(unasked)[0]?.["outcome"], "refused");
});

machine.run();
