import type { RowChange, Transaction } from "../change-history.ts";
import type { Distortion } from "../change-records.ts";
import { BEYOND_DOUBLE } from "./orders-script.ts";

/** Faults of the new connector that a verification must find. */
export type DeliveryFault =
  | "lost-row"
  | "stale-value"
  | "wrong-type"
  | "rounded-value"
  | "legacy-only-row"
  | "deleted-row-kept";

interface Fault {
  readonly about: string;
  /** The order whose changes are omitted if `when` holds. */
  readonly order: string;
  readonly skips?: (change: RowChange) => boolean;
  readonly distorts?: Distortion;
}

export const DELIVERY_FAULTS: Readonly<Record<DeliveryFault, Fault>> = {
  "lost-row": {
    about: "order 1024 is in the table and in neither topic",
    order: "1024",
    skips: () => true,
  },
  "stale-value": {
    about: "order 1021 was shipped; the new topic still says PAID",
    order: "1021",
    skips: ({ after }) => after?.[2] === "SHIPPED",
  },
  "wrong-type": {
    about: "the REFERENCE of order 1022, a NUMBER(18), is a float64 in the new topic",
    order: "1022",
    distorts: (row) => ({ ...row, REFERENCE: { schema: { type: "double", optional: true }, json: 880_000_001_022 } }),
  },
  "rounded-value": {
    about: `the REFERENCE of order 1023 went through a double: ${BEYOND_DOUBLE} became ${Number(BEYOND_DOUBLE)}`,
    order: "1023",
    distorts: (row) => ({
      ...row,
      REFERENCE: { schema: { type: "int64", optional: true }, json: BigInt(Number(BEYOND_DOUBLE)) },
    }),
  },
  "legacy-only-row": {
    about: "order 1010 was deleted after the cutover; only the legacy topic still holds it",
    order: "1010",
    skips: ({ after }) => after === undefined,
  },
  "deleted-row-kept": {
    about: "order 1026 was deleted; the new topic still holds it",
    order: "1026",
    skips: ({ after }) => after === undefined,
  },
};

/** Applies the faults to a transaction, in parts with the same distortion. */
export function faulty(
  { changes }: Transaction,
  faults: ReadonlySet<DeliveryFault>,
): readonly { readonly change: RowChange; readonly distort: Distortion | undefined }[] {
  const planted = [...faults].map((fault) => DELIVERY_FAULTS[fault]);
  return changes.flatMap((change) => {
    const id = (change.after ?? change.before)?.[0];
    const mine = planted.filter(({ order }) => order === id);
    if (mine.some(({ skips }) => skips?.(change))) return [];
    return [{ change, distort: mine.find(({ distorts }) => distorts !== undefined)?.distorts }];
  });
}
