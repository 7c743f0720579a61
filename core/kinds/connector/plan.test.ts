import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { OffsetChangeIntent } from "../../document/intent.ts";
import { Refusal } from "../../errors.ts";
import { recordsRemoved } from "../../plan/steps.ts";
import type { World } from "../../ports/world.ts";
import type { RunState } from "../../run/state.ts";
import { canonicalJson, type JsonObject } from "../../values/json.ts";
import type { Sources } from "../kind.ts";
import { offsetChange, planOffsetChange } from "../offset-change/plan.ts";
import {
  type FactsParts,
  facts,
  intent,
  known,
  opsEvent,
  RUNNING,
  ranOnFrom,
  STOPPED,
  STORED,
  toScn,
  unseen,
} from "../offset-change/testing/build-facts.ts";
import { lentSettings } from "./testing/journaled-world.ts";

const of = (wanted: OffsetChangeIntent = intent(), parts: FactsParts = {}) => planOffsetChange(wanted, facts(parts));
const TO = 2169287n;

const shown = suite("what the plan of a change of one connector shows");

shown("the workers, the database and the topic of the record, each as seen", () => {
  const { world } = of(intent({ opsFormat: "json_schemas" }));
  assert.equal(world, {
    ...{ connectUrl: "http://connect.prod:8083", connectVersion: "3.9.2", clusterId: "4L6g3nShT-eMCtK--X86sw" },
    database: {
      ...{ name: "ORCLCDB", version: "19.24.0.0.0", address: "db.prod:1521/ORCLCDB", dbid: 2914731n },
      ...{ resetlogsScn: 1n, currentScn: 2241020n, zone: "+00:00" },
    },
    ...{ opsTopic: "orders.cdc.ops", opsFormat: "json_schemas", prefix: "orders" },
  });
  const others = ["http://connect-2.prod:8083"];
  assert.equal(of(intent(), { worker: { otherUrls: others } }).world.otherConnectUrls, others);
});

shown("the connector, its state and that of its tasks, without their traces", () => {
  const tasks = [{ id: 0n, state: "FAILED", worker: "w-1:8083", trace: "no code" }];
  const parts = { connector: { status: { state: "RUNNING", worker: "w-2:8083", tasks } } };
  assert.equal(of(intent(), parts).connectors, [
    {
      name: "orders-cdc",
      connectorClass: "sh.oso.connect.oracle.OracleCdcSourceConnector",
      ...{ state: "RUNNING", worker: "w-2:8083" },
      tasks: [{ id: 0n, state: "FAILED", worker: "w-1:8083" }],
    },
  ]);
});

shown("the first code among those of what has failed, where one fails without a code", () => {
  const tasks = ["no code", "CDC-2002 purged", "CDC-2001 missing"].map((trace, id) => ({
    ...{ id: BigInt(id), state: "FAILED", worker: "w" },
    trace,
  }));
  const { connectors } = of(intent(), { connector: { status: { state: "FAILED", worker: "w", tasks } } });
  assert.is(connectors[0]?.failedWith, "CDC-2002");
});

const chunks = known([{ xid: "4.9.771", container: 1n, firstScn: TO, user: "APP", clientId: undefined }], "a journal");
const WAITS = "this change does not depend on them, so the journal was not read";

for (const [what, wanted, drawn, unread] of [
  ["forward", toScn(2230000n), 1, []],
  ["back, for which it is not read", intent(), 0, [WAITS]],
] as const)
  shown(`the journaled transactions of a move ${what}`, () => {
    const { timeline } = of(wanted, { journaled: chunks });
    assert.is(timeline?.transactions.length, drawn);
    assert.equal(
      timeline?.unseen.filter(({ what: fact }) => fact === "journaled transactions").map(({ why }) => why),
      unread,
    );
  });

