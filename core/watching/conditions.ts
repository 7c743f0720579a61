import type { ArchivedLog, RecordedEvent, Unknown } from "../../schemas/generated/facts.ts";
import { UsageError } from "../errors.ts";
import type { Observed } from "../facts/observed.ts";
import { operatorText, type RecordedChange } from "../facts/ops/ops-event.ts";
import { reachOf } from "../facts/redo/history.ts";
import { counted } from "../values/amounts.ts";
import { parseDuration, showMillis } from "../values/duration.ts";
import { type Instant, millisBetween } from "../values/instant.ts";
import { nearest, orMeant } from "../values/nearest.ts";
import type { Scn } from "../values/scn.ts";
import { firstLine } from "../values/truncate.ts";

/** How much redo is kept before the position of a connector: as it falls behind, so much time is left to it. */
export interface RedoLeft {
  readonly millis: number;
  /** No log has been deleted yet: it is at least so much. */
  readonly isLeast: boolean;
}

/**
 * How long a connector that stands still can resume: the time between the oldest archived log and its resume SCN, of
 * the thread that has least of it. Logs are deleted by age, so the oldest log comes closer as time passes.
 *
 * @param resumeAt when the resume SCN was current
 * @param logs of the enabled threads
 * @returns undefined where no archived log shows how long logs are kept
 */
export function redoLeft(resumeAt: Instant, logs: ReadonlyMap<bigint, readonly ArchivedLog[]>): RedoLeft | undefined {
  const left = reachOf(logs).map(({ since, purged }) => ({
    millis: since === undefined ? 0 : Math.max(0, millisBetween(since, resumeAt)),
    isLeast: !purged,
  }));
  return left.toSorted((a, b) => a.millis - b.millis)[0];
}

/** What is known of a connector between changes. */
export interface Watched {
  readonly connector: string;
  /** Undefined where only a URL names the workers. */
  readonly context: string | undefined;
  /** How the latest change of its offset was undone; undefined: it was not. */
  readonly undone: Observed<string | undefined>;
  /** The change of another machine that has no outcome yet, or where it was cut off. */
  readonly inFlight: Observed<RecordedChange<RecordedEvent> | undefined>;
  /** The latest change that the ops topic records, of any machine. */
  readonly change: Observed<RecordedChange<RecordedEvent> | undefined>;
  readonly resumeScn: Observed<Scn>;
  /** Milliseconds behind the database. */
  readonly lag: Observed<number>;
  readonly redo: Observed<RedoLeft>;
}

/** What `status` watches. */
export interface Watching {
  /** Unsettled and unreadable runs of this machine; a folder that cannot be read belongs to no connector. */
  readonly unsettled: readonly {
    readonly connector: string | undefined;
    readonly context: string | undefined;
    readonly what: string;
  }[];
  readonly connectors: readonly Watched[];
}

/** The facts of a connector of which nothing is known, for one reason. */
export function nothingKnown(unknown: Unknown): Omit<Watched, "connector" | "context"> {
  return { undone: unknown, inFlight: unknown, change: unknown, resumeScn: unknown, lag: unknown, redo: unknown };
}

/** What a condition is held against, in words. */
interface Seen {
  readonly verdict: Judged["verdict"];
  readonly connector?: string | undefined;
  readonly text: string;
}

interface Row {
  /** Exit code if it does not hold: 3, as of every command, while a change is not finished. */
  readonly exit: 1 | 3;
  /** What a duration after `=` says; undefined: it takes none. */
  readonly limit?: string;
  readonly see: (watching: Watching, millis: number) => readonly Seen[];
}

/** The conditions of `--fail-on`: a new one is a row. An unknown fact is never a pass. */
const CONDITIONS: Readonly<Record<string, Row>> = {
  unsettled: {
    exit: 3,
    see: ({ unsettled }) =>
      unsettled.length === 0
        ? [{ verdict: "pass", text: "no unsettled run on this machine" }]
        : unsettled.map(({ connector, what }) => ({ verdict: "fail", connector, text: what })),
  },
  undone: {
    exit: 3,
    see: ofEach(
      ({ undone }) => undone,
      (how) => [how === undefined, how ?? "no change was undone"],
    ),
  },
  "in-flight": {
    exit: 1,
    see: ofEach(
      ({ inFlight }) => inFlight,
      (change) => [change === undefined, inFlightText(change)],
    ),
  },
  lag: {
    exit: 1,
    limit: "the most a connector may be behind its database",
    see: ofEach(
      ({ lag }) => lag,
      (lag, most) => [lag <= most, `${showMillis(lag)} behind`],
    ),
  },
  "redo-retention": {
    exit: 1,
    limit: "the least redo that must be left before the resume SCN",
    see: ofEach(
      ({ redo }) => redo,
      ({ millis, isLeast }, least) => [
        millis >= least || (isLeast ? undefined : false),
        redoText(millis, isLeast, millis >= least),
      ],
    ),
  },
};

