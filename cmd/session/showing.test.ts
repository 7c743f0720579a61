/** Follows a ticket to the run and back: what was done for it, in the history, in the run and in the ops topic. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CLUSTER_ID, CONNECTOR } from "../../providers/sandbox/sandbox.ts";
import { quietRun } from "../behaviour/cell.ts";
import { failAll, openChangedWorld } from "../behaviour/changed-world.ts";
import { PAST_GAP } from "../behaviour/changes.ts";
import { gate } from "../behaviour/gate.ts";
import { runHere } from "../behaviour/run-command.ts";
import { schemaTester } from "../views/testing/schema.ts";

const ticket = suite("a ticket and its run");

ticket("are found from each other", async () => {
  const world = await openChangedWorld({}, PAST_GAP);
  const history = (...argv: readonly string[]) => runHere(["history", ...argv], world);
  try {
    assert.is((await quietRun(world)).exit, 0);
    const found = await history("--ticket", "CHG-4712", "--since", "1h");
    assert.is(found.exit, 0);
    assert.match(found.output, /^Run +Connector +What +Status +Operator +Plan +Ticket\n/);
    const [run = ""] = /\S+-[0-9a-f]{4}/.exec(found.output) ?? [];
    assert.match(found.output, /succeeded +ana +orders-after-\S* +CHG-4712/);
    assert.match((await runHere(["show", run], world)).output, "plan orders-after-purge, ticket CHG-4712");
    assert.match((await runHere(["status", "--format", "json"], world)).stdout, '"ticket": "CHG-4712"');
    assert.equal(new Set((await world.opsEvents()).map(({ details }) => details.ticket)), new Set(["CHG-4712"]));
    assert.match((await history("--ticket", "CHG-1")).output, "no runs here");
    assert.match((await history("--since", "2999-01-01")).output, "no runs here");
    assert.match((await history("--since", "2020-01-01T00:00:00Z")).output, run);
    for (const command of ["status", "history"]) {
      const { exit, output } = await runHere([command, "--connector", "order-cdc"], world);
      assert.is(exit, 64);
      assert.match(output, /no run of order-cdc in \S+; did you mean orders-cdc\?\n +There are runs of orders-cdc\./);
    }
    const wrong = await history("--since", "yesterday");
    assert.is(wrong.exit, 64);
    assert.match(wrong.output, "--since yesterday is neither a time nor a duration");
  } finally {
    await world.close();
  }
});

ticket.run();

const now = suite("a run that is being carried out");

/** A world in which a run has begun, and waits for the answer to its stop until `goOn`. */
async function heldAtStop() {
  const world = await openChangedWorld();
  const stop = gate();
  const reached = gate();
  failAll(world.sandbox, (arrival) => {
    if (arrival.system !== "connect" || arrival.method !== "PUT") return undefined;
    reached.open();
    return { connect: { hold: stop.opened, when: "before" } };
  });
  const applied = quietRun(world);
  await reached.opened;
  return { world, applied, goOn: () => stop.open() };
}

now("status shows by whom, since when and in which step, and does not suggest recovery", async () => {
  const { world, applied, goOn } = await heldAtStop();
  try {
    const during = await runHere(["status"], world);
    assert.is(during.exit, 3);
    assert.match(
      during.output.replaceAll(/\s+/g, " "),
      new RegExp(`in progress by \\S+ \\(pid ${process.pid}, apply\\) since \\S+ \\S+: step 1 of 6 \\(stop`),
    );
    assert.not.match(during.output, "recover");
    const plan = await runHere(["plan", world.plan], world);
    assert.is(plan.exit, 1, plan.output);
    assert.match(plan.output, /apply would be refused: run \S+ of orders-cdc is not settled/);
    assert.match(plan.output, /✗ APL813 {2}cdcctl explain APL813/);
    assert.match(plan.output.replaceAll(/\s+/g, " "), /Wait until that command has ended: it is carried out by \S+ on/);
    assert.not.match(plan.output, "cdcctl recover");
    const planned = await runHere(["plan", world.plan, "--format", "json"], world);
    schemaTester("plan.schema.json")(planned.stdout);
    assert.match(planned.stdout, '"unsettled": [');
    const document = await runHere(["status", "--format", "json"], world);
    schemaTester("run.schema.json")(document.stdout);
    assert.match(document.stdout, `"pid": ${process.pid}`);
    goOn();
    assert.is((await applied).exit, 0);
    assert.not.match((await runHere(["status"], world)).output, "being carried out");
  } finally {
    goOn();
    await world.close();
  }
});

