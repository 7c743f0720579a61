import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type MemoryWorld, memoryWorld } from "../../apply/testing/memory-world.ts";
import { CONNECTOR, CURRENT_SCN, GAP_END, PREVIOUS_SCN, STORED } from "../../apply/testing/story.ts";
import type { JsonObject } from "../../values/json.ts";
import { inspectPosition } from "./inspect-position.ts";
import { journaledWorld, lentSettings } from "./testing/journaled-world.ts";

const position = suite("the position of a connector");

const LAST_COMMIT = PREVIOUS_SCN - 13n;

/** The position of a stopped connector, whose journal holds a transaction that began at SCN 100. */
async function seenOf(stored: MemoryWorld["stored"], change: Partial<Pick<MemoryWorld, "purged">> = {}) {
  const memory = Object.assign(memoryWorld(stored, "STOPPED"), change);
  memory.makeTopic("orders.cdc.txjournal");
  const config = { "cdc.topic.prefix": "orders", "cdc.database.host": "db" };
  const asked: unknown[] = [];
  const world = journaledWorld(memory, config, {
    archivedLogs: async (from) => {
      asked.push(from);
      return memory.oracle.archivedLogs(from);
    },
    probeLogs: async (files) => {
      asked.push(...files);
      return memory.oracle.probeLogs(files);
    },
  });
  const seen = await inspectPosition(CONNECTOR, world, async () => lentSettings(config));
  const { marks, threads, transactions, unseen } = seen.timeline;
  return {
    ...seen,
    asked,
    drawn: {
      marks: marks.map(({ mark, scn }) => [mark, scn]),
      threads: threads.length,
      transactions: transactions.length,
      unseen: unseen.filter(({ what }) => what === "redo"),
    },
    timesOf: seen.times.known && seen.times.value.map(({ scn }) => scn),
  };
}

const CURRENT = ["current SCN", CURRENT_SCN];

position("is drawn from the resume SCN to now, with journaled transactions", async () => {
  const seen = await seenOf(STORED);
  assert.equal([seen.stored.state, seen.misplaced], ["stored", undefined]);
  assert.ok(seen.redo?.known && seen.redo.value.complete);
  assert.equal(seen.asked, [PREVIOUS_SCN, "/redo/9.log"]);
  assert.equal(seen.timesOf, [PREVIOUS_SCN, LAST_COMMIT, CURRENT_SCN, 100n]);
  assert.equal(seen.drawn, {
    marks: [["last commit", LAST_COMMIT], ["resume SCN", PREVIOUS_SCN], CURRENT],
    threads: 1,
    transactions: 1,
    unseen: [],
  });
});

position("before a gap shows where redo exists again", async () => {
  const { redo, drawn, timesOf } = await seenOf(STORED, { purged: true });
  assert.not(redo?.known && redo.value.complete);
  assert.equal(drawn.marks.at(2), ["first available", GAP_END]);
  assert.ok(timesOf !== false && timesOf.includes(GAP_END));
});

for (const [what, stored, code] of [
  ["another database", { dbid: 7n }, "OFF106"],
  ["another incarnation", { resetlogs_scn: 7n }, "OFF106"],
  ["an SCN that the database has not reached", { resume_scn: CURRENT_SCN + 1n }, "OFF101"],
] as readonly (readonly [string, JsonObject, string])[])
  position(`for ${what} does not exist here: no file is tried and the redo is unknown`, async () => {
    const { misplaced, redo, asked, drawn, timesOf } = await seenOf({ ...STORED, ...stored });
    assert.is(misplaced?.code, code);
    assert.equal(redo, { known: false, why: `${misplaced?.seen} (${code})`, source: "V$DATABASE" });
    assert.equal(drawn.unseen, [{ what: "redo", why: `${misplaced?.seen} (${code})` }]);
    assert.is(drawn.threads, 0);
    assert.equal(asked, [stored["resume_scn"] ?? PREVIOUS_SCN]);
    assert.equal(timesOf, [CURRENT_SCN], "SCNs of another database have no time in this one");
  });

for (const [what, stored, state, scns, from] of [
  ["none is stored", null, "none", [], 0n],
  ["the stored offset is unreadable", { v: 1n, resume_scn: "x" }, "unreadable", [], 0n],
  [
    "nothing was committed yet",
    { v: 1n, resume_scn: 2_044_000n, dbid: 2914731n, resetlogs_scn: 1n },
    "stored",
    [2_044_000n],
    2_044_000n,
  ],
] as const)
  position(`where ${what} is drawn with what is available`, async () => {
    const seen = await seenOf(stored);
    assert.equal(
      [seen.stored.state, seen.misplaced, seen.redo?.known],
      [state, undefined, scns.length > 0 || undefined],
    );
    assert.equal(seen.drawn.marks, [...scns.map((scn) => ["resume SCN", scn]), CURRENT]);
    assert.is(seen.drawn.threads, 1);
    assert.is(seen.asked[0], from);
    assert.equal(seen.timesOf, [...scns, CURRENT_SCN, 100n]);
  });

position.run();
