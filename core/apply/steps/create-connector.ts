import { orUndefined, UsageError } from "../../errors.ts";
import { isStopped } from "../../facts/connector/connector.ts";
import { canHaveStartedAt, decodeOffset, isEmptyOffset } from "../../facts/offset/stored-offset.ts";
import { positionRulesOf } from "../../legacy/legacy-kind.ts";
import { callName } from "../../plan/steps.ts";
import type { Rejected } from "../../ports/answers.ts";
import { sameConfiguration } from "../../redaction/redact.ts";
import { redactAnswer } from "../../redaction/redactor.ts";
import type { RunState } from "../../run/state.ts";
import { phasePlanOf, phaseSubject } from "../../run/subject.ts";
import type { Config } from "../../values/config.ts";
import type { JsonObject } from "../../values/json.ts";
import { abandonOnceNotHeld, ONCE_FIXED, type RunContext, toRecover, until } from "../context.ts";
import { isPassing, legacyNotAtRest, startedMillis } from "./at-rest.ts";
import { notMade, untilDefinite } from "./definite-call.ts";
import { done, failed, type Step, type StepResult, unclear } from "./step.ts";
import { createdStopped, undoCreation } from "./undo-creation.ts";

/** How long to wait for a worker to read the new connector back from its own topic. */
const READ_BACK_MILLIS = 30_000;

/** The code that accepts resuming from the offsets of an earlier connector of the same name. */
const LEFTOVER_OFFSETS = "MIG107";

/**
 * Creates the new connector with its start SCN, reads its configuration back and compares it before it runs: STOPPED,
 * if the workers support it. Offsets of an earlier connector of that name are visible only now.
 *
 * Rule: specification, "Start, verification and rollback"; reference: Kafka Connect, "Calls" and "Seen on real
 * workers".
 */
export const createConnector: Step<"create-connector"> = {
  async run({ connector, stopped }, ctx) {
    const stray = strayStart(ctx.state());
    if (stray !== undefined) return failed(stray, "APL823");
    const config = await configurationToSend(ctx);
    if (typeof config === "string") return failed(config, "APL803");
    const call = callName("create", connector);
    const createdBefore = ctx.state().calls.has(call);
    const created = await untilDefinite(
      {
        call,
        send: () => ctx.connect.create(connector, config, stopped ? "STOPPED" : undefined),
        redact: (answer) => redactAnswer(answer, config),
        // A connector of that name belongs to another user, unless an attempt of this run may have created it: then it
        // is compared.
        isDone: async () => false,
        obstacle: () => legacyNotAtRest(ctx),
        meansDone: (answer, doubtful) => doubtful && isThere(answer),
      },
      ctx,
    );
    if (created.result !== "done")
      return notMade(created, { error: `Connect did not create ${connector}`, code: "APL814" });
    // Offsets that exist before a task can have started are from an earlier connector, so they are read first.
    const answeredNow = !createdBefore && !ctx.state().unanswered.has(call);
    const atOnce = !stopped && answeredNow ? await storedAtOnce(connector, ctx) : undefined;
    const different = await readBack(connector, config, stopped, ctx);
    if (different !== undefined) return different;
    if (!stopped) return startedAgain(connector, atOnce, ctx);
    const seen = await storedUnder(connector, ctx);
    const status = await ctx.connect.status(connector);
    return status === undefined || isStopped(status)
      ? nothingLeft(connector, seen, ctx)
      : startedMeanwhile(connector, seen, ctx);
  },

  undo: ({ connector }, ctx) => undoCreation(connector, ctx),
};

function isThere({ status, message }: Rejected): boolean {
  return status === 409 && /already exists/i.test(message);
}

/** Why the journaled start is not what the legacy connector's offsets give. Those are compared before every call. */
function strayStart(state: RunState): string | undefined {
  const { offsets = [], startScn } = state.takeover ?? {};
  const { leaveOut, startScn: given } = phasePlanOf(state).intent.from;
  const read = positionRulesOf({ config: {}, offsets }).read(offsets, leaveOut, "plan file");
  const start = read.ok ? (given ?? read.offsets.startScn) : "no SCN";
  if (start === startScn) return undefined;
  const { connector, legacy } = phaseSubject(state);
  return `the journal starts ${connector} at ${startScn}, and the offsets of ${legacy} give ${start}. Nothing was sent`;
}

/**
 * The configuration pinned by the recheck, with the secrets that the journal does not hold. @returns why it can't be
 * sent
 */
async function configurationToSend(ctx: RunContext): Promise<Config | string> {
  const { takeover } = ctx.state();
  if (takeover === undefined) throw new Error("a connector is created without its start");
  try {
    const config = {
      ...(await ctx.newConfiguration(phasePlanOf(ctx.state()).intent)),
      "cdc.start.scn": String(takeover.startScn),
    };
    return sameConfiguration(config, takeover.configuration)
      ? config
      : "the new connector's configuration is no longer the one that was checked: the legacy connector's, or a " +
          "file, has changed";
  } catch (failure) {
    if (failure instanceof UsageError)
      return `the new connector's configuration can no longer be read: ${failure.message}`;
    throw failure;
  }
}

/**
 * Reads the new connector back. A connector that differs from the request is not started: if every attempt was answered
 * it belongs to this run and is deleted again; otherwise it may be another user's, and this run's own may still appear.
 *
 * @returns undefined if it is as requested
 */
