import type { StepName } from "../../core/plan/steps.ts";
import type { JournalEntry } from "../../core/run/journal.ts";
import { type RunState, runState } from "../../core/run/state.ts";
import type { Sandbox, SandboxOptions } from "../../providers/sandbox/sandbox.ts";
import { type Arrival, failAll } from "./changed-world.ts";
import { FAULTS, type Place } from "./fault-places.ts";
import { gate } from "./gate.ts";
import { type Finished, runHere, type Surroundings, startProcess } from "./run-command.ts";
import { mayComeLate } from "./story.ts";
import {
  PATIENCE,
  recovered,
  type Stricken,
  struckAt,
  turn,
  type Watch,
  watching,
  withFault,
  withKill,
  withLateCommit,
} from "./stricken.ts";

/** What a cell carries out: a change of a connector, or a phase of a migration. */
export interface Subject {
  readonly name: string;
  /** In their order. */
  readonly steps: readonly StepName[];
  /** @param late whether a task commits late, and so had begun before what the world is to have happened to it */
  open(options: SandboxOptions, late: boolean): Promise<Stage>;
}

/** The world that it is carried out in, and what is to be true there. */
export interface Stage extends Surroundings {
  readonly sandbox: Sandbox;
  /** Its plan file. */
  readonly plan: string;
  /** In no output and no file. */
  readonly secrets: readonly string[];
  /** What is on disk of the run, read at once. */
  journal(): readonly JournalEntry[];
  lockExists(): boolean;
  /** Everything that the commands wrote to files. */
  written(): Promise<string>;
  close(): Promise<void>;
  /** Holds every request, as it arrives, against what may be done then. @returns what is wrong with it */
  check(arrival: Arrival, journal: readonly JournalEntry[]): readonly string[];
  tale(): Promise<Tale>;
  /** What is wrong besides, once the run is settled. */
  settled(state: RunState | undefined): readonly string[];
  /** What is wrong besides, once everything late has come. */
  later(state: RunState | undefined, cell: Place): Promise<readonly string[]>;
}

/** What world, topics and journal tell of a run. */
export interface Tale {
  /** Of the world, in words. */
  readonly standing: string;
  /** Whether a command may say that nothing is other than before. */
  readonly isUnchanged: boolean;
  /** What does not fit together. */
  readonly contradictions: readonly string[];
}

/** A subject, struck at one place. */
export interface Cell extends Place {
  readonly subject: Subject;
}

/** How the commands and the story of a cell came out. */
export interface CellResult {
  readonly cell: Cell;
  readonly apply: Finished["exit"];
  /** The first request that was struck. */
  readonly struck: Arrival | undefined;
  /** Undefined where `apply` had settled it. */
  readonly recover: Finished["exit"] | undefined;
  readonly story: string;
  /** What does not fit; none in a cell that is as it should be. */
  readonly wrong: readonly string[];
}

export const KILL = "SIGKILL";
/** The call, on its way already, is carried out after the death. */
export const KILL_APPLIED = "SIGKILL, applied";
/** A task that hangs while it is stopped commits its last offset at that moment. */
export const LATE_COMMIT = "late commit";
export const LASTING = ", lasting";
const LIMITS = ["--settle", "300ms", "--stop-timeout", "3s", "--resume-timeout", "3s"];

export function nameOf({ subject, step, moment, fault, lasts }: Cell): string {
  return `${subject.name}, ${moment} ${step}: ${fault}${lasts ? LASTING : ""}`;
}

/** Nothing goes wrong. Loads what the others use, so that their short limits are not spent on it. */
export async function quietRun(world: Pick<Stage, "env" | "plan">): Promise<Finished> {
  return runHere(["apply", world.plan, "--yes", ...LIMITS], world);
}

