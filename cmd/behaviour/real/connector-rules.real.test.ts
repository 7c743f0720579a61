import { connectorRulesBehaviour } from "./connector-rules.behaviour.ts";
import { startRealWorld } from "./real-world.ts";

for (const kafka of ["3", "4"] as const)
  connectorRulesBehaviour(`on real Kafka ${kafka}`, () => startRealWorld({ kafka })).run();
