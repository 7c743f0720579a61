import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { runState } from "../run/state.ts";
import type { Attempts } from "./testing/attempts.ts";
import { interruptedAt, lived, settledThrough } from "./testing/begun.ts";
import { evidenceText } from "./testing/evidence-text.ts";
import { anyFates } from "./testing/fates.ts";
import { CAPTURED } from "./testing/memory-facts.ts";
import { contradiction, entryText, everyFate } from "./testing/migration-story.ts";
import { LEGACY, LEGACY_TOPICS, type Migration, migrationWorld, phaseOf } from "./testing/migration-world.ts";
import { CONNECTOR } from "./testing/story.ts";

const EVIDENCE = await evidenceText(
  CAPTURED.map((name) => `ORCLPDB1.SALES.${name}`),
  { "ORCLPDB1.SALES.ORDERS": LEGACY_TOPICS[0] ?? "" },
);

/** A world after a cutover. */
async function takenOver(): Promise<Migration> {
  const m = migrationWorld();
  assert.is((await lived((await m.run(phaseOf("cutover"))).apply())).outcome, "succeeded");
  await m.world.settle();
  for (const table of ["CUSTOMERS", "LINES", "LINES__OLD"]) m.world.makeTopic(`orders.ORCLPDB1.SALES.${table}`);
  m.verified = {
    ...m.verified,
    tables: CAPTURED.map((name) => `ORCLPDB1.SALES.${name}`),
    evidence: { ...m.verified.evidence, digest: EVIDENCE.digest },
  };
  return m;
}

const verification = suite("a verification that is carried out by a plan");

verification("is recorded with its evidence, and changes nothing", async () => {
  const m = await takenOver();
  const run = await m.run(phaseOf("verify"));
  const report = await lived(run.apply());
  assert.equal([report.outcome, report.changed], ["succeeded", false]);
  assert.ok(report.message.includes(EVIDENCE.digest), report.message);
  assert.equal(run.entries.map(entryText), [
    "run-started",
    "verify-tables started",
    "verification-pinned",
    "verified",
    "verify-tables done",
    "ended succeeded",
  ]);
  assert.equal(m.world.changes, ["POST orders-cdc STOPPED"]);
});

verification("covers the tables and topics that the plan decided on", async () => {
  const m = await takenOver();
  m.world.makeTopic("routed");
  const asked = phaseOf("verify");
  const intent = { ...asked, verify: asked.verify && { ...asked.verify, topics: { "SALES.CUSTOMERS": "routed" } } };
  const { steps } = await m.plan(intent);
  const [step] = steps;
  await lived((await m.run(intent)).apply());
  assert.equal(m.verifications(), [step?.step === "verify-tables" ? step.tables : undefined]);
  assert.equal(
    m.verifications()[0]?.map(({ topic }) => topic),
    ["orders.ORCLPDB1.SALES.ORDERS", "routed", "orders.ORCLPDB1.SALES.LINES", "orders.ORCLPDB1.SALES.LINES__OLD"],
  );
});

verification("whose tables do not pass ends as failed, and allows no retirement", async () => {
  const m = await takenOver();
  m.verified = { ...m.verified, passed: false, sentence: "1 of 4 tables failed" };
  const report = await lived((await m.run(phaseOf("verify"))).apply());
  assert.equal([report.outcome, report.code, report.changed], ["failed", "APL816", false]);
  m.evidence = EVIDENCE.text;
  const plan = await m.plan(phaseOf("retire"));
  assert.is(plan.outcome.state, "blocked");
  assert.ok(plan.findings.some(({ code, effect }) => code === "MIG403" && effect === "blocks"));
});

verification("is not carried out a second time once its result is in the journal", async () => {
  for (const passed of [true, false])
    for (const fate of ["killed before", "killed after"] as const)
      for (let at = 0; at < 5; at++) {
        const m = await takenOver();
        m.verified = { ...m.verified, passed };
        const run = await m.run(phaseOf("verify"));
        m.world.fates = [...Array.from<"answered">({ length: at }).fill("answered"), fate];
        await run.apply();
        const recorded = run.entries.some(({ type }) => type === "verified");
        const before = m.verifications().length;
        await run.settle();
        const state = runState(run.entries);
        if (state === undefined) continue;
        if (recorded) assert.is(m.verifications().length, before, `${fate} at ${at}`);
        // Nothing was begun before its first step: that is how it ends.
        const begun = state.steps.size > 0;
        assert.is(state.ended?.outcome, begun ? (passed ? "succeeded" : "failed") : "refused");
      }
});

verification("that is interrupted stays open, and is continued", async () => {
  const m = await takenOver();
  const run = await m.run(phaseOf("verify"));
  const { fate } = m.world;
  m.world.fate = () => {
    run.interrupt();
    return fate();
  };
  const report = await lived(run.apply());
  m.world.fate = fate;
  if (report.outcome === "unfinished") assert.is((await lived(run.recover())).outcome, "succeeded");
  else assert.is(report.outcome, "refused");
  assert.equal(m.world.changes, ["POST orders-cdc STOPPED"]);
});

