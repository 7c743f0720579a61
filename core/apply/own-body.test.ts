import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Refusal } from "../errors.ts";
import { encodeOpsEvent } from "../facts/ops/ops-event.ts";
import type { JournalEntry } from "../run/journal.ts";
import { runState } from "../run/state.ts";
import { canonicalJson, type JsonObject } from "../values/json.ts";
import { lineOf } from "../values/remedy.ts";
import { type Attempts, attemptsOf, planNow } from "./testing/attempts.ts";
import { lived } from "./testing/begun.ts";
import { moveTo } from "./testing/intents.ts";
import { type MemoryWorld, memoryWorld } from "./testing/memory-world.ts";
import { OPS_TOPIC, PREVIOUS_SCN, STORED } from "./testing/story.ts";

const ownBody = suite("the journaled body");

const TARGET = PREVIOUS_SCN - 25_000n;
const ELSEWHERE = PREVIOUS_SCN - 99_000n;
type Entry<Type extends JournalEntry["type"]> = Extract<JournalEntry, { type: Type }>;

/** A run whose PATCH got no answer, or that was cut off before it announced itself. */
async function interrupted(stored: JsonObject, cut: "PATCH" | "announcement" = "PATCH") {
  const world = memoryWorld(stored);
  const run = attemptsOf(planNow(moveTo(TARGET), world), world);
  const well = world.fate;
  world.fate = () => {
    const last = run.entries.at(-1);
    const isThere =
      cut === "PATCH" ? last?.type === "patch-sent" : last?.type === "step-started" && last.step === "record-applying";
    return isThere ? (cut === "PATCH" ? "lost" : "killed before") : well();
  };
  await run.apply();
  world.fate = well;
  return { world, run };
}

/** Edits entries of one type, as somebody with write access and the checksum function would. */
function edit<Type extends JournalEntry["type"]>(
  { entries }: Attempts,
  type: Type,
  edited: (entry: Entry<Type>) => Entry<Type>,
): void {
  const journal = entries as JournalEntry[];
  for (const [at, entry] of journal.entries()) if (entry.type === type) journal[at] = edited(entry as Entry<Type>);
}

const withOffset = (members: JsonObject) => (entry: Entry<"body-pinned">) => ({
  ...entry,
  body: { ...entry.body, offset: { ...entry.body.offset, ...members } },
});
const withPrevious = (members: JsonObject) => (entry: Entry<"body-pinned">) => ({
  ...withOffset(members)(entry),
  previous: { ...entry.previous, ...members },
});
/** The plan moves to another SCN, with a decision that fits. */
const planned = (scn: bigint) => {
  const other = planNow(moveTo(scn), memoryWorld());
  return (entry: Entry<"run-started">) => ({
    ...entry,
    plan: other,
    subject: { ...entry.subject, scn, decision: other.decision } as typeof entry.subject,
  });
};

/** What somebody writes into the journal of an interrupted run. */
const EDITS: readonly (readonly [what: string, edit: (run: Attempts) => void])[] = [
  ["another SCN", (run) => edit(run, "body-pinned", withOffset({ resume_scn: ELSEWHERE }))],
  ["the same SCN as text", (run) => edit(run, "body-pinned", withOffset({ resume_scn: String(TARGET) }))],
  ["another last commit", (run) => edit(run, "body-pinned", withOffset({ last_commit_scn: 1n }))],
  ["another journal generation", (run) => edit(run, "body-pinned", withOffset({ journal_generation: 9000n }))],
  ["a ledger that loses an id", (run) => edit(run, "body-pinned", withOffset({ released_xids: "1:4.9.771" }))],
  ["another database", (run) => edit(run, "body-pinned", withOffset({ dbid: 5n }))],
  ["a redo address", (run) => edit(run, "body-pinned", withOffset({ resume_rs_id: "0x000001.00000001.0010" }))],
  ["a member more", (run) => edit(run, "body-pinned", withOffset({ snapshot: "evil" }))],
  ["no offset", (run) => edit(run, "body-pinned", (entry) => ({ ...entry, body: { ...entry.body, offset: null } }))],
  [
    "another partition",
    (run) => edit(run, "body-pinned", (one) => ({ ...one, body: { ...one.body, partition: { server: "billing" } } })),
  ],
  ["another previous offset, and the body that follows", (run) => edit(run, "body-pinned", withPrevious({ dbid: 5n }))],
  [
    "another decided SCN",
    (run) =>
      edit(run, "run-started", (entry) => {
        const { plan } = entry;
        if (plan === null || !("scn" in plan.decided)) throw new Error("no plan");
        return { ...entry, plan: { ...plan, decided: { ...plan.decided, scn: ELSEWHERE } } as typeof plan };
      }),
  ],
];

