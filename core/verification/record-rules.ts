import type { LegacyName } from "../../schemas/generated/shared.ts";
import type { Membership, OwnTable, TopicJob } from "../../schemas/generated/verification-job.ts";
import { legacyKindOf } from "../legacy/legacy-kind.ts";
import type { Config } from "../values/config.ts";
import { debeziumFormat } from "./debezium/format.ts";
import { type FormatResult, type LegacyFormat, legacyFormat } from "./settings/record-format.ts";
import { legacyTopicIsShared } from "./settings/shared-topic.ts";

/** A table, and whether its topic may have lost older records of a key. */
export interface TableOfTopic extends OwnTable, Pick<TopicJob, "compacted"> {}

/** How the records of one legacy connector are read: all that its configuration says of them. */
interface RecordRules {
  /** @param settled whether all that it delivered is at or below the check SCN */
  readonly format: (config: Config, settled: boolean) => FormatResult<LegacyFormat>;
  /** Which records of a topic are of one table. */
  readonly belonging: (config: Config, table: TableOfTopic) => Pick<TopicJob, "own" | "membership">;
}

const RECORD_RULES: Readonly<Record<LegacyName, RecordRules>> = {
  confluent: { format: legacyFormat, belonging: (config, table) => ({ membership: membershipOf(config, table) }) },
  debezium: {
    format: debeziumFormat,
    belonging: (_, { table, inPdb }) => ({ own: { table, inPdb, connector: "oracle" } }),
  },
};

/** The rules of the connector with this configuration; those of Confluent's where it does not say its class. */
export function recordRules(legacyConfig: Config): RecordRules {
  return RECORD_RULES[legacyKindOf(legacyConfig)?.kind ?? "confluent"];
}

/**
 * The operator named the topic, so the table's name in its records is checked even if the topic cannot be shared.
 * Records without that field are accepted by the topic's name.
 */
function membershipOf(config: Config, { table, inPdb, compacted }: TableOfTopic): Membership | undefined {
  const field = config["output.table.name.field"]?.trim() ?? "table";
  const of = (by: Membership["by"], named: string | undefined) => ({ by, table, inPdb, compacted, field: named });
  if (legacyTopicIsShared(config)) return of("legacy name", field || undefined);
  return field === "" ? undefined : of("legacy name, seldom another", field);
}
