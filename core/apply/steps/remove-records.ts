import type { RemovedRecords } from "../../../schemas/generated/plan.ts";
import type { PinnedKeys } from "../../../schemas/generated/run-journal.ts";
import { CallFailed, Refusal } from "../../errors.ts";
import { isAskedFor, keysInTopic } from "../../journal/keys-in-topic.ts";
import { callName } from "../../plan/steps.ts";
import type { ChangeAnswer } from "../../ports/answers.ts";
import { counted } from "../../values/amounts.ts";
import { base64Of, bytesOfBase64 } from "../../values/base64.ts";
import type { RunContext } from "../context.ts";
import { untilDefinite } from "./definite-call.ts";
import { MAYBE_WRITTEN, overtaken } from "./ops-topic.ts";
import { obstacleToSending } from "./patch-offset.ts";
import { done, type Failed, failed, type Step, type StepResult } from "./step.ts";

/**
 * Writes null records for the keys that the connector's prefix has in its journal or schema topic, each into the
 * partition of its key. The keys are read after the stop, and are in the run's journal before the first is written:
 * writing them again clears nothing more.
 *
 * Rule: reference: connector rules, "Journal and generations".
 */
export const removeRecords: Step<"remove-records"> = {
  async run({ records }, ctx) {
    // A run that was taken over: its own machine sends the PATCH only once the records are gone.
    if (ctx.state().steps.get("patch-offset") === "done") return done("done before the PATCH");
    const pinned = ctx.state().removal?.topics ?? (await pin(records, ctx));
    if ("result" in pinned) return pinned;
    demandAskedFor(pinned, records, ctx);
    for (const { topic, keys } of pinned) {
      if (keys.length === 0) continue;
      const problem = await remove({ topic, keys }, ctx);
      if (problem !== undefined) return problem;
    }
    const found = pinned.filter(({ keys }) => keys.length > 0);
    return done(
      found.length === 0
        ? "there were none left"
        : `removed ${found.map(({ topic, keys }) => `${counted(keys.length, "key")} from ${topic}`).join(", ")}`,
    );
  },
};

/**
 * Refuses keys in the run's journal that its plan does not ask for: somebody may have edited that file.
 *
 * @throws Refusal `APL823`
 */
function demandAskedFor(pinned: readonly PinnedKeys[], records: readonly RemovedRecords[], ctx: RunContext): void {
  const { prefix } = ctx.state().started.subject;
  for (const { topic, keys } of pinned) {
    const rules = records.filter((rule) => rule.topic === topic);
    if (keys.every(({ key }) => rules.some((rule) => isAskedFor(key, rule, prefix)))) continue;
    throw new Refusal(
      "APL823",
      `the journal of run ${ctx.run} names keys of ${topic} whose removal its plan does not ask for. Nothing was sent`,
      ["Find out who can write to the state directory, and restore the journal from a backup."],
    );
  }
}

/** Reads the keys and records them. Nothing was written yet. */
async function pin(records: readonly RemovedRecords[], ctx: RunContext): Promise<readonly PinnedKeys[] | Failed> {
  const { prefix } = ctx.state().started.subject;
  const topics: PinnedKeys[] = [];
  for (const rule of records) {
    const found = await keysInTopic(ctx.kafka, rule, prefix);
    if ("unreadable" in found) {
      const { partition, offset, why } = found.unreadable;
      return failed(
        `the key at partition ${partition}, offset ${offset} of ${rule.topic} can't be read: ${why}`,
        "APL821",
        ["Find out what wrote that record: only keys that can be read are known to be this connector's."],
      );
    }
    const keys = found.keys.map(({ partition, key }) => ({ partition: BigInt(partition), key: base64Of(key) }));
    topics.push({ topic: rule.topic, keys });
  }
  await ctx.record({ type: "records-pinned", topics });
  return topics;
}

/** All keys of one topic as one call: an attempt without an answer is repeated from the first key. */
async function remove({ topic, keys }: PinnedKeys, ctx: RunContext): Promise<StepResult | undefined> {
  const call = callName("remove records", topic);
  if (!ctx.state().calls.has(call) && isInFlight(ctx)) {
    const rival = await overtaken(ctx);
    if (rival !== undefined) return rival;
  }
  const removed = await untilDefinite(
    {
      call,
      send: () => writeAll({ topic, keys }, ctx),
      obstacle: () => whyNotNow(ctx),
    },
    ctx,
  );
  if (removed.result === "done") return undefined;
  if (removed.result === "unclear") return removed;
  return failed(
    `the records could not be removed from ${topic}: ${removed.error}`,
    removed.rejected === undefined ? "APL804" : "APL821",
    [`Grant the login WRITE on ${topic}; the topic has to take null records (cleanup.policy=compact).`],
  );
}

/** Whether the run's change is announced in the ops topic, and not settled yet: then no other run may come first. */
function isInFlight(ctx: RunContext): boolean {
  const { steps, body } = ctx.state();
  return body !== undefined && steps.get("record-applying") === "done" && steps.get("record-outcome") !== "done";
}

/** Why nothing may be written now: a running task would write the records again. After a rollback there is none. */
async function whyNotNow(ctx: RunContext): Promise<string | undefined> {
  const { connector } = ctx.state().started.subject;
  if (ctx.state().body === undefined && (await ctx.connect.connector(connector)) === undefined) return undefined;
  return obstacleToSending(connector, ctx);
}

async function writeAll({ topic, keys }: PinnedKeys, ctx: RunContext): Promise<ChangeAnswer> {
  let written = 0;
  try {
    for (const { partition, key } of keys) {
      await ctx.kafka.append(topic, { key: bytesOfBase64(key), value: null, partition: Number(partition) });
      written += 1;
    }
    return { answer: "applied", message: "" };
  } catch (failure) {
    if (!(failure instanceof CallFailed)) throw failure;
    // The step is neither done nor undone if some of them are written.
    if (written > 0 || MAYBE_WRITTEN.has(failure.kind)) return { answer: "unanswered", why: failure.message };
    return { answer: "rejected", status: failure.kind === "unreachable" ? 0 : 403, message: failure.message };
  }
}
