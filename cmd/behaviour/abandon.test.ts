/** `recover` and `recover --abandon` show what a run leaves, or what is done, and ask; Ctrl-C offers both. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { runState } from "../../core/run/state.ts";
import { CLUSTER_ID, CONNECTOR } from "../../providers/sandbox/sandbox.ts";
import { planFile } from "../../providers/sandbox/scenario.ts";
import { cdcctl } from "../commands/catalogue.ts";
import type { Host } from "../host.ts";
import { run } from "../main.ts";
import { type Arrival, type ChangedWorld, changesIn, failAll, openChangedWorld } from "./changed-world.ts";
import { PATIENCE } from "./injected-faults.ts";
import { runHere, startProcess } from "./run-command.ts";

const abandon = suite("an abandoned run");
const LIMITS = ["--settle", "300ms"];

/** A task that commits nothing: the stored offset is what the world began with. */
const AT_REST = { connect: { task: () => ({ start: () => undefined, tick: () => [] }) } };
const isPatch = (arrival: Arrival) => arrival.system === "connect" && arrival.method === "PATCH";

/** @param patch what the PATCH of the run meets */
function inDoubt(name: string, patch: "500-applied" | "500", act: (world: ChangedWorld) => Promise<void>): void {
  abandon(name, async () => {
    const world = await openChangedWorld(AT_REST);
    try {
      failAll(world.sandbox, (arrival) => (isPatch(arrival) ? { connect: patch } : undefined));
      const cut = await runHere(["apply", world.plan, "--yes", ...LIMITS], { env: world.env, patience: PATIENCE });
      assert.is(cut.exit, 3, cut.output);
      failAll(world.sandbox, undefined);
      await act(world);
    } finally {
      await world.close();
    }
  });
}

/** Runs the command on a terminal, where the operator gives this answer. */
async function answering(
  answer: string,
  world: ChangedWorld,
): Promise<{ readonly exit: number; readonly text: string }> {
  const written: string[] = [];
  const stream = { write: (text: string) => void written.push(text), colour: false, columns: 120 };
  const host: Host = {
    argv: ["recover", "--abandon"],
    env: world.env,
    stdout: stream,
    stderr: stream,
    interactive: true,
    ask: async (question) => {
      written.push(`${question}${answer}\n`);
      return answer;
    },
    operator: "ana",
    patience: PATIENCE,
    interrupt: new AbortController().signal,
  };
  const exit = await run(cdcctl, host);
  return { exit, text: written.join("").replace(/\s+/g, " ") };
}

inDoubt("the planned offset is stored: it is shown, and only yes ends the run", "500-applied", async (world) => {
  const kept = await answering("y", world);
  assert.is(kept.exit, 1, kept.text);
  assert.match(kept.text, /orders-cdc STOPPED/);
  assert.match(kept.text, /stored offset 2010000, as planned; before the run 2044511/);
  assert.match(kept.text, /still possible one request of a process that fell asleep elsewhere .*: end it first/);
  assert.match(kept.text, /Abandon this run\?.*not abandoned: nothing was changed/);
  assert.is(runState(world.journal())?.ended, undefined);
  const ended = await answering("yes", world);
  assert.is(ended.exit, 0, ended.text);
  assert.is(runState(world.journal())?.ended?.outcome, "abandoned");
});

inDoubt("the previous offset, another offset or an unknown offset is stored", "500", async (world) => {
  const previous = await answering("no", world);
  assert.match(previous.text, /stored offset 2044511, as before the run; planned 2010000/);
  const [entry] = world.sandbox.connect.stored("orders-cdc");
  assert.ok(entry?.offset);
  world.sandbox.connect.cluster.offsets.write("orders-cdc", [
    { ...entry, offset: { ...entry.offset, resume_scn: 2_033_000n } },
  ]);
  const other = await answering("no", world);
  assert.match(other.text, /stored offset 2033000, neither as before the run \(2044511\) nor as planned \(2010000\)/);
  failAll(world.sandbox, (arrival) =>
    arrival.system === "connect" && arrival.path.endsWith("/status") ? { connect: "500" } : undefined,
  );
  const unknown = await answering("no", world);
  assert.match(unknown.text, /orders-cdc unknown: /);
  assert.match(unknown.text, /not abandoned: nothing was changed/);
});

