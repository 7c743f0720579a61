import { type MemoryWorld, worldOf } from "../../../apply/testing/memory-world.ts";
import { CONNECTOR } from "../../../apply/testing/story.ts";
import { connectorSettings } from "../../../document/connector-settings.ts";
import type { BoundSettings } from "../../../facts/connector/settings.ts";
import { atOffsets, topicOf } from "../../../journal/testing/build-journal.ts";
import type { OraclePort } from "../../../ports/oracle.ts";
import type { World } from "../../../ports/world.ts";

type Config = Readonly<Record<string, string>>;

/** The settings of a configuration, with logins that may be used anywhere. */
export const lentSettings = (config: Config) => ({
  ...(connectorSettings(config, "a test") as BoundSettings),
  config,
});

/**
 * A world with a stopped connector. Its journal, if the topic exists, holds a transaction that began at SCN 100.
 *
 * @param oracle replaces calls of the database
 */
export function journaledWorld(memory: MemoryWorld, config: Config, oracle: Partial<OraclePort>): World {
  memory.connectors.all.set(CONNECTOR, { config, state: "STOPPED" });
  return worldOf({
    ...memory,
    kafka: { ...memory.kafka, ...topicOf(atOffsets([{}])) },
    oracle: { ...memory.oracle, ...oracle },
  });
}
