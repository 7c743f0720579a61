import { suite } from "uvu";
import * as assert from "uvu/assert";
import { buildRun, untilPatched } from "../../core/plan/testing/build-run.ts";
import { backward } from "../../core/plan/testing/example-plans.ts";
import type { JournalEntry } from "../../core/run/journal.ts";
import { MINUTE } from "../../core/values/duration.ts";
import type { ChangeHost, MachineOutput } from "./machine-output.ts";
import { narration } from "./narration.ts";
import { listening } from "./testing/listening.ts";

const narrated = suite("progress of a run for a person");

/** A host whose stderr is listened to. */
function screen(columns: number | undefined, more: Partial<ChangeHost> = {}) {
  const { written, stderr, until } = listening(columns);
  return { written, pieces: until, host: { env: {}, stderr, ...more } as ChangeHost };
}

narrated("a step is shown with its number, its start time and its outcome", () => {
  const { written, host } = screen(undefined);
  const onDisk: JournalEntry[] = [];
  const { recorded } = narration(host, onDisk);
  for (const entry of buildRun(backward, untilPatched(backward)).entries) {
    onDisk.push(entry);
    recorded();
  }
  const steps = backward.steps.length;
  assert.match(written[0] ?? "", new RegExp(`^\\[1/${steps}\\] \\d\\d:\\d\\d:\\d\\dZ  stop orders-cdc, wait until`));
  assert.match(written[1] ?? "", /^ {2}\S/);
  assert.ok(
    written.some((line) => line.startsWith(`[3/${steps}] `)),
    written.join(""),
  );
});

narrated("a long wait turns on a terminal, and its line is erased before the next one", async () => {
  const { written, pieces, host } = screen(100);
  const { waiting, print } = narration(host, []);
  waiting({ seen: "RUNNING", elapsed: 400, limit: 10 * MINUTE });
  waiting({ seen: "RUNNING", elapsed: 12_000, limit: 10 * MINUTE });
  await pieces(2);
  print("done");
  assert.is(written[0], "\r\u001b[K| still waiting (RUNNING): 12 s of at most 10 min");
  assert.is(written[1]?.slice(0, 6), "\r\u001b[K/ ");
  assert.equal(written.slice(-2), ["\r\u001b[K", "done\n"]);
});

narrated("without a terminal, and beside machine output, a wait is a line every 30 s", () => {
  const machine = {} as MachineOutput;
  for (const { written, host } of [
    screen(undefined),
    screen(100, { env: { CI: "1" } }),
    screen(100, { env: { NO_COLOR: "1" } }),
    screen(100, { env: { TERM: "dumb" } }),
    screen(100, { machine }),
  ]) {
    const { waiting } = narration(host, []);
    for (let elapsed = 0; elapsed <= MINUTE; elapsed += 1000) waiting({ elapsed, limit: 5 * MINUTE });
    waiting({ elapsed: 500, limit: MINUTE });
    waiting({ elapsed: 31_000, limit: MINUTE });
    assert.equal(written, [
      "  still waiting: 30 s of at most 5 min\n",
      "  still waiting: 1 min of at most 5 min\n",
      "  still waiting: 31 s of at most 1 min\n",
    ]);
  }
});

narrated.run();
