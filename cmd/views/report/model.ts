import type { Timeline } from "../../../core/timeline/timeline.ts";
import type { Advice } from "../../../core/values/remedy.ts";
import type { Tone } from "../colour.ts";

/**
 * What a command reports, whatever it is shown in: a subject's builder makes it, a format's renderer shows it. Texts
 * are plain and not escaped; widths, colours, truncation and "and 3 more" are the renderer's.
 */
export interface Report {
  readonly heading: Heading;
  /** What stops it. A terminal shows it above the heading. */
  readonly urgent?: readonly Section[];
  /** Belongs to the heading: shown directly below it. */
  readonly lead: readonly Part[];
  readonly sections: readonly Section[];
  /** Commands to run next. */
  readonly next: readonly string[];
  /** There is nothing to report: a terminal shows this line only. */
  readonly oneLine?: string;
}

/** What a command reports: one report, or several of a sort. */
export interface Reports {
  /** What one of them is called: `plan`. */
  readonly what: string;
  readonly reports: readonly Report[];
  /** Stands above several, in a comment or on a page. */
  readonly sections?: readonly Section[];
  /** Commands to run next, after all of them. */
  readonly next?: readonly string[];
}

export interface Heading {
  readonly title: string;
  /** Behind the title: kind, ticket. */
  readonly rest?: readonly string[];
  /** A terminal needs no title to find it. */
  readonly terminal?: "no title";
  /** How it came out: a page and a comment begin with it. Undefined only where nothing is judged. */
  readonly outcome: Outcome | undefined;
  readonly tone?: Tone;
}

export interface Outcome {
  readonly word: string;
  readonly mark: Mark;
  /** A terminal shows it behind the title as well, or, after a colon, as part of it. */
  readonly shown?: true | "in the title";
}

export type Mark = "good" | "bad" | "unknown" | "caution" | "accepted" | "begun" | "nothing";

export interface Section {
  readonly title?: string;
  readonly outcome?: Outcome;
  readonly tone?: Tone;
  /** What is left out first where not everything fits: the higher, the sooner. */
  readonly rank: Rank;
  /** A terminal needs no title to find it. */
  readonly terminal?: "no title";
  /** Shown in no other place. */
  readonly only?: "terminal" | "page";
  /** Begins at the margin: what the reader looks for. */
  readonly flush?: true;
  /** A terminal shows it directly below what stands before it. */
  readonly close?: true;
  readonly parts: readonly Part[];
}

export type Rank = (typeof RANK)[keyof typeof RANK];

export const RANK = {
  outcome: 0,
  refusals: 1,
  subject: 2,
  consequences: 3,
  steps: 4,
  warnings: 5,
  figure: 6,
  details: 7,
} as const;

export type Part = Notice | Fields | Table | List | Steps | Findings | Remedies | Code | Figure;

/** Running text; what is to be copied from it is `code`. */
export type Words = string | readonly (string | { readonly code: string })[];

/** A sentence, or some. */
export interface Notice {
  readonly is: "notice";
  readonly text: Words;
  readonly tone?: Tone | undefined;
}

/** Names and what they stand for. */
export interface Fields {
  readonly is: "fields";
  readonly rows: readonly Field[];
  /** The labels of several such parts stand below each other. */
  readonly aligned?: true;
  /** Labels are quiet, and what they stand for is what is read. */
  readonly quiet?: true;
}

export interface Field {
  readonly label: string;
  readonly text: Words;
  readonly tone?: Tone | undefined;
  /** In the margin: `!`. */
  readonly mark?: string;
  readonly remedies?: readonly Advice[];
  readonly details?: Items<Detail>;
}

/** A line below its field. */
export type Detail = Words | { readonly text: Words; readonly copied: string };

/** A list of any length, of which a renderer makes only what it shows. */
export interface Items<T> {
  readonly count: number;
  readonly first: (most: number) => readonly T[];
  /** What one of them is called: `table`. */
  readonly what: string;
  /** How many a terminal shows; `some` unless told otherwise. */
  readonly extent: Extent;
}

export type Extent = "few" | "some" | "many" | "all";

export interface Table {
  readonly is: "table";
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: Items<Row>;
  /** A terminal shows it without a head. */
  readonly bare?: true;
  /** The same rows by groups, which a terminal shows as fields: each cell of a row behind the other. */
  readonly groups?: readonly { readonly label: string; readonly rows: Items<string>; readonly inShort?: true }[];
}

