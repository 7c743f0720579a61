import { startSandboxWorld } from "./sandbox-world.ts";
import { standInsBehaviour } from "./stand-ins.behaviour.ts";

standInsBehaviour("in the sandbox", () => startSandboxWorld({ connect: { lastCommitLag: 100 } })).run();
