import type { SparkSeen } from "../../schemas/generated/facts.ts";
import type { MigrationIntent } from "../document/intent.ts";
import { shown } from "../document/printable.ts";
import { type Check, fail, fine, pass } from "./check.ts";

const CONTEXTS_KEY = 'spark: { submit: "spark-submit --master yarn" }';

/**
 * The plan file asks for Apache Spark; where and how that is reached is the operator's to say.
 *
 * Rule: docs/contexts-and-trust.md, "Who is trusted": a plan file names no command.
 */
export const notSubmittable: Check<
  Pick<MigrationIntent, "verify">,
  { readonly facts: { readonly spark?: SparkSeen | undefined } }
> = {
  code: "MIG211",
  title: "The context cannot submit a job to Apache Spark",
  problem: "Workers resolve their logins by a context, and the command that submits the job comes from it.",
  remedy: "Set `spark.submit` of the context, or remove `spec.verify.engine`.",
  grade: "refusal",

  run({ verify }, { facts: { spark } }) {
    if (verify?.engine === undefined) return pass;
    const path = "spec.verify.engine";
    const context = spark?.context;
    if (context === undefined)
      return fail("Connect is reached by a URL, and workers on Spark resolve their logins by a context", {
        remedies: [{ text: "Name the context", setting: "target.context", note: "in the plan file" }],
        at: path,
      });
    if (spark?.submit === undefined)
      return fail(`the context ${shown(context)} has no spark.submit`, {
        remedies: [{ text: `Add it to contexts.${shown(context)} in the contexts file`, setting: CONTEXTS_KEY }],
        at: path,
      });
    if (spark.onCluster)
      return fail(
        `spark.submit of the context ${shown(context)} uses cluster deploy mode: progress and results would ` +
          "stay on the cluster",
        { remedies: [{ text: "Submit in client deploy mode", setting: "--deploy-mode client" }], at: path },
      );
    return fine(`submitted by ${shown(spark.submit)}, as the context ${shown(context)} says`);
  },
};
