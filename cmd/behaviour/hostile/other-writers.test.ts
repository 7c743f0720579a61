/** Files that decide, where another user may write them: no login is sent, and no journal is gone by. */
import { chmod, chown, mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { closing } from "../../../core/change/holding.ts";
import { CLUSTER_ID, CONNECTOR } from "../../../providers/sandbox/sandbox.ts";
import { type ChangedWorld, failAll, openChangedWorld } from "../changed-world.ts";
import { runHere } from "../run-command.ts";
import { afterCutover } from "../verify-job/after-cutover.ts";

const others = suite("other writers");
const LIMITS = ["--settle", "100ms"];
const OTHER = 1005;

/** Adds a test of files that are given to others; where that can't be done, it is skipped and said. */
function asRoot(name: string, test: () => Promise<void>): void {
  if (process.geteuid?.() === 0) return void others(name, test);
  process.stdout.write(`NOT RUN  ${name}: only root can give a file to another user\n`);
  others.skip(name, test);
}

function inWorld(name: string, act: (world: ChangedWorld) => Promise<void>): void {
  asRoot(name, async () => {
    await using world = closing(await openChangedWorld());
    await act(world);
  });
}

const asked = ({ sandbox }: ChangedWorld) => sandbox.connect.requests.length;

/** [what, done to the file, what is said, undone]. */
const RIGHTS: readonly (readonly [
  what: string,
  give: (path: string) => Promise<void>,
  says: RegExp,
  take: (path: string) => Promise<void>,
])[] = [
  [
    "another owner",
    (at) => chown(at, OTHER, 0),
    /belongs to a user other than this one or root/,
    (at) => chown(at, 0, 0),
  ],
  [
    "write access for all",
    (at) => chmod(at, 0o777),
    /everybody on this host can write to it/,
    (at) => chmod(at, 0o700),
  ],
  [
    "write access for a foreign group",
    async (at) => {
      await chown(at, 0, OTHER);
      await chmod(at, 0o770);
    },
    /a group to which this user does not belong can write to it/,
    async (at) => {
      await chown(at, 0, 0);
      await chmod(at, 0o700);
    },
  ],
];

inWorld("a contexts file of others is refused by every command, before any host is asked", async (world) => {
  const contexts = join(world.dir, "contexts.yaml");
  for (const [what, give, says, take] of RIGHTS) {
    await give(contexts);
    const before = asked(world);
    for (const words of [
      ["plan", world.plan],
      ["apply", world.plan, "--yes"],
      ["contexts", "list"],
      ["contexts", "test", "sandbox"],
      ["connectors", "list", "--context", "sandbox"],
    ]) {
      const { exit, output } = await runHere(words, world);
      assert.is(exit, 1, `${what}, ${words.join(" ")}: ${output}`);
      assert.match(output.replace(/\s+/g, " "), says);
      assert.match(output, /STA702/);
      assert.match(output.replace(/\s+/g, " "), /ch(mod|own) \S+ \S*contexts\.yaml/);
    }
    assert.is(asked(world), before);
    await take(contexts);
    assert.is((await runHere(["plan", world.plan], world)).exit, 0);
  }
});

inWorld("a contexts file in a folder that all can write is refused; a sticky folder is not", async (world) => {
  const folder = dirname(join(world.dir, "contexts.yaml"));
  await chmod(folder, 0o777);
  const refused = await runHere(["plan", world.plan], world);
  assert.is(refused.exit, 1, refused.output);
  assert.match(refused.output, /STA702/);
  await chmod(folder, 0o1777);
  assert.is((await runHere(["plan", world.plan], world)).exit, 0);
});

inWorld("a contexts file that one's own group can write is used with a warning, once", async (world) => {
  await chmod(join(world.dir, "contexts.yaml"), 0o660);
  const { exit, stderr } = await runHere(["plan", world.plan], world);
  assert.is(exit, 0, stderr);
  assert.is(
    stderr.replace(/\s+/g, " ").split("its group, to which this user belongs, can write to it").length,
    2,
    stderr,
  );
});

/** Everything that goes by a journal. */
const BY_JOURNAL = [
  ["recover"],
  ["recover", "--abandon"],
  ["recover", "--resume"],
  ["recover", "--from-ops", "--context", "sandbox", "--connector", CONNECTOR],
  ["rollback"],
];

inWorld(
  "recover and rollback go by no journal that others can write; status shows it, and other runs go on",
  async (world) => {
    const state = join(world.dir, "state");
    const folder = join(state, CLUSTER_ID, CONNECTOR);
    failAll(world.sandbox, (arrival) =>
      arrival.system === "connect" && arrival.method === "PATCH" ? { connect: "disconnect-before" } : undefined,
    );
    const patience = { connect: { callMillis: 10_000, retryMillis: 300 }, patch: 100 };
    const cut = await runHere(["apply", world.plan, "--yes", ...LIMITS], { ...world, patience });
    assert.is(cut.exit, 3, cut.output);
    failAll(world.sandbox, undefined);
    const [journal = ""] = (await readdir(folder)).filter((name) => name.endsWith(".jsonl"));
    const places = [join(folder, journal), folder, dirname(folder), state];
    for (const path of places)
      for (const [what, give, says, take] of RIGHTS) {
        await give(path);
        for (const words of BY_JOURNAL) {
          const before = asked(world);
          const { exit, output } = await runHere([...words, "--yes", ...LIMITS], world);
          assert.is(exit, 1, `${words.join(" ")}, ${what} of ${path}: ${output}`);
          assert.match(output.replace(/\s+/g, " "), says);
          assert.match(output, /STA702/);
          assert.ok(output.replace(/\s+/g, "").includes(`${path}:`), output);
          // The place of --from-ops is known once its workers have named their cluster.
          if (!words.includes("--from-ops")) assert.is(asked(world), before);
        }
        const told = asked(world);
        const status = await runHere(["status"], world);
        assert.is(status.exit, 3, status.output);
        assert.match(status.stderr.replace(/\s+/g, " "), /orders-cdc is shown by its journal alone: .*STA702/);
        assert.is(asked(world), told, "where it names, nobody is asked");
        await take(path);
      }
    await mkdir(join(state, CLUSTER_ID, "billing-cdc"));
    await chown(join(state, CLUSTER_ID, "billing-cdc"), OTHER, OTHER);
    for (const path of places) await chmod(path, 0o770);
    const recovered = await runHere(["recover", "--yes", ...LIMITS], world);
    assert.is(recovered.exit, 0, recovered.output);
    const told = recovered.stderr.replace(/\s+/g, " ");
    assert.is(told.split("its group, to which this user belongs, can write to it").length, 2, told);
    assert.match(told, /the same holds for 3 other paths/);
    for (const path of places) await chmod(path, 0o700);
    const silent = await runHere(["rollback", "--yes", "--move-back", ...LIMITS], world);
    assert.is(silent.exit, 0, silent.output);
    assert.not.match(silent.stderr, /can write to it/);
  },
);

asRoot("a verification is neither resumed nor finished in a job's folder that others can write", () =>
  afterCutover([], async ({ dir, verify }) => {
    const folder = join(dir, "job");
    const inFolder = ["--engine", "spark", "--job-dir", folder];
    assert.is((await verify(...inFolder)).exit, 0);
    const submit = ["--spark-submit", `touch ${folder}.submitted; true`];
    for (const path of [join(folder, "job.json"), folder])
      for (const [what, give, says, take] of RIGHTS) {
        await give(path);
        for (const words of [
          [...inFolder, ...submit],
          ["--finish", folder],
        ]) {
          const { exit, output } = await verify(...words);
          assert.is(exit, 1, `${what} of ${path}: ${output}`);
          assert.match(output.replace(/\s+/g, " "), says);
          assert.match(output, /STA702/);
        }
        await take(path);
      }
    assert.not((await readdir(dir)).includes("job.submitted"), "nothing was submitted");
    await chmod(folder, 0o770);
    const warned = await verify(...inFolder, ...submit);
    assert.match(warned.stderr.replace(/\s+/g, " "), /job: its group, to which this user belongs, can write to it/);
    assert.ok((await readdir(dir)).includes("job.submitted"));
  }),
);

others.run();
