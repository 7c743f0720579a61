/** A thread of the measured verification, which reads the generated files itself. */
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { nodeBytes } from "../../providers/spool/node-bytes.ts";
import { filesOfSpool } from "../../providers/spool/spool-directory.ts";
import { serveUnits } from "../../providers/threads/serve-units.ts";
import { type Generated, generatedInputs } from "./inputs.ts";

const generated = workerData as Generated;
if (parentPort === null) throw new Error("this runs in a thread");
await serveUnits(parentPort, async () => {
  const files = filesOfSpool(join(generated.folder, "spool"), "bench");
  return { inputs: generatedInputs(generated), files, work: nodeBytes, close: () => files.close() };
});
