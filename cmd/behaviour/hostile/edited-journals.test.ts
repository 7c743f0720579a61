/** What somebody who can write to the state directory makes of a run's journal, with checksums that fit. */
import { spawnSync } from "node:child_process";
import { readdir, readFile, rename, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JournalEntry } from "../../../core/run/journal.ts";
import { journalLine } from "../../../core/run/read-journal.ts";
import { type JsonObject, parseJson } from "../../../core/values/json.ts";
import { CLUSTER_ID, CONNECTOR } from "../../../providers/sandbox/sandbox.ts";
import { type ChangedWorld, failAll, openChangedWorld, RECOVER_FROM_OPS } from "../changed-world.ts";
import { runHere } from "../run-command.ts";

const edited = suite("edited journals");
const LIMITS = ["--settle", "100ms"];
const ELSEWHERE = 1_900_000n;

function inWorld(name: string, act: (world: ChangedWorld) => Promise<void>): void {
  edited(name, async () => {
    const world = await openChangedWorld();
    try {
      await act(world);
    } finally {
      await world.close();
    }
  });
}

/** @param lost the PATCH gets no answer. @returns the journal's path */
async function applied(world: ChangedWorld, lost: boolean): Promise<string> {
  failAll(world.sandbox, (arrival) =>
    lost && arrival.system === "connect" && arrival.method === "PATCH" ? { connect: "disconnect-before" } : undefined,
  );
  const patience = { connect: { callMillis: 10_000, retryMillis: 300 }, patch: 100 };
  const { exit, output } = await runHere(["apply", world.plan, "--yes", ...LIMITS], { ...world, patience });
  failAll(world.sandbox, undefined);
  assert.is(exit, lost ? 3 : 0, output);
  const folder = join(world.dir, "state", CLUSTER_ID, CONNECTOR);
  const [journal = ""] = (await readdir(folder)).filter((name) => name.endsWith(".journal.jsonl"));
  return join(folder, journal);
}

async function edit(path: string, type: string, change: (entry: JsonObject) => JsonObject): Promise<void> {
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  const entries = lines.map((line) => (parseJson(line) as { entry: JsonObject }).entry);
  const text = entries.map((entry) =>
    journalLine((entry["type"] === type ? change(entry) : entry) as unknown as JournalEntry),
  );
  await writeFile(path, text.join(""));
}

const changing = ({ sandbox }: ChangedWorld) =>
  sandbox.connect.requests.filter(({ method }) => method !== "GET").length;

inWorld("recover sends no body that plan and ops topic do not confirm, and shows all three", async (world) => {
  const path = await applied(world, true);
  const whole = await readFile(path, "utf8");
  const before = changing(world);
  const [of, events] = [JSON.stringify, (await world.opsEvents()).length];
  for (const members of [
    { resume_scn: ELSEWHERE },
    { last_commit_scn: 1n },
    { journal_generation: 99n },
    { dbid: 1n },
  ]) {
    await writeFile(path, whole);
    await edit(path, "body-pinned", (entry) => {
      const body = entry["body"] as { offset: JsonObject };
      return { ...entry, body: { ...body, offset: { ...body.offset, ...members } } };
    });
    for (const words of [["recover"], ["recover", "--resume"]]) {
      const { exit, output } = await runHere([...words, "--yes", ...LIMITS], world);
      assert.is(exit, 3, output);
      const text = output.replace(/\s+/g, " ");
      for (const part of [
        "APL823",
        "Its journal: ",
        ". Its plan: ",
        ". orders.cdc.ops: ",
        ...Object.keys(members).map((name) => `${name} from `),
      ])
        assert.ok(text.includes(part), `${of(Object.keys(members))}: ${part} is not in ${text}`);
      assert.match(text, /recover --from-ops .*--connector orders-cdc/);
      assert.not.match(text, /as planned/);
    }
    const status = await runHere(["status"], world);
    assert.is(status.exit, 3, status.output);
  }
  assert.equal([changing(world), (await world.opsEvents()).length], [before, events]);
  const settled = await runHere([...RECOVER_FROM_OPS, ...LIMITS], world);
  assert.is(settled.exit, 0, settled.output);
  assert.match(settled.output.replace(/\s+/g, " "), /names an offset that is not the one that the run decided/);
  assert.is((await runHere(["status"], world)).exit, 0);
});

