import { offsetChangeBehaviour } from "./offset-change.behaviour.ts";
import { startSandboxWorld } from "./sandbox-world.ts";

offsetChangeBehaviour("in the sandbox", startSandboxWorld).run();
