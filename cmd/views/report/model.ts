import type { Timeline } from "../../../core/timeline/timeline.ts";
import type { Advice } from "../../../core/values/remedy.ts";
import type { Tone } from "../colour.ts";

/**
 * The report of a command, independent of its format: a subject's builder makes it, a format's renderer shows it. Texts
 * are plain and not escaped; the renderer decides widths, colours, truncation and "and 3 more".
 */
export interface Report {
  /** Omitted where a report only continues what is already shown. */
  readonly heading?: Heading;
  /** Blocking findings. A terminal shows them above the heading. */
  readonly urgent?: readonly Section[];
  /** Part of the heading, shown directly below it. */
  readonly lead?: readonly Part[];
  readonly sections: readonly Section[];
  readonly next?: readonly string[];
  /** Nothing to report: a terminal shows only this line. */
  readonly oneLine?: string;
  /** A terminal shows the sections that are `in full`, too. */
  readonly full?: boolean;
}

/** The output of a command: one report, or several of one sort. */
export interface Reports {
  /** The noun for one report: `plan`. */
  readonly what: string;
  readonly reports: readonly Report[];
  /** Shown on a terminal instead of the reports. */
  readonly terminal?: readonly Report[];
  /** Shown above several reports, in a comment or on a page. */
  readonly sections?: readonly Section[];
  readonly next?: readonly string[];
}

export interface Heading {
  readonly title: string;
  /** Follows the title: kind, ticket. */
  readonly rest?: readonly string[];
  /** Set if a terminal shows no title. */
  readonly terminal?: "no title";
  /** The outcome, with which a page or comment begins. Undefined only if nothing is judged. */
  readonly outcome: Outcome | undefined;
  readonly tone?: Tone;
}

export const NO_HEADING: Heading = { title: "", outcome: undefined };

export interface Outcome {
  readonly word: string;
  /** Follows the word, where it stands alone: `, 1 warning`. */
  readonly also?: string;
  readonly mark: Mark;
  /** Where a terminal shows it: after the title or, after a colon, as part of it. */
  readonly shown?: true | "in the title";
}

/** `ready, 1 warning` */
export function verdictOf({ word, also = "" }: Outcome): string {
  return `${word}${also}`;
}

export type Mark = "good" | "bad" | "unknown" | "caution" | "accepted" | "begun" | "nothing";

