import { refuseUnsettled } from "../../core/change/compare.ts";
import { closing } from "../../core/change/holding.ts";
import { factsNow, type PlannedNow, planFrom, planReviewedNow } from "../../core/change/plan.ts";
import type { ReviewedPlan } from "../../core/change/reviewed-plan.ts";
import type { Intent } from "../../core/document/intent.ts";
import { CallFailed, isShown, Refusal, UsageError } from "../../core/errors.ts";
import type { Facts } from "../../core/kinds/facts.ts";
import { factsFile, factsFor, printFactsFile } from "../../core/kinds/facts-file.ts";
import type { Plan } from "../../core/plan/plan.ts";
import type { LockHolder } from "../../core/ports/state.ts";
import { connectorsOf } from "../../core/run/subject.ts";
import { showCount } from "../../core/values/amounts.ts";
import type { Advice } from "../../core/values/remedy.ts";
import { shellFile } from "../../core/values/shell-word.ts";
import { EXIT } from "../command.ts";
import { type Host, VERSION } from "../host.ts";
import type { planOptions } from "../options/changes.ts";
import { type Flags, type filesPositional, parallelOption } from "../options/common.ts";
import { warningsTo, writeLine } from "../screen.ts";
import type { Unsettled } from "../views/plan.ts";
import { approvedHere, demandApproval, demandSamePlace } from "./approving.ts";
import { systemClock } from "./clock.ts";
import type { ConsentFlags } from "./consent.ts";
import { DOCUMENTS, readText, refuseOther, writeDocument } from "./files.ts";
import { heartbeat } from "./heartbeat.ts";
import { openWorld, type Patience, type WorldFlags } from "./open-world.ts";
import { openState } from "./places.ts";
import { readIntents } from "./plan-files.ts";
import { given } from "./plan-report.ts";
import { type PolicyFlags, policiesFor, policiesOfEach } from "./policies/policies.ts";
import type { PlanFiles } from "./resolved-files.ts";
import type { Share } from "./shared-systems.ts";
import { countOf } from "./typed-values.ts";
import { namingDocument, ofDocument, reportUnplanned, type Unplanned } from "./unplanned.ts";

const PARALLEL = parallelOption.parallel.default;
const MOST_PARALLEL = 64;
const MAX_FACTS_BYTES = 512 * 1024 * 1024;

export type PlanningFlags = PolicyFlags &
  Flags<typeof filesPositional> &
  Partial<Pick<Flags<typeof planOptions>, "facts" | "parallel" | "phase">>;

/** The outcome of the documents. A single one is planned, or its error is thrown. */
export interface Planned {
  readonly plans: readonly Plan[];
  readonly from: ReadonlyMap<Plan, Facts>;
  readonly unplanned: readonly Unplanned[];
}

/** Plans every document of the files, in order; with recorded facts, offline. */
export async function planFiles(
  flags: PlanningFlags,
  host: Host,
  options: { readonly again: boolean },
): Promise<Planned> {
  return planIntents(await readIntents(flags), flags, host, options);
}

/** Plans documents that are already read: standard input can only be read once. */
export async function planIntents(
  intents: readonly Intent[],
  flags: PlanningFlags,
  host: Host,
  options: { readonly again: boolean; readonly patience?: Patience },
): Promise<Planned> {
  const { observed, unplanned } =
    flags.facts === undefined
      ? await observeAll(intents, flags, host, options.patience)
      : { observed: recorded(intents, await readText(flags.facts, MAX_FACTS_BYTES), flags.facts), unplanned: [] };
  const now = systemClock.now();
  const from = new Map<Plan, Facts>();
  const policiesOf = policiesOfEach(flags, host);
  for (const { intent, facts } of observed)
    from.set(await planFrom(intent, facts, { ...options, policies: await policiesOf(intent.target) }, now), facts);
  return { plans: [...from.keys()], from, unplanned };
}

/**
 * Plans the decisions of a resolved plan against the current state. Compares their decision and place with `--expect`
 * before any system is asked.
 *
 * @throws Refusal when a plan is too old, or something changed since the decision
 */
export async function planReviewed(
  { reviewed, approval }: NonNullable<PlanFiles["resolved"]>,
  flags: PolicyFlags & Pick<ConsentFlags, "expect">,
  host: Host,
  options: { readonly again: boolean; readonly maxAge: number },
): Promise<Planned> {
  const here = await approvedHere(reviewed, flags, host);
  demandApproval(flags.expect, here, reviewed);
  const from = new Map<Plan, Facts>();
  for (const one of reviewed) {
    const planning = () => planOne(one, flags, host, options);
    const { plan, facts } = await namingDocument(one.intent, reviewed.length > 1, planning);
    from.set(plan, facts);
  }
  // The same change through another URL is the same change: once applied, there is nothing to do there either.
  if ([...from.keys()].some(({ outcome }) => outcome.state === "ready")) demandSamePlace(approval, here);
  return { plans: [...from.keys()], from, unplanned: [] };
}

