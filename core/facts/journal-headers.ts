import type { KafkaRecord } from "../ports.ts";
import { isObject, type Json, type JsonObject, parseJson } from "../values/json.ts";
import type { JournaledTransaction } from "./connector-facts.ts";

/** How much of the journal is read to name the transactions that it holds. */
export const JOURNAL_READ = { from: "beginning", records: 500_000, millis: 30_000 } as const;

export interface JournalSeen {
  readonly transactions: readonly JournaledTransaction[];
  /** Records that may be this connector's and can't be read: what they hold is not known. */
  readonly unreadable: number;
}

/**
 * The transactions of which the journal holds chunks, with the lowest first SCN of each. The last record of a key wins, a null value removes it;
 * keys of another server are not ours.
 *
 * Rule: reference: wire formats, "Transaction journal".
 *
 * @param server the connector's `cdc.topic.prefix`
 */
export function journaledTransactions(records: readonly KafkaRecord[], server: string): JournalSeen {
  const chunks = new Map<string, JournaledTransaction | "unreadable">();
  const decoder = new TextDecoder();
  for (const { key, value } of records) {
    if (key === null) continue;
    const name = decoder.decode(key);
    if (value === null) {
      chunks.delete(name);
      continue;
    }
    const id = payload(name);
    if (id !== undefined && typeof id["server"] === "string" && id["server"] !== server) continue;
    const chunk = payload(decoder.decode(value));
    const firstScn = chunk?.["first_scn"];
    if (id?.["server"] !== server || typeof id["xid"] !== "string" || typeof firstScn !== "bigint") {
      chunks.set(name, "unreadable");
      continue;
    }
    chunks.set(name, {
      xid: id["xid"],
      container: typeof id["con_id"] === "bigint" ? id["con_id"] : undefined,
      firstScn,
      user: text(chunk?.["username"]),
      clientId: text(chunk?.["client_id"]),
    });
  }
  const transactions = new Map<string, JournaledTransaction>();
  let unreadable = 0;
  for (const chunk of chunks.values()) {
    if (chunk === "unreadable") {
      unreadable += 1;
      continue;
    }
    const id = `${chunk.container ?? ""}:${chunk.xid}`;
    const known = transactions.get(id);
    if (known === undefined || chunk.firstScn < known.firstScn) transactions.set(id, chunk);
  }
  return { transactions: [...transactions.values()], unreadable };
}

/** JSON with or without the schema envelope. */
function payload(record: string): JsonObject | undefined {
  try {
    const parsed = parseJson(record);
    const inner = isObject(parsed) && "schema" in parsed ? parsed["payload"] : parsed;
    return isObject(inner) ? inner : undefined;
  } catch {
    return undefined;
  }
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
