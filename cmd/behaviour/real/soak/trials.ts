import { asleepRound, onceRound, restoredRound, rollbackRound, writeAheadRound } from "./asleep.ts";
import { cleanRound, rollingRound } from "./clean.ts";
import type { ClusterKind, Round } from "./cluster.ts";
import { damageRound } from "./damage.ts";
import { diskRound } from "./disk.ts";
import { gapRound } from "./gap.ts";
import { killsRound } from "./kills.ts";
import { freezeRound, hungRound } from "./late.ts";
import { brokerRound, lyingRound, peopleRound } from "./meddling.ts";
import { asleepMigrationsRound, freezeMigrationsRound, killMigrationsRound } from "./migrations.ts";
import { rivalsRound } from "./rivals.ts";

export interface TrialKind {
  readonly name: string;
  readonly about: string;
  /** The required number of trials without a failure, over all its clusters. */
  readonly bar: number;
  readonly clusters: readonly ClusterKind[];
  /**
   * How many independent connectors one trial takes; undefined if one event affects all, so that they begin and end
   * together.
   */
  readonly connectors?: number;
  readonly round: Round;
}

const SHARED: readonly ClusterKind[] = [
  { kafka: "4", workers: 2 },
  { kafka: "3", workers: 2 },
  { kafka: "4", workers: 3 },
  { kafka: "3", workers: 3 },
];
/** Where tasks hang: also on workers that wait for them for a second only. */
const HANGING: readonly ClusterKind[] = [
  { kafka: "3", workers: 2, grace: 1000 },
  { kafka: "4", workers: 2, grace: 1000 },
  ...SHARED.slice(0, 2),
];

const KINDS: readonly (Omit<TrialKind, "clusters"> & { readonly clusters?: readonly ClusterKind[] })[] = [
  { name: "clean", about: "undisturbed, 1 to 8 connectors at once", bar: 250, round: cleanRound },
  { name: "rolling", about: "while the workers are restarted", bar: 150, round: rollingRound },
  { name: "interleavings", about: "two operators, clocks of their own", bar: 300, connectors: 1, round: rivalsRound },
  { name: "kills", about: "apply killed, recovered here or there", bar: 300, connectors: 1, round: killsRound },
  { name: "damage", about: "the journal of a killed run damaged", bar: 200, connectors: 2, round: damageRound },
  { name: "restored", about: "a killed run's journal from a backup", bar: 100, connectors: 1, round: restoredRound },
  { name: "asleep", about: "apply asleep, settled from elsewhere", bar: 200, connectors: 1, round: asleepRound },
  { name: "write-ahead", about: "every changing call held", bar: 60, connectors: 1, round: writeAheadRound },
  {
    name: "rollbacks",
    about: "applied, and rolled back; half of them killed",
    bar: 60,
    connectors: 1,
    round: rollbackRound,
  },
  { name: "once", about: "one plan on two machines", bar: 40, connectors: 1, round: onceRound },
  { name: "disk", about: "the disk full at some moment of apply", bar: 40, connectors: 1, round: diskRound },
  { name: "freezes", about: "the leader frozen at each call", bar: 100, round: freezeRound },
  { name: "migrations", about: "the leader frozen at each call of a migration", bar: 32, round: freezeMigrationsRound },
  {
    name: "killed migrations",
    about: "a phase of a migration killed anywhere, recovered",
    bar: 32,
    round: killMigrationsRound,
  },
  {
    name: "asleep migrations",
    about: "a phase of a migration asleep, settled from elsewhere",
    bar: 32,
    round: asleepMigrationsRound,
  },
  { name: "gaps", about: "tables snapshotted again past a gap", bar: 40, round: gapRound },
  { name: "people", about: "a person with curl in the middle", bar: 60, connectors: 1, round: peopleRound },
  { name: "lies", about: "a proxy answers for the workers", bar: 60, connectors: 1, round: lyingRound },
  { name: "broker", about: "the broker killed or frozen", bar: 40, round: brokerRound },
  { name: "hung", about: "tasks that outlive their stop", bar: 40, connectors: 1, clusters: HANGING, round: hungRound },
];

export const TRIALS: readonly TrialKind[] = KINDS.map((kind) => ({ clusters: SHARED, ...kind }));
