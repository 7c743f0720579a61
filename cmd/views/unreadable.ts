import type { UnreadableState } from "../../core/change/stored-runs.ts";
import { recoverFromOps, unreadableRemedies, unreadableSentence } from "../../core/run/read-journal.ts";
import { trunc } from "./layout.ts";
import { notice, RANK, type Report, type Section, section, whatToDo } from "./report/model.ts";

/** The report of unreadable runs during another command. */
export function unreadableReport(state: UnreadableState): Report {
  return { sections: unreadableSections(state) };
}

const FOLDER_REMEDY =
  "Runs in this folder are not shown. Check its owner and mode; if it is not cdcctl's, move it out of the state " +
  "directory.";

/** Each with its file, line and remedy. */
export function unreadableSections({ runs, folders }: UnreadableState): readonly Section[] {
  return [
    ...runs.flatMap(({ key, journal }) =>
      section(
        RANK.outcome,
        [notice(trunc(unreadableSentence(journal), 2000)), ...whatToDo(unreadableRemedies(journal, key.connector))],
        {
          title: `${trunc(key.connector, 40)}  run ${trunc(key.run, 60)}`,
          outcome: { word: "in doubt: its journal cannot be read", mark: "caution", shown: true },
        },
      ),
    ),
    ...folders.flatMap(({ path, why }) =>
      section(RANK.outcome, [notice(FOLDER_REMEDY)], { title: trunc(`${path} ${why}`, 2000), tone: "caution" }),
    ),
  ];
}

/** The same as JSON (`schemas/run.schema.json`); a folder has no run. */
export function unreadableDocuments({ runs, folders }: UnreadableState) {
  return [
    ...runs.map(({ key, journal }) => ({
      ...key,
      path: journal.path,
      line: journal.line,
      message: unreadableSentence(journal),
      next: [recoverFromOps(journal, key.connector)],
    })),
    ...folders.map(({ path, why }) => ({ path, message: `${path} ${why}`, next: [] })),
  ];
}
