import type { Caller, Follower } from "../../core/change/run-context.ts";
import { describeStep, type StepName } from "../../core/plan/steps.ts";
import type { JournalEntry } from "../../core/run/journal.ts";
import { runState, stepsOf } from "../../core/run/state.ts";
import { printDuration } from "../../core/values/duration.ts";
import { VERSION } from "../host.ts";
import { writeSentence } from "../screen.ts";
import { textOf } from "../views/rendered.ts";
import { type Heartbeat, heartbeat, isAnimated } from "./heartbeat.ts";
import type { ChangeHost } from "./machine-output.ts";
import type { OpenWorld } from "./open-world.ts";
import { demandOwnState } from "./places.ts";

/** Shorter waits print nothing; milliseconds. */
const LONG = 1000;
const IN_A_LOG = 30_000;

/** The process and its terminal as those that ask for a change. */
export function callerOf(host: ChangeHost, world: OpenWorld): Caller {
  return {
    operator: host.operator,
    cdcctl: VERSION,
    get interrupt() {
      return host.interrupt;
    },
    say: (...lines) => host.stdout.write(textOf(lines)),
    warn: (line) => writeSentence(host.stderr, `warning: ${line}`),
    demandOwnState: (of) => demandOwnState(world.state, of, host),
    follow(key, entries) {
      host.machine?.opened(key, entries);
      const { print, recorded, waiting } = narration(host, entries);
      return {
        print,
        recorded() {
          recorded();
          host.machine?.recorded(key, entries);
        },
        waiting(wait) {
          waiting(wait);
          host.machine?.waiting(key, entries, wait);
        },
      };
    },
    verify: async (intent, tables, ports, run) => {
      const { verifyPhase } = await import("./verify-phase.ts");
      return verifyPhase(intent, tables, world, ports, host, run);
    },
  };
}

/**
 * Prints the progress of a run on stderr, for people: a step that begins, with number and time, then its result; of a
 * wait, one overwritten line on a terminal, in a log a line every 30 s.
 */
export function narration(host: ChangeHost, entries: readonly JournalEntry[]): Follower {
  const animated = host.machine === undefined && isAnimated(host);
  let beat: Heartbeat | undefined;
  let begun: StepName | undefined;
  let reported = 0;
  const still = () => {
    beat?.end();
    beat = undefined;
  };
  const print = (line: string) => {
    still();
    writeSentence(host.stderr, line);
  };
  return {
    print,
    recorded() {
      still();
      const last = entries.at(-1);
      if (last === undefined || !("step" in last)) return;
      if (last.type === "step-started") {
        begun = last.step;
        const head = heading(last, entries);
        if (head !== undefined) print(head);
      } else if (last.step === begun) {
        begun = undefined;
        if (last.type === "step-done") print(`  ${last.note}`);
      }
    },
    waiting({ seen, elapsed, limit }) {
      const what = seen === undefined ? "" : ` (${seen})`;
      const text = `still waiting${what}: ${printDuration(elapsed)} of at most ${printDuration(limit)}`;
      if (animated) {
        if (elapsed < LONG) return;
        beat ??= heartbeat(host);
        beat.note(text);
        return;
      }
      if (elapsed < reported) reported = 0;
      if (elapsed < reported + IN_A_LOG) return;
      reported = elapsed - (elapsed % IN_A_LOG);
      print(`  ${text}`);
    },
  };
}

/** `[3/6] 05:29:10Z  record "applying" in orders.cdc.ops`; undefined for a step that the plan does not have. */
function heading(
  { step, at }: JournalEntry & { readonly step: StepName },
  entries: readonly JournalEntry[],
): string | undefined {
  const state = runState(entries);
  const steps = state === undefined ? [] : stepsOf(state);
  const index = steps.findIndex((one) => one.step === step);
  const planned = steps[index];
  return planned && `[${index + 1}/${steps.length}] ${at.slice(11, 19)}Z  ${describeStep(planned)}`;
}
