import { suite } from "uvu";
import * as assert from "uvu/assert";
import { history, known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { effectOf, intent, pastTheGap, reading, saidBy, topic } from "../kinds/resnapshot/testing/build-facts.ts";
import { clockTooFarOffForSignal } from "./SNP918-clock-too-far-off.ts";

const check = suite("SNP918 a clock too far off for the signals topic");

const limited = known(
  topic({ timestamps: known({ type: "CreateTime", beforeMaxMillis: undefined, afterMaxMillis: 3_600_000n }) }),
);
/** This machine's clock says 09:14:02. */
const told = (clusterNow: string | undefined) => known(history([], { clusterNow }));

check("passes without limits, and within them", () => {
  assert.is(effectOf(clockTooFarOffForSignal, reading({ opsHistory: told("2026-11-21T07:00:00Z") })), "none");
  const within = { signalsTopic: limited, opsHistory: told("2026-11-21T08:20:00Z") };
  assert.is(effectOf(clockTooFarOffForSignal, reading(within)), "none");
});

check("blocks where the signal would be refused, alone and past the gap", () => {
  const parts = { signalsTopic: limited, opsHistory: told("2026-11-21T08:00:00Z") };
  for (const on of [reading(parts), pastTheGap(parts)]) {
    assert.is(effectOf(clockTooFarOffForSignal, on, intent({ by: "admin" })), "blocks");
    assert.match(saidBy(clockTooFarOffForSignal, on), "1 h 14 min ahead of the workers' clocks; orders.cdc.signals");
  }
});

check("never passes where the limits or the workers' clocks can't be seen", () => {
  for (const parts of [
    { signalsTopic: limited, opsHistory: told(undefined) },
    { signalsTopic: limited, opsHistory: unseen() },
    { signalsTopic: known(topic({ timestamps: unseen() })) },
  ])
    assert.is(effectOf(clockTooFarOffForSignal, reading(parts)), "warns");
});

check.run();