/** What somebody makes of the plan in a journal: its steps, what it decided, its digest. */
const PLANS: readonly (readonly [what: string, edit: (plan: JsonObject) => JsonObject, says: RegExp])[] = [
  [
    "a step for another connector",
    (plan) => ({ ...plan, steps: stepsWith(plan, "stop-connector", { connector: "billing-cdc" }) }),
    /is not the one that it decided.* Its plan: contradicts itself/,
  ],
  [
    "topics to delete",
    (plan) => ({
      ...plan,
      steps: [{ step: "delete-topics", topics: ["billing.cdc.ops"] }, ...(plan["steps"] as JsonObject[])],
    }),
    /the step "delete .*billing\.cdc\.ops.*is not what its plan decided/,
  ],
  [
    "a signal for other tables",
    (plan) => ({
      ...plan,
      steps: [
        { step: "write-signal", topic: "orders.cdc.signals", tables: ["ORCLPDB1.HR.SALARIES"] },
        ...(plan["steps"] as JsonObject[]),
      ],
    }),
    /the step "write the signal to snapshot ORCLPDB1\.HR\.SALARIES .*is not what its plan decided/,
  ],
  [
    "another decision",
    (plan) => ({ ...plan, decided: { ...(plan["decided"] as JsonObject), allowSkip: true } }),
    /has a decision that is not what its plan decided|is not the one that it decided/,
  ],
];

function stepsWith(plan: JsonObject, step: string, members: JsonObject): readonly JsonObject[] {
  return (plan["steps"] as JsonObject[]).map((one) => (one["step"] === step ? { ...one, ...members } : one));
}

for (const [what, change, says] of PLANS)
  inWorld(`recover carries out no plan with ${what}`, async (world) => {
    const path = await applied(world, true);
    await edit(path, "run-started", (entry) => ({ ...entry, plan: change(entry["plan"] as JsonObject) }));
    const [before, events] = [changing(world), (await world.opsEvents()).length];
    const { exit, output } = await runHere(["recover", "--yes", ...LIMITS], world);
    assert.is(exit, 3, output);
    assert.match(output, /APL823/);
    assert.match(output.replace(/\s+/g, " "), says);
    assert.equal([changing(world), (await world.opsEvents()).length], [before, events]);
  });

inWorld("a topic that has forgotten the run contradicts nothing: from-ops sets no journal aside", async (world) => {
  const path = await applied(world, true);
  for (const log of world.sandbox.broker.state.topics.get("orders.cdc.ops")?.partitions ?? [])
    log.deleteBefore(log.end);
  const { exit, output } = await runHere([...RECOVER_FROM_OPS, ...LIMITS], world);
  assert.is(exit, 0, output);
  assert.not.match(output, /not the one that the run decided|is kept as/);
  assert.ok((await readFile(path, "utf8")).length > 0, "the journal is where it was");
  assert.is((await runHere(["status"], world)).exit, 3);
});

inWorld("recover finishes the run by the journal that they confirm", async (world) => {
  await applied(world, true);
  const { exit, output } = await runHere(["recover", "--yes", ...LIMITS], world);
  assert.is(exit, 0, output);
});

inWorld("rollback restores no offset that the ops topic does not name as the run's previous one", async (world) => {
  const path = await applied(world, false);
  await edit(path, "body-pinned", (entry) => ({
    ...entry,
    previous: { ...(entry["previous"] as JsonObject), resume_scn: ELSEWHERE },
  }));
  const before = changing(world);
  for (const more of [["--move-back"], []]) {
    const { exit, output } = await runHere(["rollback", "--yes", ...more, ...LIMITS], world);
    assert.is(exit, 1, output);
    if (more.length > 0) assert.match(output, /APL823/);
  }
  assert.is(changing(world), before);
});

/** What is put in the place of another connector's journal. */
const IN_PLACE: Readonly<Record<string, (path: string, journal: string) => unknown>> = {
  "a pipe": (path) => spawnSync("mkfifo", [path]),
  "a link to a device": (path) => symlink("/dev/zero", path),
  "a link to another journal": (path, journal) => symlink(journal, path),
  "a file of 1 GB": async (path) => {
    await writeFile(path, "");
    await truncate(path, 1_000_000_000);
  },
  "another connector's journal": async (path, journal) => writeFile(path, await readFile(journal)),
};

for (const [what, put] of Object.entries(IN_PLACE)) {
  inWorld(`${what} in a journal's place hangs no status, and other runs go on`, async (world) => {
    const journal = await applied(world, true);
    const folder = join(world.dir, "state", CLUSTER_ID, "billing-cdc");
    spawnSync("mkdir", ["-p", "-m", "700", folder]);
    const path = join(folder, "2026-11-21T09-15-40Z-0000.journal.jsonl");
    await put(path, journal);
    for (const words of [["status"], ["history"], ["recover", "2026-11-21T09-15-40Z-0000", "--yes"]]) {
      const began = Date.now();
      const { exit, output } = await runHere(words, world);
      assert.ok(Date.now() - began < 60_000, `${words.join(" ")}: ${Date.now() - began} ms`);
      if (words[0] === "history") continue;
      assert.is(exit, 3, output);
      assert.ok(output.replace(/\s+/g, "").includes(path), output);
    }
    const recovered = await runHere(["recover", "--yes", ...LIMITS], world);
    assert.is(recovered.exit, 0, recovered.output);
    await rename(path, `${path}.away`);
    assert.is((await runHere(["status"], world)).exit, 0);
  });
}

edited.run();
