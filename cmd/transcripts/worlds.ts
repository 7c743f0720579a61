import type { SandboxTask, TaskedConnector } from "../../providers/sandbox/connect/task.ts";
import { purge } from "../../providers/sandbox/mishaps.ts";
import { healthyWorld, type OracleWorld } from "../../providers/sandbox/oracle/world.ts";
import { CONNECTOR, type SandboxOptions, storedOffset } from "../../providers/sandbox/sandbox.ts";
import { contexts, planFile, type Scenario } from "../../providers/sandbox/scenario.ts";
import { scenarioNamed } from "../../providers/sandbox/scenarios.ts";

/** A world that transcripts run in: a sandbox that always does the same, and the files beside it. */
export type TranscriptWorld = Pick<Scenario, "options" | "files" | "events">;

/** Up to where a resumed task mines: its first commit is there, and so are all others. */
const steadyTask = steadyUpTo(2_040_000n);
/** Below what a move past the gap had stored: what is mined after the way back proves that it was gone. */
const MINED_OF_GAP = 2_029_000n;
const OTHER = "billing-cdc";
const purged = (world: OracleWorld): void => purge(world, 119n, 120n);

/** The scenarios, and what only transcripts need. */
export function worldNamed(name: string): TranscriptWorld {
  const special = SPECIAL[name];
  if (special !== undefined) return special;
  const quicker = name === "hung-task" ? { hang: 6_000 } : {};
  return steady(scenarioNamed(name), quicker);
}

function steady(scenario: Scenario, connect: SandboxOptions["connect"] = {}): TranscriptWorld {
  return {
    ...scenario,
    options: { ...scenario.options, connect: { ...scenario.options.connect, task: steadyTask, ...connect } },
  };
}

/** As the scenario, with a connector that treats signals otherwise, until it answers them. */
function withSignals(name: string, signals: NonNullable<SandboxOptions["signals"]>): TranscriptWorld {
  const world = steady(scenarioNamed(name));
  return {
    ...world,
    options: { ...world.options, signals },
    events: { ...world.events, "connector-answers": (sandbox) => sandbox.treatSignals("answering") },
  };
}

const SPECIAL: Readonly<Record<string, TranscriptWorld>> = {
  /** Two connectors, the second of which refuses every offset. */
  "two-connectors": {
    options: {
      state: "STOPPED",
      connect: {
        task: steadyTask,
        alterOffsets: ({ name }) => (name === OTHER ? "no offset of this connector may be altered" : true),
      },
    },
    files: (sandbox) => {
      void sandbox.connect.cluster.create(OTHER, { ...sandbox.config }, "STOPPED");
      sandbox.connect.cluster.offsets.write(OTHER, sandbox.connect.stored(CONNECTOR));
      const first = planFile("orders-replay", "replay after the bad deploy", "scn: 2010000");
      const second = planFile("billing-replay", "replay after the bad deploy", "scn: 2020000").replace(
        CONNECTOR,
        OTHER,
      );
      return {
        "contexts.yaml": contexts(sandbox),
        "both.yaml": `${first}---\n${second}`,
        "twice.yaml": `${first}---\n${first}`,
      };
    },
  },
  /** Redo is missing, and the connector is past it. */
  "gap-behind": steady({
    ...scenarioNamed("orders"),
    options: { oracle: purged },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "orders-replay.yaml": planFile("orders-replay", "replay after the bad deploy", "scn: 2005000"),
      "earliest.yaml": planFile("earliest", "replay everything that is left", "earliestAvailable: true"),
    }),
  }),
  /** Redo is missing between the stored position and now. */
  "gap-below": {
    options: {
      oracle: purged,
      state: "STOPPED",
      offset: { ...storedOffset(healthyWorld()), resume_scn: 2_005_000n, last_commit_scn: 2_004_987n },
    },
    files: (sandbox) => ({ "contexts.yaml": contexts(sandbox) }),
  },
  "deleted-and-restored": steady(scenarioNamed("deleted-in-catalogue"), { task: steadyUpTo(MINED_OF_GAP) }),
  "gap-rejecting": withSignals("gap", "rejecting"),
  "gap-silent": withSignals("gap", "silent"),
  "orders-rejecting": withSignals("orders", "rejecting"),
  /** For commands that ask nobody. */
  nowhere: {
    options: {},
    files: () => ({
      "orders-replay.yaml": planFile("orders-replay", "replay after the bad deploy", "scn: 2010000", "resume: true"),
      "wrong.yaml": planFile("wrong", "an example of mistakes", "scn: -5", "alowSkip: true", "resume: perhaps"),
    }),
  },
};

/** Tasks whose offsets depend on nothing but what is stored: each commits at once, and then always the same. */
function steadyUpTo(mined: bigint): (connector: TaskedConnector) => SandboxTask {
  return ({ config }) => {
    const partition = { server: config["cdc.topic.prefix"] ?? "" };
    let entry: ReturnType<SandboxTask["tick"]>[number] | undefined;
    return {
      start(stored) {
        const offset = stored[0]?.offset ?? {};
        const number = (name: string) => BigInt(String(offset[name] ?? 0));
        const from = number("resume_scn");
        entry = {
          partition,
          offset: {
            ...offset,
            resume_scn: from < mined ? mined : from,
            journal_generation: number("journal_generation") + 1n,
          },
        };
      },
      tick: () => (entry === undefined ? [] : [entry]),
    };
  };
}
