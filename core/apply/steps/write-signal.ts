import { CallFailed } from "../../errors.ts";
import { encodeSignal, signalId, signalIdOf } from "../../facts/signal.ts";
import type { RecordPosition } from "../../ports.ts";
import { type RunContext, until } from "../context.ts";
import type { RunState, TopicEnd } from "../journal.ts";
import type { Step, StepResult } from "./step.ts";

/** After these the record may stand in the topic all the same. */
const MAYBE_WRITTEN: ReadonlySet<string> = new Set(["timeout", "lost", "protocol"]);
/** How long a signal whose acknowledgement was lost is looked for before it is written again: one more would be one more snapshot. */
const LOOK_MILLIS = 10_000;
const ATTEMPTS = 3;
const LOOK_BACK = { records: 10_000, millis: 15_000 } as const;

/**
 * Writes the snapshot signal, once a run: its id is in the journal before it is sent, and where the acknowledgement is lost the topic is read back
 * for it.
 *
 * Rule: specification, `resnapshot`; architecture, "What apply promises", 3.
 */
export const writeSignal: Step<"write-signal"> = {
  name: "write-signal",
  describe: ({ topic, tables }) =>
    `write the signal to snapshot ${tables.length === 1 ? tables[0] : `${tables.length} tables`} to ${topic}`,
  async probe({ topic }, ctx) {
    const { signal } = ctx.state();
    return signal !== undefined && (await isThere(topic, signal, ctx)) ? "done" : "not-done";
  },
  async run({ topic, tables }, ctx) {
    const known = ctx.state().signal;
    const signal = known ?? (await fix(topic, ctx));
    const written = (where: string): StepResult => ({
      result: "done",
      note: `wrote the signal ${signal.id} to ${topic} (${where})`,
    });
    if (known !== undefined && (await isThere(topic, signal, ctx))) return written("found there");
    const record = encodeSignal({ id: signal.id, tables }, ctx.state().started.subject.connector);
    let lost = "";
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        const { partition, offset } = await ctx.kafka.append(topic, record);
        return written(`partition ${partition}, offset ${offset}`);
      } catch (failure) {
        if (!(failure instanceof CallFailed)) throw failure;
        if (!MAYBE_WRITTEN.has(failure.kind) && lost === "" && known === undefined)
          return { result: "failed", error: failure.message, code: "SNP907" };
        lost = failure.message;
        ctx.report(`no acknowledgement for the signal (${failure.message}); reading the topic back`);
        const found = await until(ctx, LOOK_MILLIS, async () =>
          (await isThere(topic, signal, ctx)) ? true : undefined,
        );
        if (found) return written("found there");
      }
    }
    return {
      result: "unclear",
      why: `whether the signal was written is not known: ${lost}`,
      remedies: ["cdcctl recover"],
    };
  },
  undo: () => "a signal can't be taken back",
};

type Fixed = NonNullable<RunState["signal"]>;

/** Answers are looked for only where they are waited for. */
async function fix(topic: string, ctx: RunContext): Promise<Fixed> {
  const { plan, subject } = ctx.state().started;
  const awaited = plan?.steps.some(({ step }) => step === "wait-for-ack") ?? false;
  const [signalsFrom, answersFrom] = await Promise.all([
    ctx.kafka.endOffsets(topic),
    awaited ? ctx.kafka.endOffsets(subject.opsTopic) : [],
  ]);
  const fixed: Fixed = {
    type: "signal-fixed",
    id: signalId(ctx.clock.random),
    signalsFrom: signalsFrom.map(endOf),
    answersFrom: answersFrom.map(endOf),
  };
  await ctx.record(fixed);
  return fixed;
}

async function isThere(topic: string, { id, signalsFrom }: Fixed, ctx: RunContext): Promise<boolean> {
  const { records, reachedEnd } = await ctx.kafka.read(topic, { from: signalsFrom.map(positionOf), ...LOOK_BACK });
  if (records.some(({ value }) => signalIdOf(value) === id)) return true;
  if (reachedEnd) return false;
  throw new CallFailed({ system: "kafka", kind: "timeout", message: `${topic} could not be read back to its end` });
}

function endOf({ partition, offset }: RecordPosition): TopicEnd {
  return { partition: BigInt(partition), offset };
}

/** A partition's end as the journal keeps it, for a port. */
export function positionOf({ partition, offset }: TopicEnd): RecordPosition {
  return { partition: Number(partition), offset };
}
