import type { Scn } from "../../values/scn.ts";
import type { ConnectorSettings } from "../connector/settings.ts";
import type { DatabaseSeen } from "../database/database.ts";
import { mapObserved, type Observed } from "../observed.ts";
import { examineRedo } from "./examination.ts";
import type { LogProbe, RedoCatalogue, RedoExamination, RedoQuestion } from "./redo.ts";

/**
 * The redo from an SCN to now as the task would find it. In `archive_only` a task that has come to the end of what is
 * archived waits for the next log switch: redo that is on line only is not archived yet, and not gone. So an SCN in
 * such redo is one to mine from, whoever asks: also as the first one after a gap, and as the earliest of all.
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
 * The lowest SCN to mine from where none is found up to the end of what is archived. That end is set by the thread that
 * is behind, also by one that was disabled since: past its disabling the others may have more.
 *
 * @param online the lowest SCN from which all is there with the online logs
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
  return found.reduce<Scn | undefined>(
    (lowest, scn) => (lowest === undefined || scn < lowest ? scn : lowest),
    undefined,
  );
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

/** The settings by which a connector mines. */
export type MiningSettings = Pick<ConnectorSettings, "captureMode" | "miningMode" | "archiveDestination">;

/** The redo from an SCN on, as it was seen: what is asked of the catalogue, and what came of opening its files. */
export interface RedoSeen {
  readonly catalogue: RedoCatalogue;
  /** `from`: where mining would begin. */
  readonly question: RedoQuestion;
  /** Undefined where the files were not tried. */
  readonly probes: readonly LogProbe[] | undefined;
}

/** What is asked of the redo catalogue: redo from an SCN to now, as a connector with these settings mines it. */
export function redoQuestion(
  from: Scn,
  { currentScn, resetlogsScn }: Pick<DatabaseSeen, "currentScn" | "resetlogsScn">,
  { captureMode, archiveDestination }: Omit<MiningSettings, "miningMode">,
): RedoQuestion {
  return { from, currentScn, resetlogsScn, captureMode, destination: archiveDestination };
}

/** The redo from an SCN to now, by the facts of a connector. */
export function redoSeenFrom(
  from: Scn,
  {
    database,
    redo,
    probes,
  }: {
    readonly database: Pick<DatabaseSeen, "currentScn" | "resetlogsScn">;
    readonly redo: Observed<RedoCatalogue>;
    /** Left out: the files were not tried. */
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

/** What is there of it, what is missing, and what mining it costs. */
export function examineSeen(seen: Observed<RedoSeen>): Observed<RedoExamination> {
  return mapObserved(seen, ({ catalogue, question, probes }) => redoFrom(catalogue, question, probes));
}

/** Where mining could begin at the earliest; undefined where that is where it should, or can't be told. */
export function availableFrom(examined: Observed<RedoExamination> | undefined): Scn | undefined {
  return examined?.known && !examined.value.complete ? examined.value.firstAvailable : undefined;
}