inDoubt("without a terminal, --yes is required before anything is inspected", "500-applied", async (world) => {
  const before = world.sandbox.connect.requests.length;
  for (const more of [[], ["--format", "json"]]) {
    const refused = await runHere(["recover", "--abandon", ...more], world);
    assert.is(refused.exit, 64, refused.output);
    assert.match(refused.stderr, /--yes/);
  }
  assert.is(world.sandbox.connect.requests.length, before);
  const ended = await runHere(["recover", "--abandon", "-y"], world);
  assert.is(ended.exit, 0, ended.output);
  assert.match(ended.stdout, /2010000, as planned; before the run 2044511/);
});

const CUT: readonly (readonly [string, (arrival: Arrival) => boolean, RegExp])[] = [
  [
    "before the PATCH",
    (arrival) => arrival.system === "kafka" && arrival.api === "Produce",
    /interrupted; orders-cdc is stopped; its stored offset is unchanged \(2044511\).*next: cdcctl recover.*--abandon/,
  ],
  [
    "while the PATCH is unanswered",
    isPatch,
    /is stopped; whether its stored offset is 2010000 or still 2044511 is unknown.*next: cdcctl recover.*--abandon/,
  ],
  [
    "while the first commit is waited for",
    (arrival) => arrival.system === "connect" && arrival.path.endsWith("/resume"),
    /orders-cdc was started; its stored offset was set to 2010000 \(before: 2044511\).*next: cdcctl recover.*--abandon/,
  ],
];

for (const [when, matches, says] of CUT)
  abandon(`Ctrl-C ${when} reports what remains changed and what to do next`, async () => {
    const world = await openChangedWorld(AT_REST);
    try {
      const { child, finished } = startProcess(["apply", world.plan, "--yes", ...LIMITS], world);
      failAll(world.sandbox, (arrival) => {
        if (!matches(arrival)) return undefined;
        child.kill("SIGINT");
        return isPatch(arrival) ? { connect: "500-applied" } : undefined;
      });
      const { exit, output, stdout } = await finished;
      assert.is(exit, 3, output);
      assert.match(stdout.replace(/\s+/g, " "), says);
    } finally {
      await world.close();
    }
  });

const asked = suite("what recover asks before it changes anything");

/** @param cuts the call at which Ctrl-C is pressed */
function interrupted(name: string, cuts: (arrival: Arrival) => boolean, act: (world: ChangedWorld) => Promise<void>) {
  asked(name, async () => {
    const world = await openChangedWorld();
    try {
      const { child, finished } = startProcess(["apply", world.plan, "--yes", ...LIMITS], world);
      failAll(world.sandbox, (arrival) => {
        if (cuts(arrival)) child.kill("SIGINT");
        return undefined;
      });
      const { exit, output } = await finished;
      assert.is(exit, 3, output);
      failAll(world.sandbox, undefined);
      await act(world);
    } finally {
      await world.close();
    }
  });
}

const isStop = (arrival: Arrival) => arrival.system === "connect" && arrival.path.endsWith("/stop");
const flat = (text: string) => text.replace(/\s+/g, " ");
const runOf = (world: ChangedWorld) => runState(world.journal())?.started.run ?? "no run";

interrupted(
  "after Ctrl-C in step 1: no, without a terminal, and with --events nothing is sent",
  isStop,
  async (world) => {
    const [calls, entries] = [changesIn(world), world.journal().length];
    const no = await runHere(["recover", ...LIMITS], { ...world, patience: PATIENCE, typed: "y" });
    assert.is(no.exit, 1, no.output);
    const text = flat(no.stdout);
    assert.match(text, new RegExp(`run ${runOf(world)} \\(backward to 2010000\\) would be finished`));
    assert.match(text, /orders-cdc STOPPED/);
    assert.match(text, /stored offset unchanged: the run has set no new one/);
    assert.match(text, /step 1 of 6 stop orders-cdc, .* step 4 of 6 patch the stored offset, .* step 6 of 6 resume/);
    assert.match(text, new RegExp(`To call it off, and change nothing more: cdcctl recover ${runOf(world)} --abandon`));
    assert.match(flat(no.stderr), /not recovered: nothing was changed/);
    for (const more of [[], ["--events"], ["--format", "json"]]) {
      const refused = await runHere(["recover", ...more, ...LIMITS], world);
      assert.is(refused.exit, 64, refused.output);
      assert.match(refused.output, /--yes/);
    }
    assert.is(changesIn(world), calls);
    assert.is(world.journal().length, entries);
    const yes = await runHere(["recover", ...LIMITS], { ...world, patience: PATIENCE, typed: "yes" });
    assert.is(yes.exit, 0, yes.output);
    assert.is(runState(world.journal())?.ended?.outcome, "succeeded");
    assert.ok(changesIn(world) > calls);
  },
);