for (const cut of ["PATCH", "announcement"] as const) {
  for (const [what, act] of EDITS) {
    // Only what is stored contradicts an edited previous offset before the announcement.
    if (cut === "announcement" && what.startsWith("another previous")) continue;
    ownBody(`with ${what} is refused before anything is sent, cut off at its ${cut}`, async () => {
      const { world, run } = await interrupted(STORED, cut);
      act(run);
      const [patches, events] = [world.patches.length, world.events.length];
      const refused = await run.recover().then(
        (report) => report,
        (failure: unknown) => failure,
      );
      assert.ok(refused instanceof Refusal, `${what}: ${JSON.stringify(refused)}`);
      assert.is(refused.code, "APL823");
      for (const account of ["Its journal: ", ". Its plan: ", `${OPS_TOPIC}: `])
        assert.ok(refused.message.includes(account), refused.message);
      assert.equal([world.patches.length, world.events.length], [patches, events]);
      assert.is(runState(run.entries)?.ended, undefined);
    });
  }
}

ownBody("of an edited plan, decision and body that fit is refused by the record", async () => {
  const { world, run } = await interrupted(STORED);
  edit(run, "run-started", planned(ELSEWHERE));
  edit(run, "body-pinned", withOffset({ resume_scn: ELSEWHERE }));
  const before = world.patches.length;
  const refused = await run.recover().catch((failure: unknown) => failure);
  assert.ok(refused instanceof Refusal && refused.code === "APL823", String(refused));
  assert.match(refused.message, /: no record of this run/);
  assert.is(world.patches.length, before);
});

/** What the ops topic has by now is removed from it. */
function forget({ kafka, events }: MemoryWorld): void {
  const [kept, { read }] = [BigInt(events.length), kafka];
  const after = async (...of: Parameters<typeof read>) => {
    const seen = await read(...of);
    return of[0] === OPS_TOPIC ? { ...seen, records: seen.records.filter(({ offset }) => offset >= kept) } : seen;
  };
  Object.assign(kafka, { read: after });
}

for (const [what, other] of [
  ["retention or compaction has removed the run's own record", false],
  ["the record is another run's", true],
] as const)
  ownBody(`is not sent where ${what}, and nobody is accused: it can be called off and planned again`, async () => {
    const { world, run } = await interrupted(STORED);
    const [before, [record]] = [world.patches.length, world.events];
    if (record === undefined) throw new Error("nothing was announced");
    forget(world);
    const rest = {
      ...record,
      details: { ...record.details, run: "2026-11-21T09-00-00Z-0000", outcome: "failed" },
    } as const;
    if (other) world.put(OPS_TOPIC, new TextDecoder().decode(encodeOpsEvent(rest, "json").value));
    const refused = await run.recover().catch((failure: unknown) => failure);
    assert.ok(refused instanceof Refusal && refused.code === "APL824", String(refused));
    assert.match(refused.message, /orders\.cdc\.ops no longer has the record that run .* made there before its change/);
    const said = refused.remedies.map(lineOf).join("\n");
    assert.match(said, /cdcctl recover 2026-11-21T09-15-40Z-7f3a --abandon/);
    assert.not.match(said, /from-ops|write to the state directory/);
    assert.is(world.patches.length, before);
    await lived(run.abandon());
    assert.is(runState(run.entries)?.ended?.outcome, "abandoned");
    const again = attemptsOf(planNow(moveTo(TARGET), world), world, "2026-11-21T09-30-00Z-1111");
    assert.is((await lived(again.apply())).outcome, "succeeded");
  });

