import { CONNECTOR, PREFIX, type Sandbox } from "./sandbox.ts";
import { contexts, planFile, type Scenario } from "./scenario.ts";

/** Default number of connectors. */
const CONNECTORS = 3;

/** Several connectors of one database, one Connect cluster and the same brokers; each has topics of its own. */
export const FLEET_SCENARIO: Scenario = { ...fleetOf(CONNECTORS), ofConnectors: fleetOf };

function fleetOf(connectors: number): Scenario {
  const numbers = Array.from({ length: connectors }, (_, at) => at + 1);
  const plans = numbers.map((number) =>
    planFile(`${prefixOf(number)}-replay`, "replay after the bad deploy", positionOf(number)).replace(
      CONNECTOR,
      connectorOf(number),
    ),
  );
  const gone = planFile("gone-replay", "replay after the bad deploy", "scn: 2010000").replace(CONNECTOR, "gone-cdc");
  return {
    name: "fleet",
    about: "Several connectors of one database (--connectors N): planned at the same time, applied in order.",
    options: {
      more: numbers.slice(1).map((number) => ({ name: connectorOf(number), prefix: prefixOf(number) })),
    },
    files: (sandbox: Sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "fleet.yaml": plans.join("---\n"),
      "one-gone.yaml": [gone, ...plans].join("---\n"),
    }),
    tries: [
      "cdcctl plan fleet.yaml                # one table first, then each plan",
      "cdcctl plan one-gone.yaml             # one connector is gone: its plan is blocked, the others are shown",
      "cdcctl apply fleet.yaml               # one after the other; stops at the first that fails",
    ],
  };
}

/** The first is the connector of every other scenario. */
function prefixOf(number: number): string {
  return number === 1 ? PREFIX : `shop-${String(number).padStart(2, "0")}`;
}

function connectorOf(number: number): string {
  return `${prefixOf(number)}-cdc`;
}

function positionOf(number: number): string {
  return number % 5 === 3 ? "earliestAvailable: true" : `scn: ${2_010_000 + 1_000 * (number % 20)}`;
}
