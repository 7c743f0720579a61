import type { OffsetChangeIntent } from "../../document/intent.ts";
import { Refusal } from "../../errors.ts";
import { isLateCommit } from "../../facts/offset/stored-change.ts";
import { decodeOffset, sameOffset } from "../../facts/offset/stored-offset.ts";
import { changeStands, offsetStands, rollbackName, rollbackOf } from "../../run/change.ts";
import type { RunState } from "../../run/state.ts";
import { offsetSubject } from "../../run/subject.ts";
import { canonicalJson, type JsonObject } from "../../values/json.ts";
import { curlLine, shellWord } from "../../values/shell-word.ts";
import { truncate } from "../../values/truncate.ts";
import type { RollbackFrom } from "../kind.ts";

/** The longest reason that a plan file may give, characters: a rollback's plan is held to the same rules. */
const LONGEST_REASON = 1000;

/** The reason that a rollback gives. */
export function rollbackReason(run: string, reason: string): string {
  return truncate(`rollback of ${run}: ${reason}`, LONGEST_REASON - "…".length);
}

export interface RollbackOptions extends Pick<RollbackFrom, "resume" | "moveBack"> {
  /**
   * The latest run after this one whose new offset still stands (`changedSince`); undefined where none is known here.
   */
  readonly changedSince?: string | undefined;
}

/** The same, looking itself at what is stored now, and at which runs came after. */
export async function offsetBack(state: RunState, from: RollbackFrom): Promise<OffsetChangeIntent> {
  const { connect, runs, resume, moveBack } = from;
  const offsets = await connect.offsets(state.started.subject.connector);
  const partition = canonicalJson(state.body?.entry.partition ?? null);
  const now = offsets.find((entry) => canonicalJson(entry.partition) === partition)?.offset ?? null;
  return rollbackIntent(state, now, { resume, moveBack, changedSince: changedSince(state, runs) });
}

/**
 * The latest run of the connector after this one whose change of the offset stands, neither taken back itself nor the
 * way back from another one.
 *
 * @param runs of the connector, oldest first
 */
export function changedSince({ started: { run } }: RunState, runs: readonly RunState[]): string | undefined {
  const later = runs.slice(runs.findIndex(({ started }) => started.run === run) + 1).filter(offsetStands);
  const back = new Map(later.flatMap((one) => [[rollbackOf(one), one.started.run] as const]));
  return later
    .map(({ started }) => started.run)
    .findLast((id) => {
      const undone = back.has(id);
      const undoes = [...back].some(([of, by]) => of !== undefined && by === id);
      return !undone && !undoes;
    });
}

/**
 * The way back from a run, as an intent that is planned and applied like any other. While the connector has not run
 * since, the stored offset is restored exactly; once it has, that would repeat delivered transactions and drop
 * journaled ones, and only the resume SCN can be moved back.
 *
 * Rule: architecture, "What apply promises", 9.
 *
 * @param stored what is stored under the run's partition now
 * @throws Refusal where there is nothing to go back from, or no way back
 */
export function rollbackIntent(
  state: RunState,
  stored: JsonObject | null,
  options: RollbackOptions,
): OffsetChangeIntent {
  const { started, body, ended } = state;
  const { run, plan } = started;
  const subject = offsetSubject(started.subject);
  if (subject === undefined) throw new Error("the way back from a migration is a phase of it");
  const sent =
    state.signal === undefined || state.steps.get("write-signal") === "failed"
      ? undefined
      : { id: state.signal.id, tables: subject.snapshot?.tables ?? [] };
  if (body === undefined || state.attempts === 0n) {
    throw new Refusal(
      "APL808",
      `run ${run} has not changed the offset: there is nothing to roll ` +
        `back${sent === undefined ? "" : `; its signal ${sent.id} can't be taken back`}`,
    );
  }
  if (ended === undefined)
    throw new Refusal("APL808", `run ${run} is not finished`, [`cdcctl recover ${shellWord(run)}`]);
  if (!changeStands(state))
    throw new Refusal("APL808", `run ${run} ended as ${ended.outcome}: its change does not stand`);
  if (body.previous === null || body.entry.offset === null) {
    throw new Refusal("APL808", `before run ${run} no offset was stored: there is none to go back to`, [
      {
        text: `To remove the offset, while ${subject.connector} is stopped`,
        command: curlLine("DELETE", subject.connectUrl, subject.connector, "/offsets"),
      },
    ]);
  }
  const untouched = sameOffset(stored, body.entry.offset) || sameOffset(stored, body.previous);
  if (!untouched && !options.moveBack) {
    const later = options.changedSince;
    if (later !== undefined)
      throw new Refusal("OFF111", `run ${later} has changed the offset of ${subject.connector} after run ${run}`, [
        { text: "Roll that one back first", command: `cdcctl rollback ${shellWord(later)}` },
      ]);
    if (isLateCommit(stored, body))
      throw new Refusal(
        "OFF114",
        `a task of ${subject.connector} that had outlived its stop has committed once more after run ${run} and ` +
          "undone it",
        [
          { text: "To repair it and start the connector", command: `cdcctl recover ${shellWord(run)} --resume` },
          "To leave it so, resume the connector: it goes on from where it was before the run.",
        ],
      );
    const previous = decodeOffset(body.previous);
    throw new Refusal(
      "OFF111",
      `${subject.connector} has run since ${run}: its old offset would repeat delivered transactions and drop ` +
        "journaled ones",
      [
        {
          text: `To move only the resume SCN back${previous.ok ? ` to ${previous.offset.resumeScn}` : ""}`,
          command: `cdcctl rollback ${shellWord(run)} --move-back`,
        },
      ],
    );
  }
  const base = {
    kind: "OffsetChange",
    metadata: {
      name: rollbackName(run),
      reason: rollbackReason(run, subject.reason),
      ticket: plan?.intent.metadata.ticket,
    },
    target: {
      context: subject.context,
      connectUrl: subject.context === undefined ? subject.connectUrl : undefined,
      connector: subject.connector,
    },
    origin: { by: "rollback", file: undefined, lines: {} },
    // Forward is then only back to a resume SCN that was reached before: everything below it was delivered.
    allowSkip: true,
    forgetReleased: "none",
    resume: options.resume ?? (subject.ranBefore || subject.resume),
    opsFormat: subject.opsFormat,
    accept: plan?.intent.accept ?? [],
    ...(sent === undefined ? {} : { signalSent: sent }),
  } as const;
  if (untouched)
    return { ...base, position: { to: "restore", run, offset: body.previous, replacing: body.entry.offset } };
  const previous = decodeOffset(body.previous);
  if (!previous.ok) throw new Refusal("OFF105", `the offset before run ${run} can't be read`);
  return { ...base, position: { to: "scn", scn: previous.offset.resumeScn } };
}
