import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, intent, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { LEGACY_OFFSETS } from "../kinds/migration/testing/story.ts";
import { noDatabasePartition } from "./MIG116-no-database-partition.ts";

const check = suite("MIG116 stored offsets without the database's own");

check("passes where the legacy connector has stored one for the database", () => {
  assert.is(effectOf(noDatabasePartition, cutover()), "none");
});

check("blocks where only tables have one, until it is accepted", () => {
  const on = cutover({ legacy: { offsets: LEGACY_OFFSETS.slice(1) } });
  assert.is(effectOf(noDatabasePartition, on), "blocks");
  assert.is(effectOf(noDatabasePartition, on, intent({ accept: ["MIG116"] })), "accepted");
  assert.match(saidBy(noDatabasePartition, on), /only of tables/);
});

check.run();
