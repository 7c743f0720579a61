import { connectorErrorIn } from "../connector-errors.ts";
import { type ConnectorKind, type IntentOf, isOfFlags, type MigrationIntent } from "../document/intent.ts";
import { hasFailed, isRunning, isStopped } from "../facts/connector/connector.ts";
import type { ConnectorFacts, DeployedConnector } from "../facts/connector-facts.ts";
import type { Way } from "../facts/redo/gap.ts";
import type { CutoverFacts } from "../kinds/cutover/facts.ts";
import type { RetirementFacts } from "../kinds/retirement/facts.ts";
import type { VerificationFacts } from "../kinds/verification/facts.ts";
import type { Remedy } from "../values/remedy.ts";
import { connectorsLine, type Workers } from "../values/shell-word.ts";
import { firstLine } from "../values/truncate.ts";
import { type Check, type CheckPage, fail, pass, type Verdict } from "./check.ts";

const HEALTHY = new Set(["RUNNING", "PAUSED", "STOPPED"]);

/** A failed connector or task is a reason to move an offset, not an obstacle: it is stopped like any other. */
export const connectorNotHealthy: Check<
  Pick<IntentOf<ConnectorKind>, "origin" | "target">,
  { readonly facts: Pick<ConnectorFacts, "connector" | "worker">; readonly way?: Way }
> = {
  code: "CON303",
  title: "The connector or its task is not healthy",
  problem: "What made it fail may make it fail again after the change.",
  remedy: readTheTrace("spec.forgetReleased"),
  grade: "advisory",

  run(intent, reading) {
    const { name, status } = reading.facts.connector;
    const { state, trace, tasks } = status;
    const ill = [
      ...(HEALTHY.has(state) ? [] : [`the connector is ${state}${traceLine(trace)}`]),
      ...tasks
        .filter((task) => !HEALTHY.has(task.state))
        .map((task) => `task ${task.id} is ${task.state}${traceLine(task.trace)}`),
    ];
    if (ill.length === 0) return pass;
    const error = connectorErrorIn(status);
    const stoppedForRedo = [trace, ...tasks.map((task) => task.trace)].some((text) =>
      /\bCDC-200[12]\b/.test(text ?? ""),
    );
    return fail({
      seen: ill.join("; "),
      ...(stoppedForRedo && reading.way === "signal"
        ? { remedies: [startAgain(name, { context: intent.target.context, connectUrl: reading.facts.worker.url })] }
        : stoppedForRedo && reading.way !== undefined
          ? // The plan is about just that.
            { remedies: [] }
          : error !== undefined
            ? { remedies: [{ text: "What the connector means by it", command: `cdcctl explain ${error.code}` }] }
            : isOfFlags(intent.origin)
              ? { remedies: [readTheTrace("--forget-released")] }
              : {}),
    });
  },
};

/** @param forget what takes ids out of the ledger */
function readTheTrace(forget: string): string {
  return `Read the trace: CDC-2001 and CDC-2002 are about missing redo, CDC-7001 about released orphans (${forget}).`;
}

/** It stopped for redo that has come back since: nothing has to be skipped, and nothing snapshotted. */
function startAgain(connector: string, at: Workers): Remedy {
  return {
    text: "All redo is there by now, so it can simply be started again, and loses nothing",
    command: connectorsLine("restart", connector, at),
  };
}

/** It is stopped like any other, and its stored position is what counts. */
export const legacyFailed: Check<unknown, { readonly facts: Pick<CutoverFacts, "legacy"> }> = {
  code: "MIG106",
  title: "The legacy connector or its task has failed",
  problem: "It delivers nothing since; what made it fail may make the new connector fail too.",
  remedy: "Read the trace: missing redo, a right or a table may be missing for the new connector as well.",
  grade: "advisory",

  run(_intent, { facts: { legacy } }) {
    const { name, status } = legacy;
    if (!hasFailed(status)) return pass;
    const tasks = status.tasks.filter(({ state }) => state === "FAILED");
    return fail({
      seen: [
        ...(status.state === "FAILED" ? [`${name} has FAILED${traceLine(status.trace)}`] : []),
        ...tasks.map(({ id, trace }) => `task ${id} of ${name} has FAILED${traceLine(trace)}`),
      ].join("; "),
    });
  },
};

