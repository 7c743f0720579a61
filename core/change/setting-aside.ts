import { strayBody } from "../apply/own-body.ts";
import { Refusal } from "../errors.ts";
import { isSeenStored } from "../facts/offset/stored-change.ts";
import { storedOffsetOf } from "../facts/offset/stored-offset.ts";
import { type RecordedChange, recordedChanges } from "../facts/ops/ops-event.ts";
import type { World } from "../ports/world.ts";
import { isShortened } from "../run/change.ts";
import { runFromOps, type TakenOver } from "../run/from-ops.ts";
import { recoverFromOps, unreadableSentence } from "../run/read-journal.ts";
import { runState } from "../run/state.ts";
import { counted } from "../values/amounts.ts";
import { canonicalJson } from "../values/json.ts";
import type { OpsTopicRead } from "./ops-topics.ts";
import type { Caller } from "./run-context.ts";
import type { StoredRun, UnreadableRun } from "./stored-runs.ts";

/** The journal of a run, as one that can't be read, where the ops topic or its own plan contradicts it. */
export function contradicted({ key, entries, state }: StoredRun, topic: OpsTopicRead): readonly UnreadableRun[] {
  const why = isShortened(state, topic.events)
    ? `ends after ${counted(entries.length, "line")}, and the ops topic records more of the run`
    : // What the topic no longer holds contradicts nothing.
      state.ended === undefined && strayBody(state, topic.events)
      ? "names an offset that is not the one that the run decided"
      : undefined;
  if (why === undefined) return [];
  return [{ key, journal: { path: `${key.run}.journal.jsonl`, line: undefined, why, known: entries } }];
}

/**
 * The change in flight, as `runFromOps` finds it. An inconclusive change is returned as its refusal with `--abandon`,
 * which sets unreadable journals aside: the ops topic still records that change (OPS603).
 *
 * @param lost the runs of the connector whose journals cannot be read
 * @throws Refusal as `runFromOps`, without `--abandon`
 */
export function takenFrom(
  { events }: OpsTopicRead,
  connector: string,
  here: Parameters<typeof runFromOps>[2],
  lost: readonly UnreadableRun[],
  abandon: boolean,
): TakenOver | Refusal | undefined {
  try {
    return runFromOps(events, connector, here);
  } catch (failure) {
    const [first] = lost;
    if (!(failure instanceof Refusal) || first === undefined) throw failure;
    if (abandon) return failure;
    throw new Refusal(failure.code, failure.message, [
      ...failure.remedies,
      `The journal of ${first.key.run} cannot be read: ${unreadableSentence(first.journal)}.`,
      {
        text: "To set it aside although its outcome is unknown",
        command: `${recoverFromOps(first.journal, connector)} --abandon`,
      },
    ]);
  }
}

interface SettingAside {
  readonly world: World;
  readonly caller: Caller;
  /** `cdc.topic.prefix` of the connector. */
  readonly prefix: string;
  /** The operator wants them set aside whatever is stored. */
  readonly abandon: boolean;
}

/**
 * Sets unreadable journals aside whose runs the ops topic has settled or does not mention, and reports what is known of
 * them and the connector's position. Excludes the run in flight, whose journal is replaced. Without `--abandon`, also
 * excludes a run for which the stored offset does not confirm the topic: anyone who can write to the topic could
 * otherwise hide an open run.
 */
