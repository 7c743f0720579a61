/**
 * Whether a transaction that began below the start can have ended undelivered: what two looks at the open transactions
 * prove, and what they do not.
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Observed } from "../facts/observed.ts";
import { readOffsets } from "./confluent/stored-offsets.ts";
import { type LegacyOffsets, openAtStop, type SeenTransaction } from "./position.ts";
import { DATABASE, table } from "./testing/build-legacy.ts";

const stop = suite("transactions open at the stop");

const one = (sqn: bigint, startScn: bigint): SeenTransaction => ({
  xid: { container: 3n, usn: 4n, slot: 9n, sqn },
  startScn,
  user: "APP",
});

/** Stored: 2169287. Delivered: ORDERS up to 2180000, LINES up to 2179000. */
function offsets(leaveOut: readonly string[] = [], lines: bigint | null = 2179000n): LegacyOffsets {
  const entries = [DATABASE, table("ORDERS", 2170000n, 2180000n), table("LINES", 2172000n, lines ?? undefined)];
  const read = readOffsets(entries, leaveOut);
  assert.ok(read.ok);
  return read.offsets;
}

const now = (...open: readonly SeenTransaction[]): Observed<readonly never[]> => ({
  known: true,
  value: open as readonly never[],
  source: "GV$TRANSACTION",
  at: "2026-11-21T09:14:02Z",
});
const observation = (from: bigint, to: bigint, ...open: readonly SeenTransaction[]) => ({ from, to, open });
const OLD = one(771n, 2169286n);
const WHOLE = one(772n, 2169287n);

const CASES: readonly (readonly [string, () => ReturnType<typeof openAtStop>, RegExp])[] = [
  [
    "an observation between the start and what was delivered",
    () => openAtStop(offsets(), observation(2169287n, 2179000n), now()),
    /^none$/,
  ],
  [
    "one that began at the start is complete",
    () => openAtStop(offsets(), observation(2170000n, 2170001n, WHOLE), now(WHOLE)),
    /^none$/,
  ],
  [
    "one that is still open",
    () => openAtStop(offsets(), observation(2170000n, 2170001n, OLD), now(OLD)),
    /^some 771 \/ $/,
  ],
  [
    "one that has ended since",
    () => openAtStop(offsets(), observation(2170000n, 2170001n, OLD), now()),
    /^some {2}\/ 771$/,
  ],
  ["both", () => openAtStop(offsets(), observation(2170000n, 2170001n, OLD), now(one(9n, 5n))), /^some 9 \/ 771$/],
  ["one that is observed only after the stop", () => openAtStop(offsets(), undefined, now(OLD)), /^some 771 \/ $/],
  ["stopped before any observation", () => openAtStop(offsets(), undefined, now()), /not recorded before it stopped/],
  [
    "the connector advanced past the observation",
    () => openAtStop(offsets(), observation(2169286n, 2169286n), now()),
    /recorded at 2169286, below the start/,
  ],
  [
    "a table was not delivered up to the observation",
    () => openAtStop(offsets(), observation(2170000n, 2179001n), now()),
    /recorded at 2179001, and ORCLPDB1\.SALES\.LINES was delivered only/,
  ],
  [
    "a table without a stored delivery",
    () => openAtStop(offsets([], null), observation(2170000n, 2170001n), now()),
    /LINES was delivered only/,
  ],
  [
    "several tables",
    () => openAtStop(offsets(), observation(2170000n, 2180001n), now()),
    /2 tables \(ORCLPDB1\.SALES\.ORDERS, …\) were/,
  ],
  [
    "a table that is left out does not count",
    () => openAtStop(offsets(["ORCLPDB1.SALES.LINES"]), observation(2170000n, 2179001n), now()),
    /^none$/,
  ],
  [
    "no table at all",
    () => openAtStop({ ...offsets(), partitions: [] }, observation(2170000n, 2170001n), now()),
    /no delivery to a table is stored/,
  ],
  [
    "open ones that are unknown",
    () => openAtStop(offsets(), observation(2170000n, 2170001n), { known: false, why: "no grant", source: "" }),
    /is unknown: no grant/,
  ],
];

for (const [name, given, expected] of CASES)
  stop(name, () => {
    const found = given();
    const ids = (of: readonly SeenTransaction[]) => of.map(({ xid }) => xid.sqn).join(" ");
    const text =
      found.is === "none" ? "none" : found.is === "some" ? `some ${ids(found.open)} / ${ids(found.ended)}` : found.why;
    assert.match(text, expected);
  });

stop.run();
