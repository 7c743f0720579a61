import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { MigrationIntent } from "../document/intent.ts";
import { sameOffsets } from "../facts/offset/stored-offset.ts";
import { recordedChanges } from "../facts/ops/ops-event.ts";
import { kindOfSubject } from "../kinds/catalogue.ts";
import { phaseBack } from "../kinds/cutover/plan.ts";
import { runState } from "../run/state.ts";
import { toDoAgain } from "./phase-recovery.ts";
import { recoveryAhead } from "./recovery-ahead.ts";
import type { Attempts, Hands } from "./testing/attempts.ts";
import { interruptedAt, lived, settledThrough } from "./testing/begun.ts";
import { anyFates, FATES } from "./testing/fates.ts";
import { actAfter, contradiction, entryText, everyFate } from "./testing/migration-story.ts";
import { LEGACY, type Migration, migrationWorld, phaseOf } from "./testing/migration-world.ts";
import { CONNECTOR, OPS_TOPIC, SIGNALS_TOPIC } from "./testing/story.ts";

const back = suite("a rollback to the legacy connector");

interface Returning {
  readonly m: Migration;
  readonly cutover: Attempts;
  readonly run: Attempts;
}

/** A return that is about to begin, after a cutover; the new connector has run for a while. */
async function begun(more: Partial<MigrationIntent> = {}, state: "RUNNING" | "STOPPED" | "PAUSED" = "RUNNING") {
  const m = migrationWorld();
  const cutover = await m.run(phaseOf("cutover"));
  assert.is((await lived(cutover.apply())).outcome, "succeeded");
  await m.world.settle();
  const next = m.world.connectors.all.get(CONNECTOR);
  if (next !== undefined) next.state = state;
  return { m, cutover, run: await m.run(phaseOf("rollback", more)) } satisfies Returning;
}

back(
  "reports an offset stored again under the deleted name, where Connect shows it, and how to remove it",
  async () => {
    const { m, run } = await begun();
    const { offsets } = m.world.connect;
    m.world.connect.offsets = async (name) =>
      m.world.connectors.all.has(name)
        ? offsets(name)
        : [{ partition: { server: "orders" }, offset: { v: 1n, resume_scn: 2_300_000n } }];
    const report = await lived(run.apply());
    assert.is(report.outcome, "succeeded");
    assert.match(report.message, "not proven: no offset is left: one is stored again under the name of orders-cdc");
    assert.match(report.message, "create orders-cdc STOPPED, DELETE its offsets");
    assert.is(m.legacy(), "RUNNING");
  },
);

back(
  "warns of a possibly remaining task after a stop as long as the grace period, and not after a short one",
  async () => {
    for (const [millis, isReported] of [
      [5000, true],
      [0, false],
    ] as const) {
      const { m, run } = await begun();
      const { stop } = m.world.connect;
      m.world.connect.stop = async (name) => {
        const answer = await stop(name);
        await m.world.clock.sleep(millis);
        return answer;
      };
      const report = await lived(run.apply());
      assert.is(report.outcome, "succeeded");
      assert.is(
        report.message.includes("a leftover task may still store one under its name"),
        isReported,
        report.message,
      );
    }
  },
);

back(
  "stops, records, deletes the offsets, deletes the connector, and resumes the legacy one from where it stopped",
  async () => {
    const { m, cutover, run } = await begun({ deleteTopics: true });
    assert.is((await lived(run.apply())).outcome, "succeeded");
    assert.equal(run.entries.map(entryText), [
      "run-started",
      "ops-topic-end",
      "stop-connector started",
      "sent PUT stop orders-cdc",
      "applied PUT stop orders-cdc",
      "stop-connector done",
      "recheck started",
      "ops-topic-end",
      "return-pinned",
      "recheck done",
      "record-applying started",
      "record-applying done",
      "delete-offsets started",
      "sent DELETE offsets of orders-cdc",
      "applied DELETE offsets of orders-cdc",
      "delete-offsets done",
      "record-outcome started",
      "record-outcome done",
      "delete-connector started",
      "sent DELETE connector orders-cdc",
      "applied DELETE connector orders-cdc",
      "delete-connector done",
      "resume-legacy started",
      "sent PUT resume orders-legacy",
      "applied PUT resume orders-legacy",
      "resume-legacy done",
      "delete-topics started",
      "sent DELETE topic orders.ORCLPDB1.SALES.ORDERS",
      "applied DELETE topic orders.ORCLPDB1.SALES.ORDERS",
      "delete-topics done",
      "ended succeeded",
    ]);
    assert.is(contradiction(m, run), undefined);
    const stopped = runState(cutover.entries)?.takeover?.offsets ?? [];
    assert.ok(sameOffsets(runState(run.entries)?.returning?.offsets ?? [], stopped));
  },
);

