import type { WaitLimits } from "../../core/apply/context.ts";
import type { CheckedTakeover } from "../../core/apply/take-over.ts";
import { type Ask, type Settled, settleFromOps, settleRun, type Work } from "../../core/change/recover.ts";
import {
  latestOfEach,
  onlyOne,
  runNamed,
  type StoredRun,
  type StoredRuns,
  storedRuns,
  type UnreadableState,
} from "../../core/change/stored-runs.ts";
import { UsageError } from "../../core/errors.ts";
import type { RunKey } from "../../core/ports/state.ts";
import { offsetStands } from "../../core/run/change.ts";
import { afterRejection } from "../../core/run/sentences.ts";
import { runStatus } from "../../core/run/state.ts";
import { EXIT } from "../command.ts";
import { textOptions } from "../host.ts";
import type { recoverOptions } from "../options/changes.ts";
import type { Flags, runPositional } from "../options/common.ts";
import { writeLine } from "../screen.ts";
import { textOf } from "../views/rendered.ts";
import type { Report } from "../views/report/model.ts";
import { renderTerminal } from "../views/report/terminal.ts";
import { unreadableReport } from "../views/unreadable.ts";
import { consent, demandConsent, demandDecision, demandExpectedForm } from "./consent.ts";
import { type ChangeHost, reportFailed, reportRun } from "./machine-output.ts";
import { callerOf } from "./narration.ts";
import { openWorld, typedTarget } from "./open-world.ts";
import { demandOwnState, openState, placeOf } from "./places.ts";
import { waitLimits } from "./typed-values.ts";

type RecoverFlags = Flags<typeof recoverOptions & typeof runPositional>;

/** Settles one interrupted run. @returns 0 when it is settled, 3 otherwise */
export async function recoverRuns(flags: RecoverFlags, host: ChangeHost): Promise<number> {
  const limits = waitLimits(flags, host);
  const work = workOf(flags);
  if (work === "abandon") demandConsent({ yes: flags.yes, expect: undefined }, host, "abandon");
  if (flags["from-ops"]) return recoverFromOps(flags, work, host, limits);
  const store = openState(flags, host);
  const all = await storedRuns(store);
  const lost = flags.run === undefined ? all.unreadable : unreadableNamed(all, flags.run);
  // Printed in addition to other runs to recover: it blocks only its own run.
  host.stderr.write(renderTerminal(unreadableReport(lost), textOptions(host.stderr)));
  const inDoubt = lost.runs.length + lost.folders.length > 0;
  if (inDoubt && flags.run !== undefined) {
    host.machine?.nothing("its journal cannot be read", { unreadable: lost });
    return EXIT.unfinished;
  }
  const stored =
    flags.run === undefined
      ? (onlyUnsettled(all.runs) ?? (flags.resume ? onlyLeftStopped(all.runs) : undefined))
      : runNamed(all, flags.run, store.place);
  if (stored === undefined) {
    host.machine?.nothing("nothing to recover", { unreadable: lost });
    if (inDoubt) return EXIT.unfinished;
    writeLine(host.stdout, "nothing to recover: every run is settled");
    return EXIT.done;
  }
  if (stored.state.ended !== undefined && !flags.resume) return settledAlready(stored, host);
  await demandOwnState(store, stored.key, host);
  const place = placeOf(stored, flags);
  await using world = await openWorld(place.target, place.flags, host, "a worker that restarts");
  const settling = { world, caller: callerOf(host, world), limits };
  return reportSettled(await settleRun(stored, work, settling, asking(work, flags, host)), host);
}

function workOf({ abandon, resume }: RecoverFlags): Work {
  if (abandon && resume) throw new UsageError("--abandon and --resume are mutually exclusive", "Pass one of them.");
  return abandon ? "abandon" : resume ? "resume" : "recover";
}

/** The run that a command names, where its journal cannot be read. */
function unreadableNamed({ runs, unreadable }: StoredRuns, id: string): UnreadableState {
  const named = (run: { readonly key: RunKey }) => run.key.run === id;
  return { runs: runs.some(named) ? [] : unreadable.runs.filter(named), folders: [] };
}

function onlyUnsettled(runs: readonly StoredRun[]): StoredRun | undefined {
  const open = runs.filter(({ state }) => state.ended === undefined);
  return onlyOne(open, (count) => `${count} runs are not settled`, "cdcctl recover RUN");
}

/** The latest change of the only connector that a run of this machine left stopped. */
function onlyLeftStopped(runs: readonly StoredRun[]): StoredRun | undefined {
  const latest = latestOfEach(runs.filter(({ state }) => offsetStands(state)));
  const left = latest.filter(({ state }) => state.steps.get("resume-connector") !== "done");
  return onlyOne(left, (count) => `runs have left ${count} connectors stopped`, "cdcctl recover RUN --resume");
}

