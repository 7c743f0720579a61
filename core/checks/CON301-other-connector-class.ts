import type { ConnectorKind } from "../document/intent.ts";
import { LEGACY_CLASS } from "../legacy/connector-class.ts";
import { type Check, fail, pass } from "./check.ts";

/** Another connector keeps other offsets: what is written here would mean something else to it, or nothing. */
export const otherConnectorClass: Check<ConnectorKind> = {
  code: "CON301",
  title: "The connector is of another class",
  problem: "Its stored offset has another form; a change would destroy its position.",
  remedy: "Check target.connector.",
  grade: "refusal",

  run(_intent, { facts: { connector } }) {
    const { connectorClass, config } = connector;
    if (connectorClass === LEGACY_CLASS) {
      return fail({
        seen: `${connector.name} is the legacy connector (${LEGACY_CLASS})`,
        remedies: ["Its offsets have another form; name the connector that took over from it."],
        at: "target.connector",
      });
    }
    if (Object.keys(config).some((name) => name.startsWith("cdc.database."))) return pass;
    return fail({
      seen:
        `${connector.name} is a ${connectorClass ?? "connector without a class"}; its configuration has no ` +
        "cdc.database.* settings",
      at: "target.connector",
    });
  },
};
