import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, intent, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { created, STOPPED } from "../kinds/migration/testing/story.ts";
import { newNameTaken } from "./MIG105-new-name-taken.ts";

const check = suite("MIG105 a new name that is taken");

check("passes where the workers have none of the name", () => {
  assert.is(effectOf(newNameTaken, cutover()), "none");
});

check("refuses one that is there, whatever its state", () => {
  for (const next of [created(), created({ status: STOPPED })])
    assert.is(effectOf(newNameTaken, cutover({ next }), intent({ accept: ["MIG105"] })), "blocks");
  const said = saidBy(newNameTaken, cutover({ next: created({ status: STOPPED }) }));
  assert.match(said, /already: a sh\.oso\.connect\..*, STOPPED/);
  assert.match(said, "spec.phase: rollback");
});

check("of the legacy connector's own name offers no way back", () => {
  const same = intent({ to: { name: "orders-legacy" } });
  const said = saidBy(newNameTaken, cutover({ next: created({ name: "orders-legacy" }) }, same), same);
  assert.match(said, "spec.to.name");
  assert.not.match(said, "rollback");
});

check.run();
