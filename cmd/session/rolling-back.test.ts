/** Which run `rollback` takes when none is named, and that to say it twice is not to take it back again. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { waitFor } from "../../providers/real/wait.ts";
import { CONNECTOR, type Sandbox, type SandboxOptions, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { contexts, planFile } from "../../providers/sandbox/scenario.ts";
import { type Apart, runApart } from "./testing/run-apart.ts";

const back = suite("which run is rolled back");

interface Place {
  readonly sandbox: Sandbox;
  readonly run: (...words: readonly string[]) => Promise<Apart>;
}

function inSandbox(name: string, options: SandboxOptions, act: (place: Place) => Promise<void>): void {
  back(name, async () => {
    const folder = await mkdtemp(join(tmpdir(), "cdcctl-back-"));
    const sandbox = await startSandbox({ state: "STOPPED", ...options });
    try {
      await writeFile(join(folder, "contexts.yaml"), contexts(sandbox), { mode: 0o600 });
      for (const [file, scn, ...more] of PLANS)
        await writeFile(join(folder, file), planFile("orders-replay", "replay", `scn: ${scn}`, ...more));
      const env = { CDCCTL_STATE: join(folder, "state"), CDCCTL_CONTEXTS: join(folder, "contexts.yaml"), HOME: folder };
      await act({
        sandbox,
        run: (...words) =>
          runApart(
            [
              ...words.map((word) => (word.endsWith(".yaml") ? join(folder, word) : word)),
              ...(words[0] === "show" ? [] : ["--settle", "300ms"]),
            ],
            env,
          ),
      });
    } finally {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
}

const PLANS: readonly (readonly [string, ...string[]])[] = [
  ["first.yaml", "2030000"],
  ["second.yaml", "2010000"],
  ["started.yaml", "2010000", "resume: true"],
];
/** Its task runs and commits nothing: the offset stays as it was set. */
const QUIET: SandboxOptions = { connect: { task: () => ({ start: () => undefined, tick: () => [] }) } };
const scnOf = ({ stored }: Sandbox) => String(stored()?.["resume_scn"]);
const idIn = ({ stdout }: Apart) => /^run (\S+)$/m.exec(stdout)?.[1] ?? "no run";

inSandbox("without a run there is nothing to roll back, whether it could ask or not", {}, async ({ run }) => {
  const { exit, stderr } = await run("rollback");
  assert.is(exit, 1);
  assert.match(stderr, "there is nothing to roll back");
  await run("apply", "first.yaml", "--yes");
  const unasked = await run("rollback");
  assert.is(unasked.exit, 64);
  assert.match(unasked.stderr, "--yes");
  assert.match(unasked.stdout, /^rollback-of-\S+ {2}OffsetChange/m);
});

inSandbox("a rollback that is refused says so where nobody can be asked", { state: "RUNNING" }, async ({ run }) => {
  const moved = await run("apply", "started.yaml", "--yes");
  assert.is(moved.exit, 0, moved.stdout + moved.stderr);
  const refused = await run("rollback");
  assert.is(refused.exit, 1, refused.stdout + refused.stderr);
  assert.match(refused.stdout + refused.stderr, "OFF111");
});

inSandbox("a second rollback is refused and names both runs", {}, async ({ sandbox, run }) => {
  await run("apply", "first.yaml", "--yes");
  const second = await run("apply", "second.yaml", "--yes");
  assert.is(scnOf(sandbox), "2010000", second.stdout + second.stderr);
  const once = await run("rollback", "--yes");
  assert.is(once.exit, 0, once.stdout + once.stderr);
  assert.is(scnOf(sandbox), "2030000");
  const twice = await run("rollback", "--yes");
  assert.is(twice.exit, 1, twice.stdout + twice.stderr);
  assert.match(
    twice.stderr.replaceAll(/\s+/g, " "),
    new RegExp(`${idIn(once)}, is itself the rollback of ${idIn(second)}`),
  );
  assert.match(twice.stderr, /APL808/);
  assert.is(scnOf(sandbox), "2030000");
  // The run is named, so it is the one that was meant.
  const named = await run("rollback", idIn(once), "--yes");
  assert.is(named.exit, 0, named.stdout + named.stderr);
  assert.is(scnOf(sandbox), "2010000");
});

