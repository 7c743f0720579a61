import { type Check, fail, type Planned, pass, unknown } from "./check.ts";

/** The ops topic may lie in another cluster than the workers' own; a mistaken --bootstrap-servers looks the same. */
export const otherKafkaCluster: Check<Planned> = {
  code: "OPS606",
  title: "The brokers belong to another cluster than the workers",
  problem: "With mistaken brokers the change is recorded where nobody looks.",
  remedy: "Check cdc.stream.bootstrap.servers and --bootstrap-servers.",
  grade: "advisory",

  run(_intent, { facts: { brokers, worker } }) {
    if (!brokers.known) return unknown(`the brokers could not be asked: ${brokers.why}`, brokers.remedy);
    if (brokers.value.clusterId === worker.clusterId) return pass;
    return fail({
      seen:
        `the ops topic lies in cluster ${brokers.value.clusterId} (${brokers.value.address}), the workers in ` +
        `${worker.clusterId}`,
    });
  },
};
