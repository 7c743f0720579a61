/**
 * Documents that the cdcctl wrote which came before version 2 of the plan: they are read, shown, applied, recovered and
 * rolled back. All of them were made by it, against the sandbox.
 */
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { digestOf } from "../../core/values/digest.ts";
import { type JsonObject, parseJson, printJson } from "../../core/values/json.ts";
import {
  CLUSTER_ID,
  CONNECTOR,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
} from "../../providers/sandbox/sandbox.ts";
import { contexts } from "../../providers/sandbox/scenario.ts";
import { worldNamed } from "../transcripts/worlds.ts";
import { type Apart, runApart } from "./testing/run-apart.ts";

const earlier = suite("documents of version 1");

const FIXTURES = fileURLToPath(new URL("testdata/version-1/", import.meta.url));
const text = (name: string) => readFile(join(FIXTURES, name), "utf8");
const json = async (name: string) => parseJson(await text(name)) as JsonObject;

/** The settings that depend on ports, as the fixtures' connector has them; the operator's file has the real ones. */
const FIXED = { "cdc.database.port": "1521", "cdc.stream.bootstrap.servers": "kafka.sandbox:9092" };

interface Place {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly run: (...words: readonly string[]) => Promise<Apart>;
}

/** @param runs the folder of the fixtures whose journals are in the state */
async function inWorld(
  scenario: string,
  options: SandboxOptions,
  runs: string | undefined,
  act: (place: Place) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-version-1-"));
  const sandbox = await startSandbox({
    ...worldNamed(scenario).options,
    ...options,
    ...(scenario === "migration" ? {} : { config: FIXED }),
  });
  try {
    const { config, databasePort, broker } = sandbox;
    const real = {
      ...config,
      "cdc.database.port": String(databasePort),
      "cdc.stream.bootstrap.servers": broker.address,
    };
    const files: Readonly<Record<string, string>> = worldNamed(scenario).files(sandbox);
    const own = files["orders-cdc.json"] ?? JSON.stringify({ name: CONNECTOR, config: real });
    await writeFile(join(folder, "orders-cdc.json"), own, { mode: 0o600 });
    await writeFile(
      join(folder, "contexts.yaml"),
      `${contexts(sandbox)}    connectors:\n      ${CONNECTOR}: { config: orders-cdc.json }\n`,
      { mode: 0o600 },
    );
    if (runs !== undefined) await restoreRuns(runs, join(folder, "state"));
    const env = { CDCCTL_STATE: join(folder, "state"), CDCCTL_CONTEXTS: join(folder, "contexts.yaml"), HOME: folder };
    await act({ sandbox, folder, run: (...words) => runApart(words, env) });
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Journals as cdcctl wrote them: nobody else may read them. */
async function restoreRuns(runs: string, state: string): Promise<void> {
  await cp(join(FIXTURES, runs), state, { recursive: true });
  const own = join(state, CLUSTER_ID, CONNECTOR);
  for (const one of [state, join(state, CLUSTER_ID), own]) await chmod(one, 0o700);
  for (const name of await readdir(own)) await chmod(join(own, name), 0o600);
}

async function recordIn(sandbox: Sandbox, file: string): Promise<void> {
  const lines = (await text(file)).trim().split("\n");
  sandbox.broker.append(
    "orders.cdc.ops",
    lines.map((line) => {
      const { key, value } = JSON.parse(line);
      return { key: Buffer.from(key), value: Buffer.from(value) };
    }),
  );
}

/** The offset that the first record says was stored. */
async function offsetBefore(file: string): Promise<JsonObject> {
  const [first = ""] = (await text(file)).split("\n");
  return parseJson(JSON.parse(JSON.parse(first).value).details.previous_offset) as JsonObject;
}

/** A file of before the approval, for the ports of this sandbox: it may be applied where its decision recomputes. */
async function forPortsOf({ config, broker, databasePort }: Sandbox, name: string): Promise<string> {
  const { approval: _, digest: __, plans, ...body } = await json(name);
  const [plan] = plans as unknown as readonly { readonly decided: { readonly configuration: JsonObject } }[];
  assert.ok(plan !== undefined && config !== undefined);
  const ports = { "cdc.database.port": String(databasePort), "cdc.stream.bootstrap.servers": broker.address };
  const decided = { ...plan.decided, configuration: { ...plan.decided.configuration, ...ports } };
  const decision = digestOf(decided);
  const whole = { ...body, plans: [{ ...plan, decided, decision }], decision };
  return `${printJson({ ...whole, digest: digestOf(whole) })}\n`;
}

/** Its task runs and commits nothing. */
const QUIET: SandboxOptions["connect"] = { task: () => ({ start: () => undefined, tick: () => [] }) };

/** `retire`: facts with a verification could not be read back, by the version that wrote them either. */
const READABLE_FACTS = ["offset-change", "resnapshot", "cutover", "verify", "rollback"] as const;
const KINDS = ["offset-change", "resnapshot", "cutover", "verify", "rollback", "retire"] as const;
const FILES = { "offset-change": "orders-replay.yaml", resnapshot: "orders-after-purge.yaml" } as const;
const SCENARIOS = { "offset-change": "orders", resnapshot: "gap" } as const;
const flat = ({ stdout, stderr }: Apart) => `${stdout}${stderr}`.replaceAll(/\s+/g, " ");

for (const kind of KINDS)
  earlier(`a resolved plan of ${kind} is shown and reported, with its decision, findings and steps`, async () => {
    const name = join(FIXTURES, `${kind}.plan.json`);
    const { decision, plans } = await json(`${kind}.plan.json`);
    const [plan] = plans as unknown as readonly {
      readonly intent: { readonly metadata: { readonly name: string } };
      readonly findings: readonly { readonly code: string; readonly effect: string }[];
    }[];
    for (const format of ["text", "markdown", "html", "json"] as const) {
      const shown = await runApart(["show", name, ...(format === "html" ? [] : ["--format", format])]);
      const seen = format === "html" ? await runApart(["report", name, "--format", "html"]) : shown;
      assert.is(seen.exit, 0, seen.output);
      assert.match(seen.stdout, String(decision), format);
      assert.match(seen.stdout, plan?.intent.metadata.name ?? "no name", format);
      for (const { code, effect } of plan?.findings ?? [])
        if (effect === "warns" && code !== "CON304") assert.match(seen.stdout, code, format);
    }
  });

for (const kind of READABLE_FACTS)
  earlier(`recorded facts of ${kind} give the decision that they gave`, async () => {
    const file = kind in FILES ? FILES[kind as keyof typeof FILES] : `${kind}.yaml`;
    const facts = join(FIXTURES, `${kind}.facts.json`);
    const planned = await runApart(["plan", join(FIXTURES, file), "--facts", facts, "--format", "json"]);
    const { decision } = await json(`${kind}.plan.json`);
    assert.match(planned.stdout, `"decision": "${String(decision)}"`, planned.stderr);
  });

for (const kind of ["offset-change", "resnapshot"] as const) {
  const stopped = `${kind}-stopped.ops.jsonl`;
  earlier(`a resolved plan of ${kind} is applied where its decision recomputes`, async () => {
    const offset = await offsetBefore(stopped);
    await inWorld(SCENARIOS[kind], { offset }, undefined, async ({ sandbox, folder, run }) => {
      const plan = join(folder, "plan.json");
      await writeFile(plan, await forPortsOf(sandbox, `${kind}.plan.json`));
      const applied = await run("apply", plan, "--yes", "--max-age", "87600h", "--settle", "300ms");
      assert.is(applied.exit, 0, applied.output);
      assert.is(sandbox.stored()?.["resume_scn"] === offset["resume_scn"], false);
    });
  });

  earlier(`a run of ${kind} that stopped before its PATCH is recovered`, async () => {
    const offset = await offsetBefore(stopped);
    await inWorld(SCENARIOS[kind], { offset, state: "STOPPED" }, `${kind}-stopped`, async ({ sandbox, run }) => {
      await recordIn(sandbox, stopped);
      const status = await run("status");
      assert.match(flat(status), /patch the stored offset/);
      const recovered = await run("recover", "--yes", "--settle", "300ms");
      assert.match(recovered.output, /the stored offset is as planned/);
      assert.is.not(String(sandbox.stored()?.["resume_scn"]), String(offset["resume_scn"]));
    });
  });

  earlier(`what the ops topic records of ${kind} is listed, and taken over without its journal`, async () => {
    const offset = await offsetBefore(stopped);
    await inWorld(SCENARIOS[kind], { offset, state: "STOPPED" }, undefined, async ({ sandbox, run }) => {
      await recordIn(sandbox, stopped);
      const place = ["--context", "sandbox", "--connector", CONNECTOR] as const;
      assert.match(flat(await run("history", "--ops", ...place)), / ana CHG-471\d .* in flight /);
      const settling = ["recover", "--from-ops", ...place, "--yes", "--settle", "300ms"] as const;
      const settled = await run(...settling, ...(kind === "resnapshot" ? ["--allow-skip"] : []));
      assert.is(settled.exit, 0, settled.output);
      assert.match(flat(settled), /the stored offset of orders-cdc is 20[13]0000, as planned/);
      assert.match(flat(await run("history", "--ops", ...place)), / applied /);
    });
  });

  earlier(`a finished run of ${kind} is shown, and rolled back`, async () => {
    const finished = `${kind}-finished.ops.jsonl`;
    const before = await offsetBefore(finished);
    const offset = await json(`${kind}-finished.offset.json`);
    await inWorld(
      "orders",
      { offset, state: "STOPPED", connect: QUIET },
      `${kind}-finished`,
      async ({ sandbox, run }) => {
        await recordIn(sandbox, finished);
        const [, id = ""] = /(\d{4}-\d\d-\d\dT[\d-]+Z-[0-9a-f]{4})/.exec((await run("history")).stdout) ?? [];
        for (const format of ["text", "markdown", "json"]) {
          const shown = await run("show", id, "--format", format);
          assert.is(shown.exit, 0, shown.output);
          assert.match(shown.stdout, id);
        }
        const back = await run("rollback", id, "--yes", "--no-resume", "--settle", "300ms");
        assert.is(back.exit, 0, back.output);
        assert.is(String(sandbox.stored()?.["resume_scn"]), String(before["resume_scn"]));
      },
    );
  });
}

earlier("a cutover that stopped before the new connector was created is recovered", async () => {
  await inWorld("migration", {}, "cutover-stopped", async ({ run }) => {
    const shown = await run("status");
    assert.match(flat(shown), /create orders-cdc/);
    // This sandbox has other ports: the configuration is not the one of the plan, and the run backs out.
    const recovered = await run("recover", "--yes", "--settle", "300ms");
    assert.match(flat(recovered), "step 4 of 4 start orders-cdc");
    assert.match(flat(recovered), "orders-legacy is resumed");
    assert.match(flat(recovered), "failed: the new connector's configuration is no longer");
    assert.match(flat(recovered), "nothing of this run remains");
    assert.match(flat(await run("status")), "failed");
  });
});

for (const [runs, sentence] of [
  ["cutover-finished", /cutover from/],
  ["rollback-stopped", /rollback to/],
  ["retire-stopped", / retire /],
] as const)
  earlier(`the runs of ${runs} are listed and shown`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "cdcctl-version-1-"));
    try {
      await mkdir(join(folder, "state"));
      await restoreRuns(runs, join(folder, "state"));
      const env = { CDCCTL_STATE: join(folder, "state"), HOME: folder };
      assert.match(flat(await runApart(["history"], env)), sentence);
      for (const name of await readdir(join(folder, "state", CLUSTER_ID, CONNECTOR))) {
        const id = name.replace(".journal.jsonl", "");
        for (const format of ["text", "markdown", "json"]) {
          const shown = await runApart(["show", id, "--format", format], env);
          assert.is(shown.exit, 0, shown.output);
        }
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

earlier("an evidence file is intact", async () => {
  const evidence = join(FIXTURES, "orders-to-cdc.evidence.json");
  const checked = await runApart(["migrate", "verify", "--check-evidence", evidence]);
  assert.is(checked.exit, 0, checked.output);
  assert.match(checked.stdout, /^orders-cdc +cutover verification +passed$/m);
});

earlier.run();
