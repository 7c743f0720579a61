import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { RecordInLog } from "../../schemas/generated/facts.ts";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import {
  effectOf,
  history,
  intent,
  known,
  opsEvent,
  reading,
  STORED,
  unseen,
} from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { epochMillis, instantOf } from "../values/instant.ts";
import { canonicalJson, type JsonObject } from "../values/json.ts";
import { lineOf } from "../values/remedy.ts";
import { changeInFlight, historyCut, lastChangeUndone, offsetMovedOn } from "./earlier-changes.ts";
import { findings } from "./finding.ts";
import { worded } from "./testing/wording.ts";

const OFF111 = suite("OFF111 an offset that advanced since the run");

const replacing = { ...STORED, resume_scn: 2169287n };
const restore = intent({
  by: "rollback",
  position: { to: "restore", run: "2026-11-21T09-15-40Z-7f3a", offset: STORED, replacing },
});

OFF111("applies to restoring only", () => {
  assert.is(effectOf(offsetMovedOn, reading()), "none");
});

OFF111("passes while the offset is the one that the run stored, or is already restored", () => {
  for (const stored of [replacing, STORED])
    assert.is(effectOf(offsetMovedOn, reading({ stored }, restore), restore), "none");
});

OFF111("passes where offsets of other partitions are stored beside it", () => {
  const offsets = [{ partition: { server: "old" }, offset: { v: 1n, resume_scn: 7n } }];
  const { connector } = reading({ stored: replacing }, restore).facts;
  const on = reading({ connector: { offsets: [...offsets, ...connector.offsets] } }, restore);
  assert.is(effectOf(offsetMovedOn, on, restore), "none");
});

OFF111("refuses as soon as one field differs, in value or in type", () => {
  for (const field of [{ journal_generation: 18n }, { last_commit_scn: 2204499n }, { resume_scn: "2169287" }]) {
    const on = reading({ stored: { ...replacing, ...field } }, restore);
    assert.is(effectOf(offsetMovedOn, on, restore), "blocks");
  }
});

OFF111("refuses when the offset was removed since", () => {
  assert.is(effectOf(offsetMovedOn, reading({ stored: null }, restore), restore), "blocks");
});

const OFF114 = suite("OFF114 the last change is undone");

const PLANNED: JsonObject = { ...STORED, resume_scn: 2169287n };
const carried = {
  previous_offset: canonicalJson(STORED),
  new_offset: canonicalJson(PLANNED),
  new_resume_scn: "2169287",
  direction: "backward",
};
const applied = (details: object = {}) => [
  opsEvent({ run: "a", ...carried, ...details }),
  opsEvent({ run: "a", ...carried, outcome: "applied", ...details }),
];
const LATE: JsonObject = { ...STORED, resume_scn: 2204600n };

OFF114("warns where the earlier task has committed again, and names run and repair", () => {
  const on = reading({ events: applied(), stored: LATE });
  assert.is(effectOf(lastChangeUndone, on), "warns");
  const verdict = worded(lastChangeUndone).run(intent(), on);
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, /ana \(self-asserted\) moved the offset to 2169287 .*run a.* set it back to 2204600/);
  assert.match(verdict.remedies?.map(lineOf).join() ?? "", "cdcctl recover a --resume");
});

OFF114("warns of a change by another tool without operator or run, and offers no repair of it", () => {
  const on = reading({ events: applied({ run: undefined, operator: "" }), stored: LATE });
  const verdict = worded(lastChangeUndone).run(intent(), on);
  assert.ok(verdict.verdict === "fail");
  assert.match(
    verdict.seen,
    /moved the offset to 2169287 \(2026-11-21T09:10:02Z\), and a task that kept running after its stop/,
  );
  assert.is(verdict.remedies, undefined);
});

OFF114(
  "passes where the change is in place, where the connector has continued, and where something else is stored",
  () => {
    for (const stored of [
      PLANNED,
      { ...PLANNED, resume_scn: 2170000n, journal_generation: 18n },
      { ...STORED, resume_scn: 77n },
      null,
    ])
      assert.is(effectOf(lastChangeUndone, reading({ events: applied(), stored })), "none", canonicalJson(stored));
  },
);

OFF114("does not apply to a change that failed, is open, or carries no offsets", () => {
  for (const events of [
    [opsEvent({ run: "a", ...carried }), opsEvent({ run: "a", ...carried, outcome: "failed", error: "x" })],
    [opsEvent({ run: "a", ...carried })],
    [opsEvent({ run: "a" }), opsEvent({ run: "a", outcome: "applied" })],
    [],
  ])
    assert.is(effectOf(lastChangeUndone, reading({ events, stored: LATE })), "none");
});

OFF114("checks the latest change only", () => {
  const events = [...applied(), ...applied({ run: "b", new_offset: canonicalJson(LATE), new_resume_scn: "2204600" })];
  assert.is(effectOf(lastChangeUndone, reading({ events, stored: LATE })), "none");
});

