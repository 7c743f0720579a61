import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { TimestampRule, TopicSeen } from "../../schemas/generated/facts.ts";
import { opsKey } from "../facts/ops/ops-event.ts";
import { partitionOf } from "../facts/ops/partition-of.ts";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { effectOf, history, intent, known, reading, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { epochMillis, instantOf } from "../values/instant.ts";
import { worded } from "./testing/wording.ts";
import {
  clockTooFarOff,
  clockTooFarOffForSignal,
  noRightToSignal,
  noRightToWrite,
  opsTopicMissing,
  signalsTopicMissing,
  tooFewReplicas,
  tooFewReplicasForSignal,
} from "./written-topics.ts";

const OPS601 = suite("OPS601 a missing ops topic");

OPS601("passes when it exists", () => {
  assert.is(effectOf(opsTopicMissing, reading()), "none");
});

OPS601("refuses a missing one everywhere, since every change is recorded", () => {
  const on = reading({ opsTopic: known("missing" as const) });
  assert.is(effectOf(opsTopicMissing, on, intent({ accept: ["OPS601"] })), "blocks");
  assert.is(effectOf(opsTopicMissing, on, intent({ by: "admin" })), "blocks");
});

OPS601("never passes while it is unknown", () => {
  const on = reading({ opsTopic: unseen("TOPIC_AUTHORIZATION_FAILED") });
  assert.is(worded(opsTopicMissing).run(intent(), on).verdict, "unknown");
  assert.is(effectOf(opsTopicMissing, on), "blocks");
});

OPS601("does not apply to a signal alone, which is not recorded", () => {
  const parts = { opsTopic: known("missing" as const) };
  assert.is(resnapshot.effectOf(opsTopicMissing, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.effectOf(opsTopicMissing, resnapshot.pastTheGap(parts)), "blocks");
});

OPS601("applies to the rollback of a migration while there is an offset to delete", () => {
  const parts = { opsTopic: known("missing" as const) };
  assert.is(migration.effectOf(opsTopicMissing, migration.goingBack(parts)), "blocks");
  assert.match(migration.resultOf(opsTopicMissing, migration.goingBack(parts)), "orders.cdc.ops");
  assert.is(migration.effectOf(opsTopicMissing, migration.goingBack({ opsTopic: unseen() })), "blocks");
  assert.is(migration.effectOf(opsTopicMissing, migration.goingBack({ ...parts, next: null })), "none");
});

const OPS602 = suite("OPS602 no right to write to the ops topic");

const writable = {
  name: "orders.cdc.ops",
  partitions: 1n,
  replicas: 3n,
  cleanupPolicy: unseen(),
  minInsyncReplicas: unseen(),
  inSyncReplicas: [3n],
  timestamps: unseen(),
  maxMessageBytes: unseen(),
  retentionMillis: unseen(),
  retentionBytes: unseen(),
};

OPS602("passes when this login may write", () => {
  assert.is(effectOf(noRightToWrite, reading()), "none");
});

OPS602("refuses when the brokers report that it may not", () => {
  const on = reading({ opsTopic: known({ ...writable, mayWrite: known(false) }) });
  assert.is(effectOf(noRightToWrite, on), "blocks");
  assert.is(effectOf(noRightToWrite, on, intent({ by: "admin", accept: ["OPS602"] })), "blocks");
});

OPS602("only warns where the protocol does not report it", () => {
  for (const opsTopic of [known({ ...writable, mayWrite: unseen("an old broker") }), unseen()]) {
    const on = reading({ opsTopic });
    assert.is(worded(noRightToWrite).run(intent(), on).verdict, "unknown");
    assert.is(effectOf(noRightToWrite, on), "warns");
  }
});

OPS602("does not apply to a signal alone, which is not recorded", () => {
  const parts = { opsTopic: known({ ...writable, mayWrite: known(false) }) };
  assert.is(resnapshot.effectOf(noRightToWrite, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.effectOf(noRightToWrite, resnapshot.pastTheGap(parts)), "blocks");
});

OPS602("applies to the rollback of a migration while there is an offset to delete", () => {
  const parts = { opsTopic: known({ ...writable, mayWrite: known(false) }) };
  assert.is(migration.effectOf(noRightToWrite, migration.goingBack(parts)), "blocks");
  assert.is(migration.effectOf(noRightToWrite, migration.goingBack({ ...parts, next: null })), "none");
});

const OPS608 = suite("OPS608 too few replicas of the ops topic in sync");

const opsTopicWith = (parts: Partial<TopicSeen>) => known(resnapshot.topic({ name: "orders.cdc.ops", ...parts }));

/** A topic of 5 partitions, all with 3 replicas in sync but the one that the event goes to, or all others. */
const own = partitionOf(opsKey("orders", "json"), 5);
const only = (short: boolean) => Array.from({ length: 5 }, (_, at) => ((at === own) === short ? 1n : 3n));

const REPLICA_CASES: readonly (readonly [string, Partial<TopicSeen>, "none" | "warns" | "blocks", RegExp?])[] = [
  ["all in sync", {}, "none"],
  ["as many as it needs", { inSyncReplicas: [2n] }, "none"],
  [
    "one too few",
    { inSyncReplicas: [1n] },
    "blocks",
    /partition 0 of orders\.cdc\.ops has 1 of 3 replicas in sync.* 2 \(min/,
  ],
  [
    "too few in the event's own partition",
    { partitions: 5n, inSyncReplicas: only(true) },
    "blocks",
    new RegExp(`partition ${own} of`),
  ],
  ["too few in every other partition", { partitions: 5n, inSyncReplicas: only(false) }, "none"],
  ["fewer replicas than it needs", { replicas: 1n, inSyncReplicas: [1n] }, "warns", /depends on their release/],
  [
    "fewer replicas than it needs, and not all in sync",
    { replicas: 2n, minInsyncReplicas: known(3n), inSyncReplicas: [1n] },
    "blocks",
  ],
  [
    "its partitions are hidden",
    { partitions: 0n, inSyncReplicas: [] },
    "warns",
    /the partitions of orders\.cdc\.ops could not be inspected/,
  ],
  ["what it needs is hidden", { minInsyncReplicas: unseen() }, "warns", /is unknown/],
];

for (const [name, parts, effect, words] of REPLICA_CASES)
  OPS608(`${effect}: ${name}`, () => {
    const on = reading({ opsTopic: opsTopicWith(parts) });
    assert.is(effectOf(tooFewReplicas, on), effect);
    assert.is(effectOf(tooFewReplicas, on, intent({ by: "admin", accept: ["OPS608"] })), effect);
    const verdict = worded(tooFewReplicas).run(intent(), on);
    if (words !== undefined) assert.match(verdict.verdict === "pass" ? "" : verdict.seen, words);
  });

OPS608("checks every partition while the form of the event is open", () => {
  const config = { valueConverter: "io.confluent.connect.avro.AvroConverter" };
  const opsTopic = opsTopicWith({ partitions: 5n, inSyncReplicas: only(false) });
  assert.is(effectOf(tooFewReplicas, reading({ opsTopic, connector: config })), "blocks");
  const last = opsTopicWith({ partitions: 5n, inSyncReplicas: [3n, 3n, 3n, 3n, 1n] });
  assert.is(effectOf(tooFewReplicas, reading({ opsTopic: last, connector: config })), "blocks");
});

OPS608("leaves a missing or unreadable topic to OPS601, which blocks", () => {
  for (const opsTopic of [known("missing" as const), unseen()]) {
    assert.is(effectOf(tooFewReplicas, reading({ opsTopic })), "none");
    assert.is(effectOf(opsTopicMissing, reading({ opsTopic })), "blocks");
  }
});

OPS608("does not apply to a signal alone, which is not recorded, but to a move past the gap", () => {
  const parts = { opsTopic: opsTopicWith({ inSyncReplicas: [1n] }) };
  assert.is(resnapshot.effectOf(tooFewReplicas, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.effectOf(tooFewReplicas, resnapshot.pastTheGap(parts)), "blocks");
});

OPS608("applies to the rollback of a migration while there is an offset to delete", () => {
  const parts = { opsTopic: opsTopicWith({ inSyncReplicas: [1n] }) };
  assert.is(migration.effectOf(tooFewReplicas, migration.goingBack(parts)), "blocks");
  assert.is(migration.effectOf(tooFewReplicas, migration.goingBack({ ...parts, next: null })), "none");
});

const OPS609 = suite("OPS609 a clock too far off for the ops topic");

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
const CLOCK_CASES: readonly (readonly [
  string,
  Partial<TimestampRule>,
  minutes: number | undefined,
  Effect,
  RegExp?,
])[] = [
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
    "workers without a clock",
    { afterMaxMillis: HOUR },
    undefined,
    "warns",
    /1 h after the brokers' clocks; .* is unknown/,
  ],
];

for (const [name, limits, minutes, effect, words] of CLOCK_CASES)
  OPS609(`${effect}: ${name}`, () => {
    const on = reading({ opsTopic: rule(limits), opsHistory: aheadBy(minutes) });
    assert.is(effectOf(clockTooFarOff, on), effect);
    assert.is(effectOf(clockTooFarOff, on, intent({ by: "admin" })), effect);
    const verdict = worded(clockTooFarOff).run(intent(), on);
    if (words !== undefined) assert.match(verdict.verdict === "pass" ? "" : verdict.seen, words);
  });

OPS609("can be accepted, since the workers' clocks may be the wrong ones", () => {
  const on = reading({ opsTopic: rule({ afterMaxMillis: HOUR }), opsHistory: aheadBy(61) });
  assert.is(effectOf(clockTooFarOff, on, intent({ accept: ["OPS609"] })), "accepted");
});

OPS609("never passes where limits or clocks are unknown; leaves an unreadable topic to OPS601", () => {
  const hidden = known(resnapshot.topic({ timestamps: unseen() }));
  for (const parts of [{ opsTopic: hidden }, { opsTopic: rule({ afterMaxMillis: HOUR }), opsHistory: unseen() }])
    assert.is(worded(clockTooFarOff).run(intent(), reading(parts)).verdict, "unknown");
  for (const opsTopic of [known("missing" as const), unseen()])
    assert.is(effectOf(clockTooFarOff, reading({ opsTopic })), "none");
});

OPS609("applies only to what is recorded", () => {
  const parts = { opsTopic: rule({ afterMaxMillis: HOUR }), opsHistory: aheadBy(61) };
  assert.is(resnapshot.effectOf(clockTooFarOff, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.effectOf(clockTooFarOff, resnapshot.pastTheGap(parts)), "blocks");
  assert.is(migration.effectOf(clockTooFarOff, migration.goingBack(parts)), "blocks");
  assert.is(migration.effectOf(clockTooFarOff, migration.goingBack({ ...parts, next: null })), "none");
});

const SNP906 = suite("SNP906 a missing signals topic");

SNP906("passes when it exists", () => {
  assert.is(resnapshot.effectOf(signalsTopicMissing, resnapshot.reading()), "none");
});

SNP906("refuses a missing one, for a signal alone and past the gap, in every command", () => {
  const parts = { signalsTopic: known("missing" as const) };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)]) {
    assert.is(resnapshot.effectOf(signalsTopicMissing, on, resnapshot.intent({ accept: ["SNP906"] })), "blocks");
    assert.is(resnapshot.effectOf(signalsTopicMissing, on, resnapshot.intent({ by: "admin" })), "blocks");
    assert.match(resnapshot.resultOf(signalsTopicMissing, on), "the brokers have no topic orders.cdc.signals");
  }
});

SNP906("is created where this login may, and refused with the command where it may not or that is unknown", () => {
  const on = (mayCreate: boolean | undefined) =>
    resnapshot.reading({
      signalsTopic: known("missing" as const),
      signals: known({ end: 0n, unread: [], ...(mayCreate === undefined ? {} : { mayCreate }) }),
    });
  assert.is(resnapshot.effectOf(signalsTopicMissing, on(true)), "warns");
  assert.match(resnapshot.resultOf(signalsTopicMissing, on(true)), "it is created, with one partition");
  for (const mayCreate of [false, undefined]) {
    assert.is(resnapshot.effectOf(signalsTopicMissing, on(mayCreate)), "blocks");
    assert.match(
      resnapshot.resultOf(signalsTopicMissing, on(mayCreate)),
      "--create --topic orders.cdc.signals --partitions 1 --config cleanup.policy=delete",
    );
  }
});

SNP906("never passes while it is unknown", () => {
  const on = resnapshot.reading({ signalsTopic: unseen("TOPIC_AUTHORIZATION_FAILED") });
  assert.is(worded(signalsTopicMissing).run(resnapshot.intent(), on).verdict, "unknown");
  assert.is(resnapshot.effectOf(signalsTopicMissing, on), "blocks");
});

const SNP907 = suite("SNP907 no right to write to the signals topic");

SNP907("passes when this login may write", () => {
  assert.is(resnapshot.effectOf(noRightToSignal, resnapshot.reading()), "none");
});

SNP907("refuses when the brokers report that it may not", () => {
  const on = resnapshot.reading({ signalsTopic: known(resnapshot.topic({ mayWrite: known(false) })) });
  assert.is(resnapshot.effectOf(noRightToSignal, on), "blocks");
  assert.is(resnapshot.effectOf(noRightToSignal, on, resnapshot.intent({ by: "admin", accept: ["SNP907"] })), "blocks");
  assert.match(resnapshot.resultOf(noRightToSignal, on), "this login may not write to orders.cdc.signals");
});

SNP907("only warns where the protocol does not report it", () => {
  for (const signalsTopic of [known(resnapshot.topic({ mayWrite: unseen("an old broker") })), unseen()]) {
    const on = resnapshot.reading({ signalsTopic });
    assert.is(worded(noRightToSignal).run(resnapshot.intent(), on).verdict, "unknown");
    assert.is(resnapshot.effectOf(noRightToSignal, on), "warns");
  }
});

SNP907("leaves a missing topic to SNP906", () => {
  assert.is(
    resnapshot.effectOf(noRightToSignal, resnapshot.reading({ signalsTopic: known("missing" as const) })),
    "none",
  );
});

const SNP917 = suite("SNP917 too few replicas of the signals topic in sync");

SNP917("passes when enough are in sync, and leaves a missing topic to SNP906", () => {
  assert.is(resnapshot.effectOf(tooFewReplicasForSignal, resnapshot.reading()), "none");
  assert.is(
    resnapshot.effectOf(tooFewReplicasForSignal, resnapshot.reading({ signalsTopic: known("missing" as const) })),
    "none",
  );
});

SNP917("refuses a topic that would not accept the signal, for a signal alone and past the gap", () => {
  const parts = { signalsTopic: known(resnapshot.topic({ inSyncReplicas: [1n] })) };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)]) {
    assert.is(
      resnapshot.effectOf(tooFewReplicasForSignal, on, resnapshot.intent({ by: "admin", accept: ["SNP917"] })),
      "blocks",
    );
    assert.match(
      resnapshot.resultOf(tooFewReplicasForSignal, on),
      "partition 0 of orders.cdc.signals has 1 of 3 replicas in sync",
    );
  }
});

