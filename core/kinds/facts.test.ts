import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connectorsIn, storedIn } from "./facts.ts";
import { cutoverFacts, retirementFacts, returnFacts, verificationFacts } from "./migration/testing/build-facts.ts";
import { created } from "./migration/testing/story.ts";
import { facts, STORED } from "./offset-change/testing/build-facts.ts";
import * as resnapshot from "./resnapshot/testing/build-facts.ts";

const seen = suite("the facts of a change, whatever its kind");

const named = (...of: Parameters<typeof connectorsIn>) => connectorsIn(...of).map((connector) => connector?.name);

seen("have the connectors that it stops or starts", () => {
  assert.equal(named(facts()), ["orders-cdc"]);
  assert.equal(named(resnapshot.facts()), ["orders-cdc"]);
  assert.equal(named(cutoverFacts()), ["orders-legacy", undefined]);
  assert.equal(named(returnFacts()), ["orders-legacy", "orders-cdc"]);
  assert.equal(named(retirementFacts({ legacy: null })), [undefined, "orders-cdc"]);
  assert.equal(named(verificationFacts()), [undefined, "orders-cdc"]);
});

seen("have the stored offset of the connector whose changes the ops topic records", () => {
  assert.equal(storedIn(facts()), STORED);
  assert.equal(storedIn(returnFacts()), created().offsets[0]?.offset as never);
  assert.is(storedIn(cutoverFacts()), null);
  assert.is(storedIn(returnFacts({ next: created({ offsets: [] }) })), null);
  assert.is(storedIn(returnFacts({ settings: { prefix: "eu" } })), null, "under another prefix");
});

seen.run();
