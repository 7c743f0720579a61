/**
 * Damage to a journal concerns its own run: nothing else stops, nothing in doubt is called settled, and the ops topic
 * settles it on that machine.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { recordedChanges } from "../../core/facts/ops/ops-event.ts";
import { buildRun, untilSucceeded } from "../../core/plan/testing/build-run.ts";
import { backward } from "../../core/plan/testing/example-plans.ts";
import type { JournalEntry, RunStarted } from "../../core/run/journal.ts";
import { journalLine } from "../../core/run/read-journal.ts";
import { type JsonObject, parseJson } from "../../core/values/json.ts";
import { CLUSTER_ID, CONNECTOR } from "../../providers/sandbox/sandbox.ts";
import { planFile } from "../../providers/sandbox/scenario.ts";
import { stateDirectory } from "../../providers/state/state-directory.ts";
import { everyOther } from "../dev/pairs.ts";
import { type ChangedWorld, failAll, openChangedWorld, RECOVER_FROM_OPS } from "./changed-world.ts";
import { TARGET_SCN } from "./changes.ts";
import { runHere } from "./run-command.ts";

const damaged = suite("damaged journals");
const LIMITS = ["--settle", "100ms"];
const FROM_OPS = [...RECOVER_FROM_OPS, "--allow-skip"];
const AUDIT = { clusterId: CLUSTER_ID, connector: "audit-cdc", run: "2026-11-21T09-15-40Z-7f3a" };

function inWorld(name: string, act: (world: ChangedWorld) => Promise<void>): void {
  damaged(name, async () => {
    const world = await openChangedWorld();
    try {
      await settledElsewhere(world);
      await act(world);
    } finally {
      await world.close();
    }
  });
}

/** Another connector, whose one run is settled. */
async function settledElsewhere({ dir }: ChangedWorld): Promise<void> {
  const writer = await stateDirectory(join(dir, "state")).create(AUDIT);
  const [first, ...rest] = buildRun(backward, untilSucceeded(backward)).entries as [JournalEntry & RunStarted];
  const { clusterId, connector } = AUDIT;
  await writer.append({ ...first, subject: { ...first.subject, clusterId, connector } as RunStarted["subject"] });
  for (const entry of rest) await writer.append(entry);
  await writer.close();
}

/** A run whose PATCH stays unanswered. @returns its journal's path */
async function leaveInDoubt(world: ChangedWorld, scn: bigint, fault: "PATCH" | "stop" = "PATCH"): Promise<string> {
  const plan = await world.writePlan(
    `to-${scn}.yaml`,
    planFile(`to-${scn}`, "replay", `scn: ${scn}`, "resume: true", "allowSkip: true"),
  );
  failAll(world.sandbox, (arrival) =>
    arrival.system === "connect" && (fault === "PATCH" ? arrival.method === "PATCH" : arrival.path.endsWith("/stop"))
      ? { connect: "disconnect-before" }
      : undefined,
  );
  const patience = { connect: { callMillis: 10_000, retryMillis: 300 }, patch: 100 };
  const applied = await runHere(["apply", plan, "--yes", ...LIMITS], { ...world, patience });
  failAll(world.sandbox, undefined);
  assert.is(applied.exit, 3, applied.output);
  return openJournal(world);
}

async function openJournal({ dir }: ChangedWorld): Promise<string> {
  const store = stateDirectory(join(dir, "state"));
  const { journals } = await store.inspect({ clusterId: CLUSTER_ID, connector: CONNECTOR });
  const open = journals.find((found) => "entries" in found && found.entries.at(-1)?.type !== "run-ended");
  return join(dir, "state", CLUSTER_ID, CONNECTOR, `${open?.key.run}.journal.jsonl`);
}

type Damage = (lines: readonly string[], at: number) => Buffer | string;

/** The line as another version would have written it: its checksum fits. */
function foreign(line: string, members: JsonObject): string {
  const { entry } = parseJson(line) as { entry: JsonObject };
  return journalLine({ ...entry, ...members } as unknown as JournalEntry);
}

const at = (lines: readonly string[], index: number, line: string) => lines.map((one, i) => (i === index ? line : one));
const flipped = (line: string, part: number) => {
  const bytes = Buffer.from(line);
  const place = Math.min(bytes.length - 2, Math.floor(bytes.length * part));
  bytes[place] = (bytes[place] ?? 0) ^ 0x11;
  return bytes;
};
const joined = (lines: readonly string[], index: number, bytes: Buffer) =>
  Buffer.concat([
    ...lines.slice(0, index).map((line) => Buffer.from(line)),
    bytes,
    ...lines.slice(index + 1).map((line) => Buffer.from(line)),
  ]);

