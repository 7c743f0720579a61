/** A thread for tests: one scene, and a reader that fails on request. */
import { parentPort, workerData } from "node:worker_threads";
import { CallFailed } from "../../../core/errors.ts";
import { type Cut, inputsOf, type Scene } from "../../../core/verification/testing/scene.ts";
import { nodeBytes } from "../../spool/node-bytes.ts";
import { filesOfSpool } from "../../spool/spool-directory.ts";
import { serveUnits } from "../serve-units.ts";

export interface ThreadScene {
  readonly place: string;
  readonly scene: Scene;
  readonly cut: Pick<Cut, "ranges" | "batch">;
  readonly fails?: "call" | "bug" | "dies" | "memory";
}

const { place, scene, cut, fails } = workerData as ThreadScene;

function before(unit: string): void {
  if (unit !== "new-0" || fails === undefined) return;
  if (fails === "call")
    throw new CallFailed("kafka", "lost", {
      message: "the broker went away",
      code: "X",
      remedy: "again",
    });
  if (fails === "bug") throw new TypeError("a bug");
  if (fails === "dies") process.exit(7);
  // Node.js reports an exhausted heap like this, which would take gigabytes to produce.
  setImmediate(() => {
    throw Object.assign(new Error("Worker terminated due to reaching memory limit"), {
      code: "ERR_WORKER_OUT_OF_MEMORY",
    });
  });
}

if (parentPort !== null)
  await serveUnits(parentPort, async () => {
    const files = filesOfSpool(place, "T");
    return { inputs: inputsOf(scene, { ...cut, before }), files, work: nodeBytes, close: () => files.close() };
  });