OFF114("names no operator where the record has none, and no run to recover where it has none", () => {
  const verdict = worded(lastChangeUndone).run(
    intent(),
    reading({ events: applied({ operator: "", run: undefined }), stored: LATE }),
  );
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, /^an unnamed operator moved the offset to 2169287 \(.*Z\), and a task/);
  assert.is(verdict.remedies, undefined);
});

const OPS603 = suite("OPS603 another change in flight");

const young = "2026-11-21T09:10:02Z";
const old = "2026-11-21T08:59:02Z";

OPS603("passes when every change has its outcome, applied or failed", () => {
  const events = [
    opsEvent({ run: "a" }),
    opsEvent({ run: "a", outcome: "applied" }),
    opsEvent({ run: "b" }),
    opsEvent({ run: "b", outcome: "failed", error: "HTTP 500" }),
  ];
  assert.is(effectOf(changeInFlight, reading({ events })), "none");
});

OPS603("names operator, age and run of one without an outcome", () => {
  const verdict = worded(changeInFlight).run(intent(), reading({ events: [opsEvent({ run: "a" }, young)] }));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, /^ana \(self-asserted\) began a change to 2169287 4 min ago .*run a/);
  assert.is(
    (verdict.remedies ?? []).map(lineOf).join("\n"),
    "Ask the operator of that change, or settle it:  cdcctl recover --from-ops --context prod --connector orders-cdc",
  );
});

OPS603("names no operator where the record has none, and no run where it has none", () => {
  const events = [opsEvent({ operator: "" }, young)];
  const verdict = worded(changeInFlight).run(intent(), reading({ events }));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, /^an unnamed operator began a change to 2169287 4 min ago \([^,]*\) and the outcome/);
});

OPS603("is still in flight when a later change has ended", () => {
  const events = [
    opsEvent({ run: "a" }, old),
    opsEvent({ run: "b" }, young),
    opsEvent({ run: "b", outcome: "applied" }, young),
  ];
  assert.is(effectOf(changeInFlight, reading({ events })), "blocks");
});

OPS603("blocks unless accepted, whatever its age", () => {
  for (const at of [young, old]) {
    const on = reading({ events: [opsEvent({}, at)] });
    assert.is(effectOf(changeInFlight, on), "blocks");
    assert.is(effectOf(changeInFlight, on, intent({ accept: ["OPS603"] })), "accepted");
  }
});

OPS603("blocks admin while it is younger than 15 minutes, to the second, and warns afterwards", () => {
  const admin = intent({ by: "admin" });
  assert.is(effectOf(changeInFlight, reading({ events: [opsEvent({}, "2026-11-21T08:59:03Z")] }), admin), "blocks");
  assert.is(effectOf(changeInFlight, reading({ events: [opsEvent({}, old)] }), admin), "warns");
});

OPS603("counts a change from a clock ahead of this machine's as just begun", () => {
  const on = reading({ events: [opsEvent({}, "2027-01-01T00:00:00Z")] });
  assert.is(effectOf(changeInFlight, on, intent({ by: "admin" })), "blocks");
});

/** What the workers' clocks say; `ago(20)` is 20 minutes before. */
const NOW = "2026-11-21T09:14:02Z";
const ago = (minutes: number) => instantOf(epochMillis(NOW) - minutes * 60_000);

interface Clocks {
  /** What the event says: by the workers' clocks, or by a writer's own. */
  readonly at: string;
  readonly record: Partial<RecordInLog>;
  /** This machine's clock. */
  readonly here?: string;
  /** Undefined: the workers do not report the time. */
  readonly workers?: string | undefined;
}

const broker = (time: string) => ({ time, stampedBy: "broker" as const });
const producer = (time: string) => ({ time, stampedBy: "producer" as const });