/** The unsettled runs of the plans' connectors on this machine, for which `apply` would refuse. */
export async function unsettledOf(
  plans: readonly Plan[],
  flags: Parameters<typeof openState>[0],
  host: Host,
): Promise<readonly Unsettled[]> {
  const found: Unsettled[] = [];
  for (const plan of plans)
    for (const connector of connectorsOf(plan.decided)) {
      const key = { clusterId: plan.world.clusterId, connector };
      try {
        await refuseUnsettled(key, { state: openState(flags, host) });
      } catch (error) {
        if (error instanceof Refusal) {
          const holder = await openState(flags, host).holder(key);
          const remedies = holder === undefined ? error.remedies : [waitFor(holder)];
          found.push({ plan, connector, code: error.code, seen: error.message, remedies });
        }
        // Planning needs no state folder.
        else if (error instanceof CallFailed || error instanceof UsageError)
          writeLine(
            host.stderr,
            `note: cannot determine whether a run of ${connector} is unsettled here: ${error.message}`,
          );
        else throw error;
      }
    }
  return found;
}

/** A run that is carried out at this moment is not to be recovered: that would be refused. */
function waitFor({ user, host, pid, command }: LockHolder): Advice {
  return `Wait until that command has ended: it is carried out by ${user} on ${host} (pid ${pid}, ${command}).`;
}

async function planOne(
  reviewed: ReviewedPlan,
  flags: PolicyFlags,
  host: Host,
  options: { readonly again: boolean; readonly maxAge: number },
): Promise<PlannedNow> {
  const { target } = reviewed.intent;
  await using world = await openWorld(target, flags, host, "a worker that restarts");
  using beat = heartbeat(host);
  beat.note(`inspecting ${target.connector}`);
  const policies = await policiesFor(target, flags, host);
  return await planReviewedNow(reviewed, world, { ...options, policies });
}

function recorded(intents: readonly Intent[], text: string, file: string): readonly Observed[] {
  const facts = factsFor(intents, text, file);
  return intents.map((intent, index) => {
    const seen = facts[index];
    if (seen === undefined) throw new Error("an intent without its facts");
    return { intent, facts: seen };
  });
}

/** Records the observed facts of all documents, or of none. @returns the exit code */
export async function observeFiles(flags: PlanningFlags & { readonly out: string }, host: Host): Promise<number> {
  const { out } = flags;
  await refuseOther(out, DOCUMENTS.facts);
  const intents = await readIntents(flags);
  const { observed, unplanned } = await observeAll(intents, flags, host);
  if (unplanned.length > 0) {
    const exit = reportUnplanned(unplanned, host, "full");
    writeLine(
      host.stderr,
      `not written: ${out}; ${showCount(unplanned.length)} of ${showCount(intents.length)} documents could not ` +
        `be observed`,
    );
    return exit;
  }
  await writeDocument(out, printFactsFile(factsFile(observed, VERSION)), DOCUMENTS.facts);
  writeLine(host.stderr, `wrote ${out}`);
  const again = flags.files.map(shellFile).join(" ") + given(flags, ["phase", "context"]);
  writeLine(host.stderr, `next:  cdcctl plan --facts ${shellFile(out)} ${again}`);
  return EXIT.done;
}

interface Observed {
  readonly intent: Intent;
  readonly facts: Facts;
}

/**
 * Observes several documents at a time, over shared sessions. A document that cannot be observed does not hide the
 * others; for a single document, its error is thrown.
 */
async function observeAll(
  intents: readonly Intent[],
  flags: PlanningFlags,
  host: Host,
  patience?: Patience,
): Promise<{ readonly observed: readonly Observed[]; readonly unplanned: readonly Unplanned[] }> {
  const parallel = countOf("parallel", flags.parallel ?? PARALLEL, MOST_PARALLEL);
  const [only, ...others] = intents;
  if (only !== undefined && others.length === 0)
    return { observed: [{ intent: only, facts: await observeOne(only, flags, host, patience) }], unplanned: [] };
  const { shareSystems } = await import("./shared-systems.ts");
  await using systems = closing(shareSystems(intents.length, parallel, warningsTo(host)));
  using beat = heartbeat(host);
  let done = 0;
  const note = () => beat.note(`observed ${showCount(done)} of ${showCount(intents.length)} documents`);
  note();
  const settled = await Promise.allSettled(
    intents.map((intent) =>
      systems
        .observe((share) => factsOf(intent, flags, host, patience, share))
        .finally(() => {
          done++;
          note();
        }),
    ),
  );
  const observed: Observed[] = [];
  const unplanned: Unplanned[] = [];
  for (const [at, intent] of intents.entries()) {
    const one = settled[at];
    if (one?.status === "fulfilled") observed.push({ intent, facts: one.value });
    else if (isShown(one?.reason))
      unplanned.push({ intent, at, own: one.reason, error: ofDocument(one.reason, intent) });
    else throw one?.reason;
  }
  return { observed, unplanned };
}

async function observeOne(intent: Intent, flags: WorldFlags, host: Host, patience?: Patience): Promise<Facts> {
  using beat = heartbeat(host);
  beat.note(`inspecting ${intent.target.connector}`);
  return await factsOf(intent, flags, host, patience);
}

async function factsOf(
  intent: Intent,
  flags: WorldFlags,
  host: Host,
  patience?: Patience,
  share?: Share,
): Promise<Facts> {
  await using world = await openWorld(intent.target, flags, host, patience, share);
  return await factsNow(intent, world);
}
