import { startSandbox } from "../providers/sandbox/sandbox.ts";
import { scenarioNamed } from "../providers/sandbox/scenarios.ts";
import { captured } from "../providers/sandbox/tables.ts";
import { type Built, measuredRun } from "./command.ts";
import type { Result } from "./result.ts";
import { counts } from "./round-trips.ts";

const TABLES = [10, 10_000];

/**
 * Round trips of `doctor explain-lag`, with the task's metrics. Their number must not depend on the number of captured
 * tables.
 */
export async function benchExplainLag(built: Built): Promise<readonly Result[]> {
  const { CDCCTL_CONTEXTS: _contexts, ...env } = built.env;
  const asked: (ReturnType<typeof counts> & { readonly jmx: number })[] = [];
  for (const tables of TABLES) {
    const sandbox = await startSandbox({
      ...scenarioNamed("lag-mining").options,
      oracle: (world) => {
        const more = Array.from({ length: tables - world.tables.length }, (_, at) => captured(world, `TABLE_${at}`));
        world.tables.push(...more);
      },
    });
    try {
      const target = [
        "--connect-url",
        sandbox.connect.url,
        "--name",
        "orders-cdc",
        "--jmx-url",
        sandbox.jvm?.url ?? "",
      ];
      const words = ["doctor", "explain-lag", ...target, "--interval", "100ms"];
      await measuredRun([built.program, ...words], { ...built, env });
      asked.push({ ...counts(sandbox), jmx: sandbox.jvm?.calls.length ?? 0 });
    } finally {
      await sandbox.close();
    }
  }
  const totals = asked.map(({ connect, kafka, oracle, jmx }) => connect + kafka + oracle + jmx);
  return asked.map(({ connect, kafka, oracle, jmx }, at) => ({
    what: "doctor explain-lag: round trips",
    input: `${TABLES[at]} captured tables`,
    measured: `${totals[at]}: Connect ${connect}, Kafka ${kafka}, Oracle ${oracle}, JMX ${jmx}`,
    bar: { text: `as many as for ${TABLES[0]} tables`, holds: totals[at] === totals[0] },
  }));
}