/** One that stands still can have passed the check SCN before; otherwise it is waited for in vain. */
export const newConnectorNotRunning: Check<unknown, { readonly facts: Pick<VerificationFacts, "next"> }> = {
  code: "MIG208",
  title: "The new connector is not RUNNING",
  problem: "It does not pass the check SCN unless it has passed it already: the verification would wait in vain.",
  remedy: "Resume it, or restart its task.",
  grade: "advisory",

  run(_intent, { facts: { next } }) {
    return next === undefined ? pass : running(next);
  },
};

/** After a cutover it is STOPPED; somebody has resumed it by hand, or an operator such as Strimzi has. */
export const legacyNotStopped = legacyStopped({
  code: "MIG305",
  title: "The legacy connector is not STOPPED",
  problem: "Somebody has started it already: both connectors may deliver at the same time.",
  remedy: "Find out who; the way back deletes the new connector all the same, and leaves one that runs as it is.",
  grade: "advisory",
});

/** After a retirement there is no way back, so what is left has to work. */
export const newConnectorNotDelivering: Check<
  Pick<MigrationIntent, "to">,
  { readonly facts: Pick<RetirementFacts, "next" | "worker"> }
> = {
  code: "MIG406",
  title: "The new connector is not there, or not RUNNING",
  problem: "With the legacy connector deleted nobody would deliver changes, and the way back would be gone.",
  remedy: "See to it that connector and task are RUNNING first; check `spec.to.name`.",
  grade: "refusal",

  run({ to }, { facts: { next, worker } }) {
    if (next === undefined)
      return fail({ seen: `the workers at ${worker.url} have no connector ${to.name}`, at: "spec.to.name" });
    return running(next);
  },
};

/** One that is not STOPPED was not left behind by a cutover: somebody still uses it. */
export const legacyStillWorks = legacyStopped({
  code: "MIG407",
  title: "The legacy connector to be retired is not STOPPED",
  problem: "It still delivers, or may: somebody may have gone back to it, and would lose it.",
  remedy: "Find out who uses it; carry out the cutover (`phase: cutover`), which stops it.",
  grade: "refusal",
});

/** The first line of a trace, which names the error, as the end of a sentence; nothing where there is none. */
export function traceLine(trace: string | undefined): string {
  const line = firstLine(trace, 300);
  return line === "" ? "" : `: ${line}`;
}

type Standing = Pick<DeployedConnector, "name" | "status">;

/** How a connector and its tasks stand: `orders-cdc is RUNNING; its task 0 is FAILED: …`. */
export function standingOf({ name, status }: Standing): string {
  const tasks = status.tasks.filter(({ state }) => state !== "RUNNING");
  return [
    `${name} is ${status.state}${traceLine(status.trace)}`,
    ...tasks.map(({ id, state, trace }) => `its task ${id} is ${state}${traceLine(trace)}`),
    ...(status.state === "RUNNING" && status.tasks.length === 0 ? ["it has no task"] : []),
  ].join("; ");
}

function running(connector: Standing): Verdict {
  return isRunning(connector.status) ? pass : fail({ seen: standingOf(connector) });
}

/** A rule that holds where the legacy connector is STOPPED, or gone. */
function legacyStopped(page: CheckPage): Check<unknown, { readonly facts: { readonly legacy: Standing | undefined } }> {
  return {
    ...page,
    run: (_intent, { facts: { legacy } }) =>
      legacy === undefined || isStopped(legacy.status) ? pass : fail({ seen: standingOf(legacy) }),
  };
}
