import { command } from "../command.ts";
import { explainLagOptions } from "../options/doctor.ts";
import { loaded } from "./loaded.ts";

export const explainLag = command({
  usage: "explain-lag",
  describe:
    "Explain why the connector is behind: the main cause with its evidence, then others; exit 1 without enough data",
  options: explainLagOptions,
  examples: [
    ["explain-lag --connect-url http://localhost:8083 --name orders-cdc", "from the stored offset and the database"],
    [
      "explain-lag --connect-url http://localhost:8083 --name orders-cdc --jmx-url " +
        "service:jmx:rmi:///jndi/rmi://worker-2:9999/jmxrmi",
      "also from the task's metrics, which separate slow mining from slow brokers",
    ],
    [
      "explain-lag --connect-url http://localhost:8083 --name orders-cdc --metrics-url http://worker-2:9404/metrics",
      "the same metrics from Prometheus' JMX exporter",
    ],
    [
      "explain-lag --connect-url http://localhost:8083 --name orders-cdc --interval 70s",
      "long enough for a healthy connector to store its offset",
    ],
  ],
  run: loaded(async () => (await import("../session/explain-lag.ts")).explainLagOf),
});
