import type { ReturnPlan, ReturnShown } from "../../../core/plan/migration-plan.ts";
import { counted } from "../../../core/values/amounts.ts";
import type { MigrationSubject } from "../../../schemas/generated/run-journal.ts";
import { trunc } from "../layout.ts";
import { statusOf } from "../quantities.ts";
import { type Field, field, items } from "../report/model.ts";
import { lastDelivered, redoFrom, timed } from "../takeover.ts";
import type { KindView } from "./kind.ts";
import { ofTwoConnectors, phaseParts } from "./migration.ts";

/** Returns from the new connector to the legacy one. */
export const cutoverRollback: KindView<ReturnPlan, MigrationSubject> = {
  ...ofTwoConnectors,
  plan(plan) {
    const { from, to } = plan.intent;
    const aim = `rollback: ${trunc(from.connector)} resumes where it stopped, and ${trunc(to.name)} is removed`;
    return phaseParts(plan, aim, resumption(plan), { takeover: plan.migration.takeover });
  },
  aim: ({ legacy }) => `rollback to ${trunc(legacy, 60)}`,
  next: (_run, then) => then("cutover", "to take over again"),
};

function resumption(plan: ReturnPlan): readonly Field[] {
  const { intent, legacy, outcome, migration: shown } = plan;
  const [old, name] = [trunc(intent.from.connector), trunc(intent.to.name)];
  const { takeover } = shown;
  return [
    takeover === undefined
      ? field("resumes from", `unknown: the stored offsets of ${old} are not a valid position`, "bad")
      : field(
          "resumes from",
          `${timed(takeover.startScn, takeover.startedAt)}: the lowest scn that ${old} stopped with; every ` +
            "commit that it had not delivered reaches its topics",
        ),
    ...(takeover === undefined ? [] : [lastDelivered(takeover)]),
    redoFrom(shown.redo),
    field(
      "legacy",
      legacy === undefined
        ? `${old} does not exist`
        : `${old} ${statusOf(legacy)}; ${outcome.state === "ready" ? "it will be resumed" : "it is left unchanged"}`,
      legacy === undefined ? "bad" : undefined,
    ),
    removed(plan),
    ...newTopics(shown, name, plan.world.prefix),
    field("next cutover", `a plan with phase: cutover takes over again, from the position of ${old} at that time`),
  ];
}

/** Reference: Kafka Connect, "Seen on real workers": stored offsets outlive their connector. */
function removed({ intent, next, outcome }: ReturnPlan): Field {
  const name = trunc(intent.to.name);
  if (next === undefined) return field("new", `${name} does not exist: nothing to remove`);
  if (outcome.state !== "ready") return field("new", `${name} ${statusOf(next)}; it is left unchanged`);
  const how = next.state === "STOPPED" ? "deleted" : "stopped and deleted";
  return field(
    "new",
    `${name} ${statusOf(next)}; it will be ${how}, its stored offsets first: they would outlive it, and the ` +
      "next cutover would resume from them",
    "bad",
  );
}

function newTopics({ topics, kept }: ReturnShown, name: string, prefix: string): readonly Field[] {
  const deleted = topicsDeleted(topics, name);
  if (kept === undefined && topics.length > 0) return deleted;
  if (kept === undefined) return [field("topics", `the topics of ${name} are unknown; none is deleted`)];
  if (kept.length === 0) return deleted;
  const how = topics.length > 0 ? "" : ` (spec.deleteTopics: true deletes those of ${name})`;
  const stays = kept.length === 1 ? "stays" : "stay";
  const stay = `${counted(kept.length, "topic")} below ${trunc(prefix, 60)}. ${stays}${how}:`;
  return [
    ...deleted,
    field(
      topics.length > 0 ? "stays" : "topics",
      stay,
      undefined,
      items(kept, "topic", (topic) => trunc(topic)),
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
      items(topics, "topic", (topic) => trunc(topic), "all"),
    ),
  ];
}
