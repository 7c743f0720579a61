import type { RemovedRecords } from "../../schemas/generated/plan.ts";
import type { KafkaPort, KafkaRecord } from "../ports/kafka.ts";
import { base64Of, bytesOfBase64 } from "../values/base64.ts";
import { printXid } from "../values/xid.ts";
import { readKey } from "./chunk-record.ts";
import { NotJson, textOf } from "./json-members.ts";
import { journalRanges, recordMembers } from "./read-journal.ts";

/** A key whose last record is not null, and the partition that has its records. */
export interface LiveKey {
  readonly partition: number;
  readonly key: Uint8Array;
  /** The transaction or table that it is of. */
  readonly owner: string;
}

/** A key that can't be read: nothing is known about whose it is. */
export interface UnreadableKey {
  readonly partition: number;
  readonly offset: bigint;
  readonly why: string;
}

/** Either form: the schema topic is read with the journal's converter, and a key of this prefix is one in any form. */
const members = recordMembers("either");

/**
 * The keys of one connector that a compacted topic still has, and the rule asks for; those of other connectors are
 * passed over, because topics may be shared. A missing topic has none.
 *
 * Rule: reference: wire formats, "Transaction journal"; the connector's SchemaRecords (`server`, `pdb`, `owner`,
 * `table`).
 *
 * @throws CallFailed if the topic can't be read to its end
 */
export async function keysInTopic(
  kafka: KafkaPort,
  { topic, of: removed, only }: RemovedRecords,
  server: string,
): Promise<{ readonly keys: readonly LiveKey[] } | { readonly unreadable: UnreadableKey }> {
  if ((await kafka.topic(topic)) === undefined) return { keys: [] };
  const wanted = only === undefined ? undefined : new Set(only);
  const live = new Map<string, LiveKey>();
  for (const range of await journalRanges(kafka, topic)) {
    for await (const records of kafka.records(topic, range)) {
      for (const record of records) {
        const owner = ownerOf(record, removed, server);
        if (typeof owner === "object") return { unreadable: owner };
        if (owner === undefined || record.key === null || wanted?.has(owner) === false) continue;
        const id = `${record.partition} ${base64Of(record.key)}`;
        if (record.value === null) live.delete(id);
        else live.set(id, { partition: record.partition, key: record.key.slice(), owner });
      }
    }
  }
  return { keys: [...live.values()] };
}

/** Whether the rule asks for the removal of a key, as a run's journal holds it. */
export function isAskedFor(key: string, { of, only }: RemovedRecords, server: string): boolean {
  const owner = ownerOf({ key: bytesOfBase64(key), partition: 0, offset: 0n }, of, server);
  return typeof owner === "string" && only?.includes(owner) !== false;
}

/** The transaction or table that a key of this server is of; undefined for a key of another one. */
function ownerOf(
  { key, partition, offset }: Pick<KafkaRecord, "key" | "partition" | "offset">,
  of: RemovedRecords["of"],
  server: string,
): string | undefined | UnreadableKey {
  try {
    if (of === "schema") return tableOf(key, server);
    const read = readKey(key, members, server);
    return read.of === "own" ? printXid(read.key.xid) : undefined;
  } catch (failure) {
    if (failure instanceof NotJson) return { partition, offset, why: failure.message };
    throw failure;
  }
}

/** `PDB.OWNER.TABLE`, without a PDB in a database without containers. */
function tableOf(key: Uint8Array | null, server: string): string | undefined {
  if (key === null) throw new NotJson("there is none");
  const read = members(key);
  const text = (name: string): string | undefined => {
    const span = read.get(name);
    return span === undefined || span.kind === "null" ? undefined : textOf(key, span);
  };
  if (text("server") !== server) return undefined;
  const [pdb, owner, table] = [text("pdb"), text("owner"), text("table")];
  if (owner === undefined || table === undefined) throw new NotJson("owner or table is missing");
  return [...(pdb === undefined ? [] : [pdb]), owner, table].join(".");
}
