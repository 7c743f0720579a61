import type { RunReport, Waiting } from "../../core/apply/context.ts";
import { thrownBy } from "../../core/change/holding.ts";
import type { UnreadableState } from "../../core/change/stored-runs.ts";
import type { Intent } from "../../core/document/intent.ts";
import { type ExpectedError, isShown, UsageError } from "../../core/errors.ts";
import type { Plan } from "../../core/plan/plan.ts";
import type { RunKey } from "../../core/ports/state.ts";
import type { JournalEntry } from "../../core/run/journal.ts";
import { printJson } from "../../core/values/json.ts";
import { type Host, textOptions } from "../host.ts";
import type { Flags, runOutputOptions } from "../options/common.ts";
import { renderNothingToDo, renderRunReport } from "../views/attempt.ts";
import { renderError } from "../views/error-text.ts";
import { jsonText } from "../views/json-text.ts";
import { documentText } from "../views/rendered.ts";
import { endEvent, nothingEvent, type RunEvent, refusedEvent, runEvent, waitingEvent } from "../views/run-events.ts";
import { changeDocument, type IntentOutcome } from "../views/run-json.ts";
import { systemClock } from "./clock.ts";
import type { Unplanned } from "./unplanned.ts";

/** Receives the machine-readable output of a command that applies a change, as it becomes known. */
export interface MachineOutput {
  /** The planned documents in order, before any is applied. */
  planned(intents: readonly Intent[], plans: readonly Plan[], unplanned: readonly Unplanned[]): void;
  /** A run begins or continues. @param entries the journal's live entries */
  opened(key: RunKey, entries: readonly JournalEntry[]): void;
  /** The last entry has been written to disk. */
  recorded(key: RunKey, entries: readonly JournalEntry[]): void;
  waiting(key: RunKey, entries: readonly JournalEntry[], wait: Waiting): void;
  ended(report: RunReport): void;
  /** Nothing to do. @param about the plan or the run concerned, and journals that cannot be read */
  nothing(why: string, about?: { readonly plan?: Plan; readonly unreadable?: UnreadableState }): void;
  /** The plan failed before its run began. @param of undefined: the whole command */
  failed(error: ExpectedError, of?: Intent): void;
}

/** A host whose standard output may be machine-readable; the narration then goes to standard error. */
export interface ChangeHost extends Host {
  readonly machine?: MachineOutput;
}

type OutputFlags = Flags<typeof runOutputOptions>;

/**
 * Runs a command that applies a change, with output as requested by `--format json` or `--events`.
 *
 * Prints one document: the run (schema Run); for several plan files, or one without a run, the outcome of each (schema
 * ApplyReport); if the whole command fails, the Error printed by `main`.
 *
 * @throws UsageError when both are given
 */
export async function reporting(
  { format, events }: { readonly format: string; readonly events: OutputFlags["events"] },
  host: Host,
  command: (host: ChangeHost) => Promise<number>,
): Promise<number> {
  if (events && format !== "text")
    throw new UsageError(
      "--events and --format are mutually exclusive",
      "Pass one of them: both write to standard output.",
    );
  if (!events && format !== "json") return command(host);
  const output = events ? eventOutput(host) : documentOutput(host);
  const narrated: ChangeHost = Object.create(host, {
    stdout: { value: host.stderr },
    interactive: { value: false },
    machine: { value: output.machine },
  });
  try {
    const exit = await command(narrated);
    output.end();
    return exit;
  } catch (failure) {
    const error = thrownBy(failure);
    if (events && isShown(error)) output.machine.failed(error);
    throw error;
  }
}

/** Reports the result of a run, or of one attempt. */
export function reportRun(report: RunReport, host: ChangeHost): void {
  host.stdout.write(renderRunReport(report, textOptions(host.stdout)));
  host.machine?.ended(report);
}

/** Reports a failure that does not end the command as one. @param of the document concerned */
export function reportFailed(error: ExpectedError, host: ChangeHost, of?: Intent): void {
  host.stderr.write(renderError(error, textOptions(host.stderr)));
  host.machine?.failed(error, of);
}

export function reportNothingToDo(plan: Plan, nothing: string, host: ChangeHost): void {
  host.stdout.write(renderNothingToDo(plan.intent.metadata.name, nothing, textOptions(host.stdout)));
  host.machine?.nothing(nothing, { plan });
}

interface Output {
  readonly machine: MachineOutput;
  end(): void;
}

function documentOutput({ stdout }: Host): Output {
  const outcomes: IntentOutcome[] = [];
  let lost: UnreadableState = { runs: [], folders: [] };
  const set = (intent: Intent | undefined, what: Partial<IntentOutcome>) => {
    const at = outcomes.findIndex((one) => intent !== undefined && one.intent === intent);
    if (at < 0) outcomes.push({ ...(intent === undefined ? {} : { intent }), ...what });
    else outcomes[at] = { ...outcomes[at], ...what };
  };
  return {
    machine: {
      planned(intents, plans, unplanned) {
        for (const intent of intents) set(intent, {});
        for (const plan of plans) set(plan.intent, { plan });
        for (const { intent, error } of unplanned) set(intent, { error });
      },
      opened(key, entries) {
        // Plans are applied in order.
        const next = outcomes.find(({ plan, run, nothing }) => plan?.outcome.state === "ready" && !run && !nothing);
        set(next?.intent, { run: { key, entries } });
      },
      recorded() {},
      waiting() {},
      ended() {},
      nothing(why, { plan, unreadable } = {}) {
        if (plan !== undefined) set(plan.intent, { nothing: why });
        if (unreadable !== undefined) lost = unreadable;
      },
      failed(error, of) {
        // A run that could not continue is itself the document.
        if (of !== undefined || outcomes.length === 0) set(of, { error });
      },
    },
    end() {
      stdout.write(jsonText(changeDocument(outcomes, lost)));
    },
  };
}

/** Milliseconds between two events of a continuing wait. */
const WAITING_EVERY = 10_000;

function eventOutput({ stdout }: Host): Output {
  let reported = -1;
  const write = (event: RunEvent | undefined) => {
    if (event !== undefined) stdout.write(documentText(`${printJson(event, 0)}\n`));
  };
  const now = () => systemClock.now();
  const current: { key?: RunKey; entries: readonly JournalEntry[] } = { entries: [] };
  return {
    machine: {
      planned(_intents, plans, unplanned) {
        for (const { error, intent } of unplanned) write(refusedEvent(error, now(), intent));
        for (const plan of plans) if (plan.outcome.state !== "ready") write(nothingEvent(plan, now()));
      },
      opened(key, entries) {
        current.key = key;
        current.entries = entries;
      },
      recorded(key, entries) {
        reported = -1;
        write(runEvent(key, entries));
      },
      waiting(key, entries, wait) {
        if (reported >= 0 && wait.elapsed >= reported && wait.elapsed - reported < WAITING_EVERY) return;
        reported = wait.elapsed;
        write(waitingEvent(key, entries, wait, now()));
      },
      ended(report) {
        if (current.key !== undefined) write(endEvent(current.key, current.entries, report, now()));
      },
      nothing(why, { plan } = {}) {
        write(nothingEvent(plan, now(), why));
      },
      failed(error, of) {
        write(refusedEvent(error, now(), of));
      },
    },
    end() {},
  };
}
