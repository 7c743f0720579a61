import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Running } from "../machine.ts";
import type { Operator, Story } from "./story.ts";

/** A few more entries than the journal of an undisturbed offset change with a resume. */
export const ENTRIES = 20;

/** Waits until a connector's first journal has this number of entries, or the command has ended. */
export async function untilEntries(
  operator: Operator,
  connector: string,
  entries: number,
  running: Running,
): Promise<void> {
  let over = false;
  void running.ended.then(() => {
    over = true;
  });
  while (!over) {
    const [path] = await journalsOf(operator, connector);
    const text = path === undefined ? "" : await readFile(path, "utf8");
    if (text.split("\n").length - 1 >= entries) return;
    await pause(path === undefined ? 20 : 2);
  }
}

/** The paths of a connector's journals on a machine, the oldest first. */
export async function journalsOf(operator: Operator, connector: string): Promise<readonly string[]> {
  return (await allJournals(operator)).filter((path) => path.includes(`/${connector}/`));
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
        const at = Date.parse(/"at":"([^"]+)"/.exec(line)?.[1] ?? "") || 0;
        const call = /"call":"([^"]+)"/.exec(line)?.[1] ?? "PATCH";
        acts.push({ act: "journal", at, by: operator.name, call, sends: type === "call-withheld" ? -1 : 1 });
      }
}
