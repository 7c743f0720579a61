import type { VerifiedTable } from "../../../core/facts/tables/tables.ts";
import type { MigrationPlan, VerificationPlan } from "../../../core/plan/migration-plan.ts";
import { counted, showCount } from "../../../core/values/amounts.ts";
import type { MigrationSubject } from "../../../schemas/generated/run-journal.ts";
import { trunc } from "../layout.ts";
import { showMillis } from "../quantities.ts";
import { type Field, field, items, type Words } from "../report/model.ts";
import type { KindView } from "./kind.ts";
import { newConnector, ofTwoConnectors, phaseParts } from "./migration.ts";

/** Compares tables with topics. Changes nothing; its message names the evidence. */
export const verification: KindView<VerificationPlan, MigrationSubject> = {
  ...ofTwoConnectors,
  untouched: undefined,
  plan(plan) {
    const topics = `the topics of ${trunc(plan.intent.to.name)}`;
    const aim = `verify: compares tables with ${topics} as of one SCN; changes nothing`;
    return phaseParts(plan, aim, verificationFields(plan));
  },
  aim: ({ legacy }) => `verify after ${trunc(legacy, 60)}`,
  next: (_run, then) => then("retire", "once all consumers read the new topics"),
};

function verificationFields(plan: VerificationPlan): readonly Field[] {
  const { intent, migration } = plan;
  const { tables, checkScn, evidence } = migration;
  const { verify } = intent;
  const name = trunc(intent.to.name);
  const asked = verify?.tables.length ?? 0;
  const wait = verify === undefined ? "" : ` (at most ${showMillis(verify.wait)})`;
  return [
    field(
      "tables",
      tables.length === asked
        ? `${counted(tables.length, "table")}, ${tables.length === 1 ? "" : "each "}with the topics of its changes`
        : `${showCount(tables.length)} of the ${showCount(asked)} named can be compared`,
      tables.length === asked && asked > 0 ? undefined : "bad",
      items(tables, "table", comparison),
    ),
    ...ignored(plan),
    field(
      "check SCN",
      `${
        checkScn === undefined
          ? `the SCN of ${verify === undefined ? "some time" : showMillis(verify.safetyMargin)} before it begins`
          : checkScn
      }; apply waits until ${name} has passed it${wait}`,
    ),
    newConnector(plan),
    ...(verify?.engine === undefined
      ? []
      : [
          field(
            "engine",
            "Apache Spark, submitted as spark.submit of the context says; workers read with their own logins",
          ),
        ]),
    field(
      "evidence",
      `${trunc(evidence)}, always written, replacing an earlier one; its digest is kept in the ` +
        "run's journal, and a retirement requires both",
    ),
    ...(verify?.showValues === true
      ? [field("values", "differing values are written into the evidence; they may be personal data", "caution")]
      : []),
  ];
}

/**
 * `ORCLPDB1.SALES.ORDERS  orders.ORCLPDB1.SALES.ORDERS, after ORCLCDB.ORCLPDB1.SALES.ORDERS of the legacy connector`.
 */
function comparison({ table, topic, legacyTopic }: VerifiedTable): Words {
  const before =
    legacyTopic === undefined
      ? [", without a legacy topic"]
      : [", after ", { code: trunc(legacyTopic) }, " of the legacy connector"];
  return [{ code: trunc(table) }, "  with ", { code: trunc(topic) }, ...before];
}

function ignored({ intent: { verify } }: MigrationPlan): readonly Field[] {
  const tables = Object.entries(verify?.ignoreColumns ?? {});
  if (tables.length === 0) return [];
  return [
    field(
      "not compared",
      trunc(tables.map(([table, columns]) => `${columns.join(", ")} of ${table}`).join("; "), 1000),
      "caution",
    ),
  ];
}
