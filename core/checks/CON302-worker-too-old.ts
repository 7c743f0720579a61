import type { ConnectorKind } from "../document/intent.ts";
import { connectVersion, isAtLeast } from "../facts/connector/connect-version.ts";
import { type Check, fail, pass, unknown } from "./check.ts";

/**
 * Offsets can be changed over REST since Kafka Connect 3.6, a connector can be stopped since 3.5 (KIP-875). A vendor's
 * version that can't be read is found out by the call itself, which changes nothing where it is not known.
 */
export const workerTooOld: Check<ConnectorKind | "Cutover" | "Return"> = {
  code: "CON302",
  title: "The worker is too old to change offsets",
  problem:
    "PATCH and DELETE /connectors/{name}/offsets do not exist before Kafka Connect 3.6 (Confluent Platform 7.6), " +
    "stopping a connector not before 3.5.",
  remedy: "Upgrade the workers to 3.6 or later.",
  grade: "refusal",
  unknown: "advisory",

  run(_intent, reading) {
    // A cutover changes no offset: it stops the legacy connector and reads where it stands.
    const minor = "changesOffset" in reading ? (reading.changesOffset ? 6 : undefined) : 5;
    if (minor === undefined) return pass;
    const { worker } = reading.facts;
    const version = connectVersion(worker.version);
    if (version === undefined)
      return unknown(`the worker calls its version ${worker.version}, which says nothing about offsets`);
    if (isAtLeast(version, 3, minor)) return pass;
    return fail({
      seen: `the worker at ${worker.url} is Kafka Connect ${worker.version}; 3.${minor} or later is needed`,
    });
  },
};
