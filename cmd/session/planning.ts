import type { Intent } from "../../core/document/intent.ts";
import type { Facts } from "../../core/facts/facts.ts";
import { factsFile, factsFor, printFactsFile } from "../../core/facts/facts-file.ts";
import { observe, planFor } from "../../core/kinds/catalogue.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { shellFile } from "../../core/values/shell-word.ts";
import { EXIT } from "../command.ts";
import { type Host, VERSION } from "../host.ts";
import { sayLine } from "../screen.ts";
import { readText } from "./files.ts";
import { heartbeat } from "./heartbeat.ts";
import { openWorld, type Patience, type WorldFlags } from "./open-world.ts";
import { readIntents } from "./plan-files.ts";
import { isShown, ofDocument, reportUnplanned, type Unplanned } from "./unplanned.ts";
import { DOCUMENTS, refuseOther, writeDocument } from "./write-file.ts";

const MAX_FACTS_BYTES = 512 * 1024 * 1024;

export type PlanningFlags = WorldFlags & { readonly files: readonly string[]; readonly facts?: string | undefined };

/** What became of the documents. A single one is either planned, or what is wrong with it is thrown. */
export interface Planned {
  readonly plans: readonly Plan[];
  readonly unplanned: readonly Unplanned[];
}

/** Plans every document of the files, in order; with recorded facts nothing is asked of the world. */
export async function planFiles(
  flags: PlanningFlags,
  host: Host,
  options: { readonly again: boolean },
): Promise<Planned> {
  return planIntents(await readIntents(flags.files, host), flags, host, options);
}

/** The same of documents that are read already: standard input can be read but once. */
export async function planIntents(
  intents: readonly Intent[],
  flags: PlanningFlags,
  host: Host,
  options: { readonly again: boolean; readonly patience?: Patience },
): Promise<Planned> {
  const { observed, unplanned } =
    flags.facts === undefined
      ? await observeAll(intents, flags, host, options.patience)
      : { observed: recorded(intents, await readText(flags.facts, MAX_FACTS_BYTES), flags.facts), unplanned: [] };
  return { plans: observed.map(({ intent, facts }) => planFor(intent, facts, options)), unplanned };
}

function recorded(intents: readonly Intent[], text: string, file: string): readonly Observed[] {
  const facts = factsFor(intents, text, file);
  return intents.map((intent, index) => {
    const seen = facts[index];
    if (seen === undefined) throw new Error("an intent without its facts");
    return { intent, facts: seen };
  });
}

/** Records what was observed, of all documents or of none. @returns the exit code */
export async function observeFiles(flags: PlanningFlags, out: string, host: Host): Promise<number> {
  await refuseOther(out, DOCUMENTS.facts);
  const intents = await readIntents(flags.files, host);
  const { observed, unplanned } = await observeAll(intents, flags, host);
  if (unplanned.length > 0) {
    const exit = reportUnplanned(unplanned, host);
    sayLine(
      host.stderr,
      `not written: ${out}; ${unplanned.length} of ${intents.length} documents could not be observed`,
    );
    return exit;
  }
  await writeDocument(out, printFactsFile(factsFile(observed, VERSION)), DOCUMENTS.facts);
  sayLine(host.stderr, `wrote ${out}`);
  sayLine(host.stderr, `next:  cdcctl plan --facts ${shellFile(out)} ${flags.files.map(shellFile).join(" ")}`);
  return EXIT.done;
}

interface Observed {
  readonly intent: Intent;
  readonly facts: Facts;
}

/** One document that can't be observed hides none of the others. */
async function observeAll(
  intents: readonly Intent[],
  flags: WorldFlags,
  host: Host,
  patience?: Patience,
): Promise<{ readonly observed: readonly Observed[]; readonly unplanned: readonly Unplanned[] }> {
  const observed: Observed[] = [];
  const unplanned: Unplanned[] = [];
  for (const intent of intents) {
    try {
      observed.push({ intent, facts: await observeOne(intent, flags, host, patience) });
    } catch (error) {
      if (intents.length === 1 || !isShown(error)) throw error;
      unplanned.push({ intent, error: ofDocument(error, intent) });
    }
  }
  return { observed, unplanned };
}

async function observeOne(intent: Intent, flags: WorldFlags, host: Host, patience?: Patience): Promise<Facts> {
  const world = await openWorld(intent.target, flags, host, patience);
  const beat = heartbeat(host);
  beat.note(escapeTerminal(`looking at ${intent.target.connector}`));
  try {
    return (await observe(intent, world, world.sources)).facts;
  } finally {
    beat.end();
    await world.close();
  }
}
