import { type RunContext, recorder, type Verified, type Waiting } from "../apply/context.ts";
import type { MigrationIntent } from "../document/intent.ts";
import type { VerifiedTable } from "../facts/tables/tables.ts";
import { observe } from "../kinds/catalogue.ts";
import type { Sources } from "../kinds/kind.ts";
import { newConfiguration } from "../kinds/migration/new-connector.ts";
import { type Plan, pinnedIn } from "../plan/plan.ts";
import type { JournalWriter, RunKey } from "../ports/state.ts";
import type { World } from "../ports/world.ts";
import type { JournalEntry } from "../run/journal.ts";

/** The systems that a change is made in, and what the operator keeps of them. */
export interface ChangeWorld extends World {
  readonly sources: Sources;
}

/** Who asks for a change, and what is theirs to do: to be told, to interrupt, to look at files, to compare tables. */
export interface Caller {
  /** Name that is recorded as the operator. */
  readonly operator: string;
  /** Version of the cdcctl that carries it out. */
  readonly cdcctl: string;
  /** Aborted when the operator asks to stop. */
  readonly interrupt: AbortSignal;
  /** What has become of something, besides the steps of a run. */
  say(...lines: readonly string[]): void;
  warn(line: string): void;
  /** @throws Refusal `STA702` if another user may write what a run of this connector is continued by */
  demandOwnState(of: Pick<RunKey, "clusterId" | "connector">): Promise<void>;
  /** A run begins or continues. @param entries the journal's live entries @returns who is told what becomes of it */
  follow(key: RunKey, entries: readonly JournalEntry[]): Follower;
  /** Compares tables with topics, and writes the evidence file: `verify` of a run's context. */
  verify(
    intent: MigrationIntent,
    tables: readonly VerifiedTable[],
    ports: Ports,
    run: Pick<RunContext, "run" | "record" | "state">,
  ): Promise<Verified>;
}

/** Who is told what becomes of a run. */
export interface Follower {
  print(line: string): void;
  recorded(): void;
  waiting(wait: Waiting): void;
}

/** The brokers and the database of a run's connector. */
export type Ports = Pick<RunContext, "kafka" | "oracle">;

/** Ports for a run whose steps call only Connect (`control`): brokers and database are not used, and need no login. */
export const NO_PORTS: Ports = {
  get kafka(): never {
    throw new Error("a run that only calls Connect asks no broker");
  },
  get oracle(): never {
    throw new Error("a run that only calls Connect asks no database");
  },
};

/** One attempt at a run. */
interface Attempt extends Pick<RunContext, "limits" | "recovering" | "moveChecked" | "agreed"> {
  /** What it observes for; null for a run without a plan. */
  readonly plan: Plan | null;
}

/** Everything that a run works with. @param entries what its journal holds so far; grows with it */
export function runContext(
  key: RunKey,
  entries: JournalEntry[],
  writer: JournalWriter,
  ports: Ports,
  world: ChangeWorld,
  caller: Caller,
  { plan, ...attempt }: Attempt,
): RunContext {
  const follower = caller.follow(key, entries);
  const { interrupt } = caller;
  interrupt.addEventListener(
    "abort",
    () => follower.print("Interrupted: finishing the current step. Press Ctrl-C again to quit immediately."),
    { once: true },
  );
  const written = recorder(writer, world.clock, entries, follower.recorded);
  return {
    run: key.run,
    operator: caller.operator,
    connect: world.connect,
    get kafka() {
      return ports.kafka;
    },
    get oracle() {
      return ports.oracle;
    },
    clock: world.clock,
    redact: world.redact,
    interrupt,
    report: follower.print,
    waiting: follower.waiting,
    async observe() {
      if (plan === null) throw new Error("a run without a plan has nothing to observe for");
      const options = { pinned: pinnedIn(plan), evidence: false };
      return (await observe(plan.intent, world, world.sources, options)).facts;
    },
    newConfiguration: (intent) => newConfiguration(intent, world, world.sources),
    verify: (intent, tables) => caller.verify(intent, tables, ports, { run: key.run, ...written }),
    ...attempt,
    ...written,
  };
}
