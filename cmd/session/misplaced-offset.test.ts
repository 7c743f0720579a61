import { access, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { OracleWorld } from "../../providers/sandbox/oracle/world.ts";
import { CONNECTOR, type Sandbox, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { contexts, planFile, resnapshotFile } from "../../providers/sandbox/scenario.ts";
import { fillDictionary } from "../behaviour/real/resnapshot-scene.ts";
import { runHere } from "../behaviour/run-command.ts";

const misplaced = suite("an offset that has no position in the connected database, over the wire");

/** What became of the database since the offset was stored. */
const DATABASES: readonly (readonly [
  what: string,
  code: string,
  seen: RegExp,
  change: (world: OracleWorld) => void,
])[] = [
  [
    "another database",
    "OFF106",
    /taken in the database with\s+dbid/,
    (world) => Object.assign(world.database, { dbid: 4711n }),
  ],
  [
    "another incarnation",
    "OFF106",
    /opened\s+with\s+RESETLOGS\s+at\s+2000001/,
    (world) => Object.assign(world.database, { resetlogsScn: 2_000_001n }),
  ],
  [
    "a database flashed back to before it",
    "OFF101",
    /resume SCN \d+ is\s+above/,
    (world) => Object.assign(world, { currentScn: () => 2_009_000n }),
  ],
];

for (const [what, code, seen, change] of DATABASES)
  misplaced(`${what}: offsets show --check-redo, status --position and report say ${code}, and exit with 1`, () =>
    withRun(async (run, sandbox, folder) => {
      change(sandbox.oracle);
      const where = ["--connect-url", sandbox.connect.url];
      const page = join(folder, "page.html");
      const commands = [
        ["admin", "offsets", "show", ...where, "--name", CONNECTOR, "--check-redo"],
        ["admin", "offsets", "show", ...where, "--name", CONNECTOR, "--check-redo", "--format", "json"],
        ["status", "--position"],
        ["report", CONNECTOR, ...where, "--out", page],
      ];
      for (const command of commands) {
        const { exit, output } = await run(command);
        assert.is(exit, 1, output);
        assert.match(output, code);
        assert.match(output, seen);
        assert.not.match(output, "complete:");
      }
      await access(page);
    }),
  );

misplaced("in its own database each of them exits with 0", () =>
  withRun(async (run, sandbox, folder) => {
    const where = ["--connect-url", sandbox.connect.url];
    for (const command of [
      ["admin", "offsets", "show", ...where, "--name", CONNECTOR, "--check-redo"],
      ["status", "--position"],
      ["report", CONNECTOR, ...where, "--out", join(folder, "page.html")],
    ]) {
      const { exit, output } = await run(command);
      assert.is(exit, 0, output);
    }
  }),
);

misplaced("a later format is reported with the connector's own code, and not as unreadable", async () => {
  const sandbox = await startSandbox({ state: "STOPPED", offset: { v: 2n, resume_scn: 2_010_000n } });
  try {
    const show = ["admin", "offsets", "show", "--connect-url", sandbox.connect.url, "--name", CONNECTOR];
    const shown = await runHere(show, { env: { HOME: "/nonexistent" } });
    assert.is(shown.exit, 0, shown.output);
    assert.match(shown.output, /CDC-3002: the stored offset has format version 2/);
    const checked = await runHere([...show, "--check-redo"], { env: { HOME: "/nonexistent" } });
    assert.is(checked.exit, 1);
    assert.match(checked.output, /CDC-3002[\s\S]*OFF104/);
  } finally {
    await sandbox.close();
  }
});

misplaced("a resnapshot there is blocked by a finding that its plan file can accept; admin is refused", () =>
  withRun(async (run, sandbox, folder) => {
    fillDictionary(sandbox.oracle);
    Object.assign(sandbox.oracle, { currentScn: () => 2_009_000n });
    const snapshot = async (...spec: readonly string[]) => {
      const file = join(folder, "snapshot.yaml");
      await writeFile(file, resnapshotFile("again", "flashed back", "tables: [ORCLPDB1.SALES.ORDERS]", ...spec));
      return run(["apply", file, "--yes", "--settle", "10ms"]);
    };
    const blocked = await snapshot();
    assert.is(blocked.exit, 1, blocked.output);
    assert.match(blocked.output.replaceAll(/\s+/g, " "), /2010000 is above the current SCN .*never be delivered/);
    assert.match(blocked.output, "spec.accept: [OFF118]");
    const where = ["--connect-url", sandbox.connect.url, "--name", CONNECTOR];
    const typed = ["admin", "resnapshot", ...where, "--tables", "ORCLPDB1.SALES.ORDERS", "--reason", "flashed back"];
    const refused = await run(typed);
    assert.is(refused.exit, 1, refused.output);
    assert.match(refused.output, "OFF118");
    const accepted = await snapshot("accept: [OFF118]");
    assert.is(accepted.exit, 0, accepted.output);
    assert.match(accepted.output.replaceAll(/\s+/g, " "), /the signal \S+ is written/);
    assert.is(sandbox.stored()?.["resume_scn"], 2_010_000n, "the signal alone");
  }),
);

/** A case in a world with one run that is over. */
async function withRun(
  body: (
    run: (argv: readonly string[]) => ReturnType<typeof runHere>,
    sandbox: Sandbox,
    folder: string,
  ) => Promise<void>,
): Promise<void> {
  const sandbox = await startSandbox({ state: "STOPPED" });
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-misplaced-"));
  try {
    const [config, file] = [join(folder, "contexts.yaml"), join(folder, "plan.yaml")];
    await writeFile(config, contexts(sandbox), { mode: 0o600 });
    await writeFile(file, planFile("replay", "for the test", "scn: 2010000\n  resume: false"));
    const env = { HOME: folder, CDCCTL_CONTEXTS: config, CDCCTL_STATE: join(folder, "state") };
    const run = (argv: readonly string[]) => runHere(argv, { env });
    const applied = await run(["apply", file, "--yes", "--settle", "10ms"]);
    assert.is(applied.exit, 0, applied.output);
    await body(run, sandbox, folder);
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true });
  }
}

misplaced.run();
