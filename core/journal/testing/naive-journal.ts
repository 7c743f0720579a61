/**
 * The rules of the journal, one after the other, on lists, numbered as in the reference: slow and plain, for comparison
 * with the real implementation. It uses the values of records, not their bytes.
 */

export interface NaivePlace {
  readonly scn: number;
  readonly rsId: string | null;
  readonly ssn: number;
}

export interface NaiveRecord {
  readonly server: string;
  readonly xid: string;
  readonly chunk: number;
  readonly generation: number;
  /** Null: a tombstone. */
  readonly value: { readonly frames: readonly (NaivePlace & { readonly undo: boolean })[] } | null;
}

type Filled = NaiveRecord & { readonly value: NonNullable<NaiveRecord["value"]> };

const ZEROS = "0x000000.00000000.0000";

export function naiveBefore(a: NaivePlace, b: NaivePlace): boolean {
  const addressed = [a, b].every(({ rsId }) => rsId !== null && rsId !== ZEROS);
  if (!addressed) return a.scn < b.scn;
  const order = ({ rsId, ssn, scn }: NaivePlace) => [String(rsId), 1000 + ssn, 1000 + scn].join();
  return order(a) < order(b);
}

/** @returns the verdict of each transaction, and the number of restored changes and undos */
export function naiveVerdicts(
  records: readonly NaiveRecord[],
  resume: NaivePlace,
  generation: number,
): Readonly<Record<string, string>> {
  const same = (a: NaiveRecord) => (b: NaiveRecord) =>
    a.xid === b.xid && a.chunk === b.chunk && a.generation === b.generation;
  // 1
  const own = records.filter(({ server }) => server === "orders");
  const last = own.filter((record, at) => !own.slice(at + 1).some(same(record)));
  const live = last.filter((record): record is Filled => record.value !== null);
  const first = ({ value }: Filled): NaivePlace => value.frames[0] as NaivePlace;
  // 2
  const acknowledged = live.filter((record) => record.generation <= generation + 1);
  // 3
  const behind = acknowledged.filter((record) => naiveBefore(first(record), resume));
  const ahead = acknowledged.filter((record) => !behind.includes(record));
  // 4
  const newest = behind.filter(
    (one) =>
      !behind.some((other) => other.xid === one.xid && other.chunk === one.chunk && other.generation > one.generation),
  );
  const xids = [...new Set(live.map(({ xid }) => xid))];
  return Object.fromEntries(
    xids.map((xid): [string, string] => {
      const left = newest.filter((record) => record.xid === xid);
      // 5
      if (!left.every((_, number) => left.some(({ chunk }) => chunk === number))) return [xid, "stops"];
      // 6
      const frames = left.flatMap(({ value }) => value.frames.filter((frame) => naiveBefore(frame, resume)));
      // 7
      if (frames.length > 0) {
        const undos = frames.filter(({ undo }) => undo).length;
        return [xid, `restored ${frames.length - undos} ${undos}`];
      }
      const again = left.length > 0 || ahead.some((record) => record.xid === xid);
      return [xid, again ? "mined again" : "stale"];
    }),
  );
}
