import type { Intent } from "../document/intent.ts";
import type { Facts } from "../facts/facts.ts";
import type { Plan } from "../plan/plan.ts";
import type { World } from "../ports/world.ts";
import type { Scn } from "../values/scn.ts";
import type { Observation } from "./connector/observe.ts";
import { observeMigration } from "./migration/observe.ts";
import { planMigration } from "./migration/plan.ts";
import { observeOffsetChange } from "./offset-change/observe.ts";
import { planOffsetChange } from "./offset-change/plan.ts";
import { observeResnapshot } from "./resnapshot/observe.ts";
import { planResnapshot } from "./resnapshot/plan.ts";
import type { ResolveOptions } from "./resolve-options.ts";
import type { Sources } from "./sources.ts";

export interface ObserveOptions {
  /** The SCN that a resolved plan has pinned. */
  readonly pinned?: Scn | undefined;
  /** False: what is only shown, and nothing is decided by, is not looked up. */
  readonly evidence: boolean;
}

/** Looks at everything that an intent is decided by, and changes nothing. @throws CallFailed, UsageError, Refusal */
export function observe(
  intent: Intent,
  world: World,
  sources: Sources,
  options: ObserveOptions = { evidence: true },
): Promise<Observation> {
  switch (intent.kind) {
    case "OffsetChange":
      return observeOffsetChange(intent, world, sources.settingsOf, options.pinned);
    case "Resnapshot":
      return observeResnapshot(intent, world, sources.settingsOf, options);
    case "Migration":
      return observeMigration(intent, world, sources);
  }
}

/** Resolves an intent against its facts. Pure: the same intent and facts give the same plan. */
export function planFor(intent: Intent, facts: Facts, options: ResolveOptions = {}): Plan {
  if (intent.kind === "OffsetChange" && facts.kind === "OffsetChange") return planOffsetChange(intent, facts, options);
  if (intent.kind === "Resnapshot" && facts.kind === "Resnapshot") return planResnapshot(intent, facts, options);
  if (intent.kind === "Migration" && facts.kind === "Migration") return planMigration(intent, facts, options);
  throw new Error(`facts of ${facts.kind} for an intent of ${intent.kind}`);
}
