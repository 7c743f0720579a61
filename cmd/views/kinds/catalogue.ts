import type { ChangeKind, MigrationPhase } from "../../../core/document/intent.ts";
import type { RunFile, RunSubject, SubjectOf } from "../../../core/run/subject.ts";
import { shellFile, workersFlag } from "../../../core/values/shell-word.ts";
import { offsetChange, resnapshot } from "./connector.ts";
import type { KindView } from "./kind.ts";
import { cutover, cutoverRollback, retirement, verification } from "./migration.ts";

/** Views of the runs of each kind of change, keyed as the table of kinds (`core/kinds/catalogue.ts`). */
const VIEWS: { readonly [K in ChangeKind]: KindView<SubjectOf<K>> } = {
  OffsetChange: offsetChange,
  Resnapshot: resnapshot,
  cutover,
  verify: verification,
  rollback: cutoverRollback,
  retire: retirement,
};

export function viewOf(kind: ChangeKind): KindView<RunSubject> {
  return VIEWS[kind] as KindView<RunSubject>;
}

/**
 * The commands after a successful run, if its kind has any besides the rollback.
 *
 * @param file of the plan; undefined for standard input, which cannot be planned again by name
 */
export function nextAfter(kind: ChangeKind, run: string, file: RunFile): readonly string[] | undefined {
  const then = (phase: MigrationPhase, what: string) =>
    fileWords(file).map((words) => `cdcctl plan ${words} --phase ${phase}     # ${what}`);
  return viewOf(kind).next?.(run, then);
}

/** A plan file as words of a command line, with the workers if it names none; undefined without a name. */
export function fileWords({ file, on }: RunFile): readonly string[] {
  if (file === undefined || file === "-") return [];
  return [on === undefined ? shellFile(file) : `${shellFile(file)} ${workersFlag(on)}`];
}
