import type { ResolvedPlan } from "../../schemas/generated/plan.ts";
import schema from "../../schemas/plan.schema.json" with { type: "json" };
import { changeKind, isOfFlags } from "../document/intent.ts";
import { problemsOfJson, type Schema } from "../document/schema.ts";
import { Refusal, UsageError } from "../errors.ts";
import { type Digest, digestOf, parseDigest } from "../values/digest.ts";
import { isObject, type Json, parseJson, printJson } from "../values/json.ts";
import { asWritten, type Plan } from "./plan.ts";
import { fromVersion1 } from "./version-1.ts";

/** Rises when an older cdcctl can't read the file any more. */
export const RESOLVED_PLAN_FORMAT = 2n;
/**
 * The limit for every command that reads one. A larger file is refused before it is parsed, which takes many times its
 * size.
 */
export const MAX_RESOLVED_PLAN_BYTES = 16 * 1024 * 1024;

/**
 * What `plan --out` writes: everything that was planned, to be attached to a ticket, read by somebody without access,
 * and applied later. `decision` is what a reviewer agrees to; `digest` is over the whole file, against edits.
 */
export type { ResolvedPlan };

/** The decision over several plans: that of the one, or a digest over all in order. */
export function decisionOf(plans: readonly Pick<Plan, "decision">[]): Digest {
  const [first, ...more] = plans;
  return first !== undefined && more.length === 0 ? first.decision : digestOf(plans.map(({ decision }) => decision));
}

/** @param cdcctl version of the cdcctl that planned */
export function resolvedPlan(plans: readonly Plan[], cdcctl: string): ResolvedPlan {
  const body = {
    apiVersion: "cdcctl/v1",
    kind: "Plan",
    formatVersion: RESOLVED_PLAN_FORMAT,
    cdcctl,
    plans: plans.map(asWritten),
    decision: decisionOf(plans),
    approval: approvalSeen(plans),
  } as const;
  return { ...body, digest: digestOf(body) };
}

/** JSON that `parseResolvedPlan` reads back, byte by byte. */
export function printResolvedPlan(plan: ResolvedPlan): string {
  return `${printJson(plan)}\n`;
}

/** Whether a file's text is meant to be a resolved plan (JSON), not a plan file (YAML). */
export function seemsResolved(text: string): boolean {
  return /^\s*\{/.test(text) && /"kind"\s*:\s*"Plan"/.test(text.slice(0, 500));
}

/**
 * Reads a resolved plan and holds it against its digest, byte by byte, and its published schema. It can be shown then;
 * applied is only what `reviewedPlans` makes of it.
 *
 * @throws UsageError for a file that is cut off, is something else or was written by a later cdcctl; Refusal `APL802`
 * for one that was edited
 */
export function parseResolvedPlan(text: string, file: string): ResolvedPlan {
  const parsed = readJson(text, file);
  if (
    !isObject(parsed) ||
    parsed["apiVersion"] !== "cdcctl/v1" ||
    parsed["kind"] !== "Plan" ||
    typeof parsed["formatVersion"] !== "bigint"
  ) {
    throw new UsageError({
      file,
      message: "this is not a resolved plan",
      remedy: "Give a file that `cdcctl plan --out` wrote.",
    });
  }
  if (parsed["formatVersion"] > RESOLVED_PLAN_FORMAT) {
    throw new UsageError({
      file,
      message: `its format is version ${parsed["formatVersion"]}; this cdcctl reads up to ${RESOLVED_PLAN_FORMAT}`,
      remedy: `Use the cdcctl that wrote it (${String(parsed["cdcctl"])}) or a later one.`,
    });
  }
  const { digest, ...body } = parsed;
  const unchanged = typeof digest === "string" && parseDigest(digest) === digestOf(body);
  if (!unchanged || `${printJson(parsed)}\n` !== text.replaceAll("\r\n", "\n")) {
    throw new Refusal("APL802", `${file} was changed after it was planned: its digest does not fit`, [
      { text: "Plan again", command: "cdcctl plan FILE --out PLAN" },
    ]);
  }
  const { formatVersion, plans } = parsed;
  const isEarlier = formatVersion < RESOLVED_PLAN_FORMAT && Array.isArray(plans);
  const adapted = isEarlier ? { ...parsed, plans: plans.map(fromVersion1) } : parsed;
  const [problem] = problemsOfJson(adapted, schema as Schema, file, "resolvedPlan");
  const read = adapted as unknown as ResolvedPlan;
  if (problem !== undefined || !read.plans.every(agreesWithItself)) {
    throw new UsageError({
      file,
      message: `it holds no plan${problem === undefined ? "" : `: ${problem.message}`}`,
      remedy: { text: "Plan again", command: "cdcctl plan FILE --out PLAN" },
    });
  }
  if (read.decision !== decisionOf(read.plans)) {
    throw new Refusal("APL802", `${file} was changed after it was planned: its decision is not that of its plans`, [
      { text: "Plan again", command: "cdcctl plan FILE --out PLAN" },
    ]);
  }
  return read;
}

/**
 * What a schema can't say of a plan: that its parts are of one kind. Only an intent of a plan file or of a rollback is
 * ever in a file: under `admin` an acceptable finding only warns, and `ops topic` belongs to a takeover.
 */
function agreesWithItself({ intent, decided, decision }: Plan): boolean {
  if (isOfFlags(intent.origin) || digestOf(decided) !== decision || changeKind(decided) !== changeKind(intent))
    return false;
  return intent.kind !== "Migration" || intent.target.connector === intent.to.name;
}

function readJson(text: string, file: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    throw new UsageError({
      file,
      message: `the file is truncated or not valid JSON: ${error instanceof Error ? error.message : "unreadable"}`,
      remedy: "Get it again from where it was attached.",
    });
  }
}

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