async function readBack(
  connector: string,
  config: Config,
  stopped: boolean,
  ctx: RunContext,
): Promise<StepResult | undefined> {
  let startedSince: number | undefined;
  const seen = await until(ctx, READ_BACK_MILLIS, async () => {
    const [description, status] = await Promise.all([ctx.connect.connector(connector), ctx.connect.status(connector)]);
    if (description === undefined || status === undefined) return undefined;
    if (!stopped || isStopped(status)) return description;
    const now = ctx.clock.elapsed();
    startedSince = isPassing(status) ? undefined : (startedSince ?? now);
    return startedSince !== undefined && now - startedSince >= startedMillis(ctx) ? description : undefined;
  });
  if (seen === undefined)
    return unclear(
      `${connector} was created, and the workers do not show it${stopped ? " STOPPED" : ""} yet, unless another ` +
        "user or process has deleted it since",
      [toRecover("To check again"), abandonOnceNotHeld(callName("create", connector), ctx)],
    );
  const different = changedSettings(config, seen.config);
  if (different.length === 0) return undefined;
  if (ctx.state().unanswered.has(callName("create", connector)))
    return unclear(
      `the configuration of the existing connector ${connector} is not the requested one ` +
        `(${different.join(", ")}): it may belong to another user. An attempt to create it was never answered, and ` +
        "may still take effect",
      [toRecover(`Find out who created ${connector}. Once it is deleted or corrected`)],
    );
  return failed(
    `${connector} was created, but its configuration is not the requested one: ${different.join(", ")}`,
    "APL814",
  );
}

/** Another process, such as one with a copy of the journal, has started it: nothing else is left to create. */
async function startedMeanwhile(connector: string, seen: Stored, ctx: RunContext): Promise<StepResult> {
  const why = await legacyNotAtRest(ctx);
  ctx.report(`  another user or process has started ${connector}`);
  if (why === undefined) return startedAgain(connector, seen, ctx);
  const remedies = [ONCE_FIXED, abandonOnceNotHeld(callName("create", connector), ctx)];
  return unclear(`${connector} is already running; ${why}`, remedies);
}

/** Checks a connector that has not run: any stored offset is from an earlier one, and it would resume from it. */
function nothingLeft(connector: string, seen: Stored, ctx: RunContext): StepResult {
  const left = seen !== "nothing";
  if (left && !isAccepted(ctx)) return leftover(connector);
  return done(
    `${connector} is created STOPPED, its configuration is as ` +
      `requested${left ? "" : ", nothing is stored under its name"}`,
  );
}

/**
 * Checks a connector that is already running.
 *
 * @param atOnce what was stored right after it was created, or before it was seen to run; undefined if unknown
 */
async function startedAgain(connector: string, atOnce: Stored | undefined, ctx: RunContext): Promise<StepResult> {
  const note = `${connector} is created, and its configuration is as requested`;
  const seen = atOnce ?? (await storedUnder(connector, ctx));
  if (atOnce === "an earlier one's" && !isAccepted(ctx)) return leftover(connector);
  if (seen === "nothing") return done(`${note}, nothing was stored under its name`);
  const own = `the offset stored when ${connector} was first inspected is its own`;
  const unproven = `${own}, and not an earlier connector's`;
  return done(`${note}; not proven: ${unproven}`, { unproven });
}

/** Reads what is stored right after the creation; a worker may not know yet what it has just created. */
function storedAtOnce(connector: string, ctx: RunContext): Promise<Stored | undefined> {
  return until(ctx, READ_BACK_MILLIS, () => orUndefined(storedUnder(connector, ctx), "missing"));
}

function leftover(connector: string): StepResult {
  return failed(
    `offsets of an earlier ${connector} are stored: it would resume from them, and ignore cdc.start.scn`,
    LEFTOVER_OFFSETS,
    ["Choose another name, or delete them: create the connector STOPPED, then DELETE its offsets, then it."],
  );
}

/** `possibly its own`: what the new connector's task, started once, would store first. */
type Stored = "nothing" | "possibly its own" | "an earlier one's";

async function storedUnder(connector: string, ctx: RunContext): Promise<Stored> {
  const offsets = (await ctx.connect.offsets(connector)).flatMap(({ offset }) =>
    offset === null || isEmptyOffset(offset) ? [] : [offset],
  );
  if (offsets.length === 0) return "nothing";
  return offsets.every((offset) => canBeItsFirst(offset, ctx)) ? "possibly its own" : "an earlier one's";
}

/** Its task has started once, at the given position (reference: wire formats, "Stored offset"). */
function canBeItsFirst(offset: JsonObject, ctx: RunContext): boolean {
  const { takeover } = ctx.state();
  const decoded = decodeOffset(offset);
  if (takeover === undefined || !decoded.ok) return false;
  const { journalGeneration = 0n } = decoded.offset;
  return canHaveStartedAt(decoded.offset, takeover.startScn) && journalGeneration <= 1n;
}

/**
 * Whether the plan file accepts that the new connector resumes from what an earlier one has stored. Before Kafka
 * Connect 3.7, where it can't be created STOPPED, the same code only asserts that nothing is stored: an offset that is
 * found anyway is not accepted.
 */
export function isAccepted(ctx: RunContext): boolean {
  return createdStopped(ctx) && ctx.state().started.plan?.intent.accept.includes(LEFTOVER_OFFSETS) === true;
}

/** The names of settings that differ. The workers add the name, and show masked what they hold masked. */
function changedSettings(sent: Config, seen: Config): readonly string[] {
  const names = new Set([...Object.keys(sent), ...Object.keys(seen)]);
  return [...names].filter((name) => name !== "name" && sent[name] !== seen[name]).sort();
}
