import type {
  ChangeRow,
  ConnectorShown,
  Decided,
  Diff,
  Extent,
  Figures,
  Note,
  PlanOutcome,
  PlanWorld,
  Said,
  Tone,
  TryFirst,
} from "../../schemas/generated/plan.ts";
import type { Finding } from "../checks/finding.ts";
import type { Intent, IntentOf, Kind } from "../document/intent.ts";
import type { Timeline } from "../timeline/timeline.ts";
import type { Digest } from "../values/digest.ts";
import { printDuration } from "../values/duration.ts";
import { withoutScheme } from "../values/escape.ts";
import { type Instant, isUtc } from "../values/instant.ts";
import { lineOf } from "../values/remedy.ts";
import type { Scn } from "../values/scn.ts";
import { truncate } from "../values/truncate.ts";
import type { PlannedStep } from "./steps.ts";

export type { ChangeRow, ConnectorShown, Decided, Diff, Extent, Figures, Note, Said, Tone, TryFirst };

/**
 * What one document asks for, as planned now: the change, what it costs, what was found, the steps. A plain value
 * without functions, clients or secrets; the same intent and facts give the same bytes. It has one shape for every kind
 * of change: a kind writes it; the views, the JSON and the schema know no kind.
 */
export interface Plan<K extends Kind = Kind> extends Resolved<K>, Said {}

/** What a kind has decided before it says it. */
export interface Resolved<K extends Kind = Kind> {
  readonly intent: IntentOf<K>;
  readonly plannedAt: Instant;
  readonly outcome: PlanOutcome;
  readonly world: PlanWorld;
  /** The connectors as they stand: the one of the plan; of a migration both, as far as the workers have them. */
  readonly connectors: readonly ConnectorShown[];
  readonly findings: readonly Finding[];
  /** The position and the redo as one picture. Of a migration, where it moves. */
  readonly timeline?: Timeline | undefined;
  /** Step names are unique: a run records its progress by name. */
  readonly steps: readonly PlannedStep[];
  /** The input of the decision digest: what a reviewer decides on, and what does not move while the connectors run. */
  readonly decided: DecidedBy[K];
  readonly decision: Digest;
}

type DecidedBy = { readonly [D in Decided as D["kind"]]: D };

/** What every kind's decision repeats of its intent. */
export function repeated({ metadata: { name, reason, ticket }, accept, capturedTables }: Intent) {
  const repeated = { metadata: { name, reason, ticket }, accept: [...accept].sort() };
  return capturedTables === undefined ? repeated : { ...repeated, capturedTables: [...capturedTables].sort() };
}

/** A plan as stored in documents: each remedy on one line. */
export function asWritten(plan: Plan): Plan {
  const findings = plan.findings.map((one) => ({ ...one, remedies: one.remedies.map(lineOf) }));
  return { ...plan, findings };
}

/** The connector of a plan by name; for a migration, both. */
export function connectorsIn(intent: Plan["intent"]): string {
  return intent.kind === "Migration" ? `${intent.from.connector} to ${intent.to.name}` : intent.target.connector;
}

/** The connector that a run stops first, or would; undefined if the workers have none of that name. */
export function stoppedBy({ steps, intent, connectors }: Resolved): ConnectorShown | undefined {
  const stop = steps.find(({ step }) => step === "stop-connector");
  const name = stop !== undefined && "connector" in stop ? stop.connector : intent.target.connector;
  return connectors.find((one) => one.name === name);
}

/** The SCN that a plan has pinned: it is not resolved again when the plan is applied. A takeover is: it moves. */
export function pinnedIn({ decided }: Pick<Plan, "decided">): Scn | undefined {
  return decided.kind === "Migration" ? undefined : decided.scn;
}

/**
 * Whether a run is recognised by its intent as having carried out the plan, even if the plan would now decide something
 * else. A resnapshot that has moved past its gap decides something else; at a new gap it is another change.
 */
export function isKnownByIntent({ decided }: Pick<Plan, "decided">): boolean {
  return decided.kind === "OffsetChange" || (decided.kind === "Resnapshot" && decided.gap === undefined);
}

/** Marks unknown values in a table; an empty cell would read as none. */
export const NOT_KNOWN = "not known";

/** @param items of its list @param what the noun for one of them */
export function note(
  label: string,
  text: string,
  tone?: Tone,
  shown?: Extent,
  items: readonly string[] = [],
  what = "item",
): Note {
  return { label, text, tone, shown, ...(items.length === 0 ? {} : { list: { what, items } }) };
}

/** Where a plan is applied, in a word: the context, or the workers' host. */
export function placeOf({ world: { connectUrl }, intent: { target } }: Pick<Plan, "world" | "intent">): string {
  return truncate(target.context ?? withoutScheme(connectUrl), 100);
}

/** `57 min` of 57 min 31 s. */
export function roughly(millis: bigint): string {
  const [amount = "", unit = ""] = printDuration(Number(millis)).split(" ");
  return `${amount} ${unit}`.trim();
}

/** A note on the time zone, when the database server's is not UTC. */
export function zoneNote({ world: { database } }: Pick<Plan, "world">): readonly Note[] {
  const { zone } = database;
  if (isUtc(zone)) return [];
  return [note("times", `UTC; the database server's zone is ${truncate(zone, 60)}`, undefined, "in full")];
}
