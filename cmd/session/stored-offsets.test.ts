import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { decodeOffsetsSet } from "../../core/facts/ops/ops-event.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { OPS_TOPIC, RECORDED } from "../../providers/sandbox/offset-scenarios.ts";
import { CONNECTOR, PREFIX, type Sandbox, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { planFile } from "../../providers/sandbox/scenario.ts";
import { SCENARIOS } from "../../providers/sandbox/scenarios.ts";
import { runHere } from "../behaviour/run-command.ts";

const offsets = suite("a stored offset as the task takes it, over the wire");

interface Here {
  readonly sandbox: Sandbox;
  /** The files of the scenario, and what else is written, are found by their names. */
  run(...argv: readonly string[]): ReturnType<typeof runHere>;
  write(name: string, text: string): Promise<void>;
  stored(): Promise<JsonObject>;
  events(): Promise<readonly NonNullable<ReturnType<typeof decodeOffsetsSet>>[]>;
}

async function within(scenario: string, body: (here: Here) => Promise<void>): Promise<void> {
  const found = SCENARIOS.find(({ name }) => name === scenario);
  if (found === undefined) throw new Error(`no scenario ${scenario}`);
  const sandbox = await startSandbox(found.options);
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-offsets-"));
  const env = { HOME: folder, CDCCTL_CONTEXTS: join(folder, "contexts.yaml"), CDCCTL_STATE: join(folder, "state") };
  const write = (name: string, text: string) => writeFile(join(folder, name), text, { mode: 0o600 });
  try {
    for (const [name, text] of Object.entries(found.files(sandbox))) await write(name, text);
    await body({
      sandbox,
      run: (...argv) =>
        runHere(
          argv.map((word) => (word.endsWith(".yaml") ? join(folder, word) : word)),
          { env },
        ),
      write,
      async stored() {
        const answer = await fetch(`${sandbox.connect.url}/connectors/${CONNECTOR}/offsets`);
        const { offsets: all } = (await answer.json()) as { offsets: { partition: JsonObject; offset: JsonObject }[] };
        return all.find(({ partition }) => partition["server"] === PREFIX)?.offset ?? {};
      },
      async events() {
        const records = await sandbox.broker.records(OPS_TOPIC);
        return records.flatMap(({ value }) => decodeOffsetsSet(value, (text) => text) ?? []);
      },
    });
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const admin = ({ sandbox }: Here, ...argv: readonly string[]) => [
  "admin",
  ...argv,
  "--connect-url",
  sandbox.connect.url,
  "--name",
  CONNECTOR,
];
const CUT = ["start_floor_scn", "start_open_scn", "start_open_xids"];
const cutIn = (offset: JsonObject) => CUT.filter((name) => Object.hasOwn(offset, name));
const flat = (text: string) => text.replaceAll(/\s+/g, " ");

offsets("offsets show, status and report name the first-start cut: what is not delivered below which SCN", () =>
  within("first-start-cut", async (here) => {
    const shown = await here.run(...admin(here, "offsets", "show"));
    assert.match(flat(shown.output), /first-start cut nothing below 2044000 is delivered, except rows of 3:9\.1\.44/);
    const json = await here.run(...admin(here, "offsets", "show"), "--format", "json");
    assert.match(flat(json.output), /"first_start_cut": \{ "floor_scn": 2044000/);
  }),
);

offsets("admin offsets set below the floor lifts the cut, says so, and a rollback restores it", () =>
  within("first-start-cut", async (here) => {
    const set = await here.run(...admin(here, "offsets", "set"), "--scn", "2020000", "--reason", "replay");
    assert.is(set.exit, 0, set.output);
    assert.match(flat(set.output), /lifts the first-start cut at 2044000: start_floor_scn/);
    const moved = await here.stored();
    assert.is(moved["resume_scn"], 2020000);
    assert.equal(cutIn(moved), []);
    const back = await here.run("rollback", "--yes", "--connect-url", here.sandbox.connect.url);
    assert.is(back.exit, 0, back.output);
    assert.match(flat(back.output), /restores the first-start cut at 2044000/);
    assert.equal(cutIn(await here.stored()), CUT);
  }),
);

offsets("a plan file to the same SCN below the floor keeps the cut", () =>
  within("first-start-cut", async (here) => {
    await here.write("same.yaml", planFile("same", "drop the redo address", "scn: 2043500"));
    assert.is((await here.stored())["resume_scn"], 2043500);
    const applied = await here.run("apply", "same.yaml", "--yes", "--settle", "10ms");
    assert.is(applied.exit, 0, applied.output);
    assert.equal(cutIn(await here.stored()), CUT);
  }),
);

offsets("an offset of version null is refused by every change, with the connector's code", () =>
  within("unreadable-offset", async (here) => {
    const shown = await here.run(...admin(here, "offsets", "show"));
    assert.is(shown.exit, 0, shown.output);
    assert.match(flat(shown.output), /v is null, not 1: the task stops with CDC-3002/);
    const at = ["--connect-url", here.sandbox.connect.url];
    for (const command of [
      ["plan", "orders-replay.yaml"],
      ["apply", "orders-replay.yaml", "--yes"],
      [...admin(here, "offsets", "set"), "--scn", "2010000", "--reason", "replay"],
      [...admin(here, "resnapshot"), "--tables", "ORCLPDB1.SALES.ORDERS", "--reason", "again"],
      ["connectors", "resume", CONNECTOR, ...at],
      admin(here, "journal", "inspect"),
    ]) {
      const refused = await here.run(...command);
      assert.is(refused.exit, 1, refused.output);
      assert.match(flat(refused.output), /v is null, not 1: the task stops with CDC-3002/, command.join(" "));
      assert.match(refused.output, "OFF105");
    }
    const report = await here.run("report", CONNECTOR, ...at);
    assert.match(flat(report.output), /It cannot be read: v is null, not 1: the task stops with CDC-3002/);
    const list = await here.run("connectors", "list", ...at);
    assert.match(flat(list.output), /orders-cdc STOPPED not read/);
    const one = await here.run("connectors", "show", CONNECTOR, ...at);
    assert.match(
      flat(one.output),
      /Position the stored offset can't be read: v is null, not 1.*next: cdcctl explain OFF105/,
    );
    assert.not.match(one.output, "connectors resume");
    const lag = await here.run("doctor", "explain-lag", ...at, "--name", CONNECTOR, "--interval", "10ms");
    assert.match(flat(lag.output), /\? missing redo.* unknown: .*v is null, not 1: the task stops with CDC-3002/);
    assert.is((await here.stored())["v"], null);
  }),
);

offsets("the last recorded offset is written back by a reviewed plan that shows every raw field", () =>
  within("unreadable-offset", async (here) => {
    const plan = await here.run("plan", "orders-recorded.yaml", "--full");
    assert.match(flat(plan.output), /v null → 1 /);
    assert.match(flat(plan.output), /resume_scn 2044511 → 2030000/);
    assert.match(plan.output, "OFF117");
    const applied = await here.run("apply", "orders-recorded.yaml", "--yes", "--settle", "10ms");
    assert.is(applied.exit, 0, applied.output);
    assert.equal(
      await here.stored(),
      JSON.parse(JSON.stringify(RECORDED, (_, v) => (typeof v === "bigint" ? Number(v) : v))),
    );
    const last = (await here.events()).at(-1);
    assert.is(last?.details.outcome, "applied");
    assert.is(last?.details.previous_resume_scn, "2044511");
    const again = await here.run("apply", "orders-recorded.yaml", "--yes");
    assert.match(again.output, "already");
  }),
);

offsets("an offset that the task takes is not replaced by a recorded one", () =>
  within("stopped", async (here) => {
    const applied = await here.run("apply", "orders-replay.yaml", "--yes", "--settle", "10ms");
    assert.is(applied.exit, 0, applied.output);
    await here.write("on.yaml", planFile("on", "mined on", "scn: 2020000", "allowSkip: true"));
    await here.run("apply", "on.yaml", "--yes", "--settle", "10ms");
    const { url } = here.sandbox.connect;
    const moved = { ...(await here.stored()), journal_generation: 99 };
    await fetch(`${url}/connectors/${CONNECTOR}/offsets`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ offsets: [{ partition: { server: PREFIX }, offset: moved }] }),
    });
    await here.write("recorded.yaml", planFile("recorded", "not needed", "lastRecorded: true"));
    const refused = await here.run("apply", "recorded.yaml", "--yes");
    assert.is(refused.exit, 1, refused.output);
    assert.match(flat(refused.output), /the task takes the stored offset/);
  }),
);

offsets("a run that has written back the recorded offset is not rolled back to one that no task takes", () =>
  within("unreadable-offset", async (here) => {
    await here.write("recorded.yaml", planFile("recorded", "it has lost its version", "lastRecorded: true"));
    const applied = await here.run("apply", "recorded.yaml", "--yes", "--settle", "10ms");
    assert.is(applied.exit, 0, applied.output);
    const after = await here.stored();
    const refused = await here.run("rollback", "--yes", "--settle", "10ms");
    assert.is(refused.exit, 1, refused.output);
    assert.match(flat(refused.output), /the offset to restore is refused: .*v is null, not 1: .*CDC-3002 ✗ OFF108/);
    assert.equal(await here.stored(), after);
  }),
);

offsets("deliverAgain removes the last commit, is recorded, and is rolled back", () =>
  within("stopped", async (here) => {
    await here.write("again.yaml", planFile("again", "a consumer lost its data", "scn: 2010000", "deliverAgain: true"));
    const before = await here.stored();
    const plan = await here.run("plan", "again.yaml", "--full");
    assert.match(flat(plan.output), /last commit 2044498.* removed/);
    assert.match(flat(plan.output), /the new offset has no last commit, so delivered commits are delivered again/);
    const applied = await here.run("apply", "again.yaml", "--yes", "--settle", "10ms");
    assert.is(applied.exit, 0, applied.output);
    const after = await here.stored();
    assert.equal(
      Object.keys(after).filter((name) => name.startsWith("last_commit_")),
      [],
    );
    assert.is(after["event_index"], 0);
    assert.equal(
      (await here.events()).map(({ details }) => [details.outcome, details.deliver_again]),
      [
        ["applying", "true"],
        ["applied", "true"],
      ],
    );
    const back = await here.run("rollback", "--yes", "--settle", "10ms");
    assert.is(back.exit, 0, back.output);
    assert.equal(await here.stored(), before);
  }),
);

offsets("deliverAgain is refused for any other move, and without a ticket", () =>
  within("stopped", async (here) => {
    await here.write("on.yaml", planFile("on", "why", "scn: 2044900", "allowSkip: true", "deliverAgain: true"));
    const ahead = await here.run("apply", "on.yaml", "--yes");
    assert.is(ahead.exit, 1, ahead.output);
    assert.match(ahead.output, "OFF116");
    const file = planFile("again", "why", "scn: 2010000", "deliverAgain: true").replace(/ {2}ticket: .*\n/, "");
    await here.write("again.yaml", file);
    const refused = await here.run("apply", "again.yaml", "--yes");
    assert.is(refused.exit, 1, refused.output);
    assert.match(flat(refused.output), /metadata\.ticket is not set/);
  }),
);

offsets.run();
