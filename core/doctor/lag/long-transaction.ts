import type { OpenTransaction } from "../../../schemas/generated/facts.ts";
import type { LargestTransaction, TaskMetrics } from "../../facts/connector/task-metrics.ts";
import type { Observed } from "../../facts/observed.ts";
import { counted, showCount } from "../../values/amounts.ts";
import { printDuration } from "../../values/duration.ts";
import { millisBetween } from "../../values/instant.ts";
import { ascending } from "../../values/lists.ts";
import type { Scn } from "../../values/scn.ts";
import { parseXid, printXid, sameXid, type Xid } from "../../values/xid.ts";
import { type Judgement, likely, no, unknown, yes } from "./cause.ts";
import { ageOf, databaseNow, type LagFacts, type LagReading } from "./lag-facts.ts";

/** The stored resume SCN counts as the start of a transaction when at most this part of the lag lies between them. */
const NEAR = 10n;

/**
 * A transaction that is open at the resume SCN holds it there, however fast everything else is: the resume SCN is never
 * above the start of a transaction that the task buffers (reference: Oracle, "Why is the connector behind?").
 */
export function longTransaction(reading: LagReading): Judgement {
  const { resume, behind, facts } = reading;
  if (!resume.known) return unknown(resume.why);
  if (!behind.known) return unknown(behind.why);
  const open = pinningOpen(reading, resume.value, behind.value);
  const buffered = pinningBuffered(reading, resume.value, behind.value);
  const found = open.known ? open.value : undefined;
  const sentence = found === undefined ? "" : openSentence(found, resume.value, reading);
  const agreed = found === undefined ? undefined : taskAgrees(found, behind.value, facts.second.metrics);
  if (agreed?.known === false) return likely(sentence, `whether the task buffers it is unknown: ${agreed.why}`);
  if (agreed?.value === true) return yes(sentence);
  if (buffered.known && buffered.value !== undefined)
    return yes(...bufferedSentences(buffered.value, facts.transactions));
  if (!facts.transactions.known) return unknown(facts.transactions.why);
  if (!buffered.known) return unknown(buffered.why);
  return no(agreed === undefined ? awaySentence(facts.transactions.value.length) : `${agreed.value}; ${sentence}.`);
}

export function oldestOf(transactions: readonly OpenTransaction[]): OpenTransaction | undefined {
  return inOrder(transactions)[0];
}

function inOrder(transactions: readonly OpenTransaction[]): readonly OpenTransaction[] {
  return transactions.toSorted(ascending(({ startScn }) => startScn));
}

/** How long a transaction has been open, in milliseconds by the database's clock; undefined if unknown. */
export function openFor({ startedAt, startScn }: OpenTransaction, facts: LagFacts): bigint | undefined {
  const now = databaseNow(facts);
  if (now === undefined) return undefined;
  if (startedAt !== undefined) return BigInt(Math.max(0, millisBetween(startedAt, now)));
  const age = ageOf(startScn, facts);
  return age.known ? age.value.millis : undefined;
}

/**
 * Finds the transaction in the database that is open at the resume SCN: even with everything mined, the connector would
 * stay there.
 *
 * It is the oldest of those that began at or after the resume SCN: one that began before is not in the task's buffer,
 * because it is journaled or has no captured change. One from just before is chosen only if there is no other:
 * `START_SCN` is when a transaction was created, and its first redo comes after that. If the task lists its oldest by
 * id, it is that one: older ones in the view have no captured change.
 *
 * Rule: reference: Oracle, "Torn transactions": the stored resume SCN is never above the start of a buffered
 * transaction.
 */
function pinningOpen(
  { facts: { transactions, second } }: LagReading,
  resume: Scn,
  behind: bigint,
): Observed<OpenTransaction | undefined> {
  if (!transactions.known) return transactions;
  const above = transactions.value.filter(({ startScn }) => startScn >= resume && (startScn - resume) * NEAR <= behind);
  const below = transactions.value.filter(({ startScn }) => startScn < resume && (resume - startScn) * NEAR <= behind);
  const listed = oldestListed(second.metrics);
  const held = [...above, ...below].find(({ xid }) => listed !== undefined && sameXid(xid, listed));
  return { ...transactions, value: held ?? oldestOf(above) ?? inOrder(below).at(-1) };
}

/**
 * Whether the task's buffer confirms it. A transaction without a captured change is never in the buffer and holds
 * nothing, nor does one that is not the oldest in it.
 *
 * @returns true, or what contradicts it, as the beginning of a sentence
 */
