import { suite } from "uvu";
import * as assert from "uvu/assert";
import { startRealWorld } from "./real-world.ts";
import { resnapshotBehaviour } from "./resnapshot.behaviour.ts";
import { startSandboxWorld } from "./sandbox-world.ts";
import { transcript } from "./transcript.ts";

const sandbox = transcript();
resnapshotBehaviour("in the sandbox, to compare with", startSandboxWorld, sandbox).run();

for (const kafka of ["3", "4"] as const) {
  const real = transcript();
  resnapshotBehaviour(`on real Kafka ${kafka}`, () => startRealWorld({ kafka }), real).run();

  const words = suite(`the commands' words about snapshots on real Kafka ${kafka}`);
  words("are those in the sandbox", () => {
    assert.ok(sandbox.lines.length > 80);
    assert.equal(real.lines, sandbox.lines);
  });
  words.run();
}
