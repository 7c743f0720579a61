import { migrationBehaviour } from "./migration.behaviour.ts";
import { startSandboxWorld } from "./sandbox-world.ts";

// A task's last commit is stored after its connector was seen STOPPED, as with two workers.
migrationBehaviour("in the sandbox", () => startSandboxWorld({ connect: { lastCommitLag: 300 } })).run();