back("leaves the new topics unless their deletion is requested", async () => {
  const { m, run } = await begun();
  const before = m.world.topics;
  assert.is((await lived(run.apply())).outcome, "succeeded");
  assert.equal(m.world.topics, before);
  assert.equal(m.world.changes.slice(1), [`DELETE ${CONNECTOR} offsets`, `DELETE ${CONNECTOR}`]);
});

back("is recorded as the removal of an offset: from the new connector's position to none", async () => {
  const { m, run } = await begun();
  await lived(run.apply());
  const removed = runState(run.entries)?.returning?.removed[0]?.offset?.["resume_scn"];
  assert.equal(
    m.world.events.map(({ details }) => [details.outcome, details.previous_resume_scn, details.new_resume_scn]),
    [
      ["applying", String(removed), "none"],
      ["applied", String(removed), "none"],
    ],
  );
});

back(
  "a second cutover after it starts at the legacy connector's current position, and uses no older offset",
  async () => {
    const { m, run } = await begun({ deleteTopics: true });
    await lived(run.apply());
    await m.world.settle();
    const signal = JSON.stringify({ id: "s1", type: "snapshot", tables: "ORCLPDB1.SALES.ORDERS" });
    for (const key of [CONNECTOR, "orders", "orders", "billing"]) m.world.put(SIGNALS_TOPIC, signal, key);
    const seen = (await m.plan(phaseOf("cutover"))).findings.find(({ code }) => code === "MIG108")?.seen ?? "";
    assert.match(seen, `handles again 3 signals that ${SIGNALS_TOPIC} holds for it, 3 of which start snapshots`);
    // Its ops topic is there: it holds the record of the return.
    const again = await m.run(phaseOf("cutover", { accept: ["MIG108"] }));
    assert.is((await lived(again.apply())).outcome, "succeeded");
    assert.is(contradiction(m, again), undefined);
  },
);

back("is planned by the run's name, and not twice", async () => {
  const { m, cutover } = await begun();
  const state = runState(cutover.entries);
  if (state === undefined) throw new Error("no cutover");
  const intent = phaseBack(state);
  const run = await m.run({ ...intent, accept: [] });
  assert.is((await lived(run.apply())).outcome, "succeeded");
  assert.is((await m.plan(intent)).outcome.state, "no-op");
  const done = runState(run.entries);
  if (done === undefined) throw new Error("no return");
  const nothing = { connect: { offsets: async () => [] }, runs: [], resume: undefined, moveBack: false };
  const { subject } = done.started;
  assert.throws(() => kindOfSubject(subject).rollback(done, nothing), /itself a rollback/);
});

const JOURNAL = "orders.cdc.txjournal";
const SCHEMA = "orders.cdc.schema";
const chunk = (server: string, number = 0) =>
  JSON.stringify({ server, con_id: 3, xid: "5.2.802", chunk: number, generation: 1 });
const layout = (server: string) => JSON.stringify({ server, pdb: "ORCLPDB1", owner: "SALES", table: "ORDERS" });

/** The same, where the new connector has left records in topics that it shares with another prefix. */
async function begunWithRecords(): Promise<Returning> {
  const { m, cutover } = await begun();
  for (const key of [chunk("orders"), chunk("orders", 1), chunk("billing")]) m.world.put(JOURNAL, "a chunk", key);
  for (const key of [layout("orders"), layout("billing")]) m.world.put(SCHEMA, "a layout", key);
  return { m, cutover, run: await m.run(phaseOf("rollback")) };
}

/** The keys whose last record is not null. */
async function live({ world: { kafka } }: Migration, topic: string): Promise<readonly string[]> {
  const { records } = await kafka.read(topic, { from: "beginning", records: 1000, millis: 1000 });
  const last = new Map(records.map(({ key, value }) => [new TextDecoder().decode(key ?? undefined), value]));
  return [...last].flatMap(([key, value]) => (value === null ? [] : [key]));
}

