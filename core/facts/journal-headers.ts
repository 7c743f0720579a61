import type { KafkaRecord } from "../ports.ts";
import { isObject, type Json, type JsonObject, parseJson } from "../values/json.ts";
import type { JournaledTransaction } from "./offset-change-facts.ts";

/** How much of the journal is read to name the transactions that it holds. */
export const JOURNAL_READ = { from: "beginning", records: 500_000, millis: 30_000 } as const;

/**
 * The transactions of which the journal holds chunks, with the lowest first SCN of each. The last record of a key wins, a null value removes it;
 * keys of another server are not ours. Records that can't be read are left out: they say nothing of a transaction.
 *
 * Rule: reference: wire formats, "Transaction journal".
 *
 * @param server the connector's `cdc.topic.prefix`
 */
export function journaledTransactions(
  records: readonly KafkaRecord[],
  server: string,
): readonly JournaledTransaction[] {
  const chunks = new Map<string, JournaledTransaction>();
  const decoder = new TextDecoder();
  for (const { key, value } of records) {
    if (key === null) continue;
    const name = decoder.decode(key);
    const id = payload(name);
    if (id === undefined || id["server"] !== server || typeof id["xid"] !== "string") continue;
    const chunk = value === null ? undefined : payload(decoder.decode(value));
    const firstScn = chunk?.["first_scn"];
    if (chunk === undefined || typeof firstScn !== "bigint") {
      chunks.delete(name);
      continue;
    }
    chunks.set(name, {
      xid: id["xid"],
      container: typeof id["con_id"] === "bigint" ? id["con_id"] : undefined,
      firstScn,
      user: text(chunk["username"]),
      clientId: text(chunk["client_id"]),
    });
  }
  const transactions = new Map<string, JournaledTransaction>();
  for (const chunk of chunks.values()) {
    const id = `${chunk.container ?? ""}:${chunk.xid}`;
    const known = transactions.get(id);
    if (known === undefined || chunk.firstScn < known.firstScn) transactions.set(id, chunk);
  }
  return [...transactions.values()];
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
