import schema from "../../schemas/facts.schema.json" with { type: "json" };
import type { Facts as Written } from "../../schemas/generated/facts.ts";
import { digestOfIntent, type Intent } from "../document/intent.ts";
import { problemsOfJson, type Schema } from "../document/schema.ts";
import { Refusal, UsageError } from "../errors.ts";
import { digestOf } from "../values/digest.ts";
import { canonicalJson, isObject, jsonIn, printJson } from "../values/json.ts";
import type { Facts } from "./facts.ts";

/** The file that `observe --out` writes: facts recorded where they can be observed, for planning elsewhere. */
export type FactsFile = Written;

const FORMAT = 2n;
const RECORD_AGAIN = { text: "Record the facts again", command: "cdcctl observe FILE --out FACTS" };

/** @param cdcctl version of the cdcctl that observed */
export function factsFile(
  observations: readonly { readonly intent: Intent; readonly facts: Facts }[],
  cdcctl: string,
): FactsFile {
  const body = {
    apiVersion: "cdcctl/v1",
    kind: "Facts",
    formatVersion: FORMAT,
    cdcctl,
    observations: observations.map(({ intent, facts }) => ({ of: digestOfIntent(intent), facts })),
  } as const;
  return { ...body, digest: digestOf(body) };
}

/** Prints the JSON that `factsFor` reads back, byte by byte. */
export function printFactsFile(file: FactsFile): string {
  return `${printJson(file)}\n`;
}

/**
 * Returns the facts recorded for these intents, in their order.
 *
 * @throws UsageError for a file that can't be read or holds anything but facts, with each wrong member; Refusal
 * `APL802` for an edited file, `APL809` for facts of other documents
 */
export function factsFor(intents: readonly Intent[], text: string, file: string): readonly Facts[] {
  const parsed = jsonIn(text);
  if (parsed === undefined)
    throw new UsageError({ file, message: "the file is truncated or not valid JSON", remedy: RECORD_AGAIN });
  if (!isObject(parsed) || parsed["kind"] !== "Facts" || !Array.isArray(parsed["observations"])) {
    throw new UsageError({
      file,
      message: "not a facts file",
      remedy: "Pass a file written by `cdcctl observe --out`.",
    });
  }
  if (parsed["formatVersion"] !== FORMAT) {
    throw new UsageError({
      file,
      message:
        `its format is version ${canonicalJson(parsed["formatVersion"] ?? null)}, ` + `but this cdcctl reads ${FORMAT}`,
      remedy: {
        text: "Use the cdcctl that wrote it, or record the facts again",
        command: "cdcctl observe FILE --out FACTS",
      },
    });
  }
  const { digest, ...body } = parsed;
  if (digest !== digestOf(body) || `${printJson(parsed)}\n` !== text.replaceAll("\r\n", "\n")) {
    throw new Refusal("APL802", `${file} was changed after it was recorded: its digest does not match`, [RECORD_AGAIN]);
  }
  const problems = problemsOfJson(parsed, schema as Schema, file);
  if (problems.length > 0) throw new UsageError(problems.map((problem) => ({ ...problem, remedy: RECORD_AGAIN })));
  const observations = parsed["observations"] as unknown as FactsFile["observations"];
  return intents.map((intent) => {
    const found = observations.find(({ of }) => of === digestOfIntent(intent));
    if (found === undefined) {
      throw new Refusal(
        "APL809",
        `${file} holds no facts for ${intent.metadata.name}: the plan file was changed since, or another one was ` +
          "observed",
        [RECORD_AGAIN],
      );
    }
    // A matching digest is not proof: anyone who edits a file can recompute it.
    if (found.facts.kind !== intent.kind)
      throw new UsageError({ file, message: `it holds no facts for a ${intent.kind}`, remedy: RECORD_AGAIN });
    const other = otherConnector(found.facts, intent);
    if (other !== undefined) throw new UsageError({ file, message: `its facts are of ${other}`, remedy: RECORD_AGAIN });
    return found.facts;
  });
}

/** @returns the connector that facts show in place of one that the document names */
function otherConnector(facts: Facts, intent: Intent): string | undefined {
  const legacy = intent.kind === "Migration" ? intent.from.connector : undefined;
  const shown = [
    ["connector" in facts ? facts.connector : undefined, intent.target.connector],
    ["next" in facts ? facts.next : undefined, intent.target.connector],
    ["legacy" in facts ? facts.legacy : undefined, legacy],
  ] as const;
  return shown
    .map(([seen, wanted]) => (seen?.name === wanted ? undefined : seen?.name))
    .find((name) => name !== undefined);
}
