import { suite } from "uvu";
import * as assert from "uvu/assert";
import { runStarted } from "../../kinds/catalogue.ts";
import { planOffsetChange } from "../../kinds/offset-change/plan.ts";
import { facts, toScn } from "../../kinds/offset-change/testing/build-facts.ts";
import type { RunState } from "../../run/state.ts";
import type { Scn } from "../../values/scn.ts";
import { detailsOf } from "./record-event.ts";

const event = suite("direction in an ops event");

const RUN = "2026-11-21T09-15-40Z-7f3a";
const TO = 2230000n;

const cases: readonly (readonly [what: string, stored: Scn | undefined, direction: string])[] = [
  ["the connector has reached exactly the SCN before it was stopped", TO, "same"],
  ["the connector has not reached it", TO - 1n, "forward"],
  ["the connector has passed it", TO + 1n, "backward"],
  ["no offset is stored any more", undefined, "initial"],
];

for (const [what, stored, direction] of cases)
  event(`the direction is that between the two SCNs that it names: ${what}`, () => {
    const plan = planOffsetChange(toScn(TO, { allowSkip: true }), facts());
    assert.is(plan.decided.direction, "forward", "as planned");
    const previous = stored === undefined ? null : { v: 1n, resume_scn: stored };
    const state = {
      started: { seq: 0n, at: plan.plannedAt, ...runStarted(plan, { run: RUN, operator: "ana", cdcctl: "0.1.0" }) },
      body: { previous, entry: { partition: { server: "orders" }, offset: { v: 1n, resume_scn: TO } } },
    } as unknown as RunState;
    const details = detailsOf(state, RUN, "ana", "applied", undefined);
    assert.is(details.direction, direction);
    assert.is(details.previous_resume_scn, stored === undefined ? "none" : String(stored));
    assert.is(details.new_resume_scn, String(TO));
  });

event.run();
