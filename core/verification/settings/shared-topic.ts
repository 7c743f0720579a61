import type { Membership } from "../../../schemas/generated/verification-job.ts";
import { canShareTopic, type TopicNaming } from "../../facts/tables/topic-names.ts";
import { type Config, settingOf } from "../../values/config.ts";
import { isObject, type Json, jsonIn } from "../../values/json.ts";
import { beginsWith } from "../../values/json-walk.ts";
import { indexOfBytes, type Wanted, wantedBytes } from "../byte-work.ts";
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

const encoder = new TextEncoder();

/**
 * Tests whether a record belongs to a table by the legacy connector's field of the table's name:
 * `DATABASE.PDB.OWNER.TABLE`, or its last parts. The table's name alone does not say whose table it is.
 *
 * Parsing a whole record for one member is slow. Once parsed, the bytes of that member are searched in later records.
 * They cannot match inside a string, where a quotation mark has a backslash before it.
 *
 * A tombstone does not name its table. It follows its delete, so that it adds nothing, unless compaction has removed
 * the delete. In a topic that seldom has another's records, it counts as the table's as long as all others do
 * (`decideTombstones`).
 */
export function legacyOfTable({ by, table, inPdb, compacted, field = "table" }: Membership): IsOfTable {
  const short = `${table.owner}.${table.name}`;
  const whole = inPdb ? `${table.container}.${short}` : short;
  const ofTombstone = by === "legacy name, seldom another" ? true : compacted ? undefined : false;
  let known: Wanted | undefined;
  // The rest of the record after the member usually has the same length as in the record before.
  let fromEnd = 0;
  return (bytes, start, end) => {
    if (start < 0) return ofTombstone;
    if (known !== undefined) {
      const likely = end - fromEnd;
      if (likely >= start && beginsWith(bytes, likely, end, known.bytes)) return true;
      const at = indexOfBytes(bytes, known, start, end);
      fromEnd = end - at;
      if (at >= 0) return true;
    }
    const named = memberOf(payloadOf(bytes.subarray(start, end)), field);
    if (typeof named !== "string" || named === table.name) return undefined;
    if (named !== short && named !== whole && !named.endsWith(`.${whole}`)) return false;
    known = wantedBytes(encoder.encode(`${JSON.stringify(field)}:${JSON.stringify(named)}`));
    return true;
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
