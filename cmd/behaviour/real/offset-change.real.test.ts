import { offsetChangeBehaviour } from "./offset-change.behaviour.ts";
import { startRealWorld } from "./real-world.ts";

for (const kafka of ["3", "4"] as const)
  offsetChangeBehaviour(`on real Kafka ${kafka}`, () => startRealWorld({ kafka })).run();
