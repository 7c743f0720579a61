import { Refusal } from "../errors.ts";
import { FIRST_START, initialOffset, moveOffset } from "../facts/offset/moved-offset.ts";
import { decodeOffset, isEmptyOffset, sameOffset } from "../facts/offset/stored-offset.ts";
import { carriedOffset, type OffsetsSetEvent } from "../facts/ops/ops-event.ts";
import type { ConnectorPlan } from "../plan/plan.ts";
import type { RunState } from "../run/state.ts";
import { digestOf } from "../values/digest.ts";
import { canonicalJson, type JsonObject } from "../values/json.ts";
import { fromOpsCommand, shellWord } from "../values/shell-word.ts";
import type { RunContext } from "./context.ts";
import { ownRecord } from "./steps/ops-topic.ts";

/**
 * How versions of cdcctl compute what a move stores: the first row is today's, every other one was used up to the
 * version it names. A run is judged by the rules of the version that began it.
 */
const MOVES: readonly { readonly until?: string; readonly move: typeof moveOffset }[] = [
  { move: moveOffset },
  // A move back below its floor left the first-start cut in place.
  {
    until: "0.1.0",
    move: (stored, asked) => ({
      ...Object.fromEntries(Object.entries(stored.raw).filter(([name]) => FIRST_START.some((one) => one === name))),
      ...moveOffset(stored, asked),
    }),
  },
];

/**
 * Compares the journaled body with the two other accounts of it: what the plan makes of the previous offset, and the
 * run's own `applying` in the ops topic. A journal is a file: what it says alone is not sent, nor called planned.
 *
 * Rule: architecture, "What apply promises", 2 and 6.
 *
 * @param applying undefined: the topic was read, and records none
 * @param isRead whether everything since the run began was read
 * @returns the refusal `APL823`, with all three; undefined where they agree
 */
export function strayBody(
  { started, body, steps }: RunState,
  applying: OffsetsSetEvent | undefined,
  isRead = true,
): Refusal | undefined {
  if (body === undefined) return undefined;
  const { run, cdcctl, plan, subject } = started;
  const { previous, entry } = body;
  const planned = plan === null ? undefined : bodiesOf(plan as ConnectorPlan, subject, previous, cdcctl);
  const recorded = applying?.details;
  const [recordedPrevious, recordedNext] = [recorded?.previous_offset, recorded?.new_offset].map(carriedOffset);
  const isPlanned = planned === undefined || planned.some((one) => sameOffset(one, entry.offset));
  const isRecorded =
    recorded === undefined
      ? !isRead || steps.get("record-applying") !== "done"
      : recordedPrevious !== undefined &&
        sameOffset(recordedPrevious, previous) &&
        sameOffset(recordedNext ?? null, entry.offset) &&
        applying?.server === subject.prefix;
  if (isPlanned && isRecorded && sameOffset(entry.partition, { server: subject.prefix })) return undefined;
  const [next] = planned ?? [];
  const unplanned =
    planned === undefined ? "none, the run was taken over" : "contradicts itself or the previous offset";
  const accounts: readonly Account[] = [
    { by: "Its journal", previous, next: entry.offset },
    { by: "Its plan", ...(next === undefined ? { says: unplanned } : { previous, next }) },
    {
      by: subject.opsTopic,
      ...(recorded === undefined
        ? { says: "no record of this run" }
        : { previous: recordedPrevious ?? null, next: recordedNext ?? null }),
    },
  ];
  return new Refusal(
    "APL823",
    `the offset that run ${run} is to store under ${canonicalJson(entry.partition)} is not the one that it decided. ` +
      `Nothing was sent. ${accountsText(accounts)}`,
    [
      "Find out who can write to the state directory, and restore the journal from a backup.",
      { text: "To set it aside and settle the change by the ops topic", command: fromOpsCommand(subject) },
      { text: "To leave the offset as it is", command: `cdcctl recover ${shellWord(run)} --abandon` },
    ],
  );
}

interface Move {
  readonly previous: JsonObject | null;
  readonly next: JsonObject | null;
}

/** What one of the three says of the move, or why it says nothing. */
type Account = { readonly by: string } & (Move | { readonly says: string });

/** The resume SCN of each account, and the fields that they do not have alike. */
function accountsText(accounts: readonly Account[]): string {
  const moves = accounts.flatMap((one) => ("says" in one ? [] : [one]));
  const names = new Set(moves.flatMap(({ previous, next }) => Object.keys({ ...previous, ...next })));
  const told = [...names].filter(
    (name) => name === "resume_scn" || new Set(moves.map((move) => fieldText(move, name))).size > 1,
  );
  return accounts
    .map((one) => `${one.by}: ${"says" in one ? one.says : told.map((name) => fieldText(one, name)).join(", ")}`)
    .join(". ");
}

function fieldText({ previous, next }: Move, name: string): string {
  const text = (offset: JsonObject | null) =>
    offset !== null && name in offset ? canonicalJson(offset[name]) : "none";
  return `${name} from ${text(previous)} to ${text(next)}`;
}

/** What a plan stores over the previous offset, by each rule of a version; none for a plan that contradicts itself. */
function bodiesOf(
  { decided, decision, steps, world }: ConnectorPlan,
  subject: RunState["started"]["subject"],
  previous: JsonObject | null,
  version: string,
): readonly JsonObject[] {
  const { connector, prefix } = subject;
  const isWhole = decision === digestOf(decided) && decision === subject.decision && prefix === world.prefix;
  const isOwn =
    decided.connector === connector && steps.every((one) => !("connector" in one) || one.connector === connector);
  if (!isWhole || !isOwn || decided.scn === undefined) return [];
  const ofMove = decided.kind === "OffsetChange" ? decided : undefined;
  if (ofMove?.restore !== undefined) return [ofMove.restore];
  if (isEmptyOffset(previous)) return [initialOffset(decided.scn, decided.database)];
  const before = decodeOffset(previous ?? {});
  if (!before.ok) return [];
  const { scn } = decided;
  const { forgetReleased: forget = "none", deliverAgain } = ofMove ?? {};
  return MOVES.filter(({ until }) => until === undefined || isUpTo(version, until)).map(({ move }) =>
    move(before.offset, { scn, forget, deliverAgain }),
  );
}

function isUpTo(version: string, last: string): boolean {
  return /^\d/.test(version) && version.localeCompare(last, "en", { numeric: true }) <= 0;
}

/**
 * Refuses to go by a journaled body that the plan and the ops topic do not confirm.
 *
 * @throws Refusal `APL823`; CallFailed if the topic can't be read
 */
export async function demandOwnBody(ctx: RunContext): Promise<void> {
  const state = ctx.state();
  if (state.body === undefined) return;
  const stray = strayBody(state, state.steps.has("record-applying") ? await ownRecord(ctx) : undefined);
  if (stray !== undefined) throw stray;
}
