import { openConnect } from "../../connect/connect.ts";
import { connectContract } from "../../connect/contract.ts";
import { quickClock } from "../../connect/testing/test-clock.ts";
import { startConnect } from "./start-connect.ts";

for (const [version, lastCommitLag, exactlyOnce] of [
  ["3.9.2", 0, false],
  ["4.3.1", 60, true],
  ["7.6.1-ccs", 0, false],
] as const)
  connectContract(`sandbox ${version}, last commit ${lastCommitLag} ms after the stop`, async () => {
    const sandbox = await startConnect({
      version,
      commitInterval: 5,
      statusLag: 5,
      lastCommitLag,
      exactlyOnce,
      connectors: [
        {
          name: "orders",
          config: { "cdc.topic.prefix": "CDC", "tasks.max": "1" },
          offsets: [
            { partition: { server: "CDC" }, offset: { v: 1n, resume_scn: 2204511n, last_commit_scn: 2204498n } },
          ],
        },
      ],
    });
    return {
      connect: openConnect({ url: sandbox.url, clock: quickClock() }),
      connector: "orders",
      steady: 2 * lastCommitLag,
      exactlyOnce,
      close: sandbox.close,
    };
  }).run();