interrupted("a yes to a run that was settled while nobody answered sends and writes nothing", isStop, async (world) => {
  let [calls, settled] = [0, ""];
  const typed = async (): Promise<string> => {
    const folder = join(world.dir, "state", CLUSTER_ID, CONNECTOR);
    await rm(join(folder, "lock"), { recursive: true });
    const other = await runHere(["recover", "--yes", ...LIMITS], { ...world, patience: PATIENCE });
    assert.is(other.exit, 0, other.output);
    [calls, settled] = [changesIn(world), JSON.stringify(world.journal().length)];
    return "yes";
  };
  const late = await runHere(["recover", ...LIMITS], { ...world, patience: PATIENCE, typed });
  assert.is(late.exit, 1, late.output);
  assert.match(flat(late.output), /another process has continued/);
  assert.equal([changesIn(world), JSON.stringify(world.journal().length)], [calls, settled]);
  assert.is((await runHere(["status"], world)).exit, 0);
});

interrupted("after Ctrl-C in step 1: it is called off, and nothing more is sent", isStop, async (world) => {
  const calls = changesIn(world);
  const off = await runHere(["recover", runOf(world), "--abandon"], { ...world, typed: "yes" });
  assert.is(off.exit, 0, off.output);
  assert.is(runState(world.journal())?.ended?.outcome, "abandoned");
  assert.is(changesIn(world), calls);
  assert.match(flat(off.stdout), /orders-cdc is STOPPED\. To start it: cdcctl connectors resume orders-cdc/);
});

interrupted("rollback of a run that is not finished names both ways, terminal or not", isStop, async (world) => {
  const ways = `To finish it: cdcctl recover ${runOf(world)} .*--abandon`;
  for (const words of [["rollback"], ["rollback", runOf(world)], ["rollback", "--yes"]]) {
    const refused = await runHere(words, world);
    assert.is(refused.exit, 1, refused.output);
    assert.match(flat(refused.output), new RegExp(`run ${runOf(world)} is not finished ${ways} APL808`));
  }
  // And so does everything else that an unsettled run blocks, or that lists it.
  for (const words of [
    ["apply", world.plan, "--yes"],
    ["connectors", "resume", "orders-cdc", "--context", "sandbox"],
  ])
    assert.match(flat((await runHere(words, world)).output), new RegExp(ways), words.join(" "));
  for (const words of [["status"], ["show", runOf(world)], ["connectors", "list", "--context", "sandbox"]])
    assert.match(
      flat((await runHere(words, world)).output),
      new RegExp(`next: cdcctl recover ${runOf(world)} # to finish it cdcctl recover ${runOf(world)} --abandon`),
      words.join(" "),
    );
});

asked("a recovery that only records asks nothing, without a terminal as well", async () => {
  const world = await openChangedWorld(AT_REST);
  try {
    const plan = await world.writePlan("stays.yaml", planFile("stays-stopped", "replay", "scn: 2010000"));
    const { child, finished } = startProcess(["apply", plan, "--yes", ...LIMITS], world);
    let patched = false;
    failAll(world.sandbox, (arrival) => {
      // The record of the outcome, which does not arrive.
      if (patched && arrival.system === "kafka" && arrival.api === "Produce") child.kill("SIGKILL");
      patched ||= isPatch(arrival);
      return patched && arrival.system === "kafka" && arrival.api === "Produce"
        ? { kafka: "disconnect-before" }
        : undefined;
    });
    assert.is((await finished).exit, "SIGKILL");
    failAll(world.sandbox, undefined);
    const calls = changesIn(world);
    const { exit, output } = await runHere(["recover", ...LIMITS], { ...world, patience: PATIENCE });
    assert.is(exit, 0, output);
    assert.not.match(output, /would be/);
    assert.is(changesIn(world), calls);
    assert.is(runState(world.journal())?.ended?.outcome, "succeeded");
  } finally {
    await world.close();
  }
});

abandon.run();
asked.run();
