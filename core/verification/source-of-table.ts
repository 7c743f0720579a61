import type { OwnTable } from "../../schemas/generated/verification-job.ts";
import { memoryOf } from "../values/bytes.ts";
import { isObject, type Json, jsonIn } from "../values/json.ts";
import { beginsWithWords, type Words, wordsOf } from "../values/json-walk.ts";
import { type ByteWork, type Wanted, wantedBytes } from "./byte-work.ts";

/** Whether an object `source` (from `start` to `end`) names the table; undefined if it names none. */
export type SourceOfTable = (bytes: Uint8Array, start: number, end: number) => boolean | undefined;

/** A member and its value as bytes, and its last distance from the beginning of `source`. */
interface MemberSeen {
  readonly written: Words;
  readonly wanted: Wanted;
  behind: number;
}

const OPEN = 0x7b;

/** Whether a nested object may have begun in between, whose members are not those of `source`. */
function isWithin(bytes: Uint8Array, byte: number, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === byte) return true;
  return false;
}

const encoder = new TextEncoder();

/**
 * Tests whether a change event belongs to one table, by `source.schema` and `source.table` (and, in a PDB, `source.pdb`
 * or `source.db`), and if two connectors write to the topic to one of them, by `source.connector`.
 *
 * Parsing `source` of every record is slow. The bytes of its members, once parsed, are searched at their last position,
 * then anywhere in `source`. They cannot match inside a string, where a quotation mark has a backslash before it.
 */
export function sourceOfTable(own: OwnTable, work: ByteWork): SourceOfTable {
  let members: readonly MemberSeen[] = [];

  function holdsAll(bytes: Uint8Array, start: number, end: number): boolean {
    const { data, base } = memoryOf(bytes);
    for (let nth = 0; nth < members.length; nth++) {
      const member = members[nth] as MemberSeen;
      if (beginsWithWords(data, base + start + member.behind, base + end, member.written)) continue;
      const found = work.indexOf(bytes, member.wanted, start, end);
      if (found < 0 || isWithin(bytes, OPEN, start + 1, found)) return false;
      member.behind = found - start;
    }
    return members.length > 0;
  }

  return (bytes, start, end) => {
    if (start < 0) return undefined;
    if (holdsAll(bytes, start, end)) return true;
    const source = jsonIn(bytes.subarray(start, end));
    const answer = isOfTable(source, own);
    if (answer === true) members = membersOf(source, own, bytes, start, end, work);
    return answer;
  };
}

function isOfTable(
  source: Json | undefined,
  { table: { container, owner, name }, inPdb, connector }: OwnTable,
): boolean | undefined {
  if (connector !== undefined && textOf(source, "connector") !== connector) return false;
  const [schema, table] = [textOf(source, "schema"), textOf(source, "table")];
  if (schema === undefined || table === undefined) return undefined;
  if (schema !== owner || table !== name) return false;
  if (!inPdb) return true;
  const pdb = textOf(source, "pdb") ?? textOf(source, "db");
  return pdb === undefined ? undefined : pdb === container;
}

/** Empty if a value of `source` could contain members of its own. */
function membersOf(
  source: Json | undefined,
  { connector }: OwnTable,
  bytes: Uint8Array,
  start: number,
  end: number,
  work: ByteWork,
): readonly MemberSeen[] {
  if (!isObject(source) || Object.values(source).some((value) => isObject(value) || Array.isArray(value))) return [];
  const pdb = textOf(source, "pdb") === undefined ? "db" : "pdb";
  const members: MemberSeen[] = [];
  for (const name of [pdb, "schema", "table", ...(connector === undefined ? [] : ["connector"])]) {
    const value = textOf(source, name);
    if (value === undefined) continue;
    const member = encoder.encode(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
    const wanted = wantedBytes(member);
    const found = work.indexOf(bytes, wanted, start, end);
    if (found < 0) return [];
    members.push({ written: wordsOf(member), wanted, behind: found - start });
  }
  return members;
}

function textOf(json: Json | undefined, name: string): string | undefined {
  const value = isObject(json) && Object.hasOwn(json, name) ? json[name] : undefined;
  return typeof value === "string" ? value : undefined;
}
