import type { CutoverReading } from "../../../checks/readings.ts";
import type { CapturedSet } from "../../../facts/tables/tables.ts";
import type { TopicNames } from "../../../facts/tables/topic-names.ts";
import type { LegacyConnector } from "../../../legacy/legacy-kind.ts";
import type { TableTopic } from "../../../legacy/written-topics.ts";
import { type Note, note } from "../../../plan/plan.ts";
import { counted } from "../../../values/amounts.ts";
import { showMillis } from "../../../values/duration.ts";
import { truncate } from "../../../values/truncate.ts";
import type { Phase } from "../../migration/plan.ts";
import { names } from "../../migration/shown.ts";

/** The topic of each captured table by both connectors' settings, where they may be the same. */
export function topicsOfTables(
  legacy: LegacyConnector,
  captured: CapturedSet,
  names: TopicNames,
): readonly TableTopic[] {
  return (captured.known ? captured.tables : []).map((table) => ({
    table: table.fullName,
    was: legacy.topics.ofTable(legacy, table)[0],
    is: names.known ? names.topicOf(table) : undefined,
  }));
}

/** What becomes of the legacy connector's topics, and what that means to their consumers: never folded. */
export function topicsNote(plan: Phase, { legacy, takeover: { offsets, overlap } }: CutoverReading): readonly Note[] {
  const [old] = names(plan);
  const choice = plan.decided.topicChoice;
  if (choice === undefined || legacy.topics.notKept !== undefined) return [];
  const prefix = truncate(plan.world.prefix, 60);
  if (choice === "new")
    return [
      note("topics", `new ones, below ${prefix}; those of ${old} stay, and get nothing more`, undefined, "always"),
    ];
  const time = overlap?.millis === undefined ? "" : ` (${showMillis(overlap.millis)})`;
  const commits =
    overlap === undefined ? "an unknown number of commits" : `the commits of ${counted(overlap.scns, "SCN")}${time}`;
  const twice =
    overlap === undefined && offsets !== undefined && !offsets.lastUnknown
      ? "no commit reaches them twice, but rows that a snapshot read may come again as changes"
      : `their consumers see ${commits} twice in one stream, source.scn going back`;
  const text = `those of ${old} are kept: ${twice}`;
  return [note("topics", text, "caution", "always", legacy.topics.changesKept, "change for consumers")];
}
