import { isRunning } from "../../facts/connector/connector.ts";
import type { Cause } from "./cause.ts";
import { CAUSES, type CauseRule } from "./causes.ts";
import { type LagFacts, type LagReading, readLag } from "./lag-facts.ts";
import { redoBehind } from "./state-causes.ts";
import { spillRemark, startedAgain } from "./task-causes.ts";

/** Why a connector is behind: one answer, other causes that hold, what is ruled out, and what could not be checked. */
export interface LagExplanation {
  readonly reading: LagReading;
  readonly answer: LagAnswer;
  /** Other causes that hold, in the order of the table. */
  readonly also: readonly LagCause[];
  readonly ruledOut: readonly { readonly rule: CauseRule; readonly because: string }[];
  readonly unseen: readonly { readonly rule: CauseRule; readonly why: string }[];
  /** What the operator should know, although it is not a cause. */
  readonly remarks: readonly string[];
}

/**
 * - `cause`: the first that holds.
 * - `none`: everything was checked, and nothing delays it.
 * - `unclear`: nothing that could be checked delays it.
 */
type LagAnswer = ({ readonly is: "cause" } & LagCause) | { readonly is: "none" } | { readonly is: "unclear" };

export interface LagCause {
  readonly rule: CauseRule;
  /** The rule's title, or its title for a likely cause. */
  readonly title: string;
  readonly evidence: readonly string[];
}

/**
 * Explains a lag from its facts. Pure: the same facts give the same explanation. What is unknown is neither a cause nor
 * ruled out.
 */
export function explainLag(facts: LagFacts): LagExplanation {
  const reading = readLag(facts);
  const runs = isRunning(facts.second.status);
  const judged = CAUSES.filter(({ whileRunning }) => runs || !whileRunning).map((rule) => ({
    rule,
    judgement: rule.judge(reading),
  }));
  const found = judged.flatMap(({ rule, judgement }) => {
    if (judgement.verdict !== "yes") return [];
    const { certain, evidence } = judgement;
    return [{ rule, title: (certain ? undefined : rule.likelyTitle) ?? rule.title, evidence }];
  });
  const unseen = judged.flatMap(({ rule, judgement }) =>
    judgement.verdict === "unknown" ? [{ rule, why: judgement.why }] : [],
  );
  const [first, ...also] = found;
  return {
    reading,
    answer: first !== undefined ? { is: "cause", ...first } : { is: unseen.length === 0 ? "none" : "unclear" },
    also: also.filter(({ rule }) => first === undefined || !resultOf(first.rule.cause, rule.cause)),
    ruledOut: judged.flatMap(({ rule, judgement }) =>
      judgement.verdict === "no" ? [{ rule, because: judgement.because }] : [],
    ),
    unseen,
    remarks: [...redoBehind(reading), ...spillRemark(facts), ...threadsRemark(facts), ...restartRemark(facts)],
  };
}

/**
 * Redo that is gone explains why the task has failed, so the failure is not a second cause. Neither is "not behind" for
 * a connector that has stopped: that will not last.
 */
function resultOf(first: Cause, other: Cause): boolean {
  return (first === "redo gone" && other === "failed") || other === "not behind";
}

function threadsRemark({ redo }: LagFacts): readonly string[] {
  const threads = redo.known ? redo.value.threads.filter(({ enabled }) => enabled !== "DISABLED").length : 0;
  return threads > 1
    ? [
        `The database has ${threads} enabled redo threads; the connector supports one, so this explanation ` +
          "may be wrong.",
      ]
    : [];
}

/** Counters that were reset do not show growth. */
function restartRemark({ first, second }: LagFacts): readonly string[] {
  return startedAgain(first, second)
    ? ["The task was restarted between the two samples: its counters were reset."]
    : [];
}

/**
 * Whether there was enough data: a cause was found, or the positions of connector and database are known, with the
 * metrics if they were requested.
 */
export function hasEnoughData({ answer, reading }: LagExplanation, metricsAsked: boolean): boolean {
  if (answer.is === "cause") return true;
  return reading.behind.known && (!metricsAsked || reading.facts.second.metrics.known);
}