ownBody("that is edited is accused, whatever the topic has forgotten", async () => {
  const { world, run } = await interrupted(STORED);
  edit(run, "body-pinned", withOffset({ resume_scn: ELSEWHERE }));
  forget(world);
  const refused = await run.recover().catch((failure: unknown) => failure);
  assert.ok(refused instanceof Refusal && refused.code === "APL823", String(refused));
});

ownBody("with a forged previous offset is not sent over another stored one", async () => {
  const { world, run } = await interrupted(STORED, "announcement");
  edit(run, "body-pinned", withPrevious({ dbid: 5n }));
  const before = world.patches.length;
  await run.recover();
  assert.is(world.patches.length, before);
  assert.is(canonicalJson(world.stored).includes('"dbid":5'), false);
});

ownBody("is not called planned where somebody stored the same edit", async () => {
  const { world, run } = await interrupted(STORED);
  edit(run, "body-pinned", withOffset({ resume_scn: ELSEWHERE }));
  world.stored = { ...STORED, resume_scn: ELSEWHERE, resume_rs_id: undefined as never };
  const refused = await run.recover().catch((failure: unknown) => failure);
  assert.ok(refused instanceof Refusal && refused.code === "APL823", String(refused));
  assert.not(world.events.some(({ details }) => details.outcome === "applied"));
});

ownBody("that plan and record confirm is sent again, and the run is finished", async () => {
  for (const cut of ["PATCH", "announcement"] as const) {
    const { run } = await interrupted(STORED, cut);
    await run.settle();
    assert.is(runState(run.entries)?.ended?.outcome, "succeeded", cut);
  }
});

/** A move back below the floor of the first-start cut: 0.1.0 left the cut, later versions lift it. */
const CUT: JsonObject = {
  ...STORED,
  last_commit_scn: 0n,
  start_floor_scn: PREVIOUS_SCN - 500n,
  start_open_scn: PREVIOUS_SCN - 900n,
  start_open_xids: "",
};

/** Which body a version may have pinned: [version, whether it keeps the cut, whether it is sent]. */
const VERSIONS: readonly (readonly [version: string, keeps: boolean, sent: boolean])[] = [
  ["0.1.0", true, true],
  ["0.1.0", false, true],
  ["0.0.9", true, true],
  ["0.2.0", true, false],
  ["0.2.0", false, true],
  ["0.10.0", true, false],
  ["development", true, false],
];

for (const [version, keeps, sent] of VERSIONS) {
  ownBody(`by ${version} that ${keeps ? "keeps" : "lifts"} a cut is ${sent ? "sent" : "refused"}`, async () => {
    const { world, run } = await interrupted(CUT, "announcement");
    edit(run, "run-started", (entry) => ({ ...entry, cdcctl: version }));
    const { start_floor_scn, start_open_scn, start_open_xids } = CUT;
    const cut = { start_floor_scn, start_open_scn, start_open_xids } as JsonObject;
    const pinned = run.entries.find((entry) => entry.type === "body-pinned") as Entry<"body-pinned">;
    assert.not("start_floor_scn" in (pinned.body.offset ?? {}), "today's rule lifts the cut");
    if (keeps) edit(run, "body-pinned", withOffset(cut));
    const before = world.patches.length;
    const came = await run.recover().catch((failure: unknown) => failure);
    if (!sent) assert.ok(came instanceof Refusal && came.code === "APL823", String(came));
    else assert.not(came instanceof Refusal, String(came));
    if (!sent) assert.is(world.patches.length, before);
  });
}

ownBody.run();
