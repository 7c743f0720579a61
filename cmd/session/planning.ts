import type { Intent } from "../../core/document/intent.ts";
import type { Facts } from "../../core/facts/facts.ts";
import { factsFile, factsFor, printFactsFile } from "../../core/facts/facts-file.ts";
import { observe, planFor } from "../../core/kinds/catalogue.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { type Host, VERSION } from "../host.ts";
import { readText } from "./files.ts";
import { heartbeat } from "./heartbeat.ts";
import { openWorld, type WorldFlags } from "./open-world.ts";
import { readIntents } from "./plan-files.ts";
import { replaceFile } from "./write-file.ts";

const MAX_FACTS_BYTES = 512 * 1024 * 1024;

export type PlanningFlags = WorldFlags & { readonly files: readonly string[]; readonly facts?: string | undefined };

/** Plans every document of the files, in order; with recorded facts nothing is asked of the world. */
export async function planFiles(
  flags: PlanningFlags,
  host: Host,
  options: { readonly again: boolean },
): Promise<readonly Plan[]> {
  const intents = await readIntents(flags.files, host);
  const facts =
    flags.facts === undefined
      ? await observeAll(intents, flags, host)
      : factsFor(intents, await readText(flags.facts, MAX_FACTS_BYTES), flags.facts);
  return intents.map((intent, index) => {
    const seen = facts[index];
    if (seen === undefined) throw new Error("an intent without its facts");
    return planFor(intent, seen, options);
  });
}

export async function observeFiles(flags: PlanningFlags, out: string, host: Host): Promise<void> {
  const intents = await readIntents(flags.files, host);
  const facts = await observeAll(intents, flags, host);
  const observations = intents.flatMap((intent, index) => {
    const seen = facts[index];
    return seen === undefined ? [] : [{ intent, facts: seen }];
  });
  await replaceFile(out, printFactsFile(factsFile(observations, VERSION)));
  host.stderr.write(`wrote ${out}\nnext:  cdcctl plan --facts ${out} ${flags.files.join(" ")}\n`);
}

async function observeAll(intents: readonly Intent[], flags: WorldFlags, host: Host): Promise<readonly Facts[]> {
  const facts: Facts[] = [];
  for (const intent of intents) {
    const world = await openWorld(intent.target, flags, host);
    const beat = heartbeat(host);
    beat.note(escapeTerminal(`looking at ${intent.target.connector}`));
    try {
      facts.push((await observe(intent, world, world.sources)).facts);
    } finally {
      beat.end();
      await world.close();
    }
  }
  return facts;
}