export interface Column {
  readonly title: string;
  /** Figures: their ends stand below each other. */
  readonly end?: true;
  /** Breaks its cells between words where the table is too wide. */
  readonly wraps?: true;
  /** Columns of a terminal, so that tables of one sort look alike. */
  readonly least?: number;
  readonly most?: number;
  /** A terminal shows it below the row. */
  readonly below?: true;
}

export interface Row {
  readonly cells: readonly Cell[];
  /** In the margin; each row of its table has one, if only a blank. */
  readonly mark?: string;
  readonly tone?: Tone | undefined;
  /** Other than it was: a page emphasises it. */
  readonly changed?: boolean;
}

export type Cell =
  | string
  | {
      readonly text: string;
      readonly tone?: Tone | undefined;
      /** When that was: times stand below each other. */
      readonly at?: string | undefined;
      readonly as?: "code";
    };

export interface List {
  readonly is: "list";
  readonly items: Items<Words>;
  readonly sign?: "-" | "!" | "";
  readonly tone?: Tone;
}

export interface Steps {
  readonly is: "steps";
  readonly rows: readonly Step[];
}

export interface Step {
  readonly text: string;
  /** Left out where none has begun. */
  readonly taken?: {
    readonly state: string;
    readonly mark: Mark | undefined;
    readonly begun: string | undefined;
    readonly took: string | undefined;
    readonly note: string | undefined;
  };
}

/** What checks have found. */
export interface Findings {
  readonly is: "findings";
  readonly rows: Items<Found>;
}

export interface Found {
  readonly code: string;
  readonly text: string;
  readonly effect: "refused" | "warns" | "accepted";
  readonly remedies: readonly Advice[];
  /** `plan.yaml:10`. */
  readonly place?: string | undefined;
}

/** What can be done, one way each. */
export interface Remedies {
  readonly is: "remedies";
  readonly items: readonly Advice[];
}

/** Lines to be copied. */
export interface Code {
  readonly is: "code";
  readonly language: "" | "sh" | "sql";
  readonly lines: Items<string>;
}

/** Where a connector stands in the redo. */
export interface Figure {
  readonly is: "figure";
  readonly timeline: Timeline;
}

export function items<F, T>(
  of: readonly F[],
  what: string,
  make: (one: F, at: number) => T,
  extent: Extent = "some",
): Items<T> {
  return { count: of.length, first: (most) => of.slice(0, most).map(make), what, extent };
}

/** A cell whose value is copied. */
export function code(text: string) {
  return { text, as: "code" } as const;
}

/** Columns of figures, by their titles. */
export function figures(...titles: readonly string[]): readonly Column[] {
  return titles.map((title) => ({ title, end: true }));
}

export function notice(text: Words, tone?: Tone): Notice {
  return { is: "notice", text, tone };
}

/** @param details one a line below the sentence */
export function field(label: string, text: Words, tone?: Tone, details?: Items<Detail>): Field {
  return { label, text, tone, ...(details === undefined || details.count === 0 ? {} : { details }) };
}

export function list(
  of: readonly Words[],
  what: string,
  {
    sign = "-",
    tone,
    extent = "all",
  }: { readonly sign?: List["sign"]; readonly tone?: Tone; readonly extent?: Extent } = {},
): readonly List[] {
  if (of.length === 0) return [];
  return [{ is: "list", items: items(of, what, (one) => one, extent), sign, ...(tone === undefined ? {} : { tone }) }];
}

export function figure(timeline: Timeline | undefined): readonly Figure[] {
  return timeline === undefined ? [] : [{ is: "figure", timeline }];
}

/** A section, or none where nothing is in it. */
export function section(
  rank: Rank,
  parts: readonly Part[],
  more: Omit<Section, "rank" | "parts"> = {},
): readonly Section[] {
  return parts.length === 0 ? [] : [{ ...more, rank, parts }];
}

export function plainOf(words: Words): string {
  return typeof words === "string" ? words : words.map((one) => (typeof one === "string" ? one : one.code)).join("");
}

/** `more tables`, `more table`: what `count` of them are called. */
export function called({ what }: Pick<Items<unknown>, "what">, count: number): string {
  if (count === 1) return what;
  return /[^aeiou]y$/.test(what) ? `${what.slice(0, -1)}ies` : `${what}s`;
}