SNP917("checks partition 0, the only one that the task reads", () => {
  assert.is.not(partitionOf(new TextEncoder().encode("orders-cdc"), 3), 0);
  const all = [3n, 1n, 1n];
  const on = (inSyncReplicas: readonly bigint[]) =>
    resnapshot.reading({ signalsTopic: known(resnapshot.topic({ partitions: 3n, inSyncReplicas })) });
  assert.is(resnapshot.effectOf(tooFewReplicasForSignal, on(all)), "none");
  assert.is(resnapshot.effectOf(tooFewReplicasForSignal, on(all.map((count) => 4n - count))), "blocks");
});

SNP917("leaves an unreadable topic to SNP906, and warns where only its requirement is hidden", () => {
  assert.is(resnapshot.effectOf(tooFewReplicasForSignal, resnapshot.reading({ signalsTopic: unseen() })), "none");
  assert.is(resnapshot.effectOf(signalsTopicMissing, resnapshot.reading({ signalsTopic: unseen() })), "blocks");
  const hidden = known(resnapshot.topic({ minInsyncReplicas: unseen() }));
  assert.is(resnapshot.effectOf(tooFewReplicasForSignal, resnapshot.reading({ signalsTopic: hidden })), "warns");
});

const SNP918 = suite("SNP918 a clock too far off for the signals topic");

