/**
 * SIGTERM in each wait of a migration's phases: a known state, a true journal, never both connectors; and `recover`
 * goes on from there.
 */

import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { StepName } from "../../../core/plan/steps.ts";
import { runState } from "../../../core/run/state.ts";
import type { SandboxOptions } from "../../../providers/sandbox/sandbox.ts";
import { type Arrival, failAll } from "../changed-world.ts";
import { type Gate, gate } from "../gate.ts";
import { inLanes } from "../in-lanes.ts";
import { runHere, startProcess } from "../run-command.ts";
import { openMigrationWorld } from "./migration-world.ts";
import { bothRun } from "./phase-cell.ts";
import { collectedOf, phaseContradictions, seen } from "./phase-story.ts";
import { CUTOVER, type Phase, RETURN_WITH_TOPICS } from "./phases.ts";

const interrupted = suite("an interrupted migration");
const test = inLanes(interrupted);
const LIMITS = ["--settle", "200ms"];

const call =
  (method: string, ending: string) =>
  (arrival: Arrival): boolean =>
    arrival.system === "connect" && arrival.method === method && arrival.path.endsWith(ending);
const deletion = (arrival: Arrival) => arrival.system === "kafka" && arrival.api === "DeleteTopics";

interface Place {
  readonly phase: Phase;
  readonly step: StepName;
  readonly nth: number;
  readonly matches: (arrival: Arrival) => boolean;
  /** Lasts until the command has ended. */
  readonly world?: (until: Gate) => SandboxOptions;
}

const hanging =
  (connector: string) =>
  ({ opened }: Gate): SandboxOptions => ({
    connect: { graceful: 600_000, hang: (name) => (name === connector ? opened : undefined) },
  });

const PLACES: Readonly<Record<string, Place>> = {
  "while the legacy connector stops": {
    ...{ phase: CUTOVER, step: "stop-connector", nth: 3, matches: call("GET", "/status") },
    world: hanging("orders-legacy"),
  },
  "while its offsets settle": { phase: CUTOVER, step: "stop-connector", nth: 2, matches: call("GET", "/offsets") },
  "while the new connector is created": { phase: CUTOVER, step: "create-connector", nth: 1, matches: call("POST", "") },
  "while its configuration is read back": {
    ...{ phase: CUTOVER, step: "create-connector", nth: 1, matches: call("GET", "/status") },
  },
  "while its first offset is waited for": {
    ...{ phase: CUTOVER, step: "start-new", nth: 1, matches: call("GET", "/offsets") },
  },
  "while the new connector stops": {
    ...{ phase: RETURN_WITH_TOPICS, step: "stop-connector", nth: 3, matches: call("GET", "/status") },
    world: hanging("orders-cdc"),
  },
  "while its offsets are deleted": {
    ...{ phase: RETURN_WITH_TOPICS, step: "delete-offsets", nth: 1, matches: call("DELETE", "/offsets") },
  },
  "while it is deleted": {
    ...{ phase: RETURN_WITH_TOPICS, step: "delete-connector", nth: 1, matches: call("DELETE", "/orders-cdc") },
  },
  "while the legacy connector is started again": {
    ...{ phase: RETURN_WITH_TOPICS, step: "resume-legacy", nth: 1, matches: call("PUT", "/resume") },
  },
  "between two topics": { phase: RETURN_WITH_TOPICS, step: "delete-topics", nth: 1, matches: deletion },
};

for (const [where, { phase, step, nth, matches, world: options }] of Object.entries(PLACES))
  test(where, async () => {
    const until = gate();
    const world = await openMigrationWorld(options?.(until) ?? {});
    try {
      if (phase.after === "cutover") {
        const over = await runHere(["apply", await world.plan("cutover"), "--yes", ...LIMITS], world);
        assert.is(over.exit, 0, over.output);
      }
      const before = seen(world);
      const plan = await world.plan(phase.phase, ...phase.spec);
      const { child, finished } = startProcess(["apply", plan, "--yes", ...LIMITS], world);
      let count = 0;
      let both = false;
      failAll(world.sandbox, (arrival) => {
        both ||= bothRun(world);
        const begun = world.journal().findLast((entry) => entry.type === "step-started");
        if (begun?.type === "step-started" && begun.step === step && matches(arrival) && ++count === nth)
          child.kill("SIGTERM");
        return undefined;
      });
      const { exit, output } = await finished;
      assert.ok(count >= nth, `only ${count} such requests came:\n${output}`);
      // What was under way is brought to its end: the last step's end is that of the run.
      const ended = runState(world.journal())?.ended?.outcome;
      assert.is(exit, ended === "succeeded" ? 0 : 3, output);
      if (ended === undefined) assert.match(output, /interrupted/);
      assert.not(world.lockExists());
      until.open();
      const recovered = await runHere(["recover", "--yes", ...LIMITS], world);
      assert.is(recovered.exit, 0, recovered.output);
      assert.equal(phaseContradictions(await collectedOf(world, phase, before)), []);
      assert.not(both);
    } finally {
      until.open();
      await world.close();
    }
  });

interrupted.run();
