import type { Observed } from "../facts/observed.ts";
import type { OpenTransaction, TransactionsSeen } from "../facts/transactions.ts";
import { showCount } from "../values/amounts.ts";
import { sameXid } from "../values/xid.ts";
import type { LegacyOffsets } from "./stored-offsets.ts";

/** A transaction as far as a look at the open ones is kept. */
export type SeenTransaction = TransactionsSeen["open"][number];

/** What is known of transactions that began below the start and that the legacy connector has not delivered. */
type OpenAtStop =
  | { readonly is: "none" }
  /** `ended`: open before the stop, and not any more. */
  | { readonly is: "some"; readonly open: readonly SeenTransaction[]; readonly ended: readonly SeenTransaction[] }
  | { readonly is: "unknown"; readonly why: string };

/**
 * Looks for transactions that began below the start and ended after what the legacy connector has delivered: of such a
 * one the new connector would deliver a part. No view shows it once it has ended, so this takes a look at the open
 * transactions while the legacy connector ran.
 *
 * A look proves that there was none only where it lies at or above the start (what began below it had begun) and every
 * table was delivered beyond it (what was not delivered had not ended). By SCNs alone: however long after it the stop
 * was.
 *
 * @param offsets as the legacy connector stopped with them
 * @param before the look while it ran; undefined where there was none
 * @param now the transactions that are open after the stop
 */
export function openAtStop(
  { startScn, partitions }: Pick<LegacyOffsets, "startScn" | "partitions">,
  before: TransactionsSeen | undefined,
  now: Observed<readonly OpenTransaction[]>,
): OpenAtStop {
  if (!now.known) return { is: "unknown", why: `which are open can't be seen: ${now.why}` };
  const open = now.value.filter((one) => one.startScn < startScn);
  const ended = (before?.open ?? []).filter(
    (one) => one.startScn < startScn && !now.value.some(({ xid }) => sameXid(xid, one.xid)),
  );
  if (open.length + ended.length > 0) return { is: "some", open, ended };
  if (before === undefined) return { is: "unknown", why: "the open transactions were not recorded before it stopped" };
  if (before.from < startScn)
    return {
      is: "unknown",
      why: `they were recorded at ${before.from}, below the start, and one can have begun in between`,
    };
  const tables = partitions.filter(({ of, leftOut }) => of === "table" && !leftOut);
  const behind = tables.filter(({ commitScn }) => commitScn === undefined || commitScn < before.to);
  if (tables.length > 0 && behind.length === 0) return { is: "none" };
  const [first] = behind;
  return {
    is: "unknown",
    why: `they were recorded at ${before.to}, and ${
      first === undefined
        ? "no delivery to a table is stored"
        : `${behind.length === 1 ? first.name : `${showCount(behind.length)} tables (${first.name}, …)`} ` +
          `${behind.length === 1 ? "was" : "were"} delivered only up to an earlier commit`
    }: one can have ended undelivered before`,
  };
}
