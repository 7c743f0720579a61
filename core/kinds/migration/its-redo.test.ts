import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { DeployedConnector } from "../../../schemas/generated/facts.ts";
import { databaseNow } from "../../apply/testing/memory-facts.ts";
import { memoryWorld } from "../../apply/testing/memory-world.ts";
import { CallFailed } from "../../errors.ts";
import type { OffsetEntry } from "../../facts/offset/stored-offset.ts";
import { DATABASE, MINING, table } from "../../legacy/testing/build-legacy.ts";
import type { Scn } from "../../values/scn.ts";
import { inspectItsRedo } from "./observe.ts";
import { legacy } from "./testing/story.ts";

const redo = suite("the redo of a takeover");

const RESETLOGS = 2_160_000n;
/** An SCN above the incarnation's beginning, and below what the database has reached. */
const OFFSETS = [DATABASE, table("ORDERS", 2_170_000n, 2_180_000n), table("LINES", 2_172_000n)];
const OLD = table("OLD", 1_200_000n);
const OLD_TABLE = "ORCLPDB1.SALES.OLD";
const START = 2_169_287n;
const NOW = 2_241_020n;

interface Scene {
  readonly offsets?: readonly OffsetEntry[];
  readonly leaveOut?: readonly string[];
  readonly startScn?: Scn;
  readonly alsoTimesOf?: readonly (Scn | undefined)[];
  /** Where transactions that are open began. */
  readonly open?: readonly Scn[];
  readonly blind?: boolean;
  readonly resetlogsScn?: Scn;
}

const FORBIDDEN = new CallFailed("oracle", "forbidden", { message: "ORA-00942: GV$TRANSACTION" });

async function seenIn({ offsets = OFFSETS, leaveOut = [], open = [], blind = false, ...scene }: Scene) {
  const memory = memoryWorld();
  const asked = { logs: [] as Scn[], probed: 0, times: [] as (readonly Scn[])[] };
  const { resetlogsScn = RESETLOGS, startScn, alsoTimesOf } = scene;
  const xid = { container: undefined, usn: 1n, slot: 2n, sequence: 3n } as never;
  const oracle = {
    ...memory.oracle,
    database: async () => ({ ...databaseNow({ resetlogsScn }), currentScn: NOW }),
    openTransactions: () =>
      blind ? Promise.reject(FORBIDDEN) : Promise.resolve(open.map((scn) => ({ xid, startScn: scn }))),
    archivedLogs: (scn: Scn) => {
      asked.logs.push(scn);
      return memory.oracle.archivedLogs(scn);
    },
    probeLogs: (files: readonly string[]) => {
      asked.probed += files.length;
      return memory.oracle.probeLogs(files);
    },
    timesOf: (scns: readonly Scn[]) => {
      asked.times.push(scns);
      return memory.oracle.timesOf(scns);
    },
  };
  const connector: DeployedConnector = legacy({ offsets });
  const settings = {
    ...MINING,
    tables: { pdbs: ["ORCLPDB1"], include: ".*", exclude: undefined, caseSensitive: true },
  };
  const wanted = { leaveOut, startScn, settings, ...(alsoTimesOf === undefined ? {} : { alsoTimesOf }) };
  const facts = await inspectItsRedo({ legacy: connector }, wanted, memory, oracle as never);
  return { facts, asked, times: facts.times.known ? facts.times.value.map(({ scn }) => scn) : [] };
}

for (const [what, scene, from, opens] of [
  ["from the lowest stored SCN on", {}, START, true],
  ["from the start of an older open transaction on", { open: [2_165_000n, 2_190_000n] }, 2_165_000n, true],
  ["from the lowest stored SCN on if open transactions began later", { open: [2_190_000n] }, START, true],
  ["from the lowest stored SCN on while open transactions are unknown", { blind: true }, START, true],
  ["from the plan file's start on", { startScn: 2_168_000n }, 2_168_000n, true],
  ["from the lowest SCN that is not left out on", { offsets: [...OFFSETS, OLD], leaveOut: [OLD_TABLE] }, START, true],
  ["of another incarnation without opening its files", { resetlogsScn: START + 1n }, START, false],
  ["of an incarnation that begins with the position without opening its files", { resetlogsScn: START }, START, false],
  ["without a position as a whole, and no file is opened", { offsets: [] }, 0n, false],
  ["without a position as a whole, whatever start is given", { offsets: [], startScn: START }, 0n, false],
] as readonly (readonly [string, Scene, Scn, boolean])[])
  redo(`is read ${what}`, async () => {
    const { asked } = await seenIn(scene);
    assert.equal([asked.logs, asked.probed > 0], [[from], opens]);
  });

redo("is read with the times of every stored SCN and commit, of what is asked for too, and of now", async () => {
  const stored = [START, 2_170_000n, 2_180_000n, 2_172_000n];
  assert.equal([...(await seenIn({})).times].sort(), [...stored, NOW].sort());
  const { times } = await seenIn({ alsoTimesOf: [2_200_000n, undefined] });
  assert.equal([...times].sort(), [...stored, 2_200_000n, NOW].sort());
  assert.equal((await seenIn({ offsets: [], alsoTimesOf: [5n] })).times, [5n, NOW]);
});

redo("says nothing of what mining would find: that is for the reading", async () => {
  assert.not.ok("examined" in (await seenIn({})).facts);
});

redo.run();
