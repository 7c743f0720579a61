import { showCount } from "../../values/amounts.ts";

/** A sample of Prometheus' text format: one line. */
export interface MetricSample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  /** NaN and the infinities are values of the format. */
  readonly value: number;
}

/** The malformed line, counted from 1, and the reason. Never its content. */
export interface MalformedLine {
  readonly line: number;
  readonly why: string;
}

/** Characters; a sample of a JVM's exporter has some hundred. */
const LONGEST_LINE = 65_536;

const NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*/y;
const LABEL = /[a-zA-Z_][a-zA-Z0-9_]*/y;
const QUOTED = /"([^"\\]*(?:\\[\\"n][^"\\]*)*)"/y;
const BLANKS = /[ \t]*/y;
const VALUE = /^(?:[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,4})?|NaN|[+-]Inf)$/;
const TIMESTAMP = /^-?\d{1,19}$/;

/**
 * Reads Prometheus' text format strictly, in time linear in its length: one malformed line invalidates the whole text.
 *
 * Source: Prometheus, "Exposition formats", text format 0.0.4: lines end with a line feed, the last one too; of escapes
 * a label's value has backslash, quote and n.
 *
 * @param wanted whether the samples of a name are of interest; the others are checked, but not kept
 */
export function readPrometheusText(
  text: string,
  wanted: (name: string) => boolean,
): readonly MetricSample[] | MalformedLine {
  const samples: MetricSample[] = [];
  let line = 1;
  for (let from = 0; from < text.length; line++) {
    const end = text.indexOf("\n", from);
    if (end < 0) return { line, why: "the text ends in the middle of it" };
    if (end - from > LONGEST_LINE)
      return { line, why: `the line is longer than ${showCount(LONGEST_LINE)} characters` };
    const trimmed = text.slice(from, end).replace(/^[ \t]+|[ \t]+$/g, "");
    from = end + 1;
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    const sample = readSample(trimmed);
    if (typeof sample === "string") return { line, why: sample };
    if (wanted(sample.name)) samples.push(sample);
  }
  return samples;
}

/** Parses one sample. @returns why the line is not a sample */
function readSample(line: string): MetricSample | string {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(line);
    if (found === null) return undefined;
    at += found[0].length;
    return found[1] ?? found[0];
  };
  const mark = (sign: string): boolean => {
    take(BLANKS);
    if (line[at] !== sign) return false;
    at++;
    take(BLANKS);
    return true;
  };
  const name = take(NAME);
  if (name === undefined) return "it does not begin with a metric name";
  const labels = new Map<string, string>();
  if (mark("{"))
    while (!mark("}")) {
      const label = take(LABEL);
      if (label === undefined) return "a label has no name";
      if (!mark("=")) return `the label ${label} has no value`;
      const value = take(QUOTED);
      if (value === undefined) return `the value of the label ${label} is not quoted correctly`;
      if (labels.has(label)) return `it has the label ${label} twice`;
      labels.set(
        label,
        value.replace(/\\(.)/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped)),
      );
      if (!mark(",") && line[at] !== "}") return `neither a comma nor a closing brace follows the label ${label}`;
    }
  else if (at < line.length && !/[ \t]/.test(line[at - 1] ?? "")) return "its name has an invalid character";
  const [value = "", timestamp, ...more] = line.slice(at).split(/[ \t]+/);
  if (!VALUE.test(value)) return "its value is not a number";
  if (more.length > 0 || (timestamp !== undefined && !TIMESTAMP.test(timestamp)))
    return "something other than a timestamp follows its value";
  return { name, labels, value: Number(value.replace("Inf", "Infinity")) };
}