export async function setAsideSettled(
  lost: readonly UnreadableRun[],
  taken: TakenOver | Refusal | undefined,
  topic: OpsTopicRead,
  { world, caller, prefix, abandon }: SettingAside,
): Promise<void> {
  let reported: UnreadableRun | undefined;
  for (const run of lost) {
    const { key } = run;
    const changes = recordedChanges(topic.events, key.connector);
    const change = changes.findLast(({ event }) => event.details.run === key.run);
    if (change?.outcome === "applying" && !(taken instanceof Refusal)) {
      if (taken?.started.run !== key.run) caller.say(`run ${key.run} is in flight as well: repeat this command`);
      continue;
    }
    const claim = abandon ? undefined : await claimOf(run, change, changes, prefix, world);
    if (claim !== undefined) {
      caller.say(
        `run ${key.run}: ${topic.name} ${claim}; its unreadable journal is kept`,
        `  to set it aside anyway:   ${recoverFromOps(run.journal, key.connector)} --abandon`,
      );
      continue;
    }
    const reason =
      change === undefined
        ? `${topic.name} holds no record of a change by it${topic.reachedEnd ? "" : ", in what could be read"}; ` +
          "cdcctl changes an offset only after announcing it there"
        : `${topic.name} records its change of the offset to ${change.event.details.new_resume_scn} as ` +
          `${change.outcome}`;
    const kept = await world.state.setAside(key, []);
    reportKept(run, kept, [reason, ...soundPart(run)], caller);
    reported = run;
  }
  if (reported !== undefined) await reportState(reported.key.connector, world, caller);
}

/**
 * The topic's claim about a change, if the stored offset does not confirm it: an applied change, or a later one, must
 * have led to the stored offset, and a failed one must not. What a run has announced, the topic may hold no longer.
 */
async function claimOf(
  { journal: { known } }: UnreadableRun,
  change: RecordedChange | undefined,
  changes: readonly RecordedChange[],
  prefix: string,
  { connect }: World,
): Promise<string | undefined> {
  const isAnnounced = runState(known)?.steps.get("record-applying") === "done";
  if (change === undefined) return isAnnounced ? "no longer holds what the run has recorded there" : undefined;
  const { details } = change.event;
  if (change.outcome === "applying") return undefined;
  const stored = storedOffsetOf({ offsets: await connect.offsets(details.connector), prefix });
  const later = changes.slice(changes.indexOf(change) + 1).filter(({ outcome }) => outcome !== "failed");
  const led = [...(change.outcome === "applied" ? [change] : []), ...later];
  const isExplained = led.some(({ event }) => isSeenStored(event.details, stored));
  if (change.outcome === "applied" ? isExplained : isExplained || !isSeenStored(details, stored)) return undefined;
  const claim = change.outcome === "applied" ? "was applied" : "failed";
  const found = stored === null ? "no offset is stored" : `the stored offset is ${canonicalJson(stored)}`;
  return `says that its change to ${details.new_resume_scn} ${claim}, but ${found}`;
}

/** Describes the part of a journal before the unreadable line. */
function soundPart({ journal: { known } }: UnreadableRun): readonly string[] {
  const state = runState(known);
  if (state === undefined) return [];
  const { subject } = state.started;
  const { command } = subject;
  const what = command === "migrate" ? `the phase ${subject.phase} of a migration from ${subject.legacy}` : command;
  const last = [...state.steps].at(-1);
  return [`up to line ${known.length} it records ${what}: ${last === undefined ? "nothing begun" : last.join(" ")}`];
}

/** Prints the file that is kept, and what is known of its run. */
export function reportKept(
  { key, journal }: UnreadableRun,
  kept: string,
  known: readonly string[],
  { say }: Caller,
): void {
  const lines = [`the journal is kept as ${kept}`, ...known].map((line) => `  ${line}`);
  say(`run ${key.run}: ${unreadableSentence(journal)}`, ...lines);
}

/** Prints the current state of the connector, because the journal no longer shows it. */
async function reportState(connector: string, { connect }: World, { say }: Caller): Promise<void> {
  const [status, offsets] = await Promise.all([connect.status(connector), connect.offsets(connector)]);
  const stored =
    offsets.length === 0
      ? "no offset is stored"
      : `stored offset ${offsets.map(({ offset }) => canonicalJson(offset)).join(", ")}`;
  say(`${connector} is ${status?.state ?? "unknown to the workers"}; ${stored}`);
}