/** Damage that nobody can overlook: the run can't be read. Undefined: it can't be done at that line. */
const DAMAGES: {
  readonly [what: string]: (lines: readonly string[], index: number) => ReturnType<Damage> | undefined;
} = {
  "a bit flipped at its beginning": (lines, i) => joined(lines, i, flipped(lines[i] ?? "", 0)),
  "a bit flipped in its middle": (lines, i) => joined(lines, i, flipped(lines[i] ?? "", 0.5)),
  "a bit flipped at its end": (lines, i) => joined(lines, i, flipped(lines[i] ?? "", 1)),
  "its line feed lost": (lines, i) =>
    i === lines.length - 1 ? undefined : at(lines, i, (lines[i] ?? "").trimEnd()).join(""),
  lost: (lines, i) => (i === lines.length - 1 ? undefined : lines.filter((_, one) => one !== i).join("")),
  doubled: (lines, i) => lines.flatMap((line, one) => (one === i ? [line, line] : [line])).join(""),
  swapped: (lines, i) =>
    i === lines.length - 1 ? undefined : [...lines.slice(0, i), lines[i + 1], lines[i], ...lines.slice(i + 2)].join(""),
  emptied: (lines, i) => at(lines, i, "\n").join(""),
  "binary garbage": (lines, i) => joined(lines, i, Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0d, 0xc3, 0x28, 0x0a])),
  "zeros of its length": (lines, i) =>
    joined(lines, i, Buffer.concat([Buffer.alloc((lines[i] ?? "").length - 1), Buffer.from("\n")])),
  "nested too deeply": (lines, i) => at(lines, i, `${"[".repeat(200_000)}\n`).join(""),
  "of a newer version": (lines, i) => at(lines, i, foreign(lines[i] ?? "", { type: "step-delegated" })).join(""),
  "an outcome of a newer version": (lines, i) =>
    at(lines, i, foreign(lines[i] ?? "", { type: "run-ended", outcome: "parked", message: "" })).join(""),
  "a step of a newer version": (lines, i) =>
    i === 0
      ? undefined
      : at(lines, i, foreign(lines[i] ?? "", { type: "step-started", step: "fence-connector" })).join(""),
  "another type of value": (lines, i) => at(lines, i, foreign(lines[i] ?? "", { at: 7n })).join(""),
};

inWorld("damage of any kind in any line affects nothing else and is never reported as settled", async (world) => {
  const path = await leaveInDoubt(world, TARGET_SCN);
  const whole = await readFile(path, "utf8");
  const lines = whole.split(/(?<=\n)/);
  const before = world.sandbox.connect.requests.length;
  const cases = Object.entries(DAMAGES).flatMap(([what, damage]) =>
    lines.flatMap((_, index) => {
      const content = damage(lines, index);
      return content === undefined ? [] : { name: `line ${index + 1} ${what}`, content };
    }),
  );
  for (const { name, content } of everyOther(cases)) {
    await writeFile(path, content);
    const status = await runHere(["status"], world);
    assert.is(status.exit, 3, `${name}: ${status.output}`);
    const words = status.output.replace(/\s+/g, "");
    assert.ok(words.includes(`${path}:`) && words.includes("indoubt"), `${name}: ${status.output}`);
    assert.match(status.output, /audit-cdc .* succeeded/, name);
    const own = await runHere(["status", "--connector", "audit-cdc"], world);
    assert.is(own.exit, 0, `${name}: ${own.output}`);
    const shown = await runHere(["show", AUDIT.run], world);
    assert.is(shown.exit, 0, `${name}: ${shown.output}`);
    const recovered = await runHere(["recover", "--yes"], world);
    assert.is(recovered.exit, 3, `${name}: ${recovered.output}`);
    assert.match(recovered.output, /cdcctl recover --from-ops/, name);
    const history = await runHere(["history", "--format", "json"], world);
    assert.is(history.exit, 0, `${name}: ${history.output}`);
    assert.is(await readFile(path, "latin1"), Buffer.from(content).toString("latin1"), `${name}: it was written to`);
  }
  assert.is(world.sandbox.connect.requests.length, before, "Connect was asked");
});

inWorld("the run of a truncated or empty journal stays in doubt", async (world) => {
  const path = await leaveInDoubt(world, TARGET_SCN);
  const lines = (await readFile(path, "utf8")).split(/(?<=\n)/);
  for (let kept = 0; kept < lines.length; kept++) {
    for (const torn of [0, 1, 40, (lines[kept] ?? "").length - 1]) {
      await writeFile(path, `${lines.slice(0, kept).join("")}${(lines[kept] ?? "").slice(0, torn)}`);
      const status = await runHere(["status"], world);
      assert.is(status.exit, 3, `${kept} lines and ${torn}: ${status.output}`);
      if (kept > 0) continue;
      assert.match(status.output.replace(/\s+/g, " "), /in doubt: .* it has no complete entry/);
      const recovered = await runHere(["recover", "--yes"], world);
      assert.is(recovered.exit, 3, recovered.output);
      assert.match(recovered.output.replace(/\s+/g, " "), /cdcctl recover --from-ops/);
    }
  }
});

