import { askDebezium } from "../../../providers/real/debezium/judge.ts";
import { migrationBehaviour } from "./migration.behaviour.ts";
import { startRealWorld } from "./real-world.ts";

for (const kafka of ["3", "4"] as const)
  migrationBehaviour(`on real Kafka ${kafka}`, () => startRealWorld({ kafka }), askDebezium).run();
