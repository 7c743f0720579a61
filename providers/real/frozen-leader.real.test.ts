import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { RestAnswer } from "./rest.ts";
import { startStack } from "./stack.ts";
import { waitFor } from "./wait.ts";

const frozen = suite("a PATCH while the leader is frozen");

/** Longer than the 30 s after which a 4.3 follower gives up. */
const PATIENCE = 35_000;

for (const kafka of ["3", "4"] as const) {
  frozen(`Kafka ${kafka}: is applied when the leader goes on, after the client gave up on it`, async () => {
    const real = await startStack({ kafka, workers: 2 });
    try {
      await real.createStopped("orders", {}, { v: 1n, resume_scn: 2204511n });
      const leader = await real.leader();
      const follower = 1 - leader;
      const read = async () => (await real.storedOffset("orders", { worker: follower }))?.["resume_scn"];

      real.freeze(leader);
      const answer = await real
        .call(
          "PATCH",
          "/connectors/orders/offsets",
          { offsets: [{ partition: { server: "orders" }, offset: { v: 1n, resume_scn: 2169287n } }] },
          { worker: follower, millis: PATIENCE },
        )
        .catch((error: unknown) => error as Error);
      if (kafka === "4") {
        const { status, text } = answer as RestAnswer;
        assert.is(
          `${status} ${text}`,
          '500 {"error_code":500,"message":"IO Error trying to forward REST request: Idle timeout expired: 30000/30000 ms"}',
        );
      } else {
        assert.instance(answer, Error, "a 3.9 follower does not answer at all");
        assert.is((answer as Error).name, "TimeoutError");
      }
      assert.is(await read(), 2204511n, "the old value read back meanwhile proves nothing");

      real.thaw(leader);
      await waitFor("the PATCH to be applied all the same", async () => (await read()) === 2169287n, 60_000);
    } finally {
      await real.stop();
    }
  });
}

frozen("a killed worker can be started again and joins", async () => {
  const real = await startStack({ kafka: "4", workers: 2 });
  try {
    const leader = await real.leader();
    await real.kill(leader);
    assert.is(await real.leader(), 1 - leader);
    await real.restart(leader);
    assert.is((await real.call("GET", "/health", undefined, { worker: leader })).status, 200);
  } finally {
    await real.stop();
  }
});

frozen.run();
