import type { Step } from "./step.ts";

/**
 * Compares tables and topics, and writes the evidence. That a table does not pass is a result, no failure of the run's: it is recorded, and the run
 * ends as failed, so that nothing is retired by it.
 *
 * Rule: specification, "Start, verification and rollback"; reference: connector settings, "What a cutover verification compares".
 */
export const verifyTables: Step<"verify-tables"> = {
  name: "verify-tables",

  describe: ({ tables, evidence }) =>
    `compare ${tables.length === 1 ? tables[0]?.table : `${tables.length} tables`} with the topics as of one SCN, write ${evidence}`,

  async run(_args, ctx) {
    const { passed, sentence, tables, evidence } = await ctx.verify();
    await ctx.record({ type: "verified", passed, tables, evidence });
    return passed
      ? { result: "done", note: `${sentence}; evidence ${evidence.file}, ${evidence.digest}` }
      : {
          result: "failed",
          error: `${sentence}; evidence ${evidence.file}, ${evidence.digest}`,
          code: "APL816",
          remedies: [`See which keys:  cdcctl migrate verify --check-evidence ${evidence.file}`],
        };
  },
};
