import { printJson } from "../../../../core/values/json.ts";
import { contextsFor, planFile } from "../command-line.ts";
import { type Gateway, type PassedCall, startGateway } from "../gateway.ts";
import { type Ended, type Machine, newMachine, type Running } from "../machine.ts";
import type { Chance } from "./random.ts";
import type { Fact, StoredFact } from "./truth.ts";

/**
 * One trial: one connector, its operators, and everything that was done. `invariants.ts` judges the result afterwards.
 */
export interface Story {
  readonly kind: string;
  /** Seed, cluster and number: enough to find it again. */
  readonly trial: string;
  readonly connector: string;
  /** The connector's position when the trial began; its own commits continue from there. */
  readonly base: bigint;
  readonly began: number;
  readonly allows: Allowed;
  readonly acts: Act[];
  readonly operators: Operator[];
  /** The positions planned in this trial. */
  readonly targets: bigint[];
  /** Problems found by the trial itself, one sentence each. */
  readonly wrong: string[];
  readonly facts: () => readonly Fact[];
}

/** A trial that begins, in which nothing has been done. */
export function newStory(of: Pick<Story, "kind" | "trial" | "connector" | "base" | "allows" | "facts">): Story {
  return { ...of, began: Date.now(), acts: [], operators: [], targets: [], wrong: [] };
}

/** Disturbances by a kind of trial that are not cdcctl's fault. */
export interface Allowed {
  /** Somebody other than cdcctl changes the connector's state. */
  readonly people?: boolean;
  /** A delayed task or worker acts after the end. */
  readonly late?: boolean;
  /** The last commands may leave a run open. */
  readonly open?: boolean;
}

export type Act = { readonly at: number } & (
  | ({ readonly act: "command"; readonly by: string; readonly args: readonly string[]; readonly until: number } & Ended)
  | ({ readonly act: "call"; readonly by: string; readonly until: number } & PassedCall)
  /** What a journal says of a request: it is about to leave, or, `sends` -1, it did not leave after all. */
  | { readonly act: "journal"; readonly by: string; readonly call: string; readonly sends: 1 | -1 }
  /** What the trial itself does: a kill, a freeze, a person with curl. */
  | { readonly act: "deed"; readonly what: string }
);

export type Command = Extract<Act, { act: "command" }>;

export const lineOf = ({ by, args }: Command): string => `${by}'s ${args.slice(0, 2).join(" ")}`;

/** An operator with a machine of their own. */
export interface Operator {
  readonly name: string;
  readonly machine: Machine;
  /** The gateway between the machine and its first worker; undefined if it talks to the workers directly. */
  readonly gateway: Gateway | undefined;
  run(...args: readonly string[]): Promise<Ended>;
  start(...args: readonly string[]): Running;
  leave(): Promise<void>;
}

/** Plays all of them in parallel. One that throws has failed; the others continue. */
export async function playAll(
  stories: readonly Story[],
  random: Chance,
  play: (story: Story, random: Chance, index: number) => Promise<void>,
): Promise<void> {
  await Promise.all(
    stories.map((story, index) =>
      play(story, random.of(index), index).catch((error: unknown) => {
        story.wrong.push(`the trial broke: ${error instanceof Error ? error.stack : error}`);
      }),
    ),
  );
}

export function deed(story: Story, what: string): void {
  story.acts.push({ act: "deed", at: Date.now(), what });
}

/**
 * @param options.worker its URL
 * @param options.others the URLs of the workers that are tried next
 * @param options.gateway whether the calls go through gateways, the first of which can hold them
 * @param options.machine an existing one; default: a new one
 * @param options.clock minutes by which the machine's clock is ahead, negative: behind
 */
export async function operatorOf(
  story: Story,
  folder: string,
  name: string,
  options: {
    readonly worker: string;
    readonly others?: readonly string[];
    readonly gateway?: boolean;
    readonly clock?: number;
    readonly machine?: Machine | undefined;
  },
): Promise<Operator> {
  const workers = [options.worker, ...(options.others ?? [])];
  const hear = (call: PassedCall) => story.acts.push({ act: "call", by: name, until: Date.now(), ...call });
  const gateways = options.gateway ? await Promise.all(workers.map((worker) => startGateway(worker, { hear }))) : [];
  const machine =
    options.machine ??
    (await newMachine(folder, contextsFor(...(options.gateway ? gateways.map(({ url }) => url) : workers)), {
      environment: { CDCCTL_OPERATOR: name, ...clockAhead(options.clock ?? 0) },
    }));
  const start = (...args: readonly string[]): Running => {
    const at = Date.now();
    const running = machine.start(...args);
    const ended = running.ended.then((all) => {
      story.acts.push({ act: "command", at, by: name, args, until: Date.now(), ...all });
      return all;
    });
    return { ...running, ended };
  };
  const operator: Operator = {
    name,
    machine,
    gateway: gateways[0],
    start,
    run: (...args) => start(...args).ended,
    leave: async () => void (await Promise.all(gateways.map((gateway) => gateway.close()))),
  };
  story.operators.push(operator);
  return operator;
}

