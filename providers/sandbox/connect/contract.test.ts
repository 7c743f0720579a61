import { openConnect } from "../../connect/connect.ts";
import { connectContract } from "../../connect/contract.ts";
import { quickClock } from "../../connect/test-clock.ts";
import { startConnect } from "./start-connect.ts";

for (const version of ["3.9.2", "4.3.1", "7.6.1-ccs"])
  connectContract(`sandbox ${version}`, async () => {
    const sandbox = await startConnect({
      version,
      commitInterval: 5,
      statusLag: 5,
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
      close: sandbox.close,
    };
  }).run();
