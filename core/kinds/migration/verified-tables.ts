import type { MigrationIntent, VerifyIntent } from "../../document/intent.ts";
import { type CapturedTable, capturedTables } from "../../facts/captured-tables.ts";
import type { NewSettingsSeen } from "../../facts/migration-facts.ts";
import type { Dictionary } from "../../facts/tables.ts";
import { topicOf } from "../../facts/topic-names.ts";
import type { VerifiedTable } from "../../plan/migration-plan.ts";
import { parseTableName } from "../../values/table-name.ts";

/** What a table that is to be verified stands for. */
export type TableToVerify =
  | { readonly ok: true; readonly written: string; readonly table: CapturedTable; readonly verified: VerifiedTable }
  | { readonly ok: false; readonly written: string; readonly why: string };

/** The tables of `verify.tables`, each with the topics of its changes. None where the captured tables can't be told. */
export function verifiedTables(
  { verify }: Pick<MigrationIntent, "verify">,
  { tables: selection, config, prefix }: Pick<NewSettingsSeen, "tables" | "config" | "prefix">,
  dictionary: Dictionary & { readonly database: string },
): readonly TableToVerify[] {
  if (verify === undefined) return [];
  const captured = capturedTables(selection, dictionary);
  if (!captured.known) return verify.tables.map((written) => ({ ok: false, written, why: captured.why }));
  return verify.tables.map((written): TableToVerify => {
    const found = captured.tables.filter((table) => isNamed(written, table));
    const [table] = found;
    if (table === undefined) return { ok: false, written, why: "is not captured" };
    if (found.length > 1)
      return { ok: false, written, why: `stands for ${found.map(({ fullName }) => fullName).join(" and ")}` };
    const topic = topicOf(table, {
      template: config["cdc.topic.template"],
      prefix,
      container: selection.pdbs.length > 0,
      database: dictionary.database,
    });
    return {
      ok: true,
      written,
      table,
      verified: { table: table.fullName, topic, legacyTopic: legacyTopicOf(written, verify) },
    };
  });
}

function legacyTopicOf(written: string, { legacyTopics }: VerifyIntent): string | undefined {
  return Object.hasOwn(legacyTopics, written) ? legacyTopics[written] : undefined;
}

/** `OWNER.TABLE` or `PDB.OWNER.TABLE`; a part without quotes also stands for its upper-case form. */
function isNamed(written: string, { container, owner, name, fullName }: CapturedTable): boolean {
  if (written === fullName) return true;
  const parsed = parseTableName(written);
  if (parsed === undefined || parsed.parts.length > 3) return false;
  const whole = [container, owner, name].slice(-parsed.parts.length);
  return parsed.parts.every(
    (part, at) => part.name === whole[at] || (!part.quoted && part.name.toUpperCase() === whole[at]),
  );
}