function taskAgrees(held: OpenTransaction, behind: bigint, metrics: Observed<TaskMetrics>): Observed<true | string> {
  if (!metrics.known) return metrics;
  const { OldestOpenScn: oldest, OpenTransactions: open } = metrics.value.lag;
  if (!open.known) return open;
  if (open.value <= 0n) return { ...open, value: "The task buffers 0 open transactions (OpenTransactions)" };
  if (!oldest.known) return oldest;
  if (oldest.value < 0n)
    return { ...oldest, value: "Every transaction that the task buffers is journaled (OldestOpenScn)" };
  const began = (when: string) =>
    `The oldest transaction in the task's buffer began ${when} SCN ${oldest.value} (OldestOpenScn)`;
  if ((oldest.value - held.startScn) * NEAR > behind) return { ...oldest, value: began("later, at") };
  // A first captured change never precedes the start of its transaction.
  if (oldest.value < held.startScn) return { ...oldest, value: began("earlier, at") };
  const xid = oldestListed(metrics);
  return xid === undefined || sameXid(held.xid, xid)
    ? { ...oldest, value: true }
    : {
        ...oldest,
        value: `The oldest transaction in the task's buffer is ${printXid(xid)}, since SCN ${oldest.value}`,
      };
}

/** The id of the oldest transaction in the task's buffer, if it is among the few that the task lists. */
function oldestListed(metrics: Observed<TaskMetrics>): Xid | undefined {
  if (!metrics.known || !metrics.value.lag.OldestOpenScn.known) return undefined;
  return parseXid(listedAt(metrics.value.lag.OldestOpenScn.value, metrics.value)?.xid ?? "");
}

/** The transaction that began at this SCN, among the few that the task lists. */
function listedAt(first: Scn, { largestTransactions }: TaskMetrics): LargestTransaction | undefined {
  return largestTransactions.known ? largestTransactions.value.find(({ firstScn }) => firstScn === first) : undefined;
}

interface Buffered {
  readonly oldest: Scn;
  readonly mined: Scn;
  readonly largest: LargestTransaction | undefined;
}

/**
 * The oldest transaction of the task's buffer, if the task has mined at least half of the lag beyond it: any open
 * transaction looks like this for a moment.
 */
function pinningBuffered(
  { facts: { second } }: LagReading,
  resume: Scn,
  behind: bigint,
): Observed<Buffered | undefined> {
  const { metrics } = second;
  if (!metrics.known) return metrics;
  const { OldestOpenScn: oldest, MinedToScn: mined, OpenTransactions: open } = metrics.value.lag;
  if (!open.known) return open;
  if (open.value <= 0n) return { ...open, value: undefined };
  if (!oldest.known) return oldest;
  if (!mined.known) return mined;
  const near = oldest.value >= resume && (oldest.value - resume) * NEAR <= behind;
  if (!near || (mined.value - resume) * 2n < behind) return { ...oldest, value: undefined };
  return {
    ...oldest,
    value: { oldest: oldest.value, mined: mined.value, largest: listedAt(oldest.value, metrics.value) },
  };
}

function openSentence(one: OpenTransaction, resume: Scn, { facts }: LagReading): string {
  const millis = openFor(one, facts);
  const since = millis === undefined ? "" : `, for ${printDuration(Number(millis))}`;
  return (
    `transaction ${printXid(one.xid)}${ofWhom(one)} has been open since SCN ${one.startScn}${since}, ` +
    `${placeOf(one.startScn, resume)}`
  );
}

function awaySentence(open: number): string {
  if (open === 0) return "0 transactions are open in the database.";
  return open === 1
    ? "The only open transaction began far from the resume SCN."
    : `The ${showCount(open)} open transactions began far from the resume SCN.`;
}

function placeOf(start: Scn, resume: Scn): string {
  if (start === resume) return "at the resume SCN";
  return start > resume
    ? `${counted(start - resume, "SCN")} after the resume SCN ${resume}`
    : `${counted(resume - start, "SCN")} before the resume SCN ${resume}`;
}

function bufferedSentences(
  { oldest, mined, largest }: Buffered,
  transactions: Observed<readonly OpenTransaction[]>,
): readonly [string, ...string[]] {
  const xid = largest === undefined ? undefined : parseXid(largest.xid);
  const name = largest === undefined ? "its oldest open transaction" : `transaction ${largest.xid}${ofWhom(largest)}`;
  const first = `the task has buffered ${name} since SCN ${oldest} and has mined up to ${mined}`;
  if (xid === undefined || !transactions.known) return [first];
  return transactions.value.some((open) => sameXid(open.xid, xid))
    ? [first]
    : [first, "GV$TRANSACTION does not list it: its end is not mined yet, or it is an orphan"];
}

export function ofWhom({ user, clientId }: Pick<OpenTransaction, "user" | "clientId">): string {
  const names = [
    ...(user === undefined ? [] : [`user ${user}`]),
    ...(clientId === undefined ? [] : [`client ${clientId}`]),
  ];
  return names.length === 0 ? "" : ` (${names.join(", ")})`;
}
