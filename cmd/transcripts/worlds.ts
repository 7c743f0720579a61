import type { SandboxTask, TaskedConnector } from "../../providers/sandbox/connect/task.ts";
import { healthyWorld } from "../../providers/sandbox/oracle/world.ts";
import { CONNECTOR, type Sandbox, type SandboxOptions, storedOffset } from "../../providers/sandbox/sandbox.ts";
import { contexts, planFile, SCENARIOS } from "../../providers/sandbox/scenarios.ts";

/** A world that transcripts run in: a sandbox that always does the same, and the files beside it. */
export interface TranscriptWorld {
  readonly options: SandboxOptions;
  files(sandbox: Sandbox): Readonly<Record<string, string>>;
}

/** Up to where a resumed task mines: its first commit is there, and so are all others. */
const MINED = 2_040_000n;
const OTHER = "billing-cdc";

/** The scenarios, and what only transcripts need. */
export function worldNamed(name: string): TranscriptWorld {
  const scenario = SCENARIOS.find((one) => one.name === name);
  const special = SPECIAL[name];
  if (special !== undefined) return special;
  if (scenario === undefined) throw new Error(`there is no world ${name}`);
  const quicker = name === "hung-task" ? { hang: 6_000 } : {};
  return {
    options: { ...scenario.options, connect: { ...scenario.options.connect, ...quicker, task: steadyTask } },
    files: scenario.files,
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
  /** Redo is missing between the stored position and now. */
  "gap-below": {
    options: {
      ...SCENARIOS.find(({ name }) => name === "gap")?.options,
      state: "STOPPED",
      offset: { ...storedOffset(healthyWorld()), resume_scn: 2_005_000n, last_commit_scn: 2_004_987n },
    },
    files: (sandbox) => ({ "contexts.yaml": contexts(sandbox) }),
  },
  /** For commands that ask nobody. */
  nowhere: {
    options: {},
    files: () => ({
      "orders-replay.yaml": planFile("orders-replay", "replay after the bad deploy", "scn: 2010000", "resume: true"),
      "wrong.yaml": planFile("wrong", "an example of mistakes", "scn: -5", "alowSkip: true", "resume: perhaps"),
    }),
  },
};

/** A task whose offsets depend on nothing but what is stored: it commits at once, and then always the same. */
function steadyTask({ config }: TaskedConnector): SandboxTask {
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
          resume_scn: from < MINED ? MINED : from,
          journal_generation: number("journal_generation") + 1n,
        },
      };
    },
    tick: () => (entry === undefined ? [] : [entry]),
  };
}
