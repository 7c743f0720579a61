import type { OpenTransaction, TransactionsSeen } from "../../schemas/generated/facts.ts";
import type { Observed } from "../facts/observed.ts";
import { showCount } from "../values/amounts.ts";
import { printXid, sameXid } from "../values/xid.ts";
import type { LegacyOffsets } from "./position.ts";

/** A transaction as recorded from the open ones. */
export type SeenTransaction = TransactionsSeen["open"][number];

/** What is known about transactions that began below the start and that the legacy connector has not delivered. */
type OpenAtStop =
  | { readonly is: "none" }
  /** `ended`: open before the stop, and no longer. */
  | { readonly is: "some"; readonly open: readonly SeenTransaction[]; readonly ended: readonly SeenTransaction[] }
  | { readonly is: "unknown"; readonly why: string };

/**
 * Finds transactions that began below the start and ended after what the legacy connector has delivered: the new
 * connector would deliver only a part of them. No view shows them once they have ended, so this uses the open
 * transactions recorded while the legacy connector ran.
 *
 * A recording proves that there were none only if it is at or above the start (what began below it had begun) and every
 * table was delivered beyond it (what was not delivered had not ended). SCNs alone decide, however much later the stop
 * was.
 *
 * @param offsets as they were when the legacy connector stopped
 * @param before recorded while it ran; undefined if not recorded
 * @param now the transactions that are open after the stop
 */
export function openAtStop(
  { startScn, partitions }: Pick<LegacyOffsets, "startScn" | "partitions">,
  before: TransactionsSeen | undefined,
  now: Observed<readonly OpenTransaction[]>,
): OpenAtStop {
  const unknown = (why: string): OpenAtStop => ({ is: "unknown", why });
  if (!now.known) return unknown(`which transactions are open is unknown: ${now.why}`);
  const open = now.value.filter((one) => one.startScn < startScn);
  const ended = (before?.open ?? []).filter(
    (one) => one.startScn < startScn && !now.value.some(({ xid }) => sameXid(xid, one.xid)),
  );
  if (open.length + ended.length > 0) return { is: "some", open, ended };
  if (before === undefined) return unknown("the open transactions were not recorded before it stopped");
  if (before.from < startScn)
    return unknown(`they were recorded at ${before.from}, below the start, and one may have begun in between`);
  const tables = partitions.filter(({ of, leftOut }) => of === "table" && !leftOut);
  const behind = tables.filter(({ commitScn }) => commitScn === undefined || commitScn < before.to);
  if (tables.length > 0 && behind.length === 0) return { is: "none" };
  const [first] = behind;
  return unknown(
    `they were recorded at ${before.to}, and ${
      first === undefined
        ? "no delivery to a table is stored"
        : `${behind.length === 1 ? first.name : `${showCount(behind.length)} tables (${first.name}, …)`} ` +
          `${behind.length === 1 ? "was" : "were"} delivered only up to an earlier commit`
    }: one may have ended undelivered before`,
  );
}

/** Lists transactions with their start, and their user if known. */
export function showTransactions(transactions: readonly SeenTransaction[]): string {
  const shown = transactions
    .slice(0, MOST_TRANSACTIONS)
    .map(({ xid, startScn, user }) => `${printXid(xid)} (${user === undefined ? "" : `${user}, `}from ${startScn})`);
  return `${shown.join(", ")}${transactions.length > MOST_TRANSACTIONS ? ", …" : ""}`;
}

const MOST_TRANSACTIONS = 10;
