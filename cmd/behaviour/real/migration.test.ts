import { migrationBehaviour } from "./migration.behaviour.ts";
import { startSandboxWorld } from "./sandbox-world.ts";

// As with two workers: a task's last commit is stored after its connector was seen STOPPED.
migrationBehaviour("in the sandbox", () => startSandboxWorld({ connect: { lastCommitLag: 300 } })).run();
