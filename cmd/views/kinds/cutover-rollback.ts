import type { ReturnPlan, ReturnShown } from "../../../core/plan/migration-plan.ts";
import type { MigrationSubject } from "../../../core/run/subject.ts";
import { counted } from "../../../core/values/amounts.ts";
import { clip } from "../layout.ts";
import { standingOf } from "../quantities.ts";
import { type Field, field, items } from "../report/model.ts";
import { lastDelivered, redoFrom, timed } from "../takeover.ts";
import type { KindView } from "./kind.ts";
import { ofTwoConnectors, phaseParts } from "./migration.ts";

/** From the new connector back to the legacy one. */
export const cutoverRollback: KindView<ReturnPlan, MigrationSubject> = {
  ...ofTwoConnectors,
  plan(plan) {
    const { from, to } = plan.intent;
    const aim = `rollback: ${clip(from.connector)} goes on where it stopped, and ${clip(to.name)} is removed`;
    return phaseParts(plan, aim, goingBack(plan), { takeover: plan.migration.takeover });
  },
  aim: ({ legacy }) => `rollback to ${clip(legacy, 60)}`,
  next: (_run, then) => then("cutover", "to take over again"),
};

function goingBack(plan: ReturnPlan): readonly Field[] {
  const { intent, legacy, outcome, migration: shown } = plan;
  const [old, name] = [clip(intent.from.connector), clip(intent.to.name)];
  const { takeover } = shown;
  return [
    takeover === undefined
      ? field("goes on from", `can't be told: the stored offsets of ${old} are no position`, "bad")
      : field(
          "goes on from",
          `${timed(takeover.startScn, takeover.startedAt)}: the lowest scn that ${old} stopped with; every ` +
            "commit that it had not delivered reaches its topics",
        ),
    ...(takeover === undefined ? [] : [lastDelivered(takeover)]),
    redoFrom(shown.redo),
    field(
      "legacy",
      legacy === undefined
        ? `${old} is not there`
        : `${old} ${standingOf(legacy)}; ${outcome.state === "ready" ? "it will be resumed" : "it is left as it is"}`,
      legacy === undefined ? "bad" : undefined,
    ),
    removed(plan),
    ...newTopics(shown, name, plan.world.prefix),
    field("way forward", `a plan with phase: cutover takes over again, from where ${old} stands by then`),
  ];
}

/** Reference: Kafka Connect, "Seen on real workers": stored offsets outlive their connector. */
function removed({ intent, next, outcome }: ReturnPlan): Field {
  const name = clip(intent.to.name);
  if (next === undefined) return field("new", `${name} is not there: there is nothing of it to remove`);
  if (outcome.state !== "ready") return field("new", `${name} ${standingOf(next)}; it is left as it is`);
  const how = next.state === "STOPPED" ? "deleted" : "stopped and deleted";
  return field(
    "new",
    `${name} ${standingOf(next)}; it will be ${how}, its stored offsets first: they would outlive it, and the ` +
      "next cutover would go on from them",
    "bad",
  );
}

function newTopics({ topics, kept }: ReturnShown, name: string, prefix: string): readonly Field[] {
  const deleted = topicsDeleted(topics, name);
  if (kept === undefined && topics.length > 0) return deleted;
  if (kept === undefined) return [field("topics", `which topics ${name} has can't be seen; none is deleted`)];
  if (kept.length === 0) return deleted;
  const how = topics.length > 0 ? "" : ` (spec.deleteTopics: true deletes those of ${name})`;
  const stays = kept.length === 1 ? "stays" : "stay";
  const stay = `${counted(kept.length, "topic")} below ${clip(prefix, 60)}. ${stays}${how}:`;
  return [
    ...deleted,
    field(
      topics.length > 0 ? "stays" : "topics",
      stay,
      undefined,
      items(kept, "topic", (topic) => clip(topic)),
    ),
  ];
}

function topicsDeleted(topics: readonly string[], name: string): readonly Field[] {
  if (topics.length === 0) return [];
  return [
    field(
      "topics",
      `${counted(topics.length, "topic")} of ${name} will be deleted, with everything in ` +
        `${topics.length === 1 ? "it" : "them"}:`,
      "bad",
      items(topics, "topic", (topic) => clip(topic), "all"),
    ),
  ];
}