/** A shifted clock for a Node process. Durations are unaffected. */
function clockAhead(minutes: number): Readonly<Record<string, string>> {
  if (minutes === 0) return {};
  const module = `const Real = Date; const ahead = ${minutes * 60_000};
globalThis.Date = class extends Real {
  constructor(...given) { if (given.length === 0) super(Real.now() + ahead); else super(...given); }
  static now() { return Real.now() + ahead; }
};`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}` };
}

/**
 * A plan file of this trial. Its decision differs from those of earlier trials of the connector, even for the same SCN.
 */
export function planOf(story: Story, ...spec: readonly string[]): string {
  return planFile(story.connector, ...spec).replace(/reason: .*/, `reason: ${story.trial}`);
}

/** Planned positions are so far apart that a connector's own commits never reach the next one. */
export const FAR = 2500n;
const FIRST_TARGET = 2_002_000n;
const TARGETS = 14;

/** A position that is far from where the connector stands and from every other one of this trial. */
export function newTarget(story: Story, random: Chance): bigint {
  const free = Array.from({ length: TARGETS }, (_, index) => FIRST_TARGET + FAR * BigInt(index)).filter((scn) =>
    [story.base, ...story.targets].every((taken) => scn - taken >= FAR || taken - scn >= FAR),
  );
  const target = random.pick(free);
  story.targets.push(target);
  return target;
}

/** A change that is being applied. */
export interface Plan {
  readonly running: Running;
  readonly target: bigint;
  readonly resume: boolean;
}

/** Starts to apply a plan for a new position, in either direction. */
export async function startApply(
  story: Story,
  operator: Operator,
  random: Chance,
  resume: boolean,
  ...more: readonly string[]
): Promise<Plan> {
  const target = newTarget(story, random);
  const spec = [`scn: ${target}`, "allowSkip: true", ...(resume ? ["resume: true"] : [])];
  await operator.machine.write("plan.yaml", planOf(story, ...spec));
  return { running: operator.start("apply", "plan.yaml", "--yes", ...more), target, resume };
}

/** The commands with their output, the calls, the disturbances, and the topics' records, in order. */
export function printStory(story: Story): string {
  const acts = story.acts.flatMap((act) => linesOf(act));
  const facts = story.facts().filter(({ at }) => at >= story.began - 2000);
  const stored = facts.filter((fact) => fact.fact === "stored");
  const described = facts.flatMap((fact) => {
    if (fact.fact === "stored" && goesOn(stored, stored.indexOf(fact))) return [];
    return [{ at: fact.at, text: `${lineOfFact(fact)}${fact.exact ? "" : " (time seen)"}` }];
  });
  const lines = [...acts, ...described].sort((one, other) => one.at - other.at);
  return [
    `${story.kind}, ${story.trial}: ${story.connector}, from ${story.base}`,
    ...story.wrong.map((sentence) => `WRONG: ${sentence}`),
    "",
    ...lines.map(({ at, text }) => `${new Date(at).toISOString().slice(11, 23)}  ${text}`),
    "",
  ].join("\n");
}

function lineOfFact(fact: Fact): string {
  switch (fact.fact) {
    case "stored":
      return `STORED ${fact.offset === null ? "nothing" : printJson(fact.offset, 0)}`;
    case "target":
      return `TARGET STATE ${fact.state}`;
    case "event":
      return `OPS ${fact.position} ${fact.outcome} ${printJson(fact.details, 0)}`;
  }
}

/** Whether a task that was committing before and after it has stored this: one of thousands. */
function goesOn(stored: readonly StoredFact[], index: number): boolean {
  const [before, now, after] = [index - 1, index, index + 1].map((at) => stored[at]?.offset);
  if (before === undefined || after === undefined) return false;
  const [from, to] = [before, now].map((offset) => offset?.["resume_scn"]);
  const moves = typeof from === "bigint" && typeof to === "bigint" && from < to && to < from + FAR;
  return moves && [before, now].every((one) => one?.["journal_generation"] === after?.["journal_generation"]);
}

function linesOf(act: Act): readonly { readonly at: number; readonly text: string }[] {
  switch (act.act) {
    case "deed":
      return [{ at: act.at, text: `* ${act.what}` }];
    case "journal":
      return [{ at: act.at, text: `${act.by}'s journal: ${act.call} ${act.sends === 1 ? "leaves" : "is withheld"}` }];
    case "call":
      return [
        { at: act.at, text: `${act.by}: ${act.method} ${act.path} ${act.body}` },
        { at: act.until, text: `${act.by}: ${act.method} ${act.path} -> ${act.status ?? "no answer"}` },
      ];
    case "command":
      return [
        { at: act.at, text: `${act.by} $ cdcctl ${act.args.join(" ")}` },
        {
          at: act.until,
          text:
            `${act.by} $ cdcctl ${act.args.join(" ")} -> exit ` +
            `${act.code ?? "by a signal"}\n${indented(act.stderr)}\n${indented(act.stdout)}`,
        },
      ];
  }
}

const indented = (text: string): string => text.trimEnd().replace(/^/gm, "              | ");
