import { showCount } from "../../values/amounts.ts";
import { type AttributeSeen, LARGEST_TRANSACTIONS, serverOfBean } from "./task-metrics.ts";

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
  let next = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = next;
    const found = pattern.exec(line);
    if (found === null) return undefined;
    next += found[0].length;
    return found[1] ?? found[0];
  };
  const mark = (sign: string): boolean => {
    take(BLANKS);
    if (line[next] !== sign) return false;
    next++;
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
      if (!mark(",") && line[next] !== "}") return `neither a comma nor a closing brace follows the label ${label}`;
    }
  else if (next < line.length && !/[ \t]/.test(line[next - 1] ?? "")) return "its name has an invalid character";
  const [value = "", timestamp, ...more] = line.slice(next).split(/[ \t]+/);
  if (!VALUE.test(value)) return "its value is not a number";
  if (more.length > 0 || (timestamp !== undefined && !TIMESTAMP.test(timestamp)))
    return "something other than a timestamp follows its value";
  return { name, labels, value: Number(value.replace("Inf", "Infinity")) };
}

export type ExportedMetrics =
  | { readonly is: "read"; readonly attributes: ReadonlyMap<string, AttributeSeen> }
  /** `others`: prefixes of the tasks whose metrics exist. */
  | { readonly is: "missing"; readonly others: readonly string[] }
  | { readonly is: "malformed"; readonly at: MalformedLine };

/**
 * Reads the attributes of a task's MBean from the page of Prometheus' JMX exporter, by the label `server`. For an
 * attribute with several names there, the first is used.
 *
 * @param prefix `cdc.topic.prefix` of the connector
 * @param names of attributes; one that is missing, or not a whole number, carries the reason
 */
export function readExportedMetrics(text: string, prefix: string, names: readonly string[]): ExportedMetrics {
  const namesOf = new Map(names.map((attribute) => [attribute, exportedNames(attribute)]));
  const all = new Set([...namesOf.values()].flat());
  const samples = readPrometheusText(text, (name) => all.has(name));
  if (!("length" in samples)) return { is: "malformed", at: samples };
  const values = new Map<string, number[]>();
  // The exporter's rules take the label from the MBean's name, as it is.
  const quoted = serverOfBean(prefix);
  for (const { name, labels, value } of samples)
    if ([prefix, quoted].includes(labels.get("server") ?? "")) values.set(name, [...(values.get(name) ?? []), value]);
  if (values.size === 0) {
    const others = new Set(samples.flatMap(({ labels }) => labels.get("server") ?? []));
    return { is: "missing", others: [...others] };
  }
  const seen = (attribute: string): AttributeSeen => {
    const name = namesOf.get(attribute)?.find((one) => values.has(one));
    return name === undefined ? missing(attribute) : valueIn(name, values.get(name) ?? []);
  };
  return { is: "read", attributes: new Map(names.map((attribute) => [attribute, seen(attribute)])) };
}

/**
 * The names under which a numeric attribute is exported: by the rules that come with the connector, and by the
 * exporter's own default, with its settings for lower case and for snake case. Either version of a counter's name may
 * lack `_total`.
 *
 * Sources: the connector's reference "Metrics" and its ops/jmx-exporter/oracle-cdc.yml (`oracle_cdc_queue_depth`,
 * `oracle_cdc_steps_total`); JMX exporter, "Default format" (`domain_beanPropertyValue1_attrName`, the other properties
 * as labels, what no name may have as an underscore), `lowercaseOutputName`, `attrNameSnakeCase`.
 */
function exportedNames(attribute: string): readonly string[] {
  const snake = attribute.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  const bases = [`oracle_cdc_${snake}`, ...[attribute, attribute.toLowerCase(), snake].map((one) => DEFAULT + one)];
  return bases.flatMap((name) => [name, `${name}_total`]);
}

/** `sh.oso.cdc:type=task`. */
const DEFAULT = "sh_oso_cdc_task_";

function missing(attribute: string): AttributeSeen {
  return attribute === LARGEST_TRANSACTIONS
    ? { read: false, why: `${attribute} is a table, but the exporter exports only numbers. To read it, use --jmx-url` }
    : { read: false, why: `the exporter does not export ${attribute} for this task: its rules may omit it` };
}

/** Every value went through a double: above 2^53 it may differ from the task's value. */
function valueIn(name: string, values: readonly number[]): AttributeSeen {
  const [value = Number.NaN] = values;
  if (values.length > 1) return { read: false, why: `${name} occurs ${showCount(values.length)} times` };
  if (!Number.isFinite(value)) return { read: false, why: `${name} is ${value}` };
  if (!Number.isInteger(value)) return { read: true, value };
  if (!Number.isSafeInteger(value))
    return { read: false, why: `${name} is beyond 2^53, where the exporter's numbers lose digits` };
  return { read: true, value: BigInt(value) };
}