/** Reports a settled run. A change that the connector refused is still to be made. */
function settledAlready({ key, entries, state }: StoredRun, host: ChangeHost): number {
  const left = state.ended?.outcome === "rejected" ? afterRejection(state) : [];
  const settled = `run ${key.run} is settled: ${runStatus(state)}`;
  host.stdout.write(textOf([settled, ...left.map((line) => `  ${line}`)]));
  host.machine?.opened(key, entries);
  host.machine?.nothing(settled);
  return EXIT.done;
}

/** Reports what became of a run. Recovery succeeds when the run is settled, with either outcome. */
export function reportSettled(settled: Settled, host: ChangeHost): number {
  if ("already" in settled) return settledAlready(settled.already, host);
  if ("declined" in settled) return EXIT.refused;
  if ("report" in settled) {
    reportRun(settled.report, host);
    return settled.report.outcome === "unfinished" ? EXIT.unfinished : EXIT.done;
  }
  const { failed, run } = settled;
  if (run !== undefined) host.machine?.opened(run.key, run.entries);
  reportFailed(failed, host);
  return EXIT.unfinished;
}

/** Recovers a run by the `applying` event of the ops topic, from any machine. */
async function recoverFromOps(flags: RecoverFlags, work: Work, host: ChangeHost, limits: WaitLimits): Promise<number> {
  const { connector, context, abandon, resume } = flags;
  demandExpectedForm(flags);
  if (connector === undefined)
    throw new UsageError(
      "--from-ops requires --connector",
      "cdcctl recover --from-ops --context prod --connector orders-cdc",
    );
  await using world = await openWorld(typedTarget(connector, flags), flags, host, "a worker that restarts");
  const asked = {
    ...{ connector, work, context, abandon, resume, allowSkip: flags["allow-skip"], ask: asking(work, flags, host) },
    askTakeover: (checked: CheckedTakeover) => agreedTakeover(checked, flags, host, limits),
  };
  const settled = await settleFromOps(asked, { world, caller: callerOf(host, world), limits });
  if (!("nothing" in settled)) return reportSettled(settled, host);
  host.machine?.nothing("nothing to recover");
  writeLine(host.stdout, settled.nothing);
  return EXIT.done;
}

/** @returns whether the checks pass and the operator agrees; otherwise the reason is printed */
async function agreedTakeover(
  { shown, takeover }: CheckedTakeover,
  flags: RecoverFlags,
  host: ChangeHost,
  limits: WaitLimits,
): Promise<boolean> {
  const { renderTakeover } = await import("../views/recorded-move.ts");
  host.stdout.write(renderTakeover(shown, { ...textOptions(host.stdout), limits }));
  if (takeover === undefined) {
    const { plan } = shown;
    if (plan !== undefined) host.machine?.planned([plan.intent], [plan], []);
    return false;
  }
  demandDecision(shown.decision, flags);
  demandConsent(flags, host, shown.decision);
  if (await consent(flags, host, 'Apply this plan? Type "yes" to continue: ')) return true;
  writeLine(host.stderr, "not recovered: nothing was changed");
  return false;
}

/**
 * Shows what the run leaves in its current state, or what is done to finish it, and asks. A recovery that only records
 * is not asked for.
 *
 * @throws UsageError where nobody can be asked
 */
function asking(work: Work, { yes, expect }: RecoverFlags, host: ChangeHost): Ask {
  const flags = { yes, expect: work === "abandon" ? undefined : expect };
  return async ({ state, left, ahead }) => {
    const { aheadReport, leftBehindReport } = await import("../views/left-behind.ts");
    const show = (report: Report) => host.stdout.write(renderTerminal(report, textOptions(host.stdout)));
    if (work === "abandon") show(leftBehindReport(left));
    else {
      demandDecision(state.started.subject.decision, flags);
      if (ahead === undefined) return yes ? "agreed" : "not asked";
      show(aheadReport(ahead, state, left));
      demandConsent(flags, host, "recover");
    }
    const [question, done] = WORDS[work];
    const isAsked = !yes && flags.expect === undefined;
    if (await consent(flags, host, `${question}? Type "yes" to continue: `)) return isAsked ? "as shown" : "agreed";
    writeLine(host.stderr, `not ${done}: nothing was changed`);
    return "not agreed";
  };
}

/** What is asked, and what was not done if the answer is not yes. */
const WORDS: { readonly [W in Work]: readonly [question: string, done: string] } = {
  recover: ["Recover this run", "recovered"],
  abandon: ["Abandon this run", "abandoned"],
  resume: ["Start its connector", "started"],
};
