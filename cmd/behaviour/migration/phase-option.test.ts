/**
 * The phases of a migration from one plan file: each command's "next:" leads to the one after it, by `--phase`.
 */
import { readFileSync } from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { planFile } from "../../../providers/sandbox/scenario.ts";
import { inLanes } from "../in-lanes.ts";
import { type Finished, runHere } from "../run-command.ts";
import { type MigrationWorld, openMigrationWorld } from "./migration-world.ts";

const phases = suite("one plan file for every phase");
const test = inLanes(phases);
const LIMITS = ["--settle", "200ms", "--stop-timeout", "3s", "--resume-timeout", "3s"];
const flat = (text: string) => text.replace(/\s+/g, " ");

function inWorld(name: string, act: (world: MigrationWorld, file: string) => Promise<void>): void {
  test(name, async () => {
    const world = await openMigrationWorld();
    try {
      await act(world, await world.plan("cutover"));
    } finally {
      await world.close();
    }
  });
}

/** The words of the first command under "next:". */
function next({ stdout, output }: Finished): readonly string[] {
  const line = /^next: +cdcctl (.*?)(?: {5}#.*)?$/m.exec(stdout)?.[1];
  assert.ok(line, output);
  return line.split(" ");
}

inWorld("after a cutover the next command plans its verification, from the same file", async (world, file) => {
  const over = await runHere(["apply", file, "--yes", ...LIMITS], world);
  assert.is(over.exit, 0, over.output);
  assert.equal(next(over), ["plan", file, "--phase", "verify"]);
  const { exit, stdout, output } = await runHere(next(over), world);
  assert.is(exit, 0, output);
  assert.match(flat(stdout), /Compare .* with the topics/);
  assert.match(flat(stdout), /phase verify, by --phase; \S+ has cutover/);
  assert.match(stdout, /^next: {2}cdcctl apply \S+ --phase verify$/m);
  const written = await runHere(["plan", await world.plan("verify")], world);
  const decision = (text: string) => /decision (sha256:\w+)/.exec(text)?.[1];
  assert.is(decision(stdout), decision(written.stdout), "it decides what a file of that phase decides");
});

inWorld("a resolved plan keeps its phase, and no other kind of plan file has one", async (world, file) => {
  const saved = `${world.dir}/rollback.plan.json`;
  await runHere(["plan", file, "--phase", "rollback", "--out", saved], world);
  assert.match(readFileSync(saved, "utf8"), /"phaseOfFile": "cutover"/);
  const other = await runHere(["apply", saved, "--phase", "retire", "--yes"], world);
  assert.is(other.exit, 64, other.output);
  assert.match(flat(other.stderr), /--phase retire, but the plan of orders-to-cdc in it is of phase rollback/);
  const shown = await runHere(["report", saved, "--phase", "retire"], world);
  assert.is(shown.exit, 64, shown.output);
  const move = await world.write("move.yaml", planFile("replay", "replay", "scn: 2010000"));
  for (const command of ["plan", "validate"]) {
    const refused = await runHere([command, move, "--phase", "verify"], world);
    assert.is(refused.exit, 64, refused.output);
    assert.match(flat(refused.stderr), /move\.yaml:1:1.*--phase verify is for plan files of kind Migration/);
  }
  const misspelt = await runHere(["plan", file, "--phase", "verfy"], world);
  assert.is(misspelt.exit, 64);
  assert.match(misspelt.stderr, /--phase cannot be "verfy"; did you mean verify\?/);
});

phases.run();
