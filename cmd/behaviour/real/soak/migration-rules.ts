import { type Command, lineOf } from "./story.ts";
import type { EventFact, Fact, TargetFact } from "./truth.ts";

export type Phase = "cutover" | "rollback" | "retire";

/** The target states of both connectors, and whether the new one has a stored offset. */
export interface Placement {
  readonly legacy: string;
  readonly next: string;
  readonly stored: boolean;
}

const LEGACY_ALONE: Placement = { legacy: "STARTED", next: "GONE", stored: false };
const TAKEN_OVER: Placement = { legacy: "STOPPED", next: "STARTED", stored: true };
const RETIRED: Placement = { legacy: "GONE", next: "STARTED", stored: true };

/** Where the world is before a phase, and where it is planned to be. */
export const ENDS: Readonly<Record<Phase, { readonly from: Placement; readonly to: Placement }>> = {
  cutover: { from: LEGACY_ALONE, to: TAKEN_OVER },
  rollback: { from: TAKEN_OVER, to: LEGACY_ALONE },
  retire: { from: TAKEN_OVER, to: RETIRED },
};

/** One run of a phase, as a journal tells it. */
export interface JournaledRun {
  readonly by: string;
  readonly run: string;
  readonly begun: number;
  /** Undefined: it is open. */
  readonly outcome: string | undefined;
}

/** A phase of a migration from its first call to its end, as topics, journals and commands tell it. */
export interface SeenPhase {
  readonly phase: Phase;
  /** Whether calls may take effect after their command has ended. */
  readonly late: boolean;
  readonly legacy: readonly Fact[];
  readonly next: readonly Fact[];
  /** The events of the new connector's ops topic. */
  readonly events: readonly (Fact & EventFact)[];
  readonly journals: readonly JournaledRun[];
  readonly commands: readonly Command[];
  /** Where the world was when the first command had ended, and where it is in the end. */
  readonly ended: Placement;
  readonly settled: Placement;
  /** The legacy connector's topics that are gone. */
  readonly topicsGone: readonly string[];
  /** The new connector's journal and schema topics that still hold a record of its prefix. */
  readonly recordsLeft: readonly string[];
}

/** What is wrong with a phase: every rule that it breaks, and how. */
export function phaseViolations(seen: SeenPhase): readonly string[] {
  return RULES.flatMap(({ rule, broken }) => broken(seen).map((how) => `${rule}: ${how}`));
}

const RULES: readonly { readonly rule: string; readonly broken: (seen: SeenPhase) => readonly string[] }[] = [
  {
    rule: "a command that ends with 0 has settled its run, and apply has succeeded",
    broken: ({ commands, journals }) =>
      commands
        .filter(({ code, args }) => code === 0 && /^(apply|recover)$/.test(args[0] ?? ""))
        .flatMap((command) =>
          journals
            .filter(({ by, begun }) => by === command.by && begun <= command.until)
            .filter(({ begun }) => command.args[0] === "recover" || begun >= command.at)
            .filter(({ outcome }) => (command.args[0] === "apply" ? outcome !== "succeeded" : outcome === undefined))
            .map(({ run, outcome = "open" }) => `${lineOf(command)}: 0, and ${run} is ${outcome}`),
        ),
  },
  {
    rule: "the journal and the ops topic tell the same outcome",
    broken: ({ journals, events }) =>
      journals.flatMap(({ run, outcome }) => {
        const [told] = events.filter((event) => event.run === run).slice(-1);
        // Who abandons a run says that nobody knows; a phase that removes no offset is not in the topic.
        if (told === undefined || outcome === undefined || outcome === "abandoned") return [];
        return (outcome === "succeeded") === (told.outcome === "applied")
          ? []
          : [`${run} has ${outcome}, and is recorded as ${told.outcome}`];
      }),
  },
  {
    rule: "an offset is removed, and its connector deleted, once that is recorded",
    broken: ({ phase, next, events }) =>
      next.flatMap((fact) => {
        const recorded = (outcome: string) => events.some((one) => one.outcome === outcome && one.at <= fact.at);
        if (fact.fact === "stored" && fact.offset === null && !recorded("applying"))
          return ['the offset was removed before an "applying"'];
        return phase === "rollback" && isState(fact, "GONE") && !recorded("applied")
          ? ['the new connector was deleted before its removal was "applied"']
          : [];
      }),
  },
  {
    rule: "who removes an offset removes what the journal and schema topics hold with it",
    broken: ({ phase, settled, recordsLeft }) =>
      phase === "rollback" && isAt(settled, ENDS.rollback.to)
        ? recordsLeft.map((topic) => `${topic} holds records of the connector that is gone`)
        : [],
  },
  {
    rule: "only a retirement deletes the legacy connector, and then its topics",
    broken: ({ phase, legacy, topicsGone }) => {
      const deleted = legacy.some((fact) => isState(fact, "GONE"));
      return [
        ...(deleted && phase !== "retire" ? [`the ${phase} has deleted the legacy connector`] : []),
        ...topicsGone.filter(() => !deleted).map((topic) => `${topic} is gone, and its connector is not`),
      ];
    },
  },
  {
    rule: "the two connectors never run at once",
    broken: ({ late, legacy, next }) => {
      if (late) return [];
      const states = new Map([
        [legacy, "STARTED"],
        [next, "GONE"],
      ]);
      return [...legacy, ...next]
        .sort((one, other) => one.at - other.at)
        .flatMap((fact) => {
          if (fact.fact !== "target") return [];
          states.set(legacy.includes(fact) ? legacy : next, fact.state);
          return [...states.values()].every((state) => state === "STARTED") ? ["both were started"] : [];
        });
    },
  },
  {
    rule: "the world is as before or as planned, and the exit codes say which",
    broken: ({ phase, commands, ended, settled }) => {
      const { from, to } = ENDS[phase];
      const applies = commands.filter(({ args }) => args[0] === "apply");
      const doubted = applies.some(({ stdout, stderr }) => /not proven|doubt/i.test(`${stdout}${stderr}`));
      // What a leftover task stores under a deleted name is invisible over REST; it can only be reported.
      const same = (one: Placement, other: Placement): boolean =>
        isAt(one, other) || (doubted && isLeftover(one, other));
      const alone = new Set(commands.map(({ by }) => by)).size === 1;
      return applies.flatMap(({ by, code }) => [
        ...(code === 1 && alone && !same(ended, from) ? [`${by}'s apply: 1, and ${placementText(ended)}`] : []),
        ...(code === 0 && alone && !doubted && !same(ended, to)
          ? [`${by}'s apply: 0 without a doubt, and ${placementText(ended)}`]
          : []),
        ...(code === 0 && alone && !same(settled, to)
          ? [`what status says does not lead to the planned end: ${placementText(settled)}`]
          : []),
        ...(same(settled, from) || same(settled, to) ? [] : [`it is left in between: ${placementText(settled)}`]),
      ]);
    },
  },
];

const isState = (fact: Fact, state: TargetFact["state"]): boolean => fact.fact === "target" && fact.state === state;

export const placementText = ({ legacy, next, stored }: Placement): string =>
  `the legacy connector is ${legacy}, the new one is ${next} ${stored ? "with" : "without"} a stored offset`;

/** A new connector that has not committed yet starts by its settings. */
const isAt = (one: Placement, other: Placement): boolean =>
  one.legacy === other.legacy && one.next === other.next && (one.next === "STARTED" || one.stored === other.stored);

const isLeftover = (one: Placement, other: Placement): boolean =>
  one.next === "GONE" && isAt({ ...one, stored: other.stored }, other);
