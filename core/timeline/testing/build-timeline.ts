import type { RedoCatalogue } from "../../../schemas/generated/facts.ts";
import { archived, CATALOGUE, known } from "../../kinds/offset-change/testing/build-facts.ts";
import { type Position, type Timeline, timelineOf } from "../timeline.ts";

/** Positions and pictures for tests: those of `orders-cdc`, with nothing lacking, unless the parts say otherwise. */

export const TIMES = [
  { scn: 2169287n, at: "2026-11-20T18:30:00Z" },
  { scn: 2204498n, at: "2026-11-20T19:02:08Z" },
  { scn: 2204511n, at: "2026-11-20T19:02:11Z" },
  { scn: 2241020n, at: "2026-11-21T09:14:02Z" },
];

/** Sequences 119 and 120 are not in the catalogue: the redo that `redoWithGap` examines. */
export const WITH_GAP: RedoCatalogue = {
  ...CATALOGUE,
  archived: [
    archived(118n, 2150000n, 2171000n, { nextTime: "2026-11-20T18:31:02Z" }),
    archived(121n, 2190412n, 2220000n, { firstTime: "2026-11-20T18:47:55Z" }),
  ],
};

export interface PositionParts extends Partial<Omit<Position, "redo">> {
  readonly redo?: Position["redo"];
  readonly catalogue?: RedoCatalogue;
}

export function buildPosition({ catalogue = CATALOGUE, ...parts }: PositionParts = {}): Position {
  const position = {
    stored: { resumeScn: 2204511n, lastCommit: { scn: 2204498n } },
    target: undefined,
    firstAvailable: undefined,
    currentScn: 2241020n,
    transactions: known([]),
    journaled: known([]),
    times: known(TIMES),
    clock: { zone: "+01:00", now: "2026-11-21T09:14:02Z" },
    ...parts,
  };
  const from = [position.stored?.resumeScn, position.target]
    .filter((scn) => scn !== undefined)
    .reduce<bigint | undefined>((low, scn) => (low === undefined || scn < low ? scn : low), undefined);
  const question = {
    from: from ?? 0n,
    currentScn: position.currentScn ?? 2241020n,
    resetlogsScn: 1n,
    captureMode: "online" as const,
    destination: undefined,
  };
  return { redo: known({ catalogue, question, probes: undefined }), ...position };
}

export function buildTimeline(parts: PositionParts = {}): Timeline {
  return timelineOf(buildPosition(parts));
}
