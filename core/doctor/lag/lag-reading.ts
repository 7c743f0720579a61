import type { Observed } from "../../facts/observed.ts";
import type { RedoExamination } from "../../facts/redo-examination.ts";
import type { Scn } from "../../values/scn.ts";
import { type Age, ageOfObserved } from "./age.ts";
import type { LagFacts } from "./lag-facts.ts";
import { movedOn, type Pace, paceOf } from "./pace.ts";
import { type RedoRate, recentRedo, redoAhead } from "./redo-ahead.ts";

/** What the facts of a lag mean, worked out once. Every cause goes by this, and so does whoever shows it. */
export interface LagReading {
  readonly facts: LagFacts;
  /** Where the connector stands at the second look. */
  readonly resume: Observed<Scn>;
  readonly resumeAge: Observed<Age>;
  /** The last commit that it has delivered. */
  readonly lastCommit: Observed<Scn>;
  readonly lastCommitAge: Observed<Age>;
  /** SCNs from the resume SCN to the current one, at the second look. */
  readonly behind: Observed<bigint>;
  readonly behindCommit: Observed<bigint>;
  readonly pace: Observed<Pace>;
  readonly moved: Observed<boolean>;
  readonly redo: Observed<RedoExamination>;
  readonly recent: Observed<readonly RedoRate[]>;
}

export function readLag(facts: LagFacts): LagReading {
  const { stored, currentScn } = facts.second;
  const resume: Observed<Scn> = stored.known ? { ...stored, value: stored.value.resumeScn } : stored;
  const lastCommit = lastCommitOf(facts);
  const redo = redoAhead(facts);
  return {
    facts,
    resume,
    resumeAge: ageOfObserved(resume, facts),
    lastCommit,
    lastCommitAge: ageOfObserved(lastCommit, facts),
    behind: distance(resume, currentScn),
    behindCommit: distance(lastCommit, currentScn),
    pace: paceOf(facts),
    moved: movedOn(facts),
    redo,
    recent: recentRedo(facts, redo),
  };
}

function lastCommitOf({ second: { stored } }: LagFacts): Observed<Scn> {
  if (!stored.known) return stored;
  const { lastCommit } = stored.value;
  return lastCommit === undefined
    ? { known: false, why: "the stored offset has no commit yet", source: stored.source }
    : { ...stored, value: lastCommit.scn };
}

function distance(from: Observed<Scn>, to: Observed<Scn>): Observed<bigint> {
  if (!from.known) return from;
  if (!to.known) return to;
  return { ...to, value: to.value > from.value ? to.value - from.value : 0n };
}
