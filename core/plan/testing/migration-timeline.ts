import { known, unseen } from "../../kinds/offset-change/testing/build-facts.ts";
import { partitionMarks } from "../../timeline/partitions.ts";
import { buildTimeline, TIMES, WITH_GAP } from "../../timeline/testing/build-timeline.ts";
import type { Timeline } from "../../timeline/timeline.ts";
import type { MigrationShown } from "../migration-plan.ts";

/** The picture that fits what a phase shows; none where no position is shown. */
export function migrationTimelineFor(shown: MigrationShown): { readonly timeline?: Timeline } {
  if ((shown.phase !== "cutover" && shown.phase !== "rollback") || shown.takeover === undefined) return {};
  const { partitions, startScn, lastDelivered } = shown.takeover;
  const back = shown.phase === "rollback";
  const times = known([
    ...partitions.flatMap(({ scn, at }) => (at === undefined ? [] : [{ scn, at }])),
    ...TIMES.filter((time) => partitions.every(({ scn }) => scn !== time.scn)),
  ]);
  const { marks, left } = partitionMarks(partitions, times);
  const timeline = buildTimeline({
    stored: back ? { resumeScn: 2204511n, lastCommit: { scn: 2204498n } } : undefined,
    target: startScn,
    ...(shown.redo === undefined ? { redo: unseen() } : {}),
    ...(shown.redo?.complete === false ? { catalogue: WITH_GAP, firstAvailable: shown.redo.firstAvailable } : {}),
    times,
    of: { target: back ? "orders-legacy" : "orders-cdc", "resume SCN": "orders-cdc", "last commit": "orders-cdc" },
    more: [
      ...marks,
      ...(lastDelivered === undefined || back
        ? []
        : [
            {
              mark: "last commit",
              scn: lastDelivered,
              at: shown.takeover.lastDeliveredAt,
              of: "orders-legacy",
            } as const,
          ]),
    ],
  });
  return { timeline: left === 0n ? timeline : { ...timeline, moreStored: left } };
}