inWorld("a command that needs an unreadable run is refused, with file, line and remedy", async (world) => {
  const path = await leaveInDoubt(world, TARGET_SCN);
  const lines = (await readFile(path, "utf8")).split(/(?<=\n)/);
  const run = path.split("/").at(-1)?.replace(".journal.jsonl", "") ?? "";
  const before = world.sandbox.connect.requests.filter(({ method }) => method !== "GET").length;
  for (const [what, version] of [
    ["a bit flipped in its middle", undefined],
    ["of a newer version", "9.1.0"],
  ] as const) {
    const first = version === undefined ? (lines[0] ?? "") : foreign(lines[0] ?? "", { cdcctl: version });
    await writeFile(path, DAMAGES[what]?.([first, ...lines.slice(1)], 4) ?? "");
    const set = ["admin", "offsets", "set", "--connect-url", world.sandbox.connect.url, "--name", CONNECTOR];
    const accepting = await world.writePlan(
      "accepting.yaml",
      planFile("other", "replay", `scn: ${TARGET_SCN}`, "resume: true", "accept: [OPS603]"),
    );
    for (const words of [
      ["apply", accepting, "--yes", "--again", ...LIMITS],
      [...set, "--scn", String(TARGET_SCN), "--reason", "replay"],
    ]) {
      const refused = await runHere(words, world);
      assert.is(refused.exit, 1, refused.output);
      if (/OPS603/.test(refused.output) && words[0] === "admin") continue;
      assert.match(refused.output, /APL813/);
      assert.ok(refused.output.replace(/\s+/g, "").includes(`${path}:5`), refused.output);
      if (version !== undefined) assert.match(refused.output, /Use cdcctl 9\.1\.0, or a later version/);
      assert.match(refused.output, /recover --from-ops --context sandbox --connector orders-cdc/);
    }
    for (const words of [
      ["show", run],
      ["rollback", run, "--yes"],
    ]) {
      const refused = await runHere(words, world);
      assert.is(refused.exit, 1, refused.output);
      assert.ok(refused.output.replace(/\s+/g, "").includes(`${path}:5`), refused.output);
    }
    const named = await runHere(["recover", run], world);
    assert.is(named.exit, 3, named.output);
  }
  assert.is(world.sandbox.connect.requests.filter(({ method }) => method !== "GET").length, before);
});

inWorld("another connector's change is planned, applied and recovered despite a damaged journal", async (world) => {
  const audit = join(world.dir, "state", CLUSTER_ID, AUDIT.connector, `${AUDIT.run}.journal.jsonl`);
  await writeFile(audit, "garbage\n");
  await writeFile(join(world.dir, "state", ".DS_Store"), "x");
  const path = await leaveInDoubt(world, TARGET_SCN);
  const recovered = await runHere(["recover", "--yes", ...LIMITS], world);
  assert.is(recovered.exit, 0, recovered.output);
  assert.match(recovered.output, /audit-cdc .* in doubt: its journal cannot be read/);
  const applied = await runHere(["apply", world.plan, "--yes", "--again", ...LIMITS], world);
  assert.is(applied.exit, 0, applied.output);
  assert.is((await runHere(["status", "--connector", CONNECTOR], world)).exit, 0);
  assert.is((await runHere(["status"], world)).exit, 3);
  const run = path.split("/").at(-1)?.replace(".journal.jsonl", "") ?? "";
  assert.is((await runHere(["show", run], world)).exit, 0);
});

inWorld("recover --from-ops settles the run on that machine and keeps the file", async (world) => {
  let scn = TARGET_SCN;
  for (const [what, damage] of Object.entries(DAMAGES)) {
    scn += 7n;
    const path = await leaveInDoubt(world, scn);
    const lines = (await readFile(path, "utf8")).split(/(?<=\n)/);
    const content = damage(lines, Number(scn) % (lines.length - 1)) ?? damage(lines, 1) ?? "";
    await writeFile(path, content);
    const settled = await runHere([...FROM_OPS, ...LIMITS], world);
    assert.is(settled.exit, 0, `${what}: ${settled.output}`);
    const words = settled.output.replace(/\s+/g, "");
    const kept = /thejournaliskeptas(\/\S+?\.set-aside-[\dTZ-]+?Z)/.exec(words)?.[1] ?? "";
    assert.is(await readFile(kept, "latin1"), Buffer.from(content).toString("latin1"), settled.output);
    const change = recordedChanges(await world.opsEvents(), CONNECTOR).at(-1);
    assert.equal([change?.outcome, change?.event.details.new_resume_scn], ["applied", String(scn)], what);
    const status = await runHere(["status"], world);
    assert.is(status.exit, 0, `${what}: ${status.output}`);
    const again = await runHere([...FROM_OPS, ...LIMITS], world);
    assert.is(again.exit, 0, again.output);
    assert.match(again.output, /nothing to recover/);
  }
  const files = await readdir(join(world.dir, "state", CLUSTER_ID, CONNECTOR));
  assert.is(files.filter((name) => name.includes(".set-aside-")).length, Object.keys(DAMAGES).length);
});

