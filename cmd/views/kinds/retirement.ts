import type { RetirementPlan } from "../../../core/plan/migration-plan.ts";
import { counted } from "../../../core/values/amounts.ts";
import type { MigrationSubject } from "../../../schemas/generated/run-journal.ts";
import { trunc } from "../layout.ts";
import { statusOf } from "../quantities.ts";
import { type Field, field, items, lines } from "../report/model.ts";
import type { KindView } from "./kind.ts";
import { evidenceText, newConnector, ofCounts, ofTwoConnectors, phaseParts } from "./migration.ts";

/** Deletes the legacy connector and its topics. */
export const retirement: KindView<RetirementPlan, MigrationSubject> = {
  ...ofTwoConnectors,
  plan(plan) {
    const aim = `retire: deletes ${trunc(plan.intent.from.connector)} and its topics; this cannot be rolled back`;
    return phaseParts(plan, aim, retirementFields(plan));
  },
  aim: ({ legacy }) => `retire ${trunc(legacy, 60)}`,
  next: () => [],
};

function retirementFields(plan: RetirementPlan): readonly Field[] {
  const { intent, legacy, next, migration } = plan;
  const { topics, licenceTopic, evidence } = migration;
  const [old, name] = [trunc(intent.from.connector), trunc(intent.to.name)];
  return [
    field(
      "legacy",
      legacy === undefined
        ? `${old} does not exist`
        : `${old} ${statusOf(legacy)}; it will be deleted, with its configuration`,
      "bad",
    ),
    newConnector(plan),
    topics === undefined
      ? field("topics", "the topics of the legacy connector are unknown", "bad")
      : topics.length === 0
        ? field("topics", "it has no topics: no topic is deleted")
        : field(
            "topics",
            `${counted(topics.length, "topic")} will be deleted, with everything in ` +
              `${topics.length === 1 ? "it" : "them"}:`,
            "bad",
            items(topics, "topic", ({ topic, what }) => [{ code: trunc(topic) }, `  ${trunc(what)}`], "all"),
          ),
    evidence === undefined
      ? field("evidence", "no valid evidence", "bad")
      : field("evidence", `${evidenceText(evidence)}${ofCounts(evidence.counts)}`),
    field(
      "stays",
      next === undefined ? `the topics of ${name}` : `${name} and its topics`,
      undefined,
      lines(
        [
          `the offsets of ${old} stored by Kafka Connect: they outlive the connector, and one ` +
            "created under its name resumes from them",
          ...(licenceTopic === undefined
            ? []
            : [
                `the licence topic ${trunc(licenceTopic)} (spec.deleteLicenceTopic: true deletes it, unless another ` +
                  "legacy connector uses it)",
              ]),
        ],
        "thing",
        "all",
      ),
    ),
    field("rollback", `none: deletion is final. Until then, a plan with phase: rollback returns to ${old}`, "bad"),
  ];
}
