import type { RunKey, UnreadableFolder } from "../../core/ports/state.ts";
import {
  recoverFromOps,
  type UnreadableJournal,
  unreadableRemedies,
  unreadableSentence,
} from "../../core/run/read-journal.ts";
import { clip } from "./layout.ts";
import { notice, RANK, type Report, type Section, section } from "./report/model.ts";

/** What of the local state can't be read: how these runs ended is not known. */
export interface UnreadableState {
  readonly runs: readonly UnreadableRun[];
  readonly folders: readonly UnreadableFolder[];
}

export interface UnreadableRun {
  readonly key: RunKey;
  readonly journal: UnreadableJournal;
}

/** By itself, while a command does something else. */
export function unreadableReport(state: UnreadableState): Report {
  return { heading: { title: "", outcome: undefined }, lead: [], sections: unreadableSections(state), next: [] };
}

/** One of them in JSON. */
export interface UnreadableDocument {
  readonly path: string;
  /** 1-based. */
  readonly line?: number;
  /** One sentence. */
  readonly message: string;
  /** Left out of a folder. */
  readonly run?: string;
  readonly clusterId?: string;
  readonly connector?: string;
  /** Commands to run next. */
  readonly next: readonly string[];
}

const STANDING = "in doubt: its journal can't be read";

const FOLDER_REMEDY =
  "Runs in this folder are not shown. Check its owner and mode; if it is not cdcctl's, move it out of the state " +
  "directory.";

/** Each with its file, its line and the way out. */
export function unreadableSections({ runs, folders }: UnreadableState): readonly Section[] {
  return [
    ...runs.flatMap(({ key, journal }) =>
      section(
        RANK.outcome,
        [
          notice(clip(unreadableSentence(journal), 2000)),
          { is: "remedies", items: unreadableRemedies(journal, key.connector) },
        ],
        {
          title: `${clip(key.connector, 40)}  run ${clip(key.run, 60)}`,
          outcome: { word: STANDING, mark: "caution", shown: true },
        },
      ),
    ),
    ...folders.flatMap(({ path, why }) =>
      section(RANK.outcome, [notice(FOLDER_REMEDY)], { title: clip(`${path} ${why}`, 2000), tone: "caution" }),
    ),
  ];
}

export function unreadableDocuments({ runs, folders }: UnreadableState): readonly UnreadableDocument[] {
  return [
    ...runs.map(({ key, journal }) => ({
      ...key,
      path: journal.path,
      ...(journal.line === undefined ? {} : { line: journal.line }),
      message: unreadableSentence(journal),
      next: [recoverFromOps(journal, key.connector)],
    })),
    ...folders.map(({ path, why }) => ({ path, message: `${path} ${why}`, next: [] })),
  ];
}
