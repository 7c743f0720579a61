import type { CutoverFacts } from "../../schemas/generated/facts.ts";
import { connectVersion, isAtLeast } from "../facts/connector/connector.ts";
import type { ConnectorFacts } from "../facts/connector-facts.ts";
import { CONNECTOR_CLASS, classMissing } from "../legacy/connector-class.ts";
import { ACCESS_REMEDIES } from "./access-remedies.ts";
import { type Check, type CheckOf, fail, pass, unknown, unseen } from "./check.ts";

/**
 * Offsets can be changed over REST since Kafka Connect 3.6, and a connector can be stopped since 3.5 (KIP-875). With a
 * vendor version that can't be parsed, the call itself shows whether it is supported; an unsupported call changes
 * nothing.
 */
export const workerTooOld: Check<
  unknown,
  { readonly facts: Pick<ConnectorFacts, "worker"> } & (
    | { readonly changesOffset: boolean }
    | { readonly createdStopped: boolean }
  )
> = {
  code: "CON302",
  title: "The worker is too old to change offsets",
  problem:
    "PATCH and DELETE /connectors/{name}/offsets do not exist before Kafka Connect 3.6 (Confluent Platform 7.6), " +
    "and a connector can't be stopped before 3.5.",
  remedy: "Upgrade the workers to 3.6 or later.",
  grade: "refusal",
  unknown: "advisory",

  run(_intent, reading) {
    // A cutover does not change offsets: it stops the legacy connector and reads its position.
    const minor = "changesOffset" in reading ? (reading.changesOffset ? 6 : undefined) : 5;
    if (minor === undefined) return pass;
    const { worker } = reading.facts;
    const version = connectVersion(worker.version);
    if (version === undefined)
      return unknown(`the worker reports version ${worker.version}, which does not show whether it can change offsets`);
    if (isAtLeast(version, 3, minor)) return pass;
    return fail(`the worker at ${worker.url} is Kafka Connect ${worker.version}; 3.${minor} or later is needed`);
  },
};

/**
 * A rollback deletes the new connector's offsets before the connector, which Kafka Connect supports since 3.6: a
 * cutover on 3.5 workers has to be rolled back manually.
 */
export const noRollbackByRest: CheckOf<ConnectorFacts, "worker"> = {
  code: "MIG115",
  title: "These workers can't delete offsets for a rollback",
  problem:
    "A rollback deletes the new connector's offsets, and is refused if the workers can't. If the offsets stayed, a " +
    "second cutover with the same name would resume from them.",
  remedy:
    "Upgrade the workers to 3.6 or later before the cutover. Otherwise roll back manually: delete the new " +
    "connector, resume the legacy one, and use another name for the next cutover.",
  grade: "advisory",

  run(_intent, { facts: { worker } }) {
    const version = connectVersion(worker.version);
    if (version === undefined)
      return unknown(`the worker reports version ${worker.version}: whether it can delete offsets is unknown`);
    if (isAtLeast(version, 3, 6)) return pass;
    return fail(`the worker at ${worker.url} is Kafka Connect ${worker.version}, which can't delete offsets`);
  },
};

/**
 * The plugin has to be installed before the legacy connector is stopped.
 *
 * Rule: specification, "Versioning": installed in the connect cluster of the legacy connector.
 */
export const classNotInstalled: CheckOf<CutoverFacts, "installed" | "builds" | "worker" | "settings"> = {
  code: "MIG103",
  title: "The new connector's class is not installed on the workers",
  problem: "The connector could not be created, and the legacy connector would already be stopped.",
  remedy: "Install the plugin on every worker (plugin.path) and restart them.",
  grade: "refusal",

  run(_intent, { facts: { installed, builds, worker, settings } }) {
    if (!installed.known) return unseen(installed, "which classes are installed is unknown", ACCESS_REMEDIES.classes);
    if (installed.value) return pass;
    const connectorClass = settings.config["connector.class"] ?? CONNECTOR_CLASS;
    const { seen, remedies } = classMissing(connectorClass, builds);
    return fail(`the worker at ${worker.url} has ${seen}`, {
      ...(remedies.length === 0 ? {} : { remedies: [...remedies, this.remedy] }),
    });
  },
};
