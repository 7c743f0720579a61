import type { OffsetEntry } from "../../core/facts/offset/stored-offset.ts";
import type { Json } from "../../core/values/json.ts";
import { type ErrorCode, stopWith } from "../../providers/sandbox/connect/task/stopped-task.ts";
import type { SandboxTask } from "../../providers/sandbox/connect/task.ts";
import { healthyWorld } from "../../providers/sandbox/oracle/world.ts";
import { storedOffset } from "../../providers/sandbox/sandbox.ts";
import { contexts, planFile, type Scenario } from "../../providers/sandbox/scenario.ts";
import { scenarioNamed } from "../../providers/sandbox/scenarios.ts";
import { steady, steadyTask, type TranscriptWorld } from "./steady.ts";

const onlyContexts: Scenario["files"] = (sandbox) => ({ "contexts.yaml": contexts(sandbox) });

/** A steady task that stops at its start for as long as `problem` finds something in its stored offset. */
function stopsAt(
  problem: (scn: bigint, released: string) => readonly [code: ErrorCode, happened: string] | undefined,
): Scenario["options"]["connect"] {
  return {
    task: (connector): SandboxTask => {
      const mining = steadyTask(connector);
      const of = (stored: readonly OffsetEntry[], name: string): Json | undefined => stored[0]?.offset?.[name];
      return {
        ...mining,
        start(stored) {
          const stop = problem(BigInt(String(of(stored, "resume_scn") ?? 0)), String(of(stored, "released_xids")));
          if (stop !== undefined) throw stopWith(...stop, "Read the runbook and restart the task.");
          mining.start(stored);
        },
      };
    },
  };
}

const ORPHAN = "3:4.9.771";
const LOST_CHUNK = "the journal of transaction 3:5.21.4410 is missing chunk 2.";
const BEFORE_CHUNKS = 2_012_000n;
/** A cluster takes up to two minutes. */
const RECONCILES_MILLIS = 300;
const OTHER_DATABASE = 1_870_224_913n;

/** The worlds of the night incidents, which continue by what the operator does. */
export const NIGHT_WORLDS: Readonly<Record<string, TranscriptWorld>> = {
  "night-redo-missing": steady({ ...scenarioNamed("gap"), files: onlyContexts }),
  "night-redo-gone": steady({ ...scenarioNamed("deleted-in-catalogue"), files: onlyContexts }),
  "night-journal": (() => {
    const scenario = scenarioNamed("journal-hole");
    const connect = stopsAt((scn) => (scn > BEFORE_CHUNKS ? ["CDC-4002", LOST_CHUNK] : undefined));
    const { journal = { records: [] } } = scenario.options;
    return {
      ...scenario,
      options: {
        state: "RUNNING",
        offset: { ...storedOffset(healthyWorld()), released_xids: null },
        journal: { ...journal, cleanupPolicy: "compact" },
        connect: connect ?? {},
      },
    };
  })(),
  "night-orphan": {
    options: {
      offset: { ...storedOffset(healthyWorld()), resume_scn: 2_010_000n },
      connect:
        stopsAt((scn, released) =>
          scn <= 2_010_000n && released.includes(ORPHAN)
            ? ["CDC-7001", `a COMMIT arrived for transaction ${ORPHAN}, which was released as an orphan.`]
            : undefined,
        ) ?? {},
    },
    files: onlyContexts,
  },
  "night-wrong-database": (() => {
    let isOther = true;
    const { dbid } = healthyWorld().database;
    const connect = stopsAt(() =>
      isOther
        ? [
            "CDC-5001",
            `The stored offset belongs to database ${dbid} but the connector is connected to ${OTHER_DATABASE}`,
          ]
        : undefined,
    );
    return {
      options: {
        oracle: (world) => {
          world.database.dbid = OTHER_DATABASE;
        },
        offset: storedOffset(healthyWorld()),
        connect: connect ?? {},
      },
      files: onlyContexts,
      events: {
        "configuration-corrected": ({ oracle }) => {
          isOther = false;
          oracle.database.dbid = dbid;
        },
      },
    };
  })(),
  // The time lies between the second that the story waits and the start of the next command, with room to both sides.
  "night-stuck-stop": steady(scenarioNamed("hung-task"), { hang: 6_000, graceful: 30_000 }),
  "night-failed-task": (() => {
    let unreachable = true;
    const lag = scenarioNamed("lag-failed");
    const connect = stopsAt(() =>
      unreachable ? ["CDC-1001", "no answer from the database for 300 s, gave up."] : undefined,
    );
    return {
      options: { ...lag.options, connect: connect ?? {} },
      files: onlyContexts,
      events: {
        "network-back": () => {
          unreachable = false;
        },
      },
    };
  })(),
  "night-strimzi": steady({
    ...scenarioNamed("strimzi"),
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "orders-replay.yaml": planFile("orders-replay", "replay after the bad deploy", "scn: 2010000", "resume: true"),
    }),
    events: {
      ...scenarioNamed("strimzi").events,
      "reconciling-again": ({ connect }) => {
        connect.operator.resumeMillis = RECONCILES_MILLIS;
      },
    },
  }),
};