/** A change that began 4 or 16 minutes ago; whoever wrote it, and whoever looks, may have any clock. */
const AGES: readonly (readonly [string, Clocks, "4 min ago" | "16 min ago" | RegExp])[] = [
  ["equal clocks", { at: ago(4), record: producer(ago(4)) }, "4 min ago"],
  ["equal clocks, older", { at: ago(16), record: producer(ago(16)) }, "16 min ago"],
  ["the writer's clock 20 min behind", { at: ago(4), record: producer(ago(24)) }, "4 min ago"],
  ["the writer's clock an hour ahead, older", { at: ago(16), record: producer(ago(-44)) }, "16 min ago"],
  ["our clock 20 min ahead", { at: ago(4), record: producer(ago(4)), here: ago(-20) }, "4 min ago"],
  ["our clock an hour behind, older", { at: ago(16), record: producer(ago(16)), here: ago(60) }, "16 min ago"],
  ["stamped by the broker: equal clocks", { at: ago(4), record: broker(ago(4)) }, "4 min ago"],
  ["stamped by the broker: an event dated 20 min too early", { at: ago(24), record: broker(ago(4)) }, "4 min ago"],
  ["stamped by the broker: an event dated an hour too late", { at: ago(-44), record: broker(ago(16)) }, "16 min ago"],
  [
    "stamped by the broker: our clock 20 min ahead",
    { at: ago(4), record: broker(ago(4)), here: ago(-20) },
    "4 min ago",
  ],
  ["an event dated an hour too late", { at: ago(-44), record: producer(ago(16)) }, /44 min after the workers' time/],
  ["a broker that is an hour ahead", { at: ago(16), record: broker(ago(-44)) }, /44 min after the workers' time/],
  ["workers without a clock", { at: ago(16), record: producer(ago(16)), workers: undefined }, /do not report the time/],
  [
    "the same, stamped by the broker",
    { at: ago(16), record: broker(ago(16)), workers: undefined },
    /do not report the time/,
  ],
  ["a skew of some seconds", { at: ago(-0.5), record: producer(ago(-0.5)) }, / 0\.0 s ago/],
];

for (const [name, { at, record, here = NOW, ...clocks }, age] of AGES)
  OPS603(`uses the workers' clocks and the broker's, never a machine's own: ${name}`, () => {
    const clusterNow = "workers" in clocks ? clocks.workers : NOW;
    const opsHistory = known(history([opsEvent({ run: "a" }, at, record)], { clusterNow }));
    const on = reading({ at: here, opsHistory });
    const verdict = worded(changeInFlight).run(intent(), on);
    assert.ok(verdict.verdict === "fail");
    assert.match(verdict.seen, age);
    assert.is(effectOf(changeInFlight, on, intent({ by: "admin" })), age === "16 min ago" ? "warns" : "blocks");
  });

OPS603("names the remedy where the age is unknown", () => {
  const opsHistory = known(history([opsEvent({}, old)], { clusterNow: undefined }));
  const [finding] = findings([changeInFlight], intent({ by: "admin" }), reading({ opsHistory }));
  assert.match(finding?.remedies.map(lineOf).join(" ") ?? "", "cdcctl recover --from-ops");
});

OPS603("ignores another connector's change", () => {
  assert.is(effectOf(changeInFlight, reading({ events: [opsEvent({ connector: "other" })] })), "none");
});

OPS603("never passes while the ops topic is unreadable", () => {
  const on = reading({ opsHistory: unseen() });
  assert.is(worded(changeInFlight).run(intent(), on).verdict, "unknown");
  assert.is(effectOf(changeInFlight, on), "blocks");
});

OPS603("blocks a signal alone too, since the stored offset is about to change", () => {
  const events = [opsEvent({ run: "a" }, young)];
  for (const on of [resnapshot.reading({ events }), resnapshot.pastTheGap({ events })])
    assert.is(resnapshot.effectOf(changeInFlight, on), "blocks");
});

OPS603("does not require a readable ops topic for a signal alone, but for a move past the gap", () => {
  const parts = { opsHistory: unseen() };
  assert.is(resnapshot.effectOf(changeInFlight, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.effectOf(changeInFlight, resnapshot.pastTheGap(parts)), "blocks");
});

OPS603("blocks the rollback of a migration; for a change by another rollback names what began it", () => {
  const deleting = [opsEvent({ run: "a", new_resume_scn: "none" }, young)];
  assert.is(migration.effectOf(changeInFlight, migration.goingBack()), "none");
  assert.is(migration.effectOf(changeInFlight, migration.goingBack({ events: deleting })), "blocks");
  assert.match(
    migration.resultOf(changeInFlight, migration.goingBack({ events: deleting })),
    "ana (self-asserted) began to delete the stored offset 4 min ago",
  );
  assert.is(migration.effectOf(changeInFlight, migration.goingBack({ opsHistory: unseen() })), "blocks");
});

const OPS604 = suite("OPS604 an ops topic that was not read from its beginning");

OPS604("passes when all of it was read", () => {
  assert.is(effectOf(historyCut, reading()), "none");
});

OPS604("warns when only its tail was read, or none of it", () => {
  assert.is(effectOf(historyCut, reading({ opsHistory: known(history([], { whole: false })) })), "warns");
  const on = reading({ opsHistory: unseen() });
  assert.is(worded(historyCut).run(intent(), on).verdict, "unknown");
  assert.is(effectOf(historyCut, on), "warns");
});

OPS604("does not apply to a signal alone, which is not recorded", () => {
  const parts = { opsHistory: known(history([], { whole: false })) };
  assert.is(resnapshot.effectOf(historyCut, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.effectOf(historyCut, resnapshot.pastTheGap(parts)), "warns");
});

OFF111.run();
OFF114.run();
OPS603.run();
OPS604.run();