const limited = known(
  resnapshot.topic({
    timestamps: known({ type: "CreateTime", beforeMaxMillis: undefined, afterMaxMillis: 3_600_000n }),
  }),
);
/** This machine's clock says 09:14:02. */
const historyIn = (clusterNow: string | undefined) => known(history([], { clusterNow }));

SNP918("passes without limits, and within them", () => {
  assert.is(
    resnapshot.effectOf(clockTooFarOffForSignal, resnapshot.reading({ opsHistory: historyIn("2026-11-21T07:00:00Z") })),
    "none",
  );
  const within = { signalsTopic: limited, opsHistory: historyIn("2026-11-21T08:20:00Z") };
  assert.is(resnapshot.effectOf(clockTooFarOffForSignal, resnapshot.reading(within)), "none");
});

SNP918("blocks where the signal would be refused, alone and past the gap", () => {
  const parts = { signalsTopic: limited, opsHistory: historyIn("2026-11-21T08:00:00Z") };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)]) {
    assert.is(resnapshot.effectOf(clockTooFarOffForSignal, on, resnapshot.intent({ by: "admin" })), "blocks");
    assert.match(
      resnapshot.resultOf(clockTooFarOffForSignal, on),
      "1 h 14 min ahead of the workers' clocks; orders.cdc.signals",
    );
  }
});

SNP918("never passes where the limits or the workers' clocks are unknown", () => {
  for (const parts of [
    { signalsTopic: limited, opsHistory: historyIn(undefined) },
    { signalsTopic: limited, opsHistory: unseen() },
    { signalsTopic: known(resnapshot.topic({ timestamps: unseen() })) },
  ])
    assert.is(resnapshot.effectOf(clockTooFarOffForSignal, resnapshot.reading(parts)), "warns");
});

OPS601.run();
OPS602.run();
OPS608.run();
OPS609.run();
SNP906.run();
SNP907.run();
SNP917.run();
SNP918.run();
