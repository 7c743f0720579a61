import { startRealWorld } from "./real-world.ts";
import { standInsBehaviour } from "./stand-ins.behaviour.ts";

for (const kafka of ["3", "4"] as const)
  standInsBehaviour(`on real Kafka ${kafka}`, () => startRealWorld({ kafka })).run();