now("a stale or invalid lock claims nothing, and plan requires no state", async () => {
  const { world, applied, goOn } = await heldAtStop();
  try {
    const lock = join(`${world.env["CDCCTL_STATE"]}`, CLUSTER_ID, CONNECTOR, "lock");
    const holder = {
      host: "elsewhere",
      user: "eve",
      pid: 1,
      started: "",
      command: "apply",
      at: "2999-01-01T00:00:00Z",
    };
    for (const odd of [holder, { ...holder, pid: 1.5 }, { ...holder, at: "never" }, { host: "elsewhere", pid: 1 }]) {
      await writeFile(lock, JSON.stringify(odd), { mode: 0o600 });
      const status = await runHere(["status", "--format", "json"], world);
      assert.is(status.exit, 3, status.output);
      assert.not.match(status.output, '"held"');
      schemaTester("run.schema.json")(status.stdout);
    }
    await writeFile(lock, JSON.stringify({ ...holder, at: "2020-01-01T00:00:00Z" }), { mode: 0o600 });
    assert.match((await runHere(["status"], world)).output.replaceAll(/\s+/g, " "), "by eve@elsewhere (pid 1, apply)");
    const file = join(world.dir, "no-folder");
    await writeFile(file, "");
    const plan = await runHere(["plan", world.plan, "--state", file], world);
    assert.is(plan.exit, 0, plan.output);
    assert.match(plan.stderr, "note: cannot determine whether a run of orders-cdc is unsettled here");
  } finally {
    goOn();
    await applied;
    await world.close();
  }
});

now.run();

const state = suite("status and the connector's state");

state(
  "shows Connect's current state, how to start a STOPPED connector, and one line where Connect does not answer",
  async () => {
    const world = await openChangedWorld();
    const flat = (text: string) => text.replace(/\s+/g, " ");
    const inJson = async () => {
      const { stdout } = await runHere(["status", "--format", "json"], world);
      schemaTester("run.schema.json")(stdout);
      return JSON.parse(stdout).runs[0].connectorNow;
    };
    try {
      assert.is((await quietRun(world)).exit, 0);
      const running = await runHere(["status"], world);
      assert.is(running.exit, 0, running.output);
      assert.match(running.stdout, /^orders-cdc +run \S+ +succeeded +RUNNING$/m);
      assert.not.match(running.stdout, /next:/);
      assert.is((await inJson()).status.state, "RUNNING");

      assert.is((await runHere(["connectors", "stop", CONNECTOR, "--context", "sandbox"], world)).exit, 0);
      const stopped = await runHere(["status"], world);
      assert.is(stopped.exit, 0, stopped.output);
      assert.match(stopped.stdout, /succeeded +STOPPED$/m);
      const [, next = ""] = /^next: +cdcctl (.*?) {5}#/m.exec(stopped.stdout) ?? [];
      assert.is(next, `connectors resume ${CONNECTOR} --context sandbox`);
      assert.is((await runHere(next.split(" "), world)).exit, 0, "what it offers is not refused");

      const asked = world.sandbox.connect.requests.length;
      const local = await runHere(["status", "--no-check"], world);
      assert.not.match(local.stdout, /RUNNING/);
      assert.is(world.sandbox.connect.requests.length, asked, "nobody is asked");

      await world.sandbox.connect.close();
      const alone = await runHere(["status"], world);
      assert.is(alone.exit, 0, alone.output);
      assert.is(flat(alone.stdout).match(/cannot determine/g)?.length, 1, alone.output);
      assert.is((await inJson()).is, "unknown");
    } finally {
      await world.close();
    }
  },
);

state("status and report name the code that has stopped the task, and lead to its explanation", async () => {
  let down = false;
  const stops = { "CDC-1001": () => (down ? (["no answer from the database.", "Check it."] as const) : undefined) };
  const world = await openChangedWorld({ stops });
  try {
    assert.is((await quietRun(world)).exit, 0);
    const report = ["report", CONNECTOR, "--context", "sandbox"];
    for (const command of [["status"], report])
      assert.not.match((await runHere(command, world)).stdout, /CDC-1001|Stopped by/);
    down = true;
    await runHere(["connectors", "restart", CONNECTOR, "--all", "--context", "sandbox", "--timeout", "1s"], world);
    const status = await runHere(["status"], world);
    assert.match(status.stdout, /^orders-cdc: stopped by CDC-1001: The database is not available$/m);
    assert.match(status.stdout, /^(?:next:)? +cdcctl explain CDC-1001$/m);
    const { stdout } = await runHere(["status", "--format", "json"], world);
    schemaTester("run.schema.json")(stdout);
    assert.is(JSON.parse(stdout).runs[0].connectorNow.stoppedBy, "CDC-1001");
    assert.not.match(stdout, /no answer from the database/);
    const position = await runHere(report, world);
    assert.match(position.stdout, /Stopped by +CDC-1001: The database is not available$/m);
    assert.match(position.stdout, /^next: +cdcctl explain CDC-1001$/m);
  } finally {
    await world.close();
  }
});

state.run();
