import type { Waiting } from "../../core/apply/context.ts";
import type { RunReport } from "../../core/apply/endings.ts";
import type { Intent } from "../../core/document/intent.ts";
import { UsageError } from "../../core/errors.ts";
import type { Plan } from "../../core/plan/plan.ts";
import type { RunKey } from "../../core/ports/state.ts";
import type { JournalEntry } from "../../core/run/journal.ts";
import { printJson } from "../../core/values/json.ts";
import { type Host, textOptions } from "../host.ts";
import type { Flags, runOutputOptions } from "../options/common.ts";
import { renderReport, renderRunReport } from "../views/attempt.ts";
import type { ShownError } from "../views/error-text.ts";
import { jsonText } from "../views/json-text.ts";
import { documentText } from "../views/rendered.ts";
import { endEvent, nothingEvent, type RunEvent, refusedEvent, runEvent, waitingEvent } from "../views/run-events.ts";
import { type Came, changeDocument } from "../views/run-json.ts";
import { type UnreadableState, unreadableDocuments } from "../views/unreadable.ts";
import { systemClock } from "./clock.ts";
import { isShown, type Unplanned } from "./unplanned.ts";

/** What a command that carries a change out gives to a machine, told as it comes to be known. */
export interface MachineOutput {
  /** What the command is about, in the order of the documents, before any of it is carried out. */
  planned(intents: readonly Intent[], plans: readonly Plan[], unplanned: readonly Unplanned[]): void;
  /** A run is begun, or gone on with. @param entries as the journal has them, growing with it */
  opened(key: RunKey, entries: readonly JournalEntry[]): void;
  /** The last of the entries is on disk. */
  recorded(key: RunKey, entries: readonly JournalEntry[]): void;
  waiting(key: RunKey, entries: readonly JournalEntry[], wait: Waiting): void;
  ended(report: RunReport): void;
  /** There is nothing to do. @param about the plan or the run that this is said of, and what can't be read beside it */
  nothing(why: string, about?: { readonly plan?: Plan; readonly unreadable?: UnreadableState }): void;
  /** Nothing of this plan was begun. @param of undefined: of the whole command */
  failed(error: ShownError, of?: Intent): void;
}

/** A host whose standard output may be a machine's: then the narration goes to standard error. */
export interface ChangeHost extends Host {
  readonly machine?: MachineOutput;
}

type OutputFlags = Flags<typeof runOutputOptions>;

/**
 * Runs a command that carries a change out, with its output as `--format json` or `--events` ask for it.
 *
 * One document: the run (schema Run) where there is one; of several plan files, and of one that no run was made for,
 * what became of each (schema ApplyReport); where the command fails as a whole, the Error that `main` prints.
 *
 * @throws UsageError where both are asked for
 */
export async function reporting(
  { format, events }: { readonly format: string; readonly events: OutputFlags["events"] },
  host: Host,
  command: (host: ChangeHost) => Promise<number>,
): Promise<number> {
  if (events && format !== "text")
    throw new UsageError(
      "--events and --format exclude each other",
      "Give one of them: both write to standard output.",
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
  } catch (error) {
    if (events && isShown(error)) output.machine.failed(error);
    throw error;
  }
}

/** How a run, or one attempt of it, came out. */
export function sayReport(report: RunReport, host: ChangeHost): void {
  host.stdout.write(renderRunReport(report, textOptions(host.stdout)));
  host.machine?.ended(report);
}

export function sayNothingToDo(plan: Plan, nothing: string, host: ChangeHost): void {
  host.stdout.write(renderReport({ plan, nothing }, textOptions(host.stdout)));
  host.machine?.nothing(nothing, { plan });
}

interface Output {
  readonly machine: MachineOutput;
  /** The command has come to its end. */
  end(): void;
}

function documentOutput({ stdout }: Host): Output {
  const came: Came[] = [];
  let lost: UnreadableState = { runs: [], folders: [] };
  const set = (intent: Intent | undefined, what: Partial<Came>) => {
    const at = came.findIndex((one) => intent !== undefined && one.intent === intent);
    if (at < 0) came.push({ ...(intent === undefined ? {} : { intent }), ...what });
    else came[at] = { ...came[at], ...what };
  };
  return {
    machine: {
      planned(intents, plans, unplanned) {
        for (const intent of intents) set(intent, {});
        for (const plan of plans) set(plan.intent, { plan });
        for (const { intent, error } of unplanned) set(intent, { error });
      },
      opened(key, entries) {
        // Plans are carried out in their order.
        const next = came.find(({ plan, run, nothing }) => plan?.outcome.state === "ready" && !run && !nothing);
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
        // A run that could not be gone on with is a document itself.
        if (of !== undefined || came.length === 0) set(of, { error });
      },
    },
    end() {
      stdout.write(jsonText(changeDocument(came, unreadableDocuments(lost))));
    },
  };
}

/** Between two lines that a wait goes on, milliseconds. */
const WAITING_EVERY = 10_000;

function eventOutput({ stdout }: Host): Output {
  let told = -1;
  const say = (event: RunEvent | undefined) => {
    if (event !== undefined) stdout.write(documentText(`${printJson(event, 0)}\n`));
  };
  const now = () => systemClock.now();
  const current: { key?: RunKey; entries: readonly JournalEntry[] } = { entries: [] };
  return {
    machine: {
      planned(_intents, plans, unplanned) {
        for (const { error, intent } of unplanned) say(refusedEvent(error, now(), intent));
        for (const plan of plans) if (plan.outcome.state !== "ready") say(nothingEvent(plan, now()));
      },
      opened(key, entries) {
        current.key = key;
        current.entries = entries;
      },
      recorded(key, entries) {
        told = -1;
        say(runEvent(key, entries));
      },
      waiting(key, entries, wait) {
        if (told >= 0 && wait.elapsed >= told && wait.elapsed - told < WAITING_EVERY) return;
        told = wait.elapsed;
        say(waitingEvent(key, entries, wait, now()));
      },
      ended(report) {
        if (current.key !== undefined) say(endEvent(current.key, current.entries, report, now()));
      },
      nothing(why, { plan } = {}) {
        say(nothingEvent(plan, now(), why));
      },
      failed(error, of) {
        say(refusedEvent(error, now(), of));
      },
    },
    end() {},
  };
}
