import { CONNECTOR_CLASS, classMissing } from "../legacy/connector-class.ts";
import { type Check, fail, pass, unknown } from "./check.ts";
import { TO_KNOW } from "./getting-to-know.ts";

/**
 * The plugin has to be there before the legacy connector is stopped.
 *
 * Rule: specification, "Versioning": installed in the connect cluster of the legacy connector.
 */
export const classNotInstalled: Check<"Cutover"> = {
  code: "MIG103",
  title: "The new connector's class is not installed on the workers",
  problem: "The connector could not be created, and the legacy one would be stopped by then.",
  remedy: "Install the plugin on every worker (plugin.path) and restart them.",
  grade: "refusal",

  run(_intent, { facts: { installed, builds, worker, settings } }) {
    if (!installed.known)
      return unknown(
        `which classes are installed can't be seen: ${installed.why}`,
        installed.remedy ?? TO_KNOW.classes,
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
