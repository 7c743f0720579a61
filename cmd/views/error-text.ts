import type { Intent } from "../../core/document/intent.ts";
import { CallFailed, type ExpectedError, type Problem, Refusal, type UsageError } from "../../core/errors.ts";
import { redactText } from "../../core/redaction/redact.ts";
import { counted } from "../../core/values/amounts.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { type Advice, lineOf } from "../../core/values/remedy.ts";
import { type Paint, painter } from "./colour.ts";
import { layoutWidth, remedyLines, trunc, wrap } from "./layout.ts";
import { type Rendered, textOf } from "./rendered.ts";
import { code, list, RANK, type Report, section, tableOf } from "./report/model.ts";

/**
 * What `--format json` prints instead of a document when a command fails (`schemas/error.schema.json`). Printed with
 * `printJson`.
 */
export function errorDocument(error: ExpectedError) {
  const base = { apiVersion: "cdcctl/v1", kind: "Error" } as const;
  if (error instanceof Refusal) {
    return {
      ...base,
      error: "refusal" as const,
      code: error.code,
      seen: error.message,
      remedies: error.remedies.map(lineOf),
      changes: error.changes,
    };
  }
  if (error instanceof CallFailed) {
    return {
      ...base,
      error: "call failed" as const,
      system: error.system,
      failure: error.kind,
      seen: error.message,
      code: error.code,
      remedies: error.remedies.map(lineOf),
    };
  }
  return {
    ...base,
    error: "usage" as const,
    problems: error.problems.map(({ remedy, ...problem }) => ({
      ...problem,
      remedies: remedy === undefined ? [] : [lineOf(remedy)],
    })),
  };
}

/** What to do about an error, whichever it is. */
export function remediesOf(error: ExpectedError): readonly Advice[] {
  return "problems" in error ? error.problems.flatMap(({ remedy = [] }) => remedy) : error.remedies;
}

const MOST_PROBLEMS = 50;
/** Maximum number of changed lines shown of a decision. */
const MOST_CHANGES = 40;
const LONGEST = 3000;

/** Renders an error for people: what was seen and where, and below it what to do. */
export function renderError(
  error: ExpectedError,
  options: { readonly colour: boolean; readonly width?: number },
): Rendered {
  return textOf(linesOf(error, layoutWidth(options.width), painter(options.colour)));
}

function linesOf(error: ExpectedError, width: number, paint: Paint): readonly string[] {
  if (error instanceof Refusal) {
    return [
      ...headed("refused: ", error.message, width, paint),
      ...error.changes
        .slice(0, MOST_CHANGES)
        .map((line) => paint(line.startsWith("+") ? "good" : "bad", `  ${escapeTerminal(trunc(line))}`)),
      ...error.remedies.flatMap((remedy) => remedyLines(remedy, 2, width, LONGEST)),
      `  ${paint("bad", escapeTerminal(error.code))}  cdcctl explain ${escapeTerminal(error.code)}`,
    ];
  }
  if (error instanceof CallFailed) {
    const code = error.code === undefined || error.message.includes(error.code) ? "" : ` (${error.code})`;
    return [
      ...headed("failed: ", `${error.message}${code}`, width, paint),
      ...error.remedies.flatMap((remedy) => remedyLines(remedy, 2, width, LONGEST)),
    ];
  }
  const { problems } = error;
  return [
    ...problems.slice(0, MOST_PROBLEMS).flatMap((problem) => problemLines(problem, width, paint)),
    ...(problems.length > MOST_PROBLEMS ? [`and ${counted(problems.length - MOST_PROBLEMS, "more problem")}`] : []),
  ];
}

function problemLines(problem: Problem, width: number, paint: Paint): readonly string[] {
  return [
    ...headed(`${placeOf(problem) ?? "cdcctl"}: `, problem.message, width, paint),
    ...(problem.remedy === undefined ? [] : remedyLines(problem.remedy, 2, width, LONGEST)),
  ];
}

export interface Place {
  readonly file?: string | undefined;
  readonly line?: number | bigint | undefined;
  readonly column?: number | undefined;
}

/** `plan.yaml:10:3`, as understood by editors and pipelines. */
export function placeOf({ file, line, column }: Place): string | undefined {
  if (file === undefined) return undefined;
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(":");
}

function headed(head: string, message: string, width: number, paint: Paint): readonly string[] {
  const [first = "", ...more] = wrap(`${head}${trunc(message, LONGEST)}`, width);
  const shown = escapeTerminal(head);
  const painted = first.startsWith(shown) ? `${paint("bad", shown.trimEnd())} ${first.slice(shown.length)}` : first;
  return [painted, ...more];
}

/**
 * The printed form of an error that is a bug: its message in one line, and its stack. The message may come from
 * outside, so line ends in it are escaped.
 */
export function bugLines(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [redactText(String(error))];
  const { message, stack = "" } = error;
  const at = stack.indexOf(message);
  const end = at + message.length;
  if (at < 0 || message === "")
    return [redactText(message === "" ? error.name : `${error.name}: ${message}`), ...callsIn(stack)];
  return [redactText(stack.slice(0, end)), ...callsIn(stack.slice(end))];
}

function callsIn(stack: string): readonly string[] {
  return redactText(stack)
    .split("\n")
    .filter((line) => /^ {4}at /.test(line));
}

/** The result of reading plan files: either every document is valid, or the problems. */
export type Validated = readonly Intent[] | UsageError;

export function validationReport(validated: Validated): Report {
  const isValid = !("problems" in validated);
  const rows = isValid
    ? list(
        validated.map(
          ({ kind, metadata: { name }, target, origin: { file } }) =>
            `${file}: ${kind} ${name} for ${target.connector} is valid`,
        ),
        "document",
        { sign: "" },
      )
    : [
        tableOf("Problems", validated.problems, { what: "problem", extent: "some" }, [
          ["Place", ({ file = "-", ...at }) => code(placeOf({ file, ...at }) ?? file)],
          ["Problem", ({ message }) => message, { wraps: true }],
          ["Remedy", ({ remedy }) => (remedy === undefined ? "" : lineOf(remedy)), { wraps: true }],
        ]),
      ];
  return {
    heading: {
      title: "The plan files",
      ...(isValid ? { terminal: "no title" } : {}),
      outcome: isValid ? { word: "valid", mark: "good" } : { word: "not valid", mark: "bad" },
    },
    sections: section(RANK.subject, rows, { flush: true }),
  };
}

export function validationDocument(validated: Validated) {
  const base = { apiVersion: "cdcctl/v1", kind: "Validation" } as const;
  if ("problems" in validated) {
    const shown = errorDocument(validated);
    return { ...base, valid: false, documents: [], problems: "problems" in shown ? shown.problems : [] };
  }
  const documents = validated.map(({ kind, metadata: { name }, target: { connector }, origin: { file } }) => ({
    kind,
    name,
    connector,
    file,
  }));
  return { ...base, valid: true, documents, problems: [] };
}
