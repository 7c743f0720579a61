import type { RemovedRecords, PlannedStep as StepOfPlan } from "../../schemas/generated/plan.ts";
import { showCount } from "../values/amounts.ts";
import { printDuration } from "../values/duration.ts";

/** A step of a plan, or of a restart, which has no plan. */
export type PlannedStep =
  | StepOfPlan
  /** Its tasks with it. */
  | { readonly step: "restart-connector"; readonly connector: string; readonly onlyFailed: boolean };

export type StepName = PlannedStep["step"];
export type ArgsOf<Name extends StepName> = Extract<PlannedStep, { step: Name }>;

/** The meaning of a step for planning, reading and recovering a run; `Step` carries it out and undoes it. */
export interface StepMeaning<Name extends StepName> {
  /**
   * What it does to the systems.
   * - `looks`: it changes nothing; if it fails, the run is refused without harm.
   * - `judges`: it changes nothing, and its finding is the result of the run; its work may take long, and can be
   *   resumed.
   * - `changes`: it makes a call that changes something, or may have.
   */
  readonly effect: "looks" | "judges" | "changes";
  /** One line for the plan: what will be done. */
  describe(args: ArgsOf<Name>): string;
  /** The name in a list, where the first part of the description names topics and times. */
  readonly shortName?: string;
  /** What is unknown if an operator abandons the run while this step waits. */
  readonly unseen?: string;
  /**
   * The point of no return, from which backing out would not bring back what was: the step has `begun`, or one of these
   * calls of it was sent and not refused, or it is done. A run that fails from there on stays open.
   */
  pointOfNoReturn?(args: ArgsOf<Name>): "begun" | readonly string[];
}

/** Every step by its name; a step that is missing here does not compile. */
export const STEPS: { readonly [Name in StepName]: StepMeaning<Name> } = {
  "wait-for-transactions": {
    effect: "looks",
    describe: ({ scn, millis, journaled }) =>
      `wait until no transaction is open${journaled === undefined ? "" : " or journaled"} that began before ${scn} ` +
      `(at most ${printDuration(Number(millis))})`,
    shortName: "wait for open transactions",
  },
  "record-transactions": {
    effect: "looks",
    describe: ({ legacy }) => `record the open transactions, before ${legacy} is stopped`,
  },
  "stop-connector": {
    effect: "changes",
    describe: ({ connector }) => `stop ${connector}, wait until it has stopped`,
  },
  recheck: {
    effect: "looks",
    describe: ({ legacy }) =>
      "check everything again against the " +
      `${legacy === undefined ? "then current offset" : `then current offsets of ${legacy}`}`,
  },
  "write-signal": {
    effect: "changes",
    describe: ({ topic, tables, create, stop }) =>
      `${create === true ? `create ${topic} with one partition, ` : ""}write the ` +
      `${stop === true ? "signals to stop the running snapshot and then" : "signal"} to snapshot ` +
      `${tables.length === 1 ? tables[0] : `${showCount(tables.length)} tables`} to ${topic}`,
    shortName: "write the signal",
  },
  "record-applying": { effect: "changes", describe: ({ topic }) => `record "applying" in ${topic}` },
  "remove-records": {
    effect: "changes",
    describe: ({ records }) => `remove ${records.map(removedText).join(", and ")}`,
    shortName: "remove records of the journal or schema topic",
    // Nobody can write the chunks of a transaction back: the task alone knows what it had read of the redo.
    pointOfNoReturn: ({ records }) => records.map(({ topic }) => callName("remove records", topic)),
  },
  "patch-offset": { effect: "changes", describe: () => "patch the stored offset, read it back" },
  "record-outcome": { effect: "changes", describe: () => `record "applied"` },
  "resume-connector": {
    effect: "changes",
    describe: ({ connector, scn }) => `resume ${connector}, wait for its first commit at or after ${scn}`,
    unseen: "its first commit was not seen",
  },
  "start-connector": {
    effect: "changes",
    describe: ({ connector }) => `start ${connector}, wait until its task runs`,
    unseen: "that its task runs was not seen",
  },
  "restart-connector": {
    effect: "changes",
    describe: ({ connector, onlyFailed }) =>
      `restart ${onlyFailed ? `what has failed of ${connector}` : `${connector} and its tasks`}, wait until it runs`,
    unseen: "that its task runs was not seen",
  },
  "wait-for-ack": {
    effect: "looks",
    describe: ({ topic, millis }) =>
      `wait for the connector's answer to the signal in ${topic} (at most ${printDuration(Number(millis))})`,
    shortName: "wait for the answer to the signal",
    unseen: "the connector's answer to the signal was not seen",
  },
  "wait-for-snapshot": {
    effect: "looks",
    describe: ({ connector, millis }) =>
      `wait until ${connector} has ended its earlier snapshots (at most ${printDuration(Number(millis))})`,
    shortName: "wait for the earlier snapshot",
  },
  "wait-for-completion": {
    effect: "looks",
    describe: ({ topic, millis }) =>
      `wait until the snapshot is complete, by ${topic} (at most ${printDuration(Number(millis))})`,
    shortName: "wait for the end of the snapshot",
    unseen: "the end of the snapshot was not seen",
  },
  "create-connector": {
    effect: "changes",
    describe: ({ connector, stopped }) =>
      `create ${connector}${stopped ? " STOPPED" : ""}, read its configuration back and compare it`,
  },
  "start-new": {
    effect: "changes",
    describe: ({ connector }) =>
      `start ${connector}, wait until its task runs and its first offset is stored at or after the start`,
    // The new connector may have run.
    pointOfNoReturn: ({ connector }) => [callName("start", connector)],
  },
  "verify-tables": {
    effect: "judges",
    describe: ({ tables, evidence }) =>
      `compare ${tables.length === 1 ? tables[0]?.table : `${showCount(tables.length)} tables`} with the topics ` +
      `as of one ` +
      `SCN, write ${evidence}`,
  },
  "delete-offsets": {
    effect: "changes",
    describe: ({ connector }) => `delete the stored offsets of ${connector}`,
    pointOfNoReturn: ({ connector }) => [callName("delete offsets", connector)],
  },
  "delete-connector": {
    effect: "changes",
    describe: ({ connector }) => `delete the connector ${connector}`,
    pointOfNoReturn: ({ connector }) => [callName("delete connector", connector)],
  },
  "delete-topics": {
    effect: "changes",
    describe: ({ topics }) =>
      `delete ${topics.length === 1 ? `the topic ${topics[0]}` : `${showCount(topics.length)} topics`}`,
    pointOfNoReturn: ({ topics }) => topics.map((topic) => callName("delete topic", topic)),
  },
  "resume-legacy": {
    effect: "changes",
    describe: ({ connector }) => `resume ${connector} from the offsets it stopped with, wait until its task runs`,
    // The legacy connector may run.
    pointOfNoReturn: () => "begun",
  },
};