inWorld(
  "a journal of a run that the ops topic has settled, or does not contain, is set aside with what is known",
  async (world) => {
    const applied = await runHere(["apply", world.plan, "--yes", ...LIMITS], world);
    assert.is(applied.exit, 0, applied.output);
    const [done = ""] = (await readdir(join(world.dir, "state", CLUSTER_ID, CONNECTOR))).filter((name) =>
      name.endsWith(".jsonl"),
    );
    const path = join(world.dir, "state", CLUSTER_ID, CONNECTOR, done);
    await writeFile(path, DAMAGES["doubled"]?.((await readFile(path, "utf8")).split(/(?<=\n)/), 9) ?? "");
    assert.is((await runHere(["status"], world)).exit, 3);
    const settled = await runHere([...FROM_OPS, ...LIMITS], world);
    assert.is(settled.exit, 0, settled.output);
    assert.match(
      settled.output.replace(/\s+/g, " "),
      new RegExp(`records its change of the offset to ${TARGET_SCN} as applied`),
    );
    assert.match(settled.output.replace(/\s+/g, " "), /orders-cdc is RUNNING; stored offset \{/);
    assert.is((await runHere(["status"], world)).exit, 0);

    const unheard = await leaveInDoubt(world, TARGET_SCN + 9_000n, "stop");
    await writeFile(unheard, DAMAGES["binary garbage"]?.((await readFile(unheard, "utf8")).split(/(?<=\n)/), 1) ?? "");
    const set = await runHere([...FROM_OPS, ...LIMITS], world);
    assert.is(set.exit, 0, set.output);
    assert.match(set.output.replace(/\s+/g, " "), /holds no record of a change by it/);
    assert.match(set.output.replace(/\s+/g, " "), /up to line 1 it records offsets set/);
    assert.is((await runHere(["status"], world)).exit, 0);
  },
);

inWorld("a journal restored from an earlier copy is not believed: the ops topic settles its run", async (world) => {
  for (const [scn, fault] of [
    [TARGET_SCN, undefined],
    [TARGET_SCN + 7n, "PATCH"],
  ] as const) {
    if (fault === undefined) assert.is((await runHere(["apply", world.plan, "--yes", ...LIMITS], world)).exit, 0);
    else await leaveInDoubt(world, scn);
    const store = stateDirectory(join(world.dir, "state"));
    const [key] = (await store.list({ clusterId: CLUSTER_ID, connector: CONNECTOR })).slice(-1);
    const path = join(world.dir, "state", CLUSTER_ID, CONNECTOR, `${key?.run}.journal.jsonl`);
    const lines = (await readFile(path, "utf8")).split(/(?<=\n)/);
    const announced = lines.findIndex((line) => line.includes('"record-applying"') && line.includes("step-started"));
    await writeFile(path, lines.slice(0, announced).join(""));
    const before = world.sandbox.connect.requests.filter(({ method }) => method !== "GET").length;
    for (const words of [
      ["recover", "--yes"],
      ["recover", key?.run ?? "", "--abandon", "--yes"],
    ]) {
      const refused = await runHere([...words, ...LIMITS], world);
      assert.is(refused.exit, 3, refused.output);
      assert.match(refused.output.replace(/\s+/g, " "), /APL822/);
      assert.match(refused.output.replace(/\s+/g, " "), /recover --from-ops --context sandbox --connector orders-cdc/);
      assert.not.match(refused.output, /nothing of this run remains/);
    }
    assert.is(world.sandbox.connect.requests.filter(({ method }) => method !== "GET").length, before);
    const settled = await runHere([...FROM_OPS, ...LIMITS], world);
    assert.is(settled.exit, 0, settled.output);
    assert.match(settled.output.replace(/\s+/g, " "), /the ops topic records more of the run/);
    const change = recordedChanges(await world.opsEvents(), CONNECTOR).at(-1);
    assert.equal([change?.outcome, change?.event.details.new_resume_scn], ["applied", String(scn)]);
    assert.is((await runHere(["status"], world)).exit, 0);
  }
});

damaged.run();
