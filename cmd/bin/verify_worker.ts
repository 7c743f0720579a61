/** `migrate verify-worker` in one file, of which Node.js makes a single executable (docs/verification-at-scale.md). */
import { verifyWorker } from "../commands/migrate.ts";
import { script } from "../commands/script.ts";
import { start } from "./start.ts";

void start(script("verify_worker", verifyWorker, "1 the driver's input can't be served"));