for (const [what, wanted, parts, marks] of [
  ["the stored position and the target", intent(), {}, [TO, 2204498n, 2204511n, 2241020n]],
  ["the target of a first offset", intent(), { stored: null }, [TO, 2241020n]],
  [
    "the stored position, where the target is unknown",
    intent({ position: { to: "timestamp", timestamp: "1999-01-01T00:00:00Z" } }),
    { target: { by: "timestamp", scn: undefined } },
    [2204498n, 2204511n, 2241020n],
  ],
] as readonly (readonly [string, OffsetChangeIntent, FactsParts, readonly bigint[]])[])
  shown(`a timeline with ${what}, whose redo is known from the lowest on`, () => {
    const { timeline } = of(wanted, parts);
    assert.equal(
      timeline?.marks.map(({ scn }) => scn),
      marks,
    );
    const lowest = Math.min(...marks.map(Number));
    const begins = Number(timeline?.threads[0]?.stretches[0]?.from);
    assert.ok(begins <= lowest && begins > lowest - 30_000, `from ${begins}`);
  });

shown.run();

const body = suite("the offset that a run is about to store");

const pinned = (wanted: OffsetChangeIntent, parts: FactsParts) =>
  offsetChange.pin(planOffsetChange(wanted, facts(parts)), facts(parts));
const AGAIN = intent({ position: { to: "lastRecorded" } });
const UNREADABLE: JsonObject = { ...STORED, resume_scn: "x" };
const RECORDED = { ...STORED, journal_generation: 16n, resume_scn: TO };
const events = [opsEvent({ run: "a" }), opsEvent({ run: "a", outcome: "applied" })].map(({ details, ...event }) => ({
  ...event,
  details: { ...details, ...ranOnFrom(TO) },
}));

body("replaces one that can't be read, which is what a rollback would find before it", () => {
  assert.equal(pinned(AGAIN, { stored: UNREADABLE, events }), {
    ...{ type: "body-pinned", previous: UNREADABLE },
    body: { partition: { server: "orders" }, offset: RECORDED },
  });
});

body("is not determined while target or stored offset is unknown", () => {
  for (const [wanted, parts] of [
    [AGAIN, { stored: UNREADABLE }],
    [intent(), { stored: UNREADABLE }],
    [intent({ position: { to: "earliestAvailable" } }), { redo: unseen() }],
  ] as const)
    assert.is(pinned(wanted, parts), "the offset to store could not be determined");
});

body.run();

const begun = suite("the first entry of a run for one connector");

const subjectOf = (wanted: OffsetChangeIntent = intent(), parts: FactsParts = {}) =>
  offsetChange.subject(of(wanted, parts));

begun("says who asked for what, of which connector, and where its record goes", () => {
  const metadata = { name: "orders-replay", reason: "replay", ticket: "CHG-1" };
  const { decision, intent: digest, ...subject } = subjectOf(intent({ metadata, resume: true, deliverAgain: true }));
  assert.equal(subject, {
    by: "plan file",
    connectUrl: "http://connect.prod:8083",
    context: "prod",
    clusterId: "4L6g3nShT-eMCtK--X86sw",
    connector: "orders-cdc",
    reason: "replay",
    ticket: "CHG-1",
    prefix: "orders",
    opsTopic: "orders.cdc.ops",
    opsFormat: "json",
    ranBefore: true,
    command: "offsets set",
    direction: "backward",
    scn: TO,
    forget: [],
    deliverAgain: true,
    snapshot: undefined,
    resume: true,
  });
  for (const text of [decision, digest]) assert.match(text ?? "", /^sha256:/);
  const plain = canonicalJson(subjectOf());
  for (const member of ["ticket", "deliverAgain", "removes", "snapshot"]) assert.not.match(plain, `"${member}"`);
});

for (const [state, ran] of [
  ["RUNNING", true],
  ["FAILED", true],
  ["STOPPED", false],
  ["PAUSED", false],
] as const)
  begun(`of a connector that is ${state} ${ran ? "starts" : "does not start"} it again after a rollback`, () => {
    assert.is(subjectOf(intent(), { connector: { status: { ...RUNNING, state } } }).ranBefore, ran);
  });

