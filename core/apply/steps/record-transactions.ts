import { CallFailed } from "../../errors.ts";
import type { Step } from "./step.ts";

/**
 * Records the open transactions while the legacy connector runs: the recheck after the stop compares them with those
 * that are open then. Where they can't be seen nothing is recorded, and the recheck decides what that means.
 *
 * Rule: specification, "Takeover rules", 2; reference: Oracle, "Torn transactions".
 */
export const recordTransactions: Step<"record-transactions"> = {
  async run(_args, ctx) {
    try {
      // One after the other: the two SCNs have to enclose the look.
      const { currentScn: from } = await ctx.oracle.database();
      const open = await ctx.oracle.openTransactions();
      const { currentScn: to } = await ctx.oracle.database();
      await ctx.record({
        type: "transactions-seen",
        from,
        to,
        open: open.map(({ xid, startScn, user }) => ({ xid, startScn, user })),
      });
      return { result: "done", note: `${open.length} ${open.length === 1 ? "is" : "are"} open at ${to}` };
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure;
      return { result: "done", note: `which are open can't be seen: ${failure.message}` };
    }
  },
};
