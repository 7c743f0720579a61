import type { Intent } from "../document/intent.ts";
import type { CallFailed, Refusal } from "../errors.ts";
import type { LentSettings } from "../facts/connector/settings.ts";
import type { DeployedConnector } from "../facts/connector-facts.ts";
import type { SparkSeen } from "../facts/migration-facts.ts";
import type { ConnectorShown, Plan } from "../plan/plan.ts";
import type { ConnectPort } from "../ports/connect.ts";
import type { World } from "../ports/world.ts";
import type { JournalEvent } from "../run/journal.ts";
import type { RunState } from "../run/state.ts";
import type { RunSubject } from "../run/subject.ts";
import type { JsonObject } from "../values/json.ts";
import type { Scn } from "../values/scn.ts";
import type { Observation, SettingsOf } from "./connector/observe.ts";
import type { Facts } from "./facts.ts";

type Config = Readonly<Record<string, string>>;

/** Where an observation takes from what the ports do not show: configurations and files of the operator. */
export interface Sources {
  readonly settingsOf: SettingsOf;
  /**
   * The same of a migration's new connector where the workers have it. The operator's file may say less than a whole
   * configuration then: it was written to complete the translation. Of database and brokers it says all.
   */
  readonly deployed: SettingsOf;
  readonly completed: Completed;
  /**
   * The new connector's class as the operator names it (`--connector-class`, a context); undefined: the documented one.
   */
  readonly connectorClass?: string | undefined;
  /** How the context submits to Apache Spark. */
  readonly spark?: SparkSeen;
  /**
   * An evidence file, as text.
   *
   * @param path as the plan file names it: from its own folder
   * @throws UsageError where it can't be read
   */
  evidence(path: string, planFile: string | undefined): Promise<string>;
}

/**
 * Completes a translated configuration by what the operator keeps for the new connector (the context's file, or
 * `--config`): logins, hosts, references. A plan file has none of these. With such a file, all that says where to go
 * and as whom is from it.
 *
 * @param set goes before both: what the plan file sets
 */
type Completed = (name: string, translated: Config, set: Config) => Promise<NewConfiguration>;

/** Holds secrets: it is handed to providers, and never a fact. */
export interface NewConfiguration {
  /** As it is sent to the workers: references are theirs to resolve. */
  readonly body: Config;
  /** As cdcctl itself uses it, references resolved. */
  readonly settings: LentSettings;
}

interface ObserveOptions {
  /** The SCN that a resolved plan has pinned. */
  readonly pinned?: Scn | undefined;
  /** False: what is only shown, and nothing is decided by, is not looked up. */
  readonly evidence: boolean;
}

export interface ResolveOptions {
  /** The SCN that a resolved plan has pinned. */
  readonly pinned?: Scn | undefined;
  /** Do it once more although this decision was applied already (`--again`). */
  readonly again?: boolean;
}

/** What the rollback of a run goes by, besides the run. */
export interface RollbackFrom {
  readonly connect: Pick<ConnectPort, "offsets">;
  /** All runs of its connector, oldest first. */
  readonly runs: readonly RunState[];
  /** Start the connector afterwards. Undefined: as it was before the run. */
  readonly resume: boolean | undefined;
  /** Move the resume SCN back although the connector has run since; everything else of its offset stays. */
  readonly moveBack: boolean;
}

/**
 * A kind of change: what it looks at, what follows from that, and what a run of it means to whoever carries it out.
 * Each has a folder of its own; callers ask the table (`catalogue.ts`) instead of testing which kind it is.
 */
export interface Kind<I extends Intent, F extends Facts, P extends Plan, S extends RunSubject> {
  observe(intent: I, world: World, sources: Sources, options: ObserveOptions): Promise<Observation<F>>;
  /** Pure: the same intent and facts give the same plan. */
  plan(intent: I, facts: F, options: ResolveOptions): P;
  /** Members of the decision that the intent alone decides, whatever is seen in the world. */
  decidedByIntent(intent: I): Partial<P["decided"]>;
  /** Settings of the new connector that the intent names itself. */
  settingsOfIntent(intent: I): Readonly<Record<string, string>>;

  /**
   * The SCN that a plan has pinned: what it stands for is not worked out anew when it is applied. A takeover is: it
   * moves until the stop.
   */
  pinned(plan: P): Scn | undefined;
  /** The intent by which a run is known to have carried the plan out, though it decides something else by now. */
  knownBy(plan: P): I | undefined;
  /** The plan with what was shown to the operator, where that is recorded and not looked up a second time. */
  asShown(now: P, shown: P): P;
  /** A look and no change: it is never done with, for the world goes on, and nothing is older for it. */
  readonly onlyLooks: boolean;

  /** The first entry of a run. @throws Refusal for a plan that is not complete */
  subject(plan: P): S;
  /** The connector that a run stops first; undefined where the workers have none of its name. */
  stopped(plan: P): ConnectorShown | undefined;
  /** Whether that one is started again where the run fails before its point of no return. */
  startsAgain(subject: S): boolean;
  /** What the stopped connector has stored, as a word: a legacy connector has an offset for each partition. */
  readonly offsets: "offset" | "offsets";
  /** The connectors as they were seen, as far as they were there. */
  seen(facts: F): readonly (DeployedConnector | undefined)[];
  /** What is stored for the connector whose changes the ops topic tells of. */
  storedIn(facts: F): JsonObject | null;
  /** The facts as they count for a run that has seen something itself before it stopped a connector. */
  asOfRun(facts: F, state: RunState): F;
  /** What is carried out, as it now stands: written down before it is begun. @returns why it can't be told */
  fix(now: P, facts: F): JournalEvent | string;
  /** By which brokers and database a run is reached; or that its connector is gone. */
  settingsOfRun(
    state: RunState,
    world: World,
    sources: Sources,
  ): Promise<{ readonly settings: LentSettings } | { readonly gone: CallFailed | Refusal }>;
  /** What a run is called where its journal can't be read to its end. */
  named(subject: S): string;
  /** Whether an ended run is what `rollback` is asked for, though nothing of it stands that could be taken back. */
  changed(state: RunState): boolean;
  /**
   * The rollback of a run, as an intent that is planned and applied like any other.
   *
   * @throws Refusal where nothing of it stands, or it can't be taken back
   */
  rollback(state: RunState, from: RollbackFrom): Intent | Promise<Intent>;
}
