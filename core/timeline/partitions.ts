import type { ScnTime } from "../facts/database/database.ts";
import type { Observed } from "../facts/observed.ts";
import type { LegacyPartition } from "../legacy/stored-offsets.ts";
import { type Mark, MOST_STORED } from "./timeline.ts";

/**
 * A mark for each SCN that stored partitions of the legacy connector hold; those that are left out have marks of their
 * own. Of very many the lowest and the highest.
 *
 * @param partitions the lowest `scn` first
 * @returns and of how many partitions none is drawn
 */
export function partitionMarks(
  partitions: readonly Pick<LegacyPartition, "name" | "scn" | "leftOut">[],
  times: Observed<readonly ScnTime[]>,
): { readonly marks: readonly Mark[]; readonly left: bigint } {
  const at = new Map(times.known ? times.value.map((time) => [time.scn, time.at]) : []);
  const groups = new Map<string, Mark & { readonly more: bigint }>();
  for (const { name, scn, leftOut } of partitions) {
    const key = `${scn} ${leftOut}`;
    const group = groups.get(key);
    groups.set(
      key,
      group === undefined
        ? { mark: "stored scn", scn, at: at.get(scn), of: name, more: 0n, ...(leftOut ? { leftOut } : {}) }
        : { ...group, more: group.more + 1n },
    );
  }
  const all = [...groups.values()];
  const kept = all.length <= MOST_STORED ? all : [...all.slice(0, MOST_STORED - 1), ...all.slice(-1)];
  const drawn = kept.reduce((sum, { more }) => sum + more + 1n, 0n);
  return {
    marks: kept.map(({ more, ...mark }) => (more === 0n ? mark : { ...mark, more })),
    left: BigInt(partitions.length) - drawn,
  };
}