back("removes its prefix's keys from journal and schema topic, once the legacy connector runs again", async () => {
  const { m, run } = await begunWithRecords();
  assert.is((await lived(run.apply())).outcome, "succeeded");
  assert.equal([await live(m, JOURNAL), await live(m, SCHEMA)], [[chunk("billing")], [layout("billing")]]);
  const texts = run.entries.map(entryText);
  assert.equal(texts.slice(texts.indexOf("resume-legacy done")), [
    "resume-legacy done",
    "remove-records started",
    "records-pinned",
    `sent null records to ${JOURNAL}`,
    `applied null records to ${JOURNAL}`,
    `sent null records to ${SCHEMA}`,
    `applied null records to ${SCHEMA}`,
    "remove-records done",
    "ended succeeded",
  ]);
  assert.is(contradiction(m, run), undefined);
});

back("comes to the same keys after any fault while it removes them, with the legacy connector running", async () => {
  let tried = 0;
  for (const fate of FATES)
    for (let nth = 1; ; nth++) {
      const { m, run } = await begunWithRecords();
      const { fate: well } = m.world;
      let seen = 0;
      m.world.fate = () => {
        const isDue = runState(run.entries)?.steps.get("resume-legacy") === "done" && ++seen === nth;
        return isDue ? fate : well();
      };
      await run.apply();
      if (seen < nth) break;
      tried++;
      await run.settle();
      await m.world.settle();
      const label = `${fate} at ${nth}: ${run.entries.map(entryText).slice(-8).join(", ")}`;
      assert.is(runState(run.entries)?.ended?.outcome, "succeeded", label);
      assert.equal([await live(m, JOURNAL), await live(m, SCHEMA)], [[chunk("billing")], [layout("billing")]], label);
      assert.is(m.legacy(), "RUNNING", label);
      assert.is(contradiction(m, run), undefined, label);
    }
  assert.ok(tried >= 6 * FATES.length, `${tried} faults`);
});

back("settles after any fault at any one call or journal entry", async () => {
  for (const [deleteTopics, state] of [
    [true, "RUNNING"],
    [false, "STOPPED"],
    [true, "PAUSED"],
  ] as const)
    for (const fates of everyFate(26)) {
      const { m, run } = await begun({ deleteTopics }, state);
      await settledThrough(fates, m.world, run, (when) =>
        assert.is(contradiction(m, run), undefined, `${deleteTopics} ${state} ${fates.length} ${fates.at(-1)}${when}`),
      );
    }
});

back("settles a run that was cut off anywhere, with calls lost, refused or late", async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      anyFates,
      fc.constantFrom("RUNNING", "STOPPED", "PAUSED"),
      fc.boolean(),
      async (fates, state, deleteTopics) => {
        const { m, run } = await begun({ deleteTopics }, state as "RUNNING");
        m.world.fates = [...fates];
        await run.apply();
        await run.settle();
        outcomes.add(runState(run.entries)?.ended?.outcome ?? "never begun");
        assert.is(contradiction(m, run), undefined);
        await m.world.settle();
        assert.is(contradiction(m, run), undefined);
      },
    ),
    { numRuns: 250 },
  );
  assert.ok(outcomes.has("succeeded") && outcomes.has("failed"), [...outcomes].join(", "));
});

back("abandoned at any point, has recorded only what happened", async () => {
  for (const fate of ["killed before", "killed after", "lost, applied"] as const)
    for (let at = 1; at < 24; at++) {
      const { m, run } = await begun();
      m.world.fates = [...Array.from<"answered">({ length: at }).fill("answered"), fate, "killed before"];
      await run.apply();
      if (runState(run.entries) === undefined || runState(run.entries)?.ended !== undefined) continue;
      m.world.fates = [];
      await run.abandon();
      assert.is(runState(run.entries)?.ended?.outcome, "abandoned");
      assert.is(contradiction(m, run), undefined, `${fate} at ${at}`);
    }
});

back("reaches a known state when it is interrupted at any time, and continues", async () => {
  for (const fate of ["answered", "lost, applied", "lost"] as const)
    for (let at = 1; at < 28; at++) {
      const { m, run } = await begun({ deleteTopics: true });
      await interruptedAt(at, fate, m.world, run);
      await run.settle();
      assert.is(contradiction(m, run), undefined, `${fate} at ${at}`);
    }
});

