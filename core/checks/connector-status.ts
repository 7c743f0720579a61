import type {
  CutoverFacts,
  DeployedConnector,
  RetirementFacts,
  VerificationFacts,
} from "../../schemas/generated/facts.ts";
import { explainedStop, explanationOf } from "../connector-errors.ts";
import type { ConnectorKind, IntentOf, MigrationIntent } from "../document/intent.ts";
import { hasFailed, isRunning, isStopped } from "../facts/connector/connector.ts";
import { errorLine } from "../facts/connector/traces.ts";
import type { ConnectorFacts } from "../facts/connector-facts.ts";
import type { Way } from "../facts/redo/redo.ts";
import type { Remedy } from "../values/remedy.ts";
import { connectorsLine, type Workers } from "../values/shell-word.ts";
import { type Check, type CheckOf, type CheckPage, fail, pass, type Verdict } from "./check.ts";

const HEALTHY = new Set(["RUNNING", "PAUSED", "STOPPED"]);

/** A failed connector or task is a reason to move an offset, not an obstacle: it is stopped like any other. */
export const connectorNotHealthy: Check<
  Pick<IntentOf<ConnectorKind>, "target">,
  { readonly facts: Pick<ConnectorFacts, "connector" | "worker">; readonly way?: Way }
> = {
  code: "CON303",
  title: "The connector or its task is not healthy",
  problem: "What made it fail may make it fail again after the change.",
  remedy: "Read the trace: `cdcctl explain CDC-nnnn` says what its code means, and what to do.",
  grade: "advisory",

  run({ target }, reading) {
    const { name, status } = reading.facts.connector;
    const { state, trace, tasks } = status;
    const ill = [
      ...(HEALTHY.has(state) ? [] : [`the connector is ${state}${traceLine(trace)}`]),
      ...tasks
        .filter((task) => !HEALTHY.has(task.state))
        .map((task) => `task ${task.id} is ${task.state}${traceLine(task.trace)}`),
    ];
    if (ill.length === 0) return pass;
    const stop = explainedStop(status);
    const stoppedForRedo = stop?.code === "CDC-2001" || stop?.code === "CDC-2002";
    return fail(ill.join("; "), {
      ...(stoppedForRedo && reading.way === "signal"
        ? { remedies: [startAgain(name, { context: target.context, connectUrl: reading.facts.worker.url })] }
        : stoppedForRedo && reading.way !== undefined
          ? // The plan is about just that.
            { remedies: [] }
          : stop?.error !== undefined
            ? { remedies: explanationOf(stop) }
            : {}),
    });
  },
};

/**
 * Remedy for a connector that stopped for missing redo which has been restored since: nothing has to be skipped or
 * snapshotted.
 */
function startAgain(connector: string, at: Workers): Remedy {
  return {
    text: "All redo is available again, so it can simply be restarted, without loss",
    command: connectorsLine("restart", connector, at),
  };
}

/** A failed legacy connector is stopped like any other; only its stored position matters. */
export const legacyFailed: CheckOf<CutoverFacts, "legacy"> = {
  code: "MIG106",
  title: "The legacy connector or its task has failed",
  problem: "It has delivered nothing since. The cause may make the new connector fail too.",
  remedy: "Read the trace: the new connector may lack the same redo, permission or table.",
  grade: "advisory",

  run(_intent, { facts: { legacy } }) {
    const { name, status } = legacy;
    if (!hasFailed(status)) return pass;
    const tasks = status.tasks.filter(({ state }) => state === "FAILED");
    return fail(
      [
        ...(status.state === "FAILED" ? [`${name} has FAILED${traceLine(status.trace)}`] : []),
        ...tasks.map(({ id, trace }) => `task ${id} of ${name} has FAILED${traceLine(trace)}`),
      ].join("; "),
    );
  },
};

/** A connector that is not running may have passed the check SCN before; otherwise the wait times out. */
export const newConnectorNotRunning: CheckOf<VerificationFacts, "next"> = {
  code: "MIG208",
  title: "The new connector is not RUNNING",
  problem: "Unless it has already passed the check SCN, it never will, and the verification would time out.",
  remedy: "Resume the connector, or restart its task.",
  grade: "advisory",

  run(_intent, { facts: { next } }) {
    return next === undefined ? pass : running(next);
  },
};

/**
 * The legacy connector is STOPPED after a cutover; if not, it was resumed manually or by an operator such as Strimzi.
 */
export const legacyNotStopped = legacyStopped({
  code: "MIG305",
  title: "The legacy connector is not STOPPED",
  problem: "It has already been started: both connectors may deliver at the same time.",
  remedy:
    "Find out who started it. The rollback deletes the new connector anyway, and leaves a running legacy connector " +
    "as it is.",
  grade: "advisory",
});

/** A retirement can't be rolled back, so what is left has to work. */
export const newConnectorNotDelivering: CheckOf<RetirementFacts, "next" | "worker", Pick<MigrationIntent, "to">> = {
  code: "MIG406",
  title: "The new connector is missing or not RUNNING",
  problem: "With the legacy connector deleted, no connector would deliver changes, and a rollback would be impossible.",
  remedy: "Make sure that the connector and its task are RUNNING first, and check `spec.to.name`.",
  grade: "refusal",

  run({ to }, { facts: { next, worker } }) {
    if (next === undefined)
      return fail(`the workers at ${worker.url} have no connector ${to.name}`, { at: "spec.to.name" });
    return running(next);
  },
};

/** A cutover leaves the legacy connector STOPPED; in any other state it is still in use. */
export const legacyStillWorks = legacyStopped({
  code: "MIG407",
  title: "The legacy connector to be retired is not STOPPED",
  problem: "It still delivers, or may: it may have been put back into use after a rollback.",
  remedy: "Find out who uses it; apply the cutover (`phase: cutover`), which stops it.",
  grade: "refusal",
});

/** The error of a trace, as the end of a sentence; empty without a trace. */
export function traceLine(trace: string | undefined): string {
  const line = errorLine(trace, 300);
  return line === "" ? "" : `: ${line}`;
}

type WithStatus = Pick<DeployedConnector, "name" | "status">;

/** The status of a connector and its tasks: `orders-cdc is RUNNING; its task 0 is FAILED: …`. */
export function statusText({ name, status }: WithStatus): string {
  const tasks = status.tasks.filter(({ state }) => state !== "RUNNING");
  return [
    `${name} is ${status.state}${traceLine(status.trace)}`,
    ...tasks.map(({ id, state, trace }) => `its task ${id} is ${state}${traceLine(trace)}`),
    ...(status.state === "RUNNING" && status.tasks.length === 0 ? ["it has no tasks"] : []),
  ].join("; ");
}

function running(connector: WithStatus): Verdict {
  return isRunning(connector.status) ? pass : fail(statusText(connector));
}

/** Builds a check that passes when the legacy connector is STOPPED or does not exist. */
function legacyStopped(
  page: CheckPage,
): Check<unknown, { readonly facts: { readonly legacy?: WithStatus | undefined } }> {
  return {
    ...page,
    run: (_intent, { facts: { legacy } }) =>
      legacy === undefined || isStopped(legacy.status) ? pass : fail(statusText(legacy)),
  };
}
