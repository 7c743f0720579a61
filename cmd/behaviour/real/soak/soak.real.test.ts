import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { soak, table } from "./soak.ts";
import { TRIALS } from "./trials.ts";

/**
 * A few trials each, on one stack: a failure of these comes back with the same seed, most often. `npm run soak` runs as
 * many as there is time for.
 */
const KINDS = [
  ...["clean", "interleavings", "kills", "damage"],
  ...["restored", "asleep", "write-ahead", "killed migrations", "gaps"],
];

const short = suite("a short soak on real workers");

short("every invariant holds", async () => {
  const failures: string[] = [];
  const rows = await soak({
    seed: "tier",
    kinds: TRIALS.filter(({ name }) => KINDS.includes(name)),
    on: ({ kafka, workers }) => kafka === "4" && workers === 2,
    millis: 120_000,
    trials: 3,
    width: 6,
    folder: join(tmpdir(), "cdcctl-soak-tier"),
    log: (line) => line.startsWith("FAIL") && failures.push(line),
  });
  assert.is(rows.length, KINDS.length);
  assert.equal(failures, [], table(rows));
});

short.run();