verification.run();

const retirement = suite("a retirement");

/** A retirement that is about to begin, after a cutover and a verification that passed. */
async function begun(): Promise<{ readonly m: Migration; readonly run: Attempts }> {
  const m = await takenOver();
  assert.is((await lived((await m.run(phaseOf("verify"))).apply())).outcome, "succeeded");
  m.evidence = EVIDENCE.text;
  return { m, run: await m.run(phaseOf("retire")) };
}

retirement("deletes the legacy connector, then each topic that the plan lists, and nothing else", async () => {
  const { m, run } = await begun();
  const before = m.world.topics;
  const { steps } = await m.plan(phaseOf("retire"));
  const topics = steps.flatMap((step) => (step.step === "delete-topics" ? step.topics : []));
  assert.equal([...topics].sort(), [...LEGACY_TOPICS].sort());
  assert.is((await lived(run.apply())).outcome, "succeeded");
  assert.is(contradiction(m, run), undefined);
  assert.equal(m.world.changes.slice(1), [`DELETE ${LEGACY}`, ...topics.map((topic) => `DELETE topic ${topic}`)]);
  assert.equal(
    m.world.topics,
    before.filter((topic) => !LEGACY_TOPICS.includes(topic)),
  );
  assert.equal([m.legacy(), m.next()], ["gone", "RUNNING"]);
  assert.is((await m.plan(phaseOf("retire"))).outcome.state, "no-op");
});

retirement("settles after any fault at any one call or journal entry", async () => {
  for (const fates of everyFate(20)) {
    const { m, run } = await begun();
    await settledThrough(fates, m.world, run, (when) =>
      assert.is(contradiction(m, run), undefined, `${fates.length} ${fates.at(-1)}${when}`),
    );
  }
});

retirement("settles a run that was cut off anywhere, with calls lost, refused or late", async () => {
  await fc.assert(
    fc.asyncProperty(anyFates, async (fates) => {
      const { m, run } = await begun();
      m.world.fates = [...fates];
      await run.apply();
      await run.settle();
      assert.is(contradiction(m, run), undefined);
      await m.world.settle();
      assert.is(contradiction(m, run), undefined);
    }),
    { numRuns: 120 },
  );
});

retirement("reaches a known state when it is interrupted at any time, and continues", async () => {
  for (const fate of ["answered", "lost, applied", "lost"] as const)
    for (let at = 1; at < 18; at++) {
      const { m, run } = await begun();
      await interruptedAt(at, fate, m.world, run);
      await run.settle();
      assert.is(contradiction(m, run), undefined, `${fate} at ${at}`);
    }
});

retirement("a legacy connector that another user starts before it is deleted is left untouched", async () => {
  const { m, run } = await begun();
  const { fate } = m.world;
  m.world.fate = () => {
    const connector = m.world.connectors.all.get(LEGACY);
    if (connector !== undefined) connector.state = "RUNNING";
    return fate();
  };
  const report = await lived(run.apply());
  assert.equal([report.outcome, report.code, report.changed], ["failed", "APL804", false]);
  assert.equal([m.legacy(), m.world.changes.length], ["RUNNING", 1]);
});

retirement("a legacy connector that may not be deleted is kept, with its topics", async () => {
  const { m, run } = await begun();
  Object.assign(m.world.connect, {
    deleteConnector: async () => ({ answer: "rejected", status: 403, message: "not allowed" }),
  });
  const report = await lived(run.apply());
  assert.equal([report.outcome, report.code, report.changed], ["failed", "APL815", false]);
  assert.ok(LEGACY_TOPICS.every((topic) => m.world.topics.includes(topic)));
});

retirement(
  "a group that begins to read a legacy topic after the plan keeps the topic until the group has left",
  async () => {
    const { m, run } = await begun();
    const topic = "ORCLPDB1.SALES.CUSTOMERS";
    m.world.groups = [{ group: "late-reader", state: "Stable", active: [topic], committed: [topic] }];
    const report = await lived(run.apply());
    assert.is(report.outcome, "unfinished");
    assert.ok(report.message.includes("late-reader"), report.message);
    assert.ok(m.world.topics.includes(topic));
    m.world.groups = [];
    assert.is((await lived(run.recover())).outcome, "succeeded");
    assert.is(contradiction(m, run), undefined);
  },
);

retirement("a change between the plan and a recovery that has deleted nothing refuses the recovery", async () => {
  const { m, run } = await begun();
  m.world.fates = ["answered", "answered", "answered", "killed before"];
  await run.apply();
  const next = m.world.connectors.all.get(CONNECTOR);
  if (next !== undefined) next.state = "STOPPED";
  const report = await lived(run.recover());
  assert.equal([report.outcome, report.code], ["refused", "MIG406"]);
  assert.equal([m.legacy(), m.world.changes.length], ["STOPPED", 1]);
});

retirement.run();
