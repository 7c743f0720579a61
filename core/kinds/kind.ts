import type { SparkSeen } from "../../schemas/generated/facts.ts";
import type { Intent, MigrationIntent } from "../document/intent.ts";
import type { CallFailed, Refusal } from "../errors.ts";
import type { BoundSettings } from "../facts/connector/settings.ts";
import type { Plan } from "../plan/plan.ts";
import type { ConnectPort } from "../ports/connect.ts";
import type { World } from "../ports/world.ts";
import type { JournalEvent } from "../run/journal.ts";
import type { RunState } from "../run/state.ts";
import type { RunSubject } from "../run/subject.ts";
import type { Config } from "../values/config.ts";
import type { Scn } from "../values/scn.ts";
import type { Observation, SettingsOf } from "./connector/observe.ts";
import type { Facts } from "./facts.ts";

/** Where an observation gets what the ports do not show: the operator's configurations and files. */
export interface Sources {
  readonly settingsOf: SettingsOf;
  /**
   * The same for a migration's new connector once the workers have it. The operator's file may then be less than a
   * whole configuration, because it was written to complete the translation; for database and brokers it is complete.
   */
  readonly deployed: SettingsOf;
  readonly completed: Completed;
  /**
   * The new connector's class as the operator names it (`--connector-class`, a context); undefined: the documented one.
   */
  readonly connectorClass?: string | undefined;
  readonly spark?: SparkSeen;
  /**
   * An evidence file, as text.
   *
   * @param path as the plan file names it: from its own folder
   * @throws UsageError if it can't be read
   */
  evidence(path: string, planFile: string | undefined): Promise<string>;
}

/**
 * Completes a translated configuration with what the operator keeps for the new connector (the context's file, or
 * `--config`): logins, hosts, references, none of which a plan file has. With such a file, addresses and logins all
 * come from it.
 *
 * @param to what the plan file says of the new connector
 * @param set overrides both: what the plan file and the migration set
 * @throws UsageError where the plan file sets what is the operator's file's to set
 */
type Completed = (to: MigrationIntent["to"], translated: Config, set: Config) => Promise<NewConfiguration>;

/** Holds secrets: it is passed to providers, and is never a fact. */
export interface NewConfiguration {
  /** The configuration as sent to the workers, which resolve the references. */
  readonly body: Config;
  /** The configuration as cdcctl itself uses it, references resolved. */
  readonly settings: BoundSettings;
}

interface ObserveOptions {
  readonly pinned?: Scn | undefined;
  /** False: facts that are only shown, and decide nothing, are not read. */
  readonly evidence: boolean;
}

export interface ResolveOptions {
  readonly pinned?: Scn | undefined;
  /** Repeat it although this decision was already applied (`--again`). */
  readonly again?: boolean;
}

/** The inputs for the rollback of a run, besides the run. */
export interface RollbackFrom {
  readonly connect: Pick<ConnectPort, "offsets">;
  /** All runs of its connector, oldest first. */
  readonly runs: readonly RunState[];
  /** Start the connector afterwards. Undefined: as it was before the run. */
  readonly resume: boolean | undefined;
  /** Move the resume SCN back although the connector has run since; everything else of its offset stays. */
  readonly moveBack: boolean;
}

/** Reads everything that a phase of a migration is decided by. */
export type ObservePhase<F extends Facts> = (
  intent: MigrationIntent,
  world: World,
  sources: Sources,
) => Promise<Observation<F>>;

interface DecidedByIntent<I extends Intent> {
  readonly decided: Partial<Plan<I["kind"]>["decided"]>;
  /** Settings of the new connector that the intent names itself. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * A kind of change: what it observes, what follows from that, and what a run of it means to the engine. Each kind has
 * its own folder; callers use the table (`catalogue.ts`) instead of testing the kind.
 */
export interface Kind<I extends Intent, F extends Facts, S extends RunSubject> {
  observe(intent: I, world: World, sources: Sources, options: ObserveOptions): Promise<Observation<F>>;
  /** Pure: the same intent and facts give the same plan. */
  plan(intent: I, facts: F, options: ResolveOptions): Plan<I["kind"]>;
  /** What the intent alone decides, whatever the systems show. */
  byIntent(intent: I): DecidedByIntent<I>;
  /** The first entry of a run. @throws Refusal for an incomplete plan */
  subject(plan: Plan<I["kind"]>): S;
  /** The facts adjusted for a run that has observed something itself before it stopped a connector. */
  asOfRun(facts: F, state: RunState): F;
  /** The current content of what is carried out, recorded before it begins. @returns why it is unknown */
  pin(now: Plan<I["kind"]>, facts: F): JournalEvent | string;
  /** The brokers and database of a run, or that its connector is gone. */
  settingsOfRun(
    state: RunState,
    world: World,
    sources: Sources,
  ): Promise<{ readonly settings: BoundSettings } | { readonly gone: CallFailed | Refusal }>;
  /**
   * The rollback of a run, as an intent that is planned and applied like any other.
   *
   * @throws Refusal if nothing of it is in effect, or it can't be rolled back
   */
  rollback(state: RunState, from: RollbackFrom): Intent | Promise<Intent>;
}