inSandbox("a run that only started the connector cannot be rolled back", {}, async ({ run }) => {
  const moved = await run("apply", "second.yaml", "--yes");
  assert.is((await run("apply", "started.yaml", "--yes")).exit, 0);
  const seen = await run("rollback", "--yes");
  assert.match(seen.stdout + seen.stderr, new RegExp(idIn(moved)));
});

inSandbox("a start is repeated as often as another user stops the connector", QUIET, async ({ sandbox, run }) => {
  await run("apply", "second.yaml", "--yes");
  const resumes = () => sandbox.connect.requests.filter(({ path }) => path.endsWith("/resume")).length;
  for (const count of [1, 2]) {
    const seen = await run("apply", "started.yaml", "--yes");
    assert.is(seen.exit, 0, seen.stdout + seen.stderr);
    assert.is(resumes(), count);
    const connector = sandbox.connect.cluster.connectors.get(CONNECTOR);
    if (connector !== undefined) sandbox.connect.cluster.aim(connector, "STOPPED");
    await shows(sandbox, '"state":"STOPPED"');
  }
});

inSandbox("a start whose answer is lost is finished by recover", QUIET, async ({ sandbox, run }) => {
  await run("apply", "second.yaml", "--yes");
  sandbox.connect.fail(({ path }) => (path.endsWith("/resume") ? "disconnect-after" : undefined));
  const cut = await run("apply", "started.yaml", "--yes", "--resume-timeout", "1s");
  assert.is(cut.exit, 3, cut.stdout + cut.stderr);
  assert.match(cut.stdout, /cdcctl recover/);
  sandbox.connect.fail(undefined);
  const refused = await run("rollback", "--yes");
  assert.is(refused.exit, 1, "an earlier run of the connector that succeeded is not rolled back instead");
  assert.match(refused.stderr, `run ${idIn(cut)} is not finished`);
  assert.match(refused.stderr, `cdcctl recover ${idIn(cut)} --abandon`);
  const done = await run("recover", "--yes");
  assert.is(done.exit, 0, done.stdout + done.stderr);
  assert.match(done.stdout, /is unchanged; the connector is running/);
});

inSandbox(
  "a change whose first commit was never seen is in place: show offers its rollback, which works",
  QUIET,
  async (place) => {
    const { sandbox, run } = place;
    const before = scnOf(sandbox);
    const waiting = await run("apply", "started.yaml", "--yes", "--resume-timeout", "300ms");
    assert.is(waiting.exit, 3, waiting.stdout + waiting.stderr);
    const abandoned = await run("recover", "--abandon", "--yes");
    assert.is(abandoned.exit, 0, abandoned.stdout + abandoned.stderr);
    assert.match(abandoned.stdout, /the new offset stays stored/);
    const offer = `cdcctl rollback ${idIn(abandoned)}`;
    assert.ok(abandoned.stdout.includes(offer), abandoned.stdout);
    const shown = await run("show", idIn(abandoned));
    assert.ok(shown.stdout.includes(offer), shown.stdout);
    const { exit, stdout, stderr } = await run("rollback", "--yes", "--resume-timeout", "300ms");
    assert.is(exit, 3, stdout + stderr);
    assert.is(scnOf(sandbox), before);
  },
);

back.run();

function shows({ connect }: Sandbox, text: string): Promise<true> {
  return waitFor(`${text} in the status of ${CONNECTOR}`, async () => {
    const status = await (await fetch(`${connect.url}/connectors/${CONNECTOR}/status`)).text();
    return status.includes(text);
  });
}
