import type { ArchivedLog } from "../redo/redo.ts";
import type { AnyWorld, Built } from "./any-catalogue.ts";
import { type NaiveAnswer, naive, naiveFirst } from "./naive-redo.ts";

/** What a catalogue has that an analysis could stumble over, told from its rows and not from how they were made. */
type Tells = (built: Built, plain: NaiveAnswer | undefined, random: AnyWorld) => boolean;

const counted = ({ archived }: Built["catalogue"], resetlogsScn: bigint) =>
  archived.filter((row) => row.destination === 1n && !row.standby && row.resetlogsScn === resetlogsScn);

const usable = (row: ArchivedLog) => !row.deleted && row.status === "A" && row.name !== undefined;

const sameLog = (one: ArchivedLog, other: ArchivedLog) =>
  one !== other && one.thread === other.thread && one.sequence === other.sequence;

/** Neighbouring sequences of a thread, each with the next. */
function neighbours(rows: readonly ArchivedLog[]): readonly (readonly [ArchivedLog, ArchivedLog])[] {
  return rows.flatMap((row) =>
    rows
      .filter((other) => other.thread === row.thread && other.sequence === row.sequence + 1n)
      .map((other) => [row, other] as const),
  );
}

const TELLS = {
  "several threads": ({ catalogue }) => new Set(catalogue.archived.map(({ thread }) => thread)).size > 1,
  "a thread enabled halfway": ({ catalogue, question }, plain) =>
    catalogue.threads.some(({ enableScn }) => enableScn > question.from && enableScn <= (plain?.end ?? 0n)),
  "a thread disabled halfway": ({ catalogue, question }, plain) =>
    catalogue.threads.some(
      ({ disableScn }) => disableScn !== undefined && disableScn > question.from && disableScn <= (plain?.end ?? 0n),
    ),
  "a thread with logs that the view does not list": ({ catalogue }) =>
    catalogue.archived.some((row) => catalogue.threads.every(({ thread }) => thread !== row.thread)),
  "RESETLOGS in the range": ({ question }, plain) =>
    question.from < question.resetlogsScn && question.resetlogsScn <= (plain?.end ?? 0n),
  "a sequence in two incarnations": ({ catalogue: { archived } }) =>
    archived.some((row) => archived.some((other) => sameLog(row, other) && row.resetlogsScn !== other.resetlogsScn)),
  "a log in two destinations": ({ catalogue: { archived } }) =>
    archived.some((row) => archived.some((other) => sameLog(row, other) && row.destination !== other.destination)),
  "a purged log with a readable copy under another destination": ({ catalogue: { archived } }) =>
    archived.some(
      (row) =>
        row.destination === 1n &&
        !usable(row) &&
        archived.some((other) => sameLog(row, other) && other.destination === 2n && usable(other)),
    ),
  "a purged log with a readable copy in its own destination": ({ catalogue, question }) => {
    const rows = counted(catalogue, question.resetlogsScn);
    return rows.some((row) => !usable(row) && rows.some((other) => sameLog(row, other) && usable(other)));
  },
  "a standby copy": ({ catalogue }) => catalogue.archived.some(({ standby }) => standby),
  "a log that only a standby has": ({ catalogue: { archived } }) =>
    archived.some((row) => row.standby && !archived.some((other) => sameLog(row, other))),
  "a row without a name, not deleted": ({ catalogue }) =>
    catalogue.archived.some(({ name, deleted }) => name === undefined && !deleted),
  "a row without a name, deleted": ({ catalogue }) =>
    catalogue.archived.some(({ name, deleted }) => name === undefined && deleted),
  "a switch in progress": ({ catalogue: { archived, online } }) =>
    online.some(
      (log) =>
        log.nextScn !== undefined &&
        !log.archived &&
        log.member !== undefined &&
        !archived.some((row) => row.thread === log.thread && row.sequence === log.sequence),
    ),
  "a log both on line and archived": ({ catalogue: { archived, online } }) =>
    online.some((log) => archived.some((row) => row.thread === log.thread && row.sequence === log.sequence)),
  "an online log without a readable member": ({ catalogue }) =>
    catalogue.online.some(({ member, status }) => member === undefined && status !== "CLEARING"),
  archive_only: ({ question }) => question.captureMode === "archive_only",
  "a gap at the beginning": (_, plain) => (plain?.late.size ?? 0) > 0,
  "a gap in the middle": (_, plain) => (plain?.missing.size ?? 0) > 0,
  "a gap at the end": (_, plain) => (plain?.early.size ?? 0) > 0,
  "sequences that overlap": ({ catalogue, question }) =>
    neighbours(counted(catalogue, question.resetlogsScn)).some(([row, next]) => next.firstScn < row.nextScn),
  "a hole between neighbours": ({ catalogue, question }) =>
    neighbours(counted(catalogue, question.resetlogsScn)).some(([row, next]) => next.firstScn > row.nextScn),
  "a gap that only the probe shows, with redo after it": ({ catalogue, question, probes }, plain) =>
    probes !== undefined &&
    plain?.complete === false &&
    naive(catalogue, question, undefined)?.complete === true &&
    naiveFirst(catalogue, question, probes, question.from) !== undefined,
  "redo after a gap, later than the catalogue alone says": ({ catalogue, question, probes }, plain) => {
    if (probes === undefined || plain?.complete !== false) return false;
    const first = naiveFirst(catalogue, question, probes, question.from);
    const alone = naiveFirst(catalogue, question, undefined, question.from);
    return first !== undefined && alone !== undefined && first > alone;
  },
  "a destination by name": ({ question }) => question.destination !== undefined,
  "no usable destination": (_, plain) => plain === undefined,
  "rows in no order": (_built, _plain, { shuffle }) => shuffle % 3 === 0,
} as const satisfies Readonly<Record<string, Tells>>;

export type Feature = keyof typeof TELLS;

export const FEATURES = Object.keys(TELLS) as readonly Feature[];

export function featuresOf(random: AnyWorld, built: Built, plain: NaiveAnswer | undefined): readonly Feature[] {
  return FEATURES.filter((feature) => (TELLS[feature] as Tells)(built, plain, random));
}