begun("names the records that are removed first", () => {
  const held = known([
    { ...{ xid: "4.9.771", container: 1n, firstScn: 2204600n, user: "APP", clientId: undefined } },
    { ...{ xid: "4.9.770", container: 1n, firstScn: 2204700n, user: "APP", clientId: undefined } },
  ]);
  const wanted = toScn(2230000n, { allowSkip: true, removeJournaledTransactions: true });
  const removed = [{ topic: "a test", of: "journal", only: ["1:4.9.770", "1:4.9.771"] }];
  assert.equal(recordsRemoved(of(wanted, { journaled: held })), removed);
  assert.equal(subjectOf(wanted, { journaled: held }).removes, removed);
  for (const [asked, journaled] of [
    [wanted, known([])],
    [toScn(2230000n, { allowSkip: true, accept: ["TRX505"] }), held],
    [wanted, unseen()],
  ] as const) {
    assert.not(of(asked, { journaled }).steps.some(({ step }) => step === "remove-records"));
    assert.is(subjectOf(asked, { journaled }).removes, undefined);
  }
});

const AVRO = { valueConverter: "io.confluent.connect.avro.AvroConverter" };
const { resume_rs_id: _rsId, resume_ssn: _ssn, ...SETTLED } = STORED;
const INCOMPLETE = "the plan is incomplete: its target, its offset or the format of its record is unknown";

for (const [what, wanted, parts] of [
  ["the target", intent({ position: { to: "earliestAvailable" } }), { redo: unseen() }],
  ["the stored offset", intent(), { stored: { ...STORED, v: 9n } }],
  ["the format of its record", intent(), { connector: AVRO }],
] as const)
  begun(`is not written while ${what} is unknown`, () => {
    assert.throws(
      () => subjectOf(wanted, parts),
      (refusal: Refusal) => refusal.code === "APL801" && refusal.message === INCOMPLETE,
    );
  });

begun("of a start alone needs neither target nor format: nothing is recorded", () => {
  const starts = subjectOf(toScn(2204511n, { resume: true }), {
    stored: SETTLED,
    connector: { ...AVRO, status: STOPPED },
  });
  assert.equal([starts.scn, starts.direction, starts.opsFormat], [undefined, undefined, "json"]);
});

begun.run();

const settings = suite("the settings with which a run goes on");

/** What a run of `orders-cdc` finds where the workers have these connectors. */
function settingsFor(names: readonly string[]) {
  const state = { started: { run: "2026-11-21T09-15-40Z-0001", subject: subjectOf() } } as unknown as RunState;
  const connect = {
    url: "http://connect.prod:8083",
    connector: async (name: string) =>
      names.includes(name) ? { name, config: { "cdc.topic.prefix": name }, taskIds: [], type: "source" } : undefined,
  };
  const sources = { settingsOf: async ({ config }: { config: Record<string, string> }) => lentSettings(config) };
  return offsetChange.settingsOfRun(state, { connect } as unknown as World, sources as unknown as Sources);
}

settings("are those of its connector as it is now", async () => {
  const found = await settingsFor(["billing-cdc", "orders-cdc"]);
  assert.is("settings" in found && found.settings.prefix, "orders-cdc");
});

settings(
  "are none once the connector is gone: the workers that have it are asked for, or the run given up",
  async () => {
    const found = await settingsFor(["billing-cdc"]);
    assert.ok("gone" in found && found.gone instanceof Refusal);
    assert.equal(
      [found.gone.code, found.gone.message],
      ["APL804", "the workers at http://connect.prod:8083 no longer have a connector orders-cdc"],
    );
    assert.equal(found.gone.remedies, [
      "If it was renamed or moved, point the context at the workers that have it.",
      {
        text: "If its offset can no longer be changed",
        command: "cdcctl recover 2026-11-21T09-15-40Z-0001 --abandon",
      },
    ]);
  },
);

settings.run();