/** `the journal records of 3:5.2.802 from orders.cdc.txjournal` */
export function removedText({ topic, of, only }: RemovedRecords): string {
  const many = of === "journal" ? "transactions" : "tables";
  const names = (only ?? ["this prefix"]).slice(0, 4);
  const whose = only === undefined || only.length <= 3 ? names.join(", ") : `${showCount(only.length)} ${many}`;
  return `the ${of} records of ${whose} from ${topic}`;
}

/** The step that removes records; none if there is nothing to remove. */
export function removalSteps(records: readonly RemovedRecords[]): readonly PlannedStep[] {
  return records.length === 0 ? [] : [{ step: "remove-records", records }];
}

export function recordsRemoved({ steps }: { readonly steps: readonly PlannedStep[] }): readonly RemovedRecords[] {
  return steps.flatMap((planned) => (planned.step === "remove-records" ? planned.records : []));
}

export function meaningOf<Name extends StepName>({ step }: { readonly step: Name }): StepMeaning<Name> {
  return STEPS[step];
}

/** One line for the plan: what a step will do. */
export function describeStep(planned: PlannedStep): string {
  return (meaningOf(planned) as StepMeaning<StepName>).describe(planned);
}

/** A step's name for a list: the first thing it does, `patch the stored offset`. */
export function stepName(planned: PlannedStep): string {
  return meaningOf(planned).shortName ?? describeStep(planned).split(",", 1)[0] ?? planned.step;
}

/** Whether a plan does not change the stored offset, writes no signal, and only starts the connector. */
export function onlyStarts({ steps }: { readonly steps: readonly PlannedStep[] }): boolean {
  const names = steps.map(({ step }) => step);
  return names.includes("start-connector") && !names.includes("write-signal");
}

/** What a call does that changes connectors or topics, and how the journal names it before what it is of. */
const CALLS = {
  stop: "PUT stop",
  create: "POST connector",
  start: "PUT resume",
  restart: "POST restart",
  "delete offsets": "DELETE offsets of",
  "delete connector": "DELETE connector",
  "delete topic": "DELETE topic",
  "remove records": "null records to",
  "create topic": "CREATE topic",
} as const;

export type CallDoes = keyof typeof CALLS;

/** The one call of a run that needs no name: it sets the stored offset, and has journal entries of its own. */
export const PATCH = "PATCH";

/**
 * A call as the journal names it: `DELETE connector orders-cdc`. The same name is the same call, however often it is
 * sent.
 */
export function callName(does: CallDoes, of: string): string {
  return `${CALLS[does]} ${of}`;
}

/** What a call of the journal does, and of what; undefined for one that an earlier cdcctl may have named. */
export function readCall(call: string): { readonly does: CallDoes; readonly of: string } | undefined {
  for (const does of Object.keys(CALLS) as CallDoes[]) {
    const before = `${CALLS[does]} `;
    if (call.startsWith(before)) return { does, of: call.slice(before.length) };
  }
  return undefined;
}
