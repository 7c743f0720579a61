import { showCount } from "../../values/amounts.ts";
import { type MalformedLine, readPrometheusText } from "./prometheus-text.ts";
import { type AttributeSeen, LARGEST_TRANSACTIONS, serverOfBean } from "./task-metrics.ts";

/** The metrics of one task on an exporter's page. */
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