/** Carries the cell's subject out, strikes at its place, recovers, and compares what everybody tells of it. */
export async function runCell(cell: Cell): Promise<CellResult> {
  const { subject, fault } = cell;
  const commit = gate();
  const late = fault === LATE_COMMIT;
  const stage = await subject.open(late ? { connect: { hang: commit.opened, graceful: 40 } } : {}, late);
  try {
    const wrong: string[] = [];
    const watch = watching();
    const strike = struckAt(cell, watch);
    failAll(stage.sandbox, (arrival) => {
      const journal = stage.journal();
      wrong.push(...stage.check(arrival, journal));
      return strike(arrival, journal);
    });
    const { applied, afterwards } = await stricken(cell, stage, watch, commit);
    if (watch.struck === undefined) wrong.push("the fault never struck");
    wrong.push(...exitProblem(applied.exit, stage, await stage.tale()));
    const { exit: recover, output, wrong: unsettled } = await recovered(stage, LIMITS);
    wrong.push(...unsettled, ...(await stage.tale()).contradictions);
    const state = runState(stage.journal());
    if (state?.ended?.outcome === "succeeded") wrong.push(...unsaidDoubts(stage.journal(), state.ended.message));
    wrong.push(...stage.settled(state));
    // What a frozen worker carries out only now, nothing prevents: it has to be told.
    afterwards();
    await turn();
    wrong.push(...(await stage.later(state, cell)).map((one) => `later: ${one}`));
    const after = await stage.tale();
    wrong.push(...after.contradictions.map((one) => `later: ${one}`));
    if (stage.lockExists()) wrong.push("a lock is still there");
    const told = applied.output + output;
    const shown = told + (await stage.written());
    wrong.push(...stage.secrets.filter((secret) => shown.includes(secret)).map((secret) => `${secret} can be read`));
    return {
      cell,
      apply: applied.exit,
      struck: watch.struck,
      recover,
      story: `${state?.ended?.outcome ?? "no run"}, ${after.standing}`,
      wrong: wrong.length === 0 ? [] : [...new Set(wrong), told.slice(-1500)],
    };
  } finally {
    await stage.close();
  }
}

function stricken(
  cell: Cell,
  { plan, env }: Stage,
  watch: Watch,
  commit: { readonly open: () => void },
): Promise<Stricken> {
  const argv = ["apply", plan, "--yes", ...LIMITS];
  const apply = () => runHere(argv, { env, patience: PATIENCE });
  switch (cell.fault) {
    case KILL:
    case KILL_APPLIED:
      return withKill(cell.fault === KILL_APPLIED, startProcess(argv, { env }), watch);
    case LATE_COMMIT:
      return withLateCommit(commit, apply, watch);
  }
  const kind = FAULTS.find(({ name }) => name === cell.fault);
  if (kind === undefined) throw new Error(`there is no fault ${cell.fault}`);
  return withFault(kind, cell, apply, watch);
}

/** 0: everything is done. 1: nothing is other than before. 3: something is, or may be. */
function exitProblem(exit: Finished["exit"], stage: Stage, tale: Tale): readonly string[] {
  const outcome = runState(stage.journal())?.ended?.outcome;
  switch (exit) {
    case "SIGKILL":
      return [];
    case 0:
      return outcome === "succeeded" ? [] : [`exit 0, but the run is ${outcome ?? "open"}`];
    case 1:
      return tale.isUnchanged ? [] : [`exit 1, but the run is ${outcome ?? "open"}, the world ${tale.standing}`];
    case 3:
      return outcome === "succeeded" ? ["exit 3, but the run has succeeded"] : [];
    default:
      return [`exit ${exit}`];
  }
}

/** A run that has succeeded says of which calls an attempt may still be carried out, and of no others. */
export function unsaidDoubts(entries: readonly JournalEntry[], message: string): readonly string[] {
  const late = mayComeLate(entries);
  const said = [...message.matchAll(/still carries out an unanswered (PATCH|(?:PUT|POST|DELETE) .*?),/g)].map(
    ([, call]) => call,
  );
  return [
    ...late
      .filter((call) => !said.includes(call))
      .map((call) => `an attempt of ${call} may come late, which is not said`),
    ...said.flatMap((call) => (call === undefined || late.includes(call) ? [] : [`${call} is said to be unanswered`])),
  ];
}
