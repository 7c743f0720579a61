import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, saidBy, verification } from "../kinds/migration/testing/build-readings.ts";
import { created, STOPPED } from "../kinds/migration/testing/story.ts";
import { newConnectorMissing } from "./MIG202-new-connector-missing.ts";

const check = suite("MIG202 a new connector that is not there");

check("passes for one that is there, whatever its state", () => {
  assert.is(effectOf(newConnectorMissing, verification()), "none");
  assert.is(effectOf(newConnectorMissing, verification({ next: created({ status: STOPPED }) })), "none");
});

check("refuses where there is none", () => {
  const on = verification({ next: null });
  assert.is(effectOf(newConnectorMissing, on, intent({ accept: ["MIG202"] })), "blocks");
  assert.match(saidBy(newConnectorMissing, on), "have no connector orders-cdc");
});

check.run();
