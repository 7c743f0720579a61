import type { RunKey, UnreadableFolder } from "../../core/ports/state.ts";
import {
  recoverFromOps,
  type UnreadableJournal,
  unreadableRemedies,
  unreadableSentence,
} from "../../core/run/read-journal.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { type Paint, painter } from "./colour.ts";
import { clip, layoutWidth, remedyLines, wrap } from "./layout.ts";
import { code, EMPTY, inline, type Markdown, markdownOf, md, remedy } from "./markdown.ts";
import { type Rendered, textOf } from "./rendered.ts";

/** What of the local state can't be read: how these runs ended is not known. */
export interface UnreadableState {
  readonly runs: readonly UnreadableRun[];
  readonly folders: readonly UnreadableFolder[];
}

export interface UnreadableRun {
  readonly key: RunKey;
  readonly journal: UnreadableJournal;
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

export function unreadableText(
  { runs, folders }: UnreadableState,
  options: { readonly colour: boolean; readonly width?: number },
): Rendered {
  const paint = painter(options.colour);
  const width = layoutWidth(options.width);
  const lines = [
    ...runs.flatMap(({ key, journal }) => [
      `${escapeTerminal(clip(key.connector, 40))}  run ${escapeTerminal(clip(key.run, 60))}  ` +
        `${paint("caution", STANDING)}`,
      ...wrap(clip(unreadableSentence(journal), 2000), width - 2).map((line) => `  ${line}`),
      ...unreadableRemedies(journal, key.connector).flatMap((one) => remedyLines(clip(one, 2000), 2, width)),
    ]),
    ...folders.flatMap((folder) => folderLines(folder, width, paint)),
  ];
  return textOf(lines);
}

function folderLines({ path, why }: UnreadableFolder, width: number, paint: Paint): readonly string[] {
  return [
    ...wrap(clip(`${path} ${why}`, 2000), width).map((line) => paint("caution", line)),
    ...wrap(FOLDER_REMEDY, width - 2).map((line) => `  ${line}`),
  ];
}

const FOLDER_REMEDY =
  "Runs in this folder are not shown. Check its owner and mode; if it is not cdcctl's, move it out of the state " +
  "directory.";

export function unreadableMarkdown({ runs, folders }: UnreadableState): readonly Markdown[] {
  return [
    ...runs.map(({ key, journal }) =>
      markdownOf([
        md`⚠️ ${code(key.connector, 200)} run ${code(key.run, 60)} is ${inline(STANDING)}. ${inline(unreadableSentence(journal))}`,
        EMPTY,
        ...unreadableRemedies(journal, key.connector).map((one) => md`- ${remedy(one)}`),
      ]),
    ),
    ...folders.map(({ path, why }) => md`⚠️ ${inline(`${path} ${why}`)}. ${inline(FOLDER_REMEDY)}\n`),
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
