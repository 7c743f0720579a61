import type { ConnectorSeen, LogProbe, OpenTransaction, RedoCatalogue } from "../../../schemas/generated/facts.ts";
import { lowest } from "../../values/lists.ts";
import type { Scn } from "../../values/scn.ts";
import type { DatabaseSeen } from "../database/database.ts";
import { mapObserved, type Observed } from "../observed.ts";
import { examineRedo, type RedoExamination, type RedoQuestion } from "./redo.ts";

/**
 * The redo from an SCN to now as the task would find it. In `archive_only` a task at the end of the archived redo waits
 * for the next log switch: redo that is only online is not archived yet, but not missing. So an SCN in such redo is a
 * valid start, also as the first one after a gap, and as the earliest of all.
 */
export function redoFrom(
  catalogue: RedoCatalogue,
  question: RedoQuestion,
  probes: readonly LogProbe[] | undefined,
): RedoExamination {
  const examined = examineRedo(catalogue, question, probes);
  if (question.captureMode === "online") return examined;
  const online = examineRedo(catalogue, { ...question, captureMode: "online" }, probes);
  if (!examined.complete && online.complete && onlyUnarchived(examined))
    return { ...examined, complete: true, faults: [], firstAvailable: question.from };
  return {
    ...examined,
    firstAvailable: examined.firstAvailable ?? pastArchived(catalogue, question, probes, online.firstAvailable),
    earliest: examined.earliest ?? pastArchived(catalogue, { ...question, from: 0n }, probes, online.earliest),
  };
}

/**
 * The lowest SCN to mine from if there is none up to the end of the archived redo. The slowest thread sets that end,
 * even one that was disabled since: past its disabling the others may have more.
 *
 * @param online the lowest SCN from which the redo is complete with the online logs
 */
function pastArchived(
  catalogue: RedoCatalogue,
  question: RedoQuestion,
  probes: readonly LogProbe[] | undefined,
  online: Scn | undefined,
): Scn | undefined {
  const starts = [...catalogue.threads.map(({ disableScn }) => disableScn), online].filter(
    (scn) => scn !== undefined && scn >= question.from && scn <= question.currentScn,
  ) as readonly Scn[];
  const found = starts.flatMap((from): readonly Scn[] => {
    const { firstAvailable } = examineRedo(catalogue, { ...question, from }, probes);
    if (firstAvailable !== undefined) return [firstAvailable];
    return waits(catalogue, { ...question, from }, probes) ? [from] : [];
  });
  return lowest(found);
}

/** Whether a task in `archive_only` would wait at an SCN for the next log switch, with nothing missing. */
function waits(catalogue: RedoCatalogue, question: RedoQuestion, probes: readonly LogProbe[] | undefined): boolean {
  return (
    onlyUnarchived(examineRedo(catalogue, question, probes)) &&
    examineRedo(catalogue, { ...question, captureMode: "online" }, probes).complete
  );
}

/** No archived log reaches the SCN, and nothing else is at fault. */
function onlyUnarchived({ faults }: RedoExamination): boolean {
  return faults.every(({ reason, thread }) => reason === "no log at all" && thread !== undefined);
}

export type MiningSettings = Pick<ConnectorSeen, "captureMode" | "miningMode" | "archiveDestination">;

/** The redo from an SCN on, as observed: the query of the catalogue, and the results of opening its files. */
export interface RedoSeen {
  readonly catalogue: RedoCatalogue;
  /** `from`: where mining would begin. */
  readonly question: RedoQuestion;
  /** Undefined if the files were not tried. */
  readonly probes: readonly LogProbe[] | undefined;
}

/** The query of the redo catalogue: redo from an SCN to now, as a connector with these settings mines it. */
export function redoQuestion(
  from: Scn,
  { currentScn, resetlogsScn }: Pick<DatabaseSeen, "currentScn" | "resetlogsScn">,
  { captureMode, archiveDestination }: Omit<MiningSettings, "miningMode">,
): RedoQuestion {
  return { from, currentScn, resetlogsScn, captureMode, destination: archiveDestination };
}

/** The redo from an SCN to now, from the facts of a connector. */
export function redoSeenFrom(
  from: Scn,
  {
    database,
    redo,
    probes,
  }: {
    readonly database: Pick<DatabaseSeen, "currentScn" | "resetlogsScn">;
    readonly redo: Observed<RedoCatalogue>;
    /** Omitted: the files were not tried. */
    readonly probes?: Observed<{ readonly applies: boolean; readonly files: readonly LogProbe[] }>;
  },
  mining: Omit<MiningSettings, "miningMode">,
): Observed<RedoSeen> {
  return mapObserved(redo, (catalogue) => ({
    catalogue,
    question: redoQuestion(from, database, mining),
    probes: probes?.known && probes.value.applies ? probes.value.files : undefined,
  }));
}

/** Examines what exists of it, what is missing, and what mining it costs. */
export function examineSeen(seen: Observed<RedoSeen>): Observed<RedoExamination> {
  return mapObserved(seen, ({ catalogue, question, probes }) => redoFrom(catalogue, question, probes));
}

/** The earliest SCN where mining could begin; undefined if that is where it should, or unknown. */
export function availableFrom(examined: Observed<RedoExamination> | undefined): Scn | undefined {
  return examined?.known && !examined.value.complete ? examined.value.firstAvailable : undefined;
}

/**
 * Where a task without a stored offset begins to mine: at its start SCN, or below it, at the start of the oldest open
 * transaction.
 *
 * Rule: reference: connector rules, "The first-start cut".
 */
export function firstMined(start: Scn, open: readonly Pick<OpenTransaction, "startScn">[]): Scn {
  return open.reduce((lowest, { startScn }) => (startScn < lowest ? startScn : lowest), start);
}
