import { isAbsolute, join, relative, resolve } from "node:path";
import type { Intent } from "../../../core/document/intent.ts";
import { isShown, UsageError } from "../../../core/errors.ts";
import { type Host, VERSION } from "../../host.ts";
import { formatOption } from "../../options/common.ts";
import { writeLine } from "../../screen.ts";
import { annotations, forgeOf, rootOf } from "../../views/forges/annotations.ts";
import type { Judged } from "../../views/forges/forms.ts";
import type { Rendered } from "../../views/rendered.ts";
import { readText, replaceFile } from "../files.ts";

interface JudgingFlags {
  readonly format: string;
  readonly annotations: string;
  readonly "out-dir"?: string | undefined;
}

/** What a command found, for its report and for a forge. */
interface Found {
  readonly judged: () => Promise<readonly Judged[]>;
  /** Writes the report, in a format that every report has. */
  readonly report: (format: string) => void;
  /** What a merge request of GitLab counts. */
  readonly counts?: () => Promise<Rendered>;
}

/** Shows what was found: in the format that is asked for, and as annotations where a forge shows them. */
export type Judging = (found: Found) => Promise<void>;

/**
 * Carries out a command that judges files. What it refuses is shown in the same forms: a pipeline always finds a
 * document.
 *
 * @throws UsageError when only one of `--format gitlab` and `--out-dir` is given
 */
export async function judging(
  command: string,
  flags: JudgingFlags,
  host: Host,
  act: (show: Judging) => Promise<number>,
): Promise<number> {
  const { format, "out-dir": folder } = flags;
  if ((format === "gitlab") !== (folder !== undefined))
    throw folder === undefined
      ? new UsageError("--format gitlab writes two files, and no folder is named", "Give --out-dir DIR.")
      : new UsageError("--out-dir is for --format gitlab", "Leave it out, or give --format gitlab.");
  let isWritten = false;
  const show: Judging = async (found) => {
    isWritten = true;
    await write(command, flags, host, found);
  };
  try {
    return await act(show);
  } catch (error) {
    if (isShown(error) && !isWritten) {
      const { judgedError } = await import("../../views/forges/forms.ts");
      await show({ judged: async () => judgedError(error, command), report: () => {} });
    }
    throw error;
  }
}

async function write(command: string, flags: JudgingFlags, host: Host, found: Found): Promise<void> {
  const { format, "out-dir": folder } = flags;
  const forge = flags.annotations === "off" ? undefined : forgeOf(host.env);
  const isReport = (formatOption.format.choices as readonly string[]).includes(format);
  if (isReport) found.report(format);
  if (isReport && forge === undefined) return;
  const judged = (await found.judged()).map((one) => inRepository(one, host.env));
  if (!isReport) {
    const { FORGE_FORMS, codeQuality } = await import("../../views/forges/forms.ts");
    const judgement = { command, version: VERSION, judged };
    const form = FORGE_FORMS[format];
    if (form !== undefined) host.stdout.write(form(judgement));
    else found.report("markdown");
    if (folder !== undefined) await writeInto(folder, "gl-code-quality-report.json", codeQuality(judgement), host);
    const counts = await found.counts?.();
    if (folder !== undefined && counts !== undefined) await writeInto(folder, "terraform-report.json", counts, host);
  }
  if (forge !== undefined) host.annotate?.(annotations(judged, forge));
}

async function writeInto(folder: string, name: string, text: Rendered, host: Host): Promise<void> {
  const path = join(folder, name);
  await replaceFile(path, text);
  writeLine(host.stderr, `wrote ${path}`);
}

/** A forge knows its files by their paths from the root of the repository. */
function inRepository(one: Judged, env: Host["env"]): Judged {
  const { file } = one.place ?? {};
  const root = rootOf(env);
  if (file === undefined || file === "-" || root === undefined) return one;
  const path = relative(root, resolve(file));
  return isAbsolute(path) || path.startsWith("..") ? one : { ...one, place: { ...one.place, file: path } };
}

const MAX_BYTES = 1024 * 1024;

/** The text of a file in which keys have their places; undefined if it can't be read again, as standard input can't. */
export async function textOf(file: string | undefined): Promise<string | undefined> {
  return file === undefined || file === "-" ? undefined : readText(file, MAX_BYTES, "outside").catch(() => undefined);
}

/** The texts of plan files. */
export async function textsOf(intents: readonly Pick<Intent, "origin">[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const file of new Set(intents.map(({ origin }) => origin.file))) {
    const text = await textOf(file);
    if (file !== undefined && text !== undefined) texts.set(file, text);
  }
  return texts;
}
