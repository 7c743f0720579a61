import type { SandboxTask, TaskedConnector } from "../../providers/sandbox/connect/task.ts";
import type { SandboxOptions } from "../../providers/sandbox/sandbox.ts";
import type { Scenario } from "../../providers/sandbox/scenario.ts";

/** A world that transcripts run in: a sandbox that always does the same, and the files beside it. */
export type TranscriptWorld = Pick<Scenario, "options" | "files" | "events">;

/** Up to where a resumed task mines: its first commit is there, and so are all others. */
export const steadyTask = steadyUpTo(2_040_000n);

/** The scenario, with a task whose offsets depend on nothing but what is stored. */
export function steady(scenario: Scenario, connect: SandboxOptions["connect"] = {}): TranscriptWorld {
  return {
    ...scenario,
    options: { ...scenario.options, connect: { task: steadyTask, ...scenario.options.connect, ...connect } },
  };
}

/** Tasks whose offsets depend on nothing but what is stored: each commits at once, and then always the same. */
export function steadyUpTo(mined: bigint): (connector: TaskedConnector) => SandboxTask {
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
