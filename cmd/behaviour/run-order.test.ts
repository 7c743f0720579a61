/** The latest run is the one that was begun last, whatever the clock said. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JournalEntry } from "../../core/run/journal.ts";
import { journalLine } from "../../core/run/read-journal.ts";
import { parseJson } from "../../core/values/json.ts";
import { CLUSTER_ID, CONNECTOR } from "../../providers/sandbox/sandbox.ts";
import { planFile } from "../../providers/sandbox/scenario.ts";
import { type ChangedWorld, openChangedWorld } from "./changed-world.ts";
import { TARGET_SCN } from "./changes.ts";
import { runHere } from "./run-command.ts";

const order = suite("the order of runs, over the wire");

const apply = async (world: ChangedWorld, scn: bigint) => {
  const plan = await world.writePlan(`to-${scn}.yaml`, planFile(`to-${scn}`, "replay", `scn: ${scn}`, "resume: false"));
  const { exit, output } = await runHere(["apply", plan, "--yes", "--again", "--settle", "100ms"], world);
  assert.is(exit, 0, output);
  return /^run (\S+)$/m.exec(output)?.[1] ?? "";
};

/** The journal as this run would have written it with a clock that was a day ahead. */
async function dayAhead({ dir }: ChangedWorld, run: string): Promise<string> {
  const ahead = run.replace(/^\d{4}/, (year) => String(Number(year) + 1));
  const path = (of: string) => join(dir, "state", CLUSTER_ID, CONNECTOR, `${of}.journal.jsonl`);
  const lines = (await readFile(path(run), "utf8")).trimEnd().split("\n");
  const entries = lines.map((line) => {
    const { entry } = parseJson(line) as unknown as { readonly entry: JournalEntry };
    const moved = { ...entry, at: entry.at.replace(/^\d{4}/, (year) => String(Number(year) + 1)) };
    return moved.type === "run-started" ? { ...moved, run: ahead } : moved;
  });
  await writeFile(path(ahead), entries.map(journalLine).join(""));
  await rm(path(run));
  return ahead;
}

order(
  "status, history and rollback use the run that was begun last, although the clock was set back since",
  async () => {
    const world = await openChangedWorld();
    try {
      const first = await dayAhead(world, await apply(world, TARGET_SCN));
      const second = await apply(world, TARGET_SCN - 50n);
      const status = await runHere(["status"], world);
      assert.ok(status.output.includes(`run ${second}`) && !status.output.includes(first), status.output);
      const { output } = await runHere(["history"], world);
      assert.ok(output.indexOf(first) < output.indexOf(second), output);
      const older = await runHere(["rollback", first, "--yes"], world);
      assert.is(older.exit, 1, older.output);
      assert.match(
        older.output.replace(/\s+/g, " "),
        new RegExp(`run ${second} has changed the offset of ${CONNECTOR} after run`),
      );
      const latest = await runHere(["rollback", "--yes", "--settle", "100ms"], world);
      assert.is(latest.exit, 0, latest.output);
      const back = await runHere(["history"], world);
      assert.match(back.output, new RegExp(`rollback of ${second}`));
    } finally {
      await world.close();
    }
  },
);

order.run();
