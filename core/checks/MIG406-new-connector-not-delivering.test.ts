import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, retirement, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { created, RUNNING, STOPPED } from "../kinds/migration/testing/story.ts";
import { newConnectorNotDelivering } from "./MIG406-new-connector-not-delivering.ts";

const check = suite("MIG406 a new connector that does not deliver");

check("passes for one that runs with its task", () => {
  assert.is(effectOf(newConnectorNotDelivering, retirement()), "none");
});

check("refuses one that is missing, or in any other state", () => {
  for (const next of [
    null,
    created({ status: STOPPED }),
    created({ status: { ...RUNNING, state: "PAUSED" } }),
    created({ status: { ...RUNNING, tasks: [] } }),
    created({ status: { ...RUNNING, tasks: [{ id: 0n, state: "FAILED", worker: "w" }] } }),
  ])
    assert.is(effectOf(newConnectorNotDelivering, retirement({ next }), intent({ accept: ["MIG406"] })), "blocks");
  assert.match(
    saidBy(newConnectorNotDelivering, retirement({ next: created({ status: { ...RUNNING, tasks: [] } }) })),
    /^orders-cdc is RUNNING; it has no task/,
  );
});

check.run();