/** @param judge whether the fact passes, undefined where it does not say, and the fact in words */
function ofEach<T>(
  factOf: (one: Watched) => Observed<T>,
  judge: (value: T, millis: number) => readonly [passes: boolean | undefined, text: string],
): Row["see"] {
  return ({ connectors }, millis) => {
    if (connectors.length === 0) return [{ verdict: "unknown", text: "no CDC connector was found to read it from" }];
    return connectors.map((one): Seen => {
      const { connector } = one;
      const read = factOf(one);
      if (!read.known) return { verdict: "unknown", connector, text: firstLine(read.why) };
      const [passes, text] = judge(read.value, millis);
      return { verdict: passes === undefined ? "unknown" : passes ? "pass" : "fail", connector, text };
    });
  };
}

function redoText(millis: number, isLeast: boolean, isEnough: boolean): string {
  const left = `${isLeast ? "at least " : ""}${showMillis(millis)} of redo left`;
  return isEnough || !isLeast ? left : `${left}; no log has been deleted yet, so how long they are kept is not known`;
}

function inFlightText(change: RecordedChange | undefined): string {
  if (change === undefined) return "no change is in flight on another machine";
  const { operator, run } = change.event.details;
  return `a change by ${operatorText(operator)} is in flight${run === undefined ? "" : `, run ${run}`}`;
}

/** A condition of the command line. */
export interface Condition {
  /** The condition as it was written: `lag=30m`. */
  readonly text: string;
  readonly row: Row;
  readonly millis: number;
}

/** Reads `unsettled,lag=30m`. @throws UsageError naming the condition that cannot be read */
export function parseConditions(text: string): readonly Condition[] {
  return text.split(",").map((word) => conditionOf(word.trim()));
}

function conditionOf(text: string): Condition {
  const [name = "", value, ...more] = text.split("=");
  const row = Object.hasOwn(CONDITIONS, name) ? CONDITIONS[name] : undefined;
  if (row === undefined) {
    const names = Object.keys(CONDITIONS);
    const problem = text === "" ? "it has an empty condition" : `not a condition${orMeant(nearest(name, names))}`;
    throw new UsageError(
      `--fail-on ${text === "" ? "" : `${text}: `}${problem}`,
      `Conditions are ${names.map((one) => (CONDITIONS[one]?.limit ? `${one}=DURATION` : one)).join(", ")}.`,
    );
  }
  const { limit } = row;
  if (limit === undefined && value !== undefined)
    throw new UsageError(`--fail-on ${text}: ${name} takes no value`, `Write it as ${name}.`);
  const millis = limit === undefined ? 0 : parseDuration(more.length === 0 ? (value ?? "") : "");
  if (millis === undefined)
    throw new UsageError(
      `--fail-on ${text}: ${name} needs a duration: ${limit}`,
      `Write it as ${name}=30m, ${name}=24h or ${name}=2d.`,
    );
  return { text, row, millis };
}

/** How a condition was found. */
export interface Judged {
  readonly condition: string;
  readonly verdict: "pass" | "fail" | "unknown";
  readonly seen: string;
  readonly exit: 0 | 1 | 3;
}

const WORST = ["fail", "unknown", "pass"] as const;
const MOST_NAMED = 3;

/** Holds what is watched against a condition; the worst connectors are named. */
export function judge({ text, row, millis }: Condition, watching: Watching): Judged {
  const all = row.see(watching, millis);
  const verdict = WORST.find((one) => all.some((seen) => seen.verdict === one)) ?? "unknown";
  const worst = all.filter((seen) => seen.verdict === verdict);
  const named = worst
    .slice(0, MOST_NAMED)
    .map(({ connector, text: seen }) => [connector ?? [], seen].flat().join(": "));
  const rest = worst.length - named.length;
  const more = rest === 0 ? [] : [`and ${counted(rest, "more", "more")}`];
  return {
    condition: text,
    verdict,
    seen: [...named, ...more].join("; "),
    exit: verdict === "pass" ? 0 : verdict === "unknown" ? 1 : row.exit,
  };
}