back("a recorded announcement is not refused a second time: what is in flight is settled in the topic", async () => {
  const { m, run } = await begun();
  const well = m.world.fate;
  const atAppend = () => {
    const last = run.entries.at(-1);
    return last?.type === "step-started" && last.step === "record-applying";
  };
  m.world.fate = () => (atAppend() ? "killed after" : well());
  assert.is(await run.apply(), "killed");
  assert.is(m.world.events.length, 1);
  m.world.fate = () => (atAppend() ? "refused" : well());
  assert.is((await lived(run.recover())).outcome, "succeeded");
  assert.equal(
    m.world.events.map(({ details }) => details.outcome),
    ["applying", "applied"],
  );
});

back("where deleting the offsets is refused, starts the new connector again and records that", async () => {
  const begin = await begun();
  const { m, run } = begin;
  Object.assign(m.world.connect, {
    deleteOffsets: async () => ({ answer: "rejected", status: 403, message: "not allowed" }),
  });
  const report = await lived(run.apply());
  assert.equal([report.outcome, report.code], ["failed", "APL806"]);
  assert.equal([m.next(), m.legacy()], ["RUNNING", "STOPPED"]);
  assert.is(recordedChanges(m.world.events, CONNECTOR).at(-1)?.outcome, "failed");
});

back("once the offsets are gone, a connector that cannot be deleted leaves the run open until it can", async () => {
  const { m, run } = await begun();
  const { deleteConnector } = m.world.connect;
  Object.assign(m.world.connect, {
    deleteConnector: async () => ({ answer: "rejected", status: 403, message: "not allowed" }),
  });
  const report = await lived(run.apply());
  assert.is(report.outcome, "unfinished");
  assert.equal([m.next(), m.legacy()], ["STOPPED", "STOPPED"]);
  Object.assign(m.world.connect, { deleteConnector });
  assert.is((await lived(run.recover())).outcome, "succeeded");
  assert.is(contradiction(m, run), undefined);
});

back(
  "a new connector that another user starts after its offsets were deleted is stopped and cleared again",
  async () => {
    for (const entry of ["delete-offsets done", "record-outcome done", "delete-connector started"]) {
      const begin = await begun();
      const { m, run } = begin;
      actAfter(entry, begin, () => {
        const next = m.world.connectors.all.get(CONNECTOR);
        if (next !== undefined) next.state = "RUNNING";
      });
      const report = await lived(run.apply());
      assert.is(report.outcome, "unfinished", entry);
      assert.is(m.legacy(), "STOPPED");
      assert.is((await lived(run.recover())).outcome, "succeeded", entry);
      assert.is(contradiction(m, run), undefined, entry);
    }
  },
);

back("a new connector that another user starts before that ends the run and keeps running", async () => {
  for (const entry of ["stop-connector done", "return-pinned", "record-applying done", "delete-offsets started"]) {
    const begin = await begun();
    const { m, run } = begin;
    actAfter(entry, begin, () => {
      const next = m.world.connectors.all.get(CONNECTOR);
      if (next !== undefined) next.state = "RUNNING";
    });
    const report = await lived(run.apply());
    assert.ok(["failed", "refused"].includes(report.outcome), `${entry}: ${report.outcome}`);
    assert.is(report.code, "APL804");
    assert.equal([m.next(), m.legacy()], ["RUNNING", "STOPPED"], entry);
    assert.is(contradiction(m, run), undefined, entry);
  }
});

back("a connector that another user deletes keeps its offsets: that is reported, and not as a removal", async () => {
  const begin = await begun();
  const { m, run } = begin;
  actAfter("record-applying done", begin, () => m.world.connectors.all.delete(CONNECTOR));
  const report = await lived(run.apply());
  assert.equal([report.outcome, report.code], ["failed", "APL804"]);
  assert.ok(report.message.includes("outlives it"), report.message);
  assert.is(recordedChanges(m.world.events, CONNECTOR).at(-1)?.outcome, "failed");
  const again = await m.run(phaseOf("rollback"));
  assert.is((await lived(again.apply())).outcome, "succeeded");
  assert.is(m.legacy(), "RUNNING");
});

back(
  "legacy offsets that another user changes before the resume leave the run open until they are restored",
  async () => {
    const begin = await begun();
    const { m, run } = begin;
    const { offsets } = m.world.connectors;
    const stopped = offsets.get(LEGACY) ?? [];
    actAfter("delete-connector done", begin, () =>
      offsets.set(
        LEGACY,
        stopped.map((entry, at) => (at === 0 ? entry : { ...entry, offset: { scn: "2099999" } })),
      ),
    );
    const report = await lived(run.apply());
    assert.is(report.outcome, "unfinished");
    assert.ok(report.message.includes("no longer those it stopped with"), report.message);
    assert.is(m.legacy(), "STOPPED");
    assert.is((await lived(run.recover())).outcome, "unfinished");
    offsets.set(LEGACY, stopped.toReversed());
    assert.is((await lived(run.recover())).outcome, "succeeded");
    assert.is(contradiction(m, run), undefined);
  },
);

