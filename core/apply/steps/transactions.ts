import type { RemovedRecords } from "../../../schemas/generated/plan.ts";
import { CallFailed } from "../../errors.ts";
import { keysInTopic } from "../../journal/keys-in-topic.ts";
import { counted, showCount } from "../../values/amounts.ts";
import { printDuration } from "../../values/duration.ts";
import { printXid } from "../../values/xid.ts";
import { type RunContext, until } from "../context.ts";
import { done, failed, type Step, type StepResult } from "./step.ts";

/**
 * Records the open transactions while the legacy connector runs: the recheck after the stop compares them with those
 * open then. If they can't be read, nothing is recorded, and the recheck decides what that means.
 *
 * Rule: specification, "Takeover rules", 2; reference: Oracle, "Torn transactions".
 */
export const recordTransactions: Step<"record-transactions"> = {
  async run(_args, ctx) {
    try {
      // Sequentially: the two SCNs have to enclose the read.
      const { currentScn: from } = await ctx.oracle.database();
      const open = await ctx.oracle.openTransactions();
      const { currentScn: to } = await ctx.oracle.database();
      await ctx.record({
        type: "transactions-seen",
        from,
        to,
        open: open.map(({ xid, startScn, user }) => ({ xid, startScn, user })),
      });
      return done(`${counted(open.length, "is", "are")} open at ${to}`);
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure;
      return done(`which transactions are open is unknown: ${failure.message}`);
    }
  },
};

async function isCleared({ kafka }: RunContext, journaled: RemovedRecords, prefix: string): Promise<boolean> {
  const found = await keysInTopic(kafka, journaled, prefix);
  return "keys" in found && found.keys.length === 0;
}

/**
 * Waits until no transaction is open that began before the new position. No new one can begin there, so the condition
 * stays true once met. A running task removes from the journal what has ended. Only tables snapshotted later gain.
 *
 * Rule: reference: Oracle, "Torn transactions".
 */
export const waitForTransactions: Step<"wait-for-transactions"> = {
  async run({ scn, millis, journaled }, ctx) {
    const { prefix } = ctx.state().started.subject;
    let left: readonly string[] = [];
    try {
      const ended = await until(ctx, Number(millis), async (): Promise<StepResult | undefined> => {
        const open = (await ctx.oracle.openTransactions()).filter(({ startScn }) => startScn < scn);
        if (open.length === 0) {
          if (journaled === undefined || (await isCleared(ctx, journaled, prefix)))
            return done(`no open transaction began before ${scn}`);
          left = journaled.only ?? [];
          return undefined;
        }
        if (open.length !== left.length)
          ctx.report(`  ${counted(open.length, "transaction is", "transactions are")} still open`);
        left = open.map(
          ({ xid, user, startScn }) => `${printXid(xid)}${user === undefined ? "" : ` (${user})`} from ${startScn}`,
        );
        return undefined;
      });
      if (ended !== undefined) return ended;
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure;
      // Nothing was changed yet.
      return failed(`open or journaled transactions could not be read: ${failure.message}`, "TRX501", failure.remedies);
    }
    const shown = `${left.slice(0, 10).join(", ")}${left.length > 10 ? ", …" : ""}`;
    return failed(
      `after ${printDuration(Number(millis))} ` +
        `${left.length === 1 ? "a transaction is" : `${showCount(left.length)} transactions are`} still ` +
        `open${journaled === undefined ? "" : " or journaled"}: ${shown}`,
      "TRX501",
      ["Wait longer (spec.waitForTransactions), end them, or accept that they are torn: spec.accept: [TRX501]."],
    );
  },
};
