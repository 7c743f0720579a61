import { connectVersion, isAtLeast } from "../facts/connector/connect-version.ts";
import type { ConnectorFacts } from "../facts/connector-facts.ts";
import type { CutoverFacts } from "../kinds/cutover/facts.ts";
import { CONNECTOR_CLASS, classMissing } from "../legacy/connector-class.ts";
import { type Check, fail, pass, unknown } from "./check.ts";
import { TO_KNOW } from "./getting-to-know.ts";

/**
 * Offsets can be changed over REST since Kafka Connect 3.6, a connector can be stopped since 3.5 (KIP-875). A vendor's
 * version that can't be read is found out by the call itself, which changes nothing where it is not known.
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

/**
 * The way back deletes the new connector's offsets before the connector, and that is possible since Kafka Connect 3.6:
 * a cutover of 3.5 workers has to be gone back from by hand.
 */
export const noWayBackByRest: Check<unknown, { readonly facts: Pick<ConnectorFacts, "worker"> }> = {
  code: "MIG115",
  title: "These workers can't delete offsets: the way back is not whole",
  problem:
    "A rollback deletes what the new connector has stored, and refuses where the workers can't. Left there, a " +
    "second cutover under the name would resume from it.",
  remedy:
    "Upgrade the workers to 3.6 or later before the cutover; else the way back is by hand: delete the new " +
    "connector, resume the legacy one, and cut over under another name next time.",
  grade: "advisory",

  run(_intent, { facts: { worker } }) {
    const version = connectVersion(worker.version);
    if (version === undefined)
      return unknown(`the worker calls its version ${worker.version}: whether it can delete offsets is not known`);
    if (isAtLeast(version, 3, 6)) return pass;
    return fail({ seen: `the worker at ${worker.url} is Kafka Connect ${worker.version}, which can't delete offsets` });
  },
};

/**
 * The plugin has to be there before the legacy connector is stopped.
 *
 * Rule: specification, "Versioning": installed in the connect cluster of the legacy connector.
 */
export const classNotInstalled: Check<
  unknown,
  { readonly facts: Pick<CutoverFacts, "installed" | "builds" | "worker" | "settings"> }
> = {
  code: "MIG103",
  title: "The new connector's class is not installed on the workers",
  problem: "The connector could not be created, and the legacy one would be stopped by then.",
  remedy: "Install the plugin on every worker (plugin.path) and restart them.",
  grade: "refusal",

  run(_intent, { facts: { installed, builds, worker, settings } }) {
    if (!installed.known)
      return unknown(
        `which classes are installed can't be seen: ${installed.why}`,
        installed.remedies ?? TO_KNOW.classes,
      );
    if (installed.value) return pass;
    const connectorClass = settings.config["connector.class"] ?? CONNECTOR_CLASS;
    const { seen, remedies } = classMissing(connectorClass, builds);
    return fail({
      seen: `the worker at ${worker.url} has ${seen}`,
      ...(remedies.length === 0 ? {} : { remedies: [...remedies, this.remedy] }),
    });
  },
};
