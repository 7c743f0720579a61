import { command } from "../command.ts";
import { explainLagOptions } from "../options/doctor.ts";

export const explainLag = command({
  usage: "explain-lag",
  describe:
    "Why is the connector behind? One cause first, with its evidence, then the rest; exit 1 when it could not look",
  options: explainLagOptions,
  examples: [
    ["explain-lag --connect-url http://localhost:8083 --name orders-cdc", "by the stored offset and the database"],
    [
      "explain-lag --connect-url http://localhost:8083 --name orders-cdc --jmx-url " +
        "service:jmx:rmi:///jndi/rmi://worker-2:9999/jmxrmi",
      "by the task's metrics as well, which tell slow mining from slow brokers",
    ],
    [
      "explain-lag --connect-url http://localhost:8083 --name orders-cdc --metrics-url http://worker-2:9404/metrics",
      "by the same metrics, from Prometheus' JMX exporter",
    ],
    [
      "explain-lag --connect-url http://localhost:8083 --name orders-cdc --interval 70s",
      "so long that a healthy connector stores its offset in between",
    ],
  ],
  async run(args, host) {
    const session = await import("../session/explain-lag.ts");
    return session.explainLagOf(args, host);
  },
});
