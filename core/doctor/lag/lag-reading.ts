import { mapObserved, type Observed } from "../../facts/observed.ts";
import { fromElsewhere } from "../../facts/offset/origin.ts";
import { examineSeen } from "../../facts/redo/from.ts";
import type { RedoExamination } from "../../facts/redo/redo.ts";
import type { Scn } from "../../values/scn.ts";
import { type Age, ageOfObserved } from "./age.ts";
import type { LagFacts } from "./lag-facts.ts";
import { movedOn, type Pace, paceOf } from "./pace.ts";
import { type RedoRate, recentRedo, redoAhead } from "./redo-ahead.ts";

/** Values derived once from the facts of a lag. All causes and all views use them. */
export interface LagReading {
  readonly facts: LagFacts;
  /** The connector's position at the second sample. */
  readonly resume: Observed<Scn>;
  readonly resumeAge: Observed<Age>;
  /** The last commit that the connector has delivered. */
  readonly lastCommit: Observed<Scn>;
  readonly lastCommitAge: Observed<Age>;
  /** SCNs from the resume SCN to the current one, at the second sample. */
  readonly behind: Observed<bigint>;
  readonly behindCommit: Observed<bigint>;
  readonly pace: Observed<Pace>;
  readonly moved: Observed<boolean>;
  readonly redo: Observed<RedoExamination>;
  readonly recent: Observed<readonly RedoRate[]>;
}

export function readLag(seen: LagFacts): LagReading {
  const facts = ofThisDatabase(seen);
  const { stored, currentScn } = facts.second;
  const resume = mapObserved(stored, ({ resumeScn }) => resumeScn);
  const lastCommit = lastCommitOf(facts);
  const redo = examineSeen(redoAhead(facts));
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

/**
 * Accepts an offset only if it belongs to this database. SCNs of another database or incarnation are meaningless here,
 * and so is an SCN above the current one: such an offset is unknown, and no lag is derived from it. An offset without
 * an origin is accepted, as the connector accepts it.
 */
function ofThisDatabase(facts: LagFacts): LagFacts {
  const why = stranger(facts);
  if (why === undefined) return facts;
  const { first, second } = facts;
  const stored = { known: false, why, source: second.stored.source } as const;
  return { ...facts, first: { ...first, stored }, second: { ...second, stored } };
}

function stranger({ connector, database, second: { stored, currentScn } }: LagFacts): string | undefined {
  if (!stored.known) return undefined;
  const elsewhere = database.known ? fromElsewhere(stored.value, database.value, connector.name) : undefined;
  if (elsewhere !== undefined) return `${elsewhere.seen} (${elsewhere.code})`;
  const { resumeScn } = stored.value;
  if (currentScn.known && resumeScn > currentScn.value)
    return (
      `the stored resume SCN ${resumeScn} is above the current SCN ${currentScn.value}: ` +
      "it belongs to another database or incarnation"
    );
  return undefined;
}

function lastCommitOf({ second: { stored } }: LagFacts): Observed<Scn> {
  if (!stored.known) return stored;
  const scn = stored.value.lastCommit?.scn;
  return scn === undefined
    ? { known: false, why: "the stored offset has no commit yet", source: stored.source }
    : { ...stored, value: scn };
}

function distance(from: Observed<Scn>, to: Observed<Scn>): Observed<bigint> {
  if (!from.known) return from;
  if (!to.known) return to;
  // A commit may be newer than the reading of the current SCN.
  return { ...to, value: to.value > from.value ? to.value - from.value : 0n };
}