back("the legacy connector is not resumed beside a new one that was created again", async () => {
  const begin = await begun();
  const { m, run } = begin;
  actAfter("resume-legacy started", begin, () =>
    m.world.connectors.all.set(CONNECTOR, { config: { "cdc.topic.prefix": "orders" }, state: "RUNNING" }),
  );
  const report = await lived(run.apply());
  assert.is(report.outcome, "unfinished");
  assert.ok(report.message.includes("both would deliver"), report.message);
  assert.equal([m.legacy(), m.bothRan()], ["STOPPED", false]);
  m.world.connectors.all.delete(CONNECTOR);
  assert.is((await lived(run.recover())).outcome, "succeeded");
});

back(
  "a topic that may not be deleted, or that is read, leaves the run open, with the legacy connector running",
  async () => {
    const { m, run } = await begun({ deleteTopics: true });
    m.world.groups = [{ group: "app", state: "Stable", active: ["orders.ORCLPDB1.SALES.ORDERS"], committed: [] }];
    const report = await lived(run.apply());
    assert.is(report.outcome, "unfinished");
    assert.ok(report.message.includes("the consumer group app is active on it"), report.message);
    assert.ok(m.world.topics.includes("orders.ORCLPDB1.SALES.ORDERS"));
    assert.is(m.legacy(), "RUNNING");
    m.world.groups = [];
    assert.is((await lived(run.recover())).outcome, "succeeded");
    assert.is(contradiction(m, run), undefined);
    assert.not.ok(m.world.topics.includes("orders.ORCLPDB1.SALES.ORDERS"));
    assert.ok(m.world.topics.includes(OPS_TOPIC));
  },
);

back("a legacy connector whose task fails leaves the run open, and it completes once the task is fixed", async () => {
  const { m, run } = await begun();
  const legacy = m.world.connectors.all.get(LEGACY);
  if (legacy === undefined) throw new Error("gone");
  legacy.fails = true;
  assert.is((await lived(run.apply())).outcome, "unfinished");
  legacy.fails = false;
  assert.is((await lived(run.recover())).outcome, "succeeded");
  assert.is(contradiction(m, run), undefined);
});

back("what is stored again is shown before it is deleted again, and not deleted unless it was shown", async () => {
  const { m } = await begun();
  const { hands } = m;
  const given: { agreed?: Hands["agreed"] } = {};
  Object.assign(m, { hands: (of: MigrationIntent) => Object.assign(given, hands(of)) });
  const run = await m.run(phaseOf("rollback"));
  const { fate } = m.world;
  m.world.fate = () =>
    run.entries.slice(-1).map(entryText)[0] === "record-outcome started" ? "killed before" : fate();
  assert.is(await run.apply(), "killed");
  m.world.fate = fate;
  const shown = async () => {
    const state = runState(run.entries);
    if (state === undefined) throw new Error("not begun");
    const ahead = recoveryAhead(state, undefined, await toDoAgain(state, m.world));
    return ahead?.is === "finish" ? ahead.steps.map(({ step }) => step) : [];
  };
  const before = await shown();
  assert.not(before.includes("delete-offsets"), before.join());
  // Another user starts it, and it commits, while the question waits.
  m.world.connectors.offsets.set(CONNECTOR, [{ partition: { server: "orders" }, offset: { v: 1n, resume_scn: 5n } }]);
  assert.equal((await shown()).slice(0, 2), ["stop-connector", "delete-offsets"]);
  const sent = m.world.changes.length;
  given.agreed = new Set(before);
  const withheld = await lived(run.recover());
  assert.is(withheld.outcome, "unfinished");
  assert.match(withheld.message, /has become necessary, and nobody was asked for it; it was not sent/);
  assert.is(m.world.changes.length, sent);
  given.agreed = new Set(await shown());
  assert.ok(given.agreed.has("delete-offsets"));
  assert.is((await lived(run.recover())).outcome, "succeeded");
  assert.is(m.world.connectors.offsets.get(CONNECTOR)?.length ?? 0, 0);
});

back.run();
