import type { TableSeen } from "../../../schemas/generated/shared.ts";
import { canShareTopic, type TopicNaming } from "../../facts/tables/topic-names.ts";
import { type Config, settingOf } from "../../values/config.ts";
import { isObject, type Json, jsonIn } from "../../values/json.ts";
import type { IsOfTable } from "../engine/inputs.ts";

/**
 * Whether the topics of a new connector may hold records of several tables, because the template does not distinguish
 * them or a transformation may change the topic.
 */
export function changeTopicIsShared(config: Config, naming: Pick<TopicNaming, "template" | "pdbs">): boolean {
  return settingOf(config, "transforms") !== undefined || canShareTopic(naming);
}

/** The same for the legacy connector: `table.topic.name.template`. */
export function legacyTopicIsShared(config: Config): boolean {
  if (settingOf(config, "transforms") !== undefined) return true;
  const template = (config["table.topic.name.template"] ?? "").trim();
  if (template === "" || template.includes("${" + "fullyQualifiedTableName}")) return false;
  return !["tableName", "schemaName"].every((name) => template.includes(`\${${name}}`));
}

/**
 * Tests whether a record belongs to a table by the legacy connector's field of the table's name:
 * `DATABASE.PDB.OWNER.TABLE`, or its last parts. The table's name alone does not say whose table it is.
 *
 * A tombstone does not name its table. It follows its delete, so that it adds nothing, unless compaction has removed
 * the delete.
 */
export function legacyOfTable(
  { container, owner, name }: TableSeen,
  inPdb: boolean,
  compacted: boolean,
  field = "table",
): IsOfTable {
  const short = `${owner}.${name}`;
  const whole = inPdb ? `${container}.${short}` : short;
  return (bytes, start, end) => {
    if (start < 0) return compacted ? undefined : false;
    const table = memberOf(payloadOf(bytes.subarray(start, end)), field);
    if (typeof table !== "string" || table === name) return undefined;
    return table === short || table === whole || table.endsWith(`.${whole}`);
  };
}

/** Payload of the converter's envelope, or the whole value if it has no envelope. */
function payloadOf(value: Uint8Array): Json | undefined {
  const json = jsonIn(value);
  return memberOf(json, "schema") === undefined ? json : (memberOf(json, "payload") ?? json);
}

function memberOf(json: Json | undefined, name: string): Json | undefined {
  return isObject(json) && Object.hasOwn(json, name) ? json[name] : undefined;
}
