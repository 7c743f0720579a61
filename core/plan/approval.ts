import { type Digest, digestOf } from "../values/digest.ts";
import type { Plan } from "./plan.ts";

export type Approved = Pick<Plan, "intent" | "decided" | "decision">;

/**
 * What is approved, and what `--expect` compares: the decision of every plan, in order, and its place, which are the
 * workers' URLs, the Kafka cluster, the connector, and the path of the evidence relative to the plan file. The decision
 * alone, by which "applied once" and the ops topic know a change, is the same wherever it is applied.
 *
 * @param urlsOf those of all workers that may be asked
 */
export function approvalOf<P extends Approved>(plans: readonly P[], urlsOf: (plan: P) => readonly string[]): Digest {
  return digestOf(
    plans.map((plan) => {
      const { intent, decided, decision } = plan;
      const workers = urlsOf(plan).map(normalised);
      const evidence = intent.kind === "Migration" ? intent.evidence : undefined;
      const { connector } = intent.target;
      return { decision, place: { workers: workers.toSorted(), cluster: decided.cluster, connector, evidence } };
    }),
  );
}

/** A saved plan may hold any text. */
function normalised(url: string): string {
  return URL.canParse(url) ? new URL(url).href.replace(/\/+$/, "") : url;
}

/** The approval of plans for where they were planned. */
export function approvalSeen(plans: readonly Plan[]): Digest {
  return approvalOf(plans, ({ world: { connectUrl, otherConnectUrls = [] } }) => [connectUrl, ...otherConnectUrls]);
}
