import schema from "../../schemas/run-journal.schema.json" with { type: "json" };
import { fitsJson, type Schema } from "../document/schema.ts";
import { CallFailed } from "../errors.ts";
import { fromVersion1 } from "../plan/version-1.ts";
import { digestOf } from "../values/digest.ts";
import { isObject, type JsonObject, jsonObjectIn, printJson } from "../values/json.ts";
import type { Advice } from "../values/remedy.ts";
import { fromOpsCommand } from "../values/shell-word.ts";
import type { JournalEntry } from "./journal.ts";

/** A journal that was read to its end, or why it could not be. */
export type JournalRead = SoundJournal | { readonly unreadable: Unreadable };

export interface SoundJournal {
  readonly entries: readonly JournalEntry[];
  /** How many characters of the text are whole lines. The rest was torn by a crash, before anything was done for it. */
  readonly whole: number;
}

/** Why a journal does not show how its run ended: the run is in doubt. */
export interface Unreadable {
  /** `3 is damaged: …`: to be appended to the journal's path, with its line if known. */
  readonly line: number | undefined;
  readonly why: string;
  /**
   * The version that began the run, where an entry is sound but this version can't read it. Empty where that is not
   * known, or is not a version.
   */
  readonly writtenBy?: string;
  /** What stands before that line. */
  readonly known: readonly JournalEntry[];
}

/** An unreadable journal and its file. */
export interface UnreadableJournal extends Unreadable {
  readonly path: string;
}

/** One line of a journal: the entry, and a checksum over it. */
export function journalLine(entry: JournalEntry): string {
  return `${printJson({ checksum: digestOf(entry), entry }, 0)}\n`;
}

/**
 * Reads a journal's text: one sound entry a line, numbered from 0 without a gap, the first of them `run-started`. A
 * last line without its line feed was torn by a crash and is left out. A complete line that does not match its checksum
 * is damage, also at the end. A journal is created with its first entry: without one it is damaged.
 *
 * @param place the run whose journal it is by its folder and name: one that was put there from elsewhere is not read
 */
export function readJournal(text: string, place?: Place): JournalRead {
  const entries: JournalEntry[] = [];
  const lines = text.split("\n").slice(0, -1);
  const unreadable = (why: string, writtenBy?: string): JournalRead => ({
    unreadable: {
      line: entries.length + 1,
      why,
      ...(writtenBy === undefined ? {} : { writtenBy }),
      known: entries,
    },
  });
  let whole = 0;
  for (const [index, line] of lines.entries()) {
    const checked = checkedValue(line);
    if (checked === undefined) return unreadable("is damaged: its checksum does not match");
    const value = named(checked);
    const { seq, type } = value;
    if (seq !== BigInt(index))
      return unreadable(`is damaged: found entry ${String(seq)} where entry ${index} is expected`);
    const first = entries[0];
    if (!fitsJson(value, schema as Schema) || (index === 0) !== (type === "run-started")) {
      const cdcctl = first?.type === "run-started" ? first.cdcctl : index === 0 ? value["cdcctl"] : undefined;
      const writtenBy = typeof cdcctl === "string" && /^[\w.+-]{1,60}$/.test(cdcctl) ? cdcctl : "";
      return unreadable(
        `contains an entry of type ${printJson(type ?? null, 0)} that this version of cdcctl can't read; the run ` +
          `was started by cdcctl ${writtenBy || "of an unknown version"}`,
        writtenBy,
      );
    }
    // The schema accepts it, and describes the type.
    const plan = value["plan"];
    entries.push((plan === undefined ? value : { ...value, plan: fromVersion1(plan) }) as unknown as JournalEntry);
    whole += line.length + 1;
  }
  const [first] = entries;
  if (first?.type !== "run-started") return unreadable("is damaged: it has no complete entry");
  const { clusterId, connector } = first.subject;
  const isInPlace = place === undefined || samePlace(place, { clusterId, connector, run: first.run });
  if (isInPlace) return { entries, whole };
  const why = `is not of this place: it is the journal of run ${first.run} of ${connector}, cluster ${clusterId}`;
  return { unreadable: { line: 1, why, known: [] } };
}

/** A run, and where its journal belongs. */
interface Place {
  readonly clusterId: string;
  readonly connector: string;
  readonly run: string;
}

function samePlace(one: Place, other: Place): boolean {
  return one.run === other.run && one.connector === other.connector && one.clusterId === other.clusterId;
}

function checkedValue(line: string): JsonObject | undefined {
  const { checksum, entry } = jsonObjectIn(line) ?? {};
  return isObject(entry) && checksum === digestOf(entry) ? entry : undefined;
}

/** Earlier versions wrote `body-fixed` where this one writes `body-pinned`, and likewise the others. */
function named(entry: JsonObject): JsonObject {
  const [, pins] = /^(.+)-fixed$/.exec(String(entry["type"])) ?? [];
  return pins === undefined ? entry : { ...entry, type: `${pins}-pinned` };
}

/** The problem and the file, in one sentence. */
export function unreadableSentence({ path, line, why }: UnreadableJournal): string {
  return `${path}${line === undefined ? "" : `:${line}`} ${why}`;
}

/** What an operator does about it, the best way first. @param connector whose run it is */
export function unreadableRemedies(journal: UnreadableJournal, connector: string): readonly Advice[] {
  const { writtenBy } = journal;
  return [
    ...(writtenBy === undefined
      ? ["Restore the file from a backup."]
      : [writtenBy === "" ? "Use a later version of cdcctl." : `Use cdcctl ${writtenBy}, or a later version.`]),
    { text: "To set it aside and settle the change from the ops topic", command: recoverFromOps(journal, connector) },
  ];
}

/** The command that settles a run without its journal. */
export function recoverFromOps({ known: [first] }: Pick<Unreadable, "known">, connector: string): string {
  const subject = first?.type === "run-started" ? first.subject : undefined;
  return fromOpsCommand({ connector, context: subject?.context, connectUrl: subject?.connectUrl });
}

/** The failure of a command that needs this journal. */
export function unreadableFailure(journal: UnreadableJournal, connector: string): CallFailed {
  return new CallFailed("state", "protocol", {
    message: unreadableSentence(journal),
    remedy: unreadableRemedies(journal, connector),
  });
}
