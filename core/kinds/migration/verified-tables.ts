import type { MigrationIntent, VerifyIntent } from "../../document/intent.ts";
import type { CapturedTable } from "../../facts/captured-tables.ts";
import { tableFinder } from "../../facts/table-finder.ts";
import { topicNames, topicNaming } from "../../facts/topic-names.ts";
import type { VerifiedTable } from "../../plan/migration-plan.ts";
import type { TopicsOf } from "./new-topics.ts";

/** What a table that is to be verified stands for. */
export type TableToVerify =
  | { readonly ok: true; readonly written: string; readonly table: CapturedTable; readonly verified: VerifiedTable }
  | {
      readonly ok: false;
      readonly written: string;
      readonly why: "not captured" | "ambiguous" | "named twice";
      /** The tables that it fits; of one that is named twice, the table. */
      readonly fits: readonly CapturedTable[];
    }
  | { readonly ok: false; readonly written: string; readonly why: "topic not told"; readonly problem: string };

/** The tables of `verify.tables`, each with the topics of its changes. */
export function verifiedTables(
  { verify }: Pick<MigrationIntent, "verify">,
  of: TopicsOf,
  captured: readonly CapturedTable[],
): readonly TableToVerify[] {
  if (verify === undefined) return [];
  const find = tableFinder(captured);
  const names = topicNames(topicNaming(of.settings, of.database));
  const taken = new Set<CapturedTable>();
  return verify.tables.map((written): TableToVerify => {
    const fits = find(written);
    const [table] = fits;
    if (table === undefined) return { ok: false, written, why: "not captured", fits };
    if (fits.length > 1) return { ok: false, written, why: "ambiguous", fits };
    if (taken.has(table)) return { ok: false, written, why: "named twice", fits };
    taken.add(table);
    if (!names.known) return { ok: false, written, why: "topic not told", problem: names.why };
    return {
      ok: true,
      written,
      table,
      verified: {
        table: table.fullName,
        topic: names.topicOf(table),
        legacyTopic: legacyTopicOf(written, verify),
      },
    };
  });
}

/** Keys of `verify.legacyTopics` and `verify.ignoreColumns` that no name in `verify.tables` is: nothing would come of them. */
export function strayKeys({ verify }: Pick<MigrationIntent, "verify">): readonly string[] {
  if (verify === undefined) return [];
  const named = new Set(verify.tables);
  const keys = [...Object.keys(verify.legacyTopics), ...Object.keys(verify.ignoreColumns)];
  return [...new Set(keys)].filter((key) => !named.has(key));
}

function legacyTopicOf(written: string, { legacyTopics }: VerifyIntent): string | undefined {
  return Object.hasOwn(legacyTopics, written) ? legacyTopics[written] : undefined;
}
