/** `migrate verify-worker` in one file, of which Node.js makes a single executable (docs/verification-at-scale.md). */
import { script } from "../commands/loaded.ts";
import { verifyWorker } from "../commands/verify-worker.ts";
import { runInProcess } from "../main.ts";

void runInProcess(script("verify_worker", verifyWorker, "1 the driver's input can't be served"));
