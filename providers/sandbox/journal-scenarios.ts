import { type JournaledChunk, journaledChunk, journalTombstone } from "./journal-records.ts";
import type { NewRecord } from "./kafka/encode-batch.ts";
import { PREFIX, STORED_SCN } from "./sandbox.ts";
import { contexts, type Scenario } from "./scenario.ts";

/** The journal generation of the offset that a sandbox stores. */
const STORED_GENERATION = 7n;
const INSPECT = "cdcctl admin journal inspect --connect-url $CONNECT --name orders-cdc";

const LOAD = { xid: "8.14.2207", user: "BATCH", clientId: "nightly-load" };
const loaded: readonly JournaledChunk[] = [
  { ...LOAD, chunk: 0, generation: STORED_GENERATION - 1n, from: 2_019_000n, to: 2_031_120n },
  {
    ...LOAD,
    chunk: 1,
    generation: STORED_GENERATION,
    from: 2_031_121n,
    to: STORED_SCN + 70n,
    frames: [{ change: 2_031_121n }, { undo: 2_040_000n }, { change: STORED_SCN - 1n }, { change: STORED_SCN + 70n }],
  },
];
/** Written by the task that ran before it had committed once: its next start has the same generation. */
const ownGeneration: JournaledChunk = {
  xid: "4.17.1033",
  chunk: 0,
  generation: STORED_GENERATION + 1n,
  from: 2_033_000n,
  to: 2_033_400n,
  user: "APP",
};
const stale: JournaledChunk = {
  xid: "2.30.918",
  chunk: 0,
  generation: STORED_GENERATION + 2n,
  from: 2_040_100n,
  to: 2_040_900n,
  user: "APP",
};
const ahead: JournaledChunk = {
  xid: "11.5.1760",
  chunk: 0,
  generation: STORED_GENERATION,
  from: STORED_SCN + 9n,
  to: STORED_SCN + 60n,
  user: "APP",
};
const ended: JournaledChunk = {
  xid: "3.3.3001",
  chunk: 0,
  generation: STORED_GENERATION - 1n,
  from: 2_001_000n,
  to: 2_002_000n,
};

const EVERY_VERDICT: readonly NewRecord[] = [
  journaledChunk(PREFIX, ended),
  ...loaded.map((one) => journaledChunk(PREFIX, one)),
  journaledChunk("billing", { ...ended, xid: "6.6.606" }),
  journalTombstone(PREFIX, ended),
  journaledChunk(PREFIX, ownGeneration),
  journaledChunk(PREFIX, stale),
  journaledChunk(PREFIX, ahead),
];

/** Long transactions are open, and partly in the journal. */
export const JOURNAL_SCENARIOS: readonly Scenario[] = [
  {
    name: "journal",
    about: "Long transactions are journaled: two would be restored, one is stale, one would be mined again.",
    options: { state: "STOPPED", journal: { records: EVERY_VERDICT } },
    files: (sandbox) => ({ "contexts.yaml": contexts(sandbox) }),
    tries: [`${INSPECT}     # what the next start does with each`],
  },
  {
    name: "journal-hole",
    about: "A chunk of a journaled transaction is lost: the task would stop at its start.",
    options: {
      state: "STOPPED",
      journal: {
        records: [
          ...EVERY_VERDICT,
          ...[0, 1, 3].map((chunk) => {
            const from = 2_012_000n + BigInt(chunk) * 1_000n;
            return journaledChunk(PREFIX, { ...ended, xid: "5.21.4410", chunk, from, to: from + 900n, user: "BATCH" });
          }),
        ],
        cleanupPolicy: "compact,delete",
      },
    },
    files: (sandbox) => ({ "contexts.yaml": contexts(sandbox) }),
    tries: [
      `${INSPECT}     # exit 1: CDC-4002, and the way out`,
      'cdcctl admin offsets set --connect-url $CONNECT --name orders-cdc --scn 2012000 --reason "lost chunk"',
      `${INSPECT}     # all of it will be mined again`,
    ],
  },
];
