import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parseJson } from "../../../core/values/json.ts";
import { contextsFor, first, is, planFile } from "./command-line.ts";
import { startGateway } from "./gateway.ts";
import { newMachine } from "./machine.ts";
import { startRealWorld } from "./real-world.ts";
import { connectorSettings, START_SCN } from "./world.ts";

const BACK = 2_010_000n;
/**
 * A 4.3 follower gives its leader 30 s and then answers 500, a 3.9 one waits for ever. cdcctl gives a PATCH 15 s and
 * sends it again, unless somebody's gateway gives up first.
 */
const CASES = [
  { kafka: "3", patience: 5000, error: /504/ },
  { kafka: "4", patience: undefined, error: /no answer within 15 s/ },
] as const;

for (const { kafka, patience, error } of CASES) {
  const frozen = suite(`a change through a follower whose leader is frozen, Kafka ${kafka}`);

  frozen("is in doubt, and is settled once the leader continues", async () => {
    const world = await startRealWorld({ kafka, workers: 2 });
    const { real } = world;
    try {
      await world.createTopic("orders.cdc.ops");
      await world.createConnector("orders", connectorSettings(world));
      const leader = await real.leader();
      const follower = 1 - leader;
      const gateway = await startGateway(real.workers[follower]?.url ?? "", { patience });
      try {
        const machine = await newMachine(world.folder, contextsFor(gateway.url));
        await machine.write("back.yaml", planFile("orders", `scn: ${BACK}`, "resume: true"));
        const stored = async () =>
          (await world.storedOffset("orders", { worker: follower }))?.["resume_scn"] as bigint | undefined;

        const patch = gateway.hold("PATCH", "there");
        const apply = machine.start("apply", "back.yaml", "--yes");
        await first(patch.reached, apply.ended);
        const before = await stored();
        real.freeze(leader);
        patch.release();
        await apply.said("no definite answer to PATCH", 45_000);
        apply.signal("SIGINT");
        const ended = is(await apply.ended, 3);
        assert.match(ended.stderr, error);
        assert.is(await stored(), before, "the old position read back meanwhile proves nothing");
        is(await machine.run("status"), 3);

        real.thaw(leader);
        await real.leader();
        is(await machine.run("recover", "--yes", "--settle", "1s"), 0);
        await world.untilState("orders", "RUNNING");
        const after = await stored();
        assert.ok(after !== undefined && after >= BACK && after < START_SCN, `${after}`);
        const events = await world.records("orders.cdc.ops");
        assert.equal(
          events.map(({ value }) => /"outcome":"(\w+)"/.exec(value ?? "")?.[1]),
          ["applying", "applied"],
        );
        assert.ok(events.every(({ value }) => parseJson(value ?? "") !== null));
        is(await machine.run("status"), 0);
      } finally {
        await gateway.close();
      }
    } finally {
      await world.stop();
    }
  });

  frozen.run();
}
