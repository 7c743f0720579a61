import type { VerificationFacts } from "../../../schemas/generated/facts.ts";
import type { MigrationIntent, VerifyIntent } from "../../document/intent.ts";
import { type CapturedTable, type RetiredTopic, type TableToVerify, tableFinder } from "../../facts/tables/tables.ts";
import { topicNames, topicNaming } from "../../facts/tables/topic-names.ts";
import type { TopicsOf } from "./topics.ts";

/** The tables of `verify.tables`, each with the topics of its changes. */
export function verifiedTables(
  { verify, to }: Pick<MigrationIntent, "verify" | "to">,
  facts: TopicsOf & Partial<Pick<VerificationFacts, "topics" | "retired">>,
  captured: readonly CapturedTable[],
): readonly TableToVerify[] {
  if (verify === undefined) return [];
  const find = tableFinder(captured);
  const names = topicNames(topicNaming(facts.settings, facts.database));
  const taken = new Set<CapturedTable>();
  return verify.tables.map((written): TableToVerify => {
    const fits = find(written);
    const [table] = fits;
    if (table === undefined) return { ok: false, written, why: "not captured", fits };
    if (fits.length > 1) return { ok: false, written, why: "ambiguous", fits };
    if (taken.has(table)) return { ok: false, written, why: "named twice", fits };
    taken.add(table);
    const named = topicNamed(written, verify.topics);
    const topic = named ?? (names.known ? names.topicOf(table) : undefined);
    const legacyTopic = topicNamed(written, verify.legacyTopics) ?? (to.topics === "keep" ? topic : undefined);
    const retired = retiredFor(legacyTopic, table, facts);
    if (topic === undefined)
      return { ok: false, written, why: "topic not told", problem: names.known ? "" : names.why };
    return {
      ok: true,
      written,
      table,
      verified: {
        table: table.fullName,
        topic,
        legacyTopic: retired === undefined ? legacyTopic : undefined,
      },
      named: named !== undefined,
      retired,
    };
  });
}

/**
 * A topic deleted by a retirement. Leaving it out can't hide a loss: each key that the new topic lacks then counts as
 * missing.
 */
function retiredFor(
  legacyTopic: string | undefined,
  { fullName }: CapturedTable,
  { topics, retired }: Partial<Pick<VerificationFacts, "topics" | "retired">>,
): RetiredTopic | undefined {
  if (legacyTopic === undefined || topics?.known !== true || retired?.known !== true) return undefined;
  if (topics.value.includes(legacyTopic) || !retired.value.complete.includes(fullName)) return undefined;
  return retired.value.topics.findLast(({ topic }) => topic === legacyTopic);
}

/**
 * Keys of `verify.topics`, `verify.legacyTopics` and `verify.ignoreColumns` that match no name in `verify.tables` and
 * would have no effect.
 */
export function strayKeys({ verify }: Pick<MigrationIntent, "verify">): readonly string[] {
  if (verify === undefined) return [];
  const named = new Set(verify.tables);
  const keys = [verify.topics, verify.legacyTopics, verify.ignoreColumns].flatMap((of) => Object.keys(of));
  return [...new Set(keys)].filter((key) => !named.has(key));
}

function topicNamed(written: string, topics: VerifyIntent["topics"]): string | undefined {
  return Object.hasOwn(topics, written) ? topics[written] : undefined;
}
