import type { LargestTransaction } from "../../core/facts/connector/task-metrics.ts";
import { type JournaledChunk, journaledChunk } from "./journal-records.ts";
import type { OracleWorld, TransactionRow } from "./oracle/world.ts";
import { PREFIX } from "./sandbox.ts";
import { contexts, type Scenario } from "./scenario.ts";

const GENERATION = 7n;
const LIST = "cdcctl admin transactions --connect-url $CONNECT --name orders-cdc";

/** A nightly load, whose first half is in the journal. */
const LOAD = { xid: "8.14.2207", user: "BATCH", clientId: "nightly-load" };
/** An SCN whose time the database no longer knows. */
const ANCIENT_SCN = 999_000n;

const JOURNALED: readonly JournaledChunk[] = [
  { ...LOAD, chunk: 0, generation: GENERATION, from: 2_019_000n, to: 2_031_120n },
  { ...LOAD, chunk: 1, generation: GENERATION, from: 2_031_121n, to: 2_040_000n },
  { xid: "2.30.918", chunk: 0, generation: GENERATION, from: ANCIENT_SCN, to: ANCIENT_SCN + 900n, user: "APP" },
];

const LARGEST: readonly LargestTransaction[] = [
  {
    xid: LOAD.xid,
    user: LOAD.user,
    clientId: LOAD.clientId,
    ageMillis: 2_600_000n,
    firstScn: 2_019_000n,
    events: 1_204_311n,
    heapBytes: 268_435_456n,
    spilledBytes: 1_342_177_280n,
    journaled: true,
  },
  {
    xid: "5.21.4410",
    user: "REPORTS",
    clientId: undefined,
    ageMillis: 1_260_000n,
    firstScn: 2_032_400n,
    events: 41_208n,
    heapBytes: 33_554_432n,
    spilledBytes: 0n,
    journaled: false,
  },
  {
    xid: "9.4.1207",
    user: undefined,
    clientId: undefined,
    ageMillis: 95_000n,
    firstScn: 2_044_050n,
    events: 12n,
    heapBytes: 18_400n,
    spilledBytes: 0n,
    journaled: false,
  },
];

function open(
  world: OracleWorld,
  row: Pick<TransactionRow, "container" | "usn" | "slot" | "sequence" | "startScn"> & { readonly user: string },
) {
  const startTime = world.scnTimes.timeOf(row.startScn);
  const clientId = row.user === LOAD.user ? LOAD.clientId : null;
  world.transactions.push({ instance: 1n, startTime, clientId, ...row });
}

/** Transactions that stay open, of every kind: where they are stored, and whether the database still lists them. */
export const TRANSACTION_SCENARIOS: readonly Scenario[] = [
  {
    name: "transactions",
    about: "Long transactions are open: buffered by the task (JMX), journaled, or both; some have ended unseen.",
    options: {
      journal: { records: JOURNALED.map((one) => journaledChunk(PREFIX, one)) },
      jmx: { values: () => ({ largest: LARGEST }), login: { user: "monitor", password: "jmx-secret" } },
      oracle: (world) => {
        open(world, { container: 3n, usn: 8n, slot: 14n, sequence: 2207n, startScn: 2_018_990n, user: LOAD.user });
        open(world, { container: 3n, usn: 9n, slot: 4n, sequence: 1207n, startScn: 2_044_049n, user: "APP" });
        // The same id in another PDB, which began later.
        open(world, { container: 4n, usn: 5n, slot: 21n, sequence: 4410n, startScn: 2_044_800n, user: "OTHER" });
      },
    },
    files: (sandbox) => ({ "contexts.yaml": withJmx(contexts(sandbox)) }),
    tries: [
      `${LIST}                    # the journal alone`,
      `${LIST} --jmx-url $JMX     # and what the task buffers; its login is in contexts.yaml`,
      "cdcctl admin journal inspect --connect-url $CONNECT --name orders-cdc",
    ],
  },
];

function withJmx(text: string): string {
  return `${text}    jmx:
      hosts: [127.0.0.1]
      login: { user: monitor, password: jmx-secret }
`;
}
