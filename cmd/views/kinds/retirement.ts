import type { RetirementPlan } from "../../../core/plan/migration-plan.ts";
import type { MigrationSubject } from "../../../core/run/subject.ts";
import { counted } from "../../../core/values/amounts.ts";
import { clip } from "../layout.ts";
import { standingOf } from "../quantities.ts";
import { type Field, field, items } from "../report/model.ts";
import type { KindView } from "./kind.ts";
import { newConnector, ofTwoConnectors, phaseParts } from "./migration.ts";

/** The end of the legacy connector, and of its topics. */
export const retirement: KindView<RetirementPlan, MigrationSubject> = {
  ...ofTwoConnectors,
  plan(plan) {
    const aim = `retire: ${clip(plan.intent.from.connector)} and its topics are deleted; there is no way back`;
    return phaseParts(plan, aim, retirementFields(plan));
  },
  aim: ({ legacy }) => `retire ${clip(legacy, 60)}`,
  next: () => [],
};

function retirementFields(plan: RetirementPlan): readonly Field[] {
  const { intent, legacy, next, migration } = plan;
  const { topics, licenceTopic, evidence } = migration;
  const [old, name] = [clip(intent.from.connector), clip(intent.to.name)];
  return [
    field(
      "legacy",
      legacy === undefined
        ? `${old} is not there`
        : `${old} ${standingOf(legacy)}; it will be deleted, with its configuration`,
      "bad",
    ),
    newConnector(plan),
    topics === undefined
      ? field("topics", "which topics are the legacy connector's can't be told", "bad")
      : topics.length === 0
        ? field("topics", "none of its topics is there: no topic is deleted")
        : field(
            "topics",
            `${counted(topics.length, "topic")} will be deleted, with everything in ` +
              `${topics.length === 1 ? "it" : "them"}:`,
            "bad",
            items(topics, "topic", ({ topic, what }) => [{ code: clip(topic) }, `  ${clip(what)}`], "all"),
          ),
    evidence === undefined
      ? field("evidence", "there is none that holds together", "bad")
      : field("evidence", `${clip(evidence.file)}, ${evidence.digest}`),
    field(
      "stays",
      next === undefined ? `the topics of ${name}` : `${name} and its topics`,
      undefined,
      items(
        [
          `what Kafka Connect has stored as the offsets of ${old}: it outlives the connector, and one that is ` +
            "created under its name goes on from it",
          ...(licenceTopic === undefined
            ? []
            : [
                `the licence topic ${clip(licenceTopic)} (spec.deleteLicenceTopic: true deletes it, unless another ` +
                  "legacy connector uses it)",
              ]),
        ],
        "thing",
        (one) => one,
        "all",
      ),
    ),
    field(
      "way back",
      `none: what is deleted is gone. Until then a plan with phase: rollback goes back to ${old}`,
      "bad",
    ),
  ];
}
