import { suite } from "uvu";
import * as assert from "uvu/assert";
import { snapshotAgain } from "../apply/testing/intents.ts";
import { memoryWorld } from "../apply/testing/memory-world.ts";
import { STORED } from "../apply/testing/story.ts";
import { CONNECTOR_CLASS } from "../legacy/connector-class.ts";
import { observe } from "./catalogue.ts";
import { journaledWorld, lentSettings } from "./connector/testing/journaled-world.ts";
import type { Sources } from "./kind.ts";

const observing = suite("observing a change of any kind");

const CONFIG = {
  "connector.class": CONNECTOR_CLASS,
  "cdc.topic.prefix": "orders",
  "cdc.database.pdbs": "ORCLPDB1",
  "cdc.tables.include": "ORCLPDB1[.]SALES[.].*",
};
const sources = { settingsOf: async ({ config }) => lentSettings(config) } as Partial<Sources> as Sources;

observing("reads what is only shown as well, unless it is left out", async () => {
  const memory = memoryWorld(STORED, "STOPPED");
  memory.purged = true;
  const world = journaledWorld(memory, CONFIG, { activity: async () => [], lastDdl: async () => [] });
  const isLookedUp = async (options?: { readonly evidence: boolean }) => {
    const { facts } = await observe(snapshotAgain(), world, sources, options);
    return facts.kind === "Resnapshot" && facts.activity.known;
  };
  assert.equal([await isLookedUp(), await isLookedUp({ evidence: true })], [true, true]);
  assert.is(await isLookedUp({ evidence: false }), false);
});

observing.run();