export interface Section {
  readonly title?: string;
  readonly outcome?: Outcome;
  readonly tone?: Tone;
  /** Which sections are dropped first when space runs out: higher ranks first. */
  readonly rank: Rank;
  /** Set if a terminal shows no title. */
  readonly terminal?: "no title";
  /** The only format that shows it. */
  readonly only?: "terminal" | "page";
  /**
   * `in full`: folded. A terminal shows it on request, Markdown below `<details>`, a page always. `in short`: stands
   * for what is folded.
   */
  readonly shown?: "in short" | "in full";
  /** Starts at the margin, for the main content. */
  readonly flush?: true;
  /** A terminal shows it without an empty line above. */
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

/** Running text; parts to be copied are `code`. */
export type Words = string | readonly (string | { readonly code: string })[];

export interface Notice {
  readonly is: "notice";
  readonly text: Words;
  readonly tone?: Tone | undefined;
}

export interface Fields {
  readonly is: "fields";
  readonly rows: readonly Field[];
  /** Aligns the labels of several such parts. */
  readonly aligned?: true;
  /** Shows labels less prominently than values. */
  readonly quiet?: true;
}

export interface Field {
  readonly label: string;
  readonly text: Words;
  readonly tone?: Tone | undefined;
  /** A sign in the margin: `!`. */
  readonly mark?: string;
  readonly remedies?: readonly Advice[];
  readonly details?: Items<Detail>;
}

/** A line below its field. */
export type Detail = Words | { readonly text: Words; readonly copied: string };

/** A list of any length; a renderer builds only the items it shows. */
export interface Items<T> {
  readonly count: number;
  readonly first: (most: number) => readonly T[];
  /** The noun for one item: `table`. */
  readonly what: string;
  /** How many a terminal shows; default `some`. */
  readonly extent: Extent;
}

export type Extent = "few" | "some" | "many" | "all";

export interface Table {
  readonly is: "table";
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: Items<Row>;
  /** A terminal shows the table without a head. */
  readonly bare?: true;
  /** A terminal shows label, value before, `→`, value after and note, without a head. */
  readonly change?: true;
}

export interface Column {
  readonly title: string;
  /** Right-aligned, for figures. */
  readonly end?: true;
  /** Wraps its cells between words if the table is too wide. */
  readonly wraps?: true;
  /** Width in terminal columns, so that tables of one sort align. */
  readonly least?: number;
  readonly most?: number;
  /** A terminal shows it below the row. */
  readonly below?: true;
}

export interface Row {
  readonly cells: readonly Cell[];
  /** A sign in the margin of a change; if one row has it, every row has one, possibly blank. */
  readonly mark?: string;
  readonly tone?: Tone | undefined;
  /** Set if the value changed; a page emphasises it. */
  readonly changed?: boolean;
}

export type Cell =
  | string
  | {
      readonly text: string;
      readonly tone?: Tone | undefined;
      /** The time of the value; times are aligned. */
      readonly at?: string | undefined;
      readonly as?: "code";
    };

export interface List {
  readonly is: "list";
  readonly items: Items<Words>;
  readonly sign?: "-" | "!" | "?" | "✓" | "✗" | "";
  readonly tone?: Tone;
}

export interface Steps {
  readonly is: "steps";
  readonly rows: readonly Step[];
}

export interface Step {
  readonly text: string;
  /** Omitted if no step has begun. */
  readonly taken?: {
    readonly state: string;
    readonly mark: Mark | undefined;
    readonly begun: string | undefined;
    readonly took: string | undefined;
    readonly note: string | undefined;
  };
}

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

export interface Remedies {
  readonly is: "remedies";
  readonly items: readonly Advice[];
}

export interface Code {
  readonly is: "code";
  readonly language: "" | "sh" | "sql";
  readonly lines: Items<string>;
}

/** The timeline of a connector's position in the redo. */
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

/** A cell with a value to copy. */
export function code(text: string) {
  return { text, as: "code" } as const;
}

/** Lines of text, a plain list. */
export function lines<T extends Words>(of: readonly T[], what: string, extent: Extent = "some"): Items<T> {
  return items(of, what, (one) => one, extent);
}

/** A column by its title, and what its cell shows of an item. */
export type ColumnOf<T> = readonly [title: string, cell: (one: T) => Cell, look?: Omit<Column, "title">];

/** The column of a figure. */
export const END = { end: true } as const;

interface LookOf<T> extends Pick<Table, "bare" | "change"> {
  readonly what: string;
  readonly extent?: Extent;
  /** What a row has besides its cells. */
  readonly row?: (one: T) => Omit<Row, "cells">;
}

export function tableOf<T>(
  caption: string,
  of: readonly T[],
  { what, extent = "all", row, ...more }: LookOf<T>,
  columns: readonly ColumnOf<T>[],
): Table {
  const rowOf = (one: T): Row => ({ ...row?.(one), cells: columns.map(([, cell]) => cell(one)) });
  const heads = columns.map(([title, , look]) => ({ title, ...look }));
  return { ...more, is: "table", caption, columns: heads, rows: items(of, what, rowOf, extent) };
}

export function notice(text: Words, tone?: Tone): Notice {
  return { is: "notice", text, tone };
}

/** @param details one per line below the sentence */
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
  return [{ is: "list", items: lines(of, what, extent), sign, ...(tone === undefined ? {} : { tone }) }];
}

/** Labels and values, or nothing. */
export function fields(rows: readonly Field[], look: Pick<Fields, "aligned" | "quiet"> = {}): readonly Fields[] {
  return rows.length === 0 ? [] : [{ is: "fields", rows, ...look }];
}

/** Remedies, or nothing. */
export function whatToDo(advice: readonly Advice[]): readonly Remedies[] {
  return advice.length === 0 ? [] : [{ is: "remedies", items: advice }];
}

export function figure(timeline: Timeline | undefined): readonly Figure[] {
  return timeline === undefined ? [] : [{ is: "figure", timeline }];
}

/** A section, or an empty list if it has no parts. */
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

/** `more tables`, `more table`: the noun for `count` items. */
export function called({ what }: Pick<Items<unknown>, "what">, count: number): string {
  if (count === 1) return what;
  return /[^aeiou]y$/.test(what) ? `${what.slice(0, -1)}ies` : `${what}s`;
}
