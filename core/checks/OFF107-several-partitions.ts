import type { ConnectorKind } from "../document/intent.ts";
import { canonicalJson } from "../values/json.ts";
import { type Check, fail, pass } from "./check.ts";

/**
 * One connector keeps one offset, under `{"server": <cdc.topic.prefix>}`. With several, or with another server's, it
 * can't be told which one the task reads.
 *
 * Rule: reference: wire formats, "Stored offset" (partition).
 */
export const severalPartitions: Check<ConnectorKind> = {
  code: "OFF107",
  title: "The stored offset is not under this connector's one partition",
  problem: "A change could go to an offset that the task never reads, while the one that it reads stays.",
  remedy:
    "Find out where the others come from (a changed cdc.topic.prefix?) and remove them while the connector is " +
    'stopped: PATCH with `"offset": null`.',
  grade: "refusal",

  run(_intent, { stored, facts: { connector } }) {
    if (stored.state === "several") {
      return fail({
        seen:
          `${stored.partitions.length} offsets are stored: ` +
          `${stored.partitions.map((one) => canonicalJson(one)).join(", ")}`,
      });
    }
    if (stored.state !== "foreign") return pass;
    return fail({
      seen:
        `the only offset is stored under ${canonicalJson(stored.partition)}; the connector reads the one under ` +
        `${canonicalJson({ server: connector.prefix })} (cdc.topic.prefix)`,
    });
  },
};
