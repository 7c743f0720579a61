import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { TimestampRule } from "../facts/ops/topic.ts";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { effectOf, history, intent, known, reading, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { epochMillis, instantOf } from "../values/instant.ts";
import { clockTooFarOff } from "./OPS609-clock-too-far-off.ts";

const check = suite("OPS609 a clock too far off for the ops topic");

const HOUR = 3_600_000n;
const rule = (parts: Partial<TimestampRule>) =>
  known(
    resnapshot.topic({
      name: "orders.cdc.ops",
      timestamps: known({ type: "CreateTime", beforeMaxMillis: undefined, afterMaxMillis: undefined, ...parts }),
    }),
  );

/** When the ops topic was read, by this machine's clock; the workers' clocks say so many minutes less. */
const HERE = "2026-11-21T09:14:02Z";
const aheadBy = (minutes: number | undefined) =>
  known(
    history([], { clusterNow: minutes === undefined ? undefined : instantOf(epochMillis(HERE) - minutes * 60_000) }),
  );

type Effect = "none" | "warns" | "blocks";
const CASES: readonly (readonly [string, Partial<TimestampRule>, minutes: number | undefined, Effect, RegExp?])[] = [
  ["no limits, whatever the clocks", {}, undefined, "none"],
  ["no limits, 3 h ahead", {}, 180, "none"],
  ["in step", { beforeMaxMillis: HOUR, afterMaxMillis: HOUR }, 0, "none"],
  ["just within what may be ahead", { afterMaxMillis: HOUR }, 60, "none"],
  [
    "further ahead",
    { afterMaxMillis: HOUR },
    61,
    "blocks",
    /1 h 1 min ahead of the workers' clocks; orders\.cdc\.ops refuses .* 1 h after .*after\.max/,
  ],
  ["far behind, where only ahead is limited", { afterMaxMillis: HOUR }, -600, "none"],
  [
    "further behind",
    { beforeMaxMillis: HOUR },
    -61,
    "blocks",
    /1 h 1 min behind the workers' clocks; .* 1 h before .*before\.max/,
  ],
  ["far ahead, where only behind is limited", { beforeMaxMillis: HOUR }, 600, "none"],
  [
    "far off, where the broker stamps",
    { type: "LogAppendTime", beforeMaxMillis: HOUR, afterMaxMillis: HOUR },
    600,
    "none",
  ],
  [
    "workers that do not tell the time",
    { afterMaxMillis: HOUR },
    undefined,
    "warns",
    /1 h after the brokers' clocks; .* can't be told/,
  ],
];

for (const [name, limits, minutes, effect, words] of CASES)
  check(`${effect}: ${name}`, () => {
    const on = reading({ opsTopic: rule(limits), opsHistory: aheadBy(minutes) });
    assert.is(effectOf(clockTooFarOff, on), effect);
    assert.is(effectOf(clockTooFarOff, on, intent({ by: "admin" })), effect);
    const verdict = clockTooFarOff.run(intent(), on);
    if (words !== undefined) assert.match(verdict.verdict === "pass" ? "" : verdict.seen, words);
  });

check("may be accepted: the workers' clocks may be the wrong ones", () => {
  const on = reading({ opsTopic: rule({ afterMaxMillis: HOUR }), opsHistory: aheadBy(61) });
  assert.is(effectOf(clockTooFarOff, on, intent({ accept: ["OPS609"] })), "accepted");
});

check("never passes where limits or clocks can't be seen; a topic that can't be is left to OPS601", () => {
  const hidden = known(resnapshot.topic({ timestamps: unseen() }));
  for (const parts of [{ opsTopic: hidden }, { opsTopic: rule({ afterMaxMillis: HOUR }), opsHistory: unseen() }])
    assert.is(clockTooFarOff.run(intent(), reading(parts)).verdict, "unknown");
  for (const opsTopic of [known("missing" as const), unseen()])
    assert.is(effectOf(clockTooFarOff, reading({ opsTopic })), "none");
});

check("concerns only what is recorded", () => {
  const parts = { opsTopic: rule({ afterMaxMillis: HOUR }), opsHistory: aheadBy(61) };
  assert.is(resnapshot.effectOf(clockTooFarOff, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.effectOf(clockTooFarOff, resnapshot.pastTheGap(parts)), "blocks");
  assert.is(migration.effectOf(clockTooFarOff, migration.goingBack(parts)), "blocks");
  assert.is(migration.effectOf(clockTooFarOff, migration.goingBack({ ...parts, next: null })), "none");
});

check.run();
