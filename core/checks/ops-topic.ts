import type { ConnectorSeen } from "../../schemas/generated/facts.ts";
import type { Intent } from "../document/intent.ts";
import type { ConnectorFacts } from "../facts/connector-facts.ts";
import { settingsIn, type WithSettings } from "../facts/connector-facts.ts";
import { type Check, type CheckOf, fail, pass, unseen } from "./check.ts";
import type { ConnectorReading } from "./readings.ts";

/**
 * Readers of the ops topic expect the format of the connector's converter, so that with another than JSON the operator
 * has to choose which JSON to write.
 *
 * Rule: specification, "Ops event `offsets-set`" and "Refusals".
 */
export const opsFormatNeeded: Check<
  Pick<Intent, "target">,
  Pick<ConnectorReading, "opsFormat" | "changesOffset"> & {
    readonly facts: WithSettings<Pick<ConnectorSeen, "valueConverter">>;
  }
> = {
  code: "OPS605",
  title: "The format of the ops event has to be chosen",
  problem: "The connector's converter is not JSON; a record in an unknown format may stop its readers.",
  remedy: "Set `spec.opsFormat` (`--ops-format`) to `json` or `json_schemas`.",
  grade: "refusal",

  run({ target }, { opsFormat, changesOffset, facts }) {
    if (opsFormat !== undefined || !changesOffset) return pass;
    return fail(`value.converter of ${target.connector} is ${settingsIn(facts).valueConverter ?? "not set"}`, {
      at: "spec.opsFormat",
    });
  },
};

/** The ops topic may lie in another cluster than the workers' own; a wrong --bootstrap-servers looks the same. */
export const otherKafkaCluster: CheckOf<ConnectorFacts, "brokers" | "worker"> = {
  code: "OPS606",
  title: "The brokers belong to another cluster than the workers",
  problem: "With the wrong brokers, the change is recorded where nobody will find it.",
  remedy: "Check cdc.stream.bootstrap.servers and --bootstrap-servers.",
  grade: "advisory",

  run(_intent, { facts: { brokers, worker } }) {
    if (!brokers.known) return unseen(brokers, "the brokers did not report their cluster");
    if (brokers.value.clusterId === worker.clusterId) return pass;
    return fail(
      `the ops topic is in cluster ${brokers.value.clusterId} (${brokers.value.address}), the workers in ` +
        `${worker.clusterId}`,
    );
  },
};
