import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isObject, type JsonObject, parseJson } from "../../../../core/values/json.ts";
import type { Running } from "../machine.ts";
import type { JournaledRun } from "./migration-rules.ts";
import type { Operator, Story } from "./story.ts";

/** A few more entries than the journal of an undisturbed offset change with a resume. */
export const ENTRIES = 20;

/** What the journal holds once it has this number of entries. */
export const entryOf = (number: number): string => `"seq":${number - 1},`;

/** The paths of a connector's journals on a machine, the oldest first. */
export async function journalsOf(operator: Operator, connector: string): Promise<readonly string[]> {
  return (await allJournals(operator)).filter((path) => path.includes(`/${connector}/`));
}

/** Waits until some journal of a machine holds this, or the command has ended. */
export async function untilJournaled(operator: Operator, words: string, running: Running): Promise<void> {
  let over = false;
  void running.ended.then(() => {
    over = true;
  });
  while (!over && (await journaledAt(operator, words)) === undefined) await pause(2);
}

/** When the first entry with these words was written; undefined if there is none. */
export async function journaledAt(operator: Operator, words: string): Promise<number | undefined> {
  const texts = await Promise.all((await allJournals(operator)).map((path) => readFile(path, "utf8")));
  const line = texts.flatMap((text) => text.split("\n")).find((entry) => entry.includes(words));
  return line === undefined ? undefined : timeOf(line);
}

const timeOf = (line: string): number => Date.parse(/"at":"([^"]+)"/.exec(line)?.[1] ?? "") || 0;

/** The runs of a machine's whole journals. */
export async function journaledRuns(operator: Operator): Promise<readonly JournaledRun[]> {
  const runs: JournaledRun[] = [];
  for (const path of await allJournals(operator)) {
    const entries = (await readFile(path, "utf8"))
      .split("\n")
      .slice(0, -1)
      .flatMap((line) => {
        const entry = (parseJson(line) as JsonObject)["entry"];
        return isObject(entry) ? [entry] : [];
      });
    const ended = entries.findLast(({ type }) => type === "run-ended");
    const [started] = entries;
    if (started !== undefined)
      runs.push({
        by: operator.name,
        run: String(started["run"]),
        begun: Date.parse(String(started["at"])),
        outcome: ended === undefined ? undefined : String(ended["outcome"]),
      });
  }
  return runs;
}

async function allJournals({ machine }: Operator): Promise<readonly string[]> {
  const state = join(machine.home, ".local", "state", "cdcctl");
  const files = await readdir(state, { recursive: true }).catch(() => []);
  return files
    .filter((name) => name.endsWith(".journal.jsonl"))
    .sort()
    .map((name) => join(state, name));
}

/** Adds to a story what its journals say was sent; a line that was damaged or torn may say so too. */
export async function readJournals({ operators, acts }: Story): Promise<void> {
  for (const operator of operators)
    for (const path of await allJournals(operator))
      for (const line of (await readFile(path, "utf8")).split("\n")) {
        const [, type] = /"type":"(patch-sent|call-sent|call-withheld)"/.exec(line) ?? [];
        if (type === undefined || line.includes('"elsewhere":true')) continue;
        const call = /"call":"([^"]+)"/.exec(line)?.[1] ?? "PATCH";
        acts.push({
          act: "journal",
          at: timeOf(line),
          by: operator.name,
          call,
          sends: type === "call-withheld" ? -1 : 1,
        });
      }
}
