import { readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Test } from "uvu";
import * as assert from "uvu/assert";
import { inLanes } from "../behaviour/in-lanes.ts";
import { play } from "./play.ts";
import { parseTranscript, printTranscript, type Transcript } from "./transcript.ts";

const FOLDER = fileURLToPath(new URL("../testdata/", import.meta.url));
const END = ".transcript.txt";

export interface Script extends Transcript {
  /** Its name in `cmd/testdata`. */
  readonly file: string;
  readonly text: string;
}

async function scripts(): Promise<readonly Script[]> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith(END)).sort();
  const texts = await Promise.all(files.map((file) => readFile(`${FOLDER}${file}`, "utf8")));
  return files.map((file, at) => {
    const text = texts[at] ?? "";
    return { file, text, ...parseTranscript(text, file) };
  });
}

/** Every golden transcript of `cmd/testdata`. */
export const SCRIPTS: readonly Script[] = await scripts();

/** Most of the time of a transcript is waiting: several play at once. */
const WIDTH = 3;

/**
 * Plays transcripts again on the built commands. `UPDATE=1` writes what they give now; `ONLY=text` plays those with
 * that text in their names.
 *
 * @param transcripts the suite that they become tests of
 * @param node finds the program that runs them; default: `CDCCTL_NODE`, or this one
 */
export function playGoldens(
  transcripts: Test,
  isOne: (file: string) => boolean,
  node: () => Promise<string> = async () => process.env["CDCCTL_NODE"] ?? process.execPath,
): void {
  const update = process.env["UPDATE"] === "1";
  const only = process.env["ONLY"] ?? "";
  const chosen = SCRIPTS.filter(({ file }) => isOne(file) && file.includes(only));
  const transcript = inLanes(transcripts, WIDTH);
  for (const script of chosen)
    transcript(`${script.file.replace(END, "")}: ${script.about}`, async () => {
      const seen = printTranscript(script, await play(script, await versionHere(), await node()));
      if (update) await writeFile(`${FOLDER}${script.file}`, seen);
      else assert.is(firstDifference(seen, script.text), undefined);
    });
}

async function versionHere(): Promise<string> {
  const manifest = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

/** The first line that is another one, under the command that it belongs to. */
function firstDifference(seen: string, golden: string): string | undefined {
  const [now, before] = [seen.split("\n"), golden.split("\n")];
  const line = now.findIndex((one, index) => one !== before[index]);
  if (line < 0) return now.length === before.length ? undefined : `it ends before line ${now.length + 1} of the golden`;
  const command = now.slice(0, line + 1).findLast((one) => one.startsWith("$ "));
  return `line ${line + 1}, ${command}\n  golden: ${before[line]}\n  now:    ${now[line]}`;
}
