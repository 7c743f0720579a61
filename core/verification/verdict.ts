import type { DoubtReason, FailureReason } from "../../schemas/generated/shared.ts";
import type { KeyDoubt, KeyFailure, SideRead, SideSeen, Verdict } from "../../schemas/generated/verification-result.ts";
import sharedParts from "../../schemas/shared.json" with { type: "json" };
import { compareBytes } from "../values/bytes.ts";
import { hash128 } from "./murmur3.ts";

/** Why a key fails (specification, "Start, verification and rollback"; reference: connector settings). */
export const FAILURES = sharedParts.$defs.failureReason.enum as readonly FailureReason[];
/** Why a key has no verdict. */
export const DOUBTS = sharedParts.$defs.doubtReason.enum as readonly DoubtReason[];

export type KeyFinding = KeyFailure | KeyDoubt;

const isFailure = (one: KeyFinding): one is KeyFailure => FAILURES.some((reason) => reason === one.reason);

/** Merges the verdicts of two sets of keys. Associative and commutative. @param first maximum number of named keys */
export function merged(a: Verdict, b: Verdict, first: number): Verdict {
  return {
    table: mergedSide(a.table, b.table),
    topics: mergedSide(a.topics, b.topics),
    compared: a.compared + b.compared,
    byLegacy: a.byLegacy + b.byLegacy,
    unavailable: a.unavailable.map((count, column) => count + (b.unavailable[column] ?? 0)),
    byDefault: a.byDefault.map((count, column) => count + (b.byDefault[column] ?? 0)),
    failures: summed(FAILURES, a.failures, b.failures),
    doubts: summed(DOUBTS, a.doubts, b.doubts),
    firstFailures: smallest(a.firstFailures, b.firstFailures, first),
    firstDoubts: smallest(a.firstDoubts, b.firstDoubts, first),
  };
}

const MASK = (1n << 128n) - 1n;

function mergedSide(a: SideSeen, b: SideSeen): SideSeen {
  return { keys: a.keys + b.keys, keyHash: (a.keyHash + b.keyHash) & MASK, rowHash: (a.rowHash + b.rowHash) & MASK };
}

function summed<Reason extends string>(
  reasons: readonly Reason[],
  a: Readonly<Record<Reason, number>>,
  b: Readonly<Record<Reason, number>>,
): Record<Reason, number> {
  return Object.fromEntries(reasons.map((reason) => [reason, a[reason] + b[reason]])) as Record<Reason, number>;
}

function smallest<F extends KeyFinding>(a: readonly F[], b: readonly F[], first: number): readonly F[] {
  return [...a, ...b].sort((one, other) => compareBytes(one.key, other.key)).slice(0, first);
}

// ---- While a partition is joined ------------------------------------------------------------------------------------

/** Accumulates results key by key. */
export class Tally {
  readonly table = sideTally();
  readonly topics = sideTally();
  compared = 0;
  byLegacy = 0;
  readonly unavailable: number[];
  readonly byDefault: number[];
  private readonly first: number;
  private readonly failures = zeros(FAILURES);
  private readonly doubts = zeros(DOUBTS);
  private readonly firstFailures: KeyFailure[] = [];
  private readonly firstDoubts: KeyDoubt[] = [];

  /** @param columns number of columns of the shape @param first maximum number of named keys */
  constructor(columns: number, first: number) {
    this.unavailable = Array<number>(columns).fill(0);
    this.byDefault = Array<number>(columns).fill(0);
    this.first = first;
  }

  add(finding: KeyFinding): void {
    if (isFailure(finding)) {
      this.failures[finding.reason] += 1;
      keepSmallest(this.firstFailures, finding, this.first);
    } else {
      this.doubts[finding.reason] += 1;
      keepSmallest(this.firstDoubts, finding, this.first);
    }
  }

  verdict(): Verdict {
    const { table, topics, compared, byLegacy, unavailable, byDefault } = this;
    const { failures, doubts, firstFailures, firstDoubts } = this;
    return {
      table: { keys: table.keys, keyHash: table.keyHash.sum(), rowHash: table.rowHash.sum() },
      topics: { keys: topics.keys, keyHash: topics.keyHash.sum(), rowHash: topics.rowHash.sum() },
      ...{ compared, byLegacy, unavailable, byDefault },
      ...{ failures, doubts, firstFailures, firstDoubts },
    };
  }
}

function zeros<Reason extends string>(reasons: readonly Reason[]): Record<Reason, number> {
  return Object.fromEntries(reasons.map((reason) => [reason, 0])) as Record<Reason, number>;
}

function sideTally() {
  return { keys: 0, keyHash: new HashSum(), rowHash: new HashSum() };
}

/** Keeps a list sorted and short. A view of a key is copied only if it is kept. */
function keepSmallest<F extends KeyFinding>(kept: F[], finding: F, first: number): void {
  const last = kept[kept.length - 1];
  if (kept.length >= first && (last === undefined || compareBytes(finding.key, last.key) >= 0)) return;
  let low = 0;
  for (let high = kept.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (compareBytes((kept[middle] as F).key, finding.key) <= 0) low = middle + 1;
    else high = middle;
  }
  kept.splice(low, 0, {
    ...finding,
    key: finding.key.slice(),
    tableRow: finding.tableRow?.slice(),
    topicRow: finding.topicRow?.slice(),
  });
  if (kept.length > first) kept.pop();
}

/** Adds up hashes modulo 2^128: independent of order and, unlike an exclusive or, sensitive to duplicates. */
export class HashSum {
  private readonly words = new Uint32Array(4);
  private readonly last = new Uint32Array(4);

  add(data: DataView, start: number, end: number, times = 1): void {
    hash128(data, start, end, 0, this.last);
    for (let again = 0; again < times; again++) this.addSame(this);
  }

  /** Adds what another sum's last `add` added. */
  addSame({ last }: HashSum): void {
    let carry = 0;
    for (let at = 0; at < 4; at++) {
      const total = (this.words[at] as number) + (last[at] as number) + carry;
      this.words[at] = total;
      carry = total > 0xffffffff ? 1 : 0;
    }
  }

  sum(): bigint {
    return this.words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
  }
}

export const NOTHING_READ: SideRead = {
  count: 0,
  foreign: 0,
  bytes: 0,
  unreadable: 0,
  withoutKey: 0,
  tableUnknown: 0,
  reasons: [],
};

/** Result of verifying one table. Plain values, independent of memory, division of the work and interruptions. */
export type TableVerified =
  | { readonly is: "interrupted" }
  /** The table could not be read as of the check SCN. */
  | { readonly is: "unreachable"; readonly code: string; readonly message: string }
  | VerifiedKeys;

export interface VerifiedKeys {
  readonly is: "verified";
  readonly verdict: Verdict;
  readonly table: SideRead;
  readonly newTopic: SideRead;
  readonly legacyTopic: SideRead | undefined;
}
