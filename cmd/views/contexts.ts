import { showCount } from "../../core/values/amounts.ts";
import { type Advice, lineOf } from "../../core/values/remedy.ts";
import type { Tone } from "./colour.ts";
import { clip } from "./layout.ts";
import { type Field, field, items, notice, RANK, type Report, section, type Table } from "./report/model.ts";

/** A context as it is written, without a secret. */
interface ContextShown {
  readonly name: string;
  readonly url: string;
  readonly auth: string;
  readonly bootstrapServers: string | undefined;
  readonly commandConfig: string | undefined;
  readonly jmxHosts: readonly string[];
  readonly connectorClass: string | undefined;
  readonly sparkSubmit: string | undefined;
  readonly connectors: readonly (readonly [name: string, file: string])[];
}

interface ContextsShown {
  /** Of the contexts file. */
  readonly path: string;
  readonly contexts: readonly ContextShown[];
}

/** `contexts list`, or `show` of one. */
export function contextsReport({ path, contexts }: ContextsShown, whole: boolean): Report {
  const [first] = contexts;
  const table: Table = {
    is: "table",
    caption: "References are not resolved",
    columns: ["Context", "Connect", "Login", "Brokers", "JMX", "Connectors"].map((title) => ({ title, wraps: true })),
    rows: items(
      contexts,
      "context",
      ({ name, url, auth, bootstrapServers, jmxHosts, connectors }) => ({
        cells: [
          clip(name, 60),
          clip(url, 200),
          auth,
          bootstrapServers === undefined ? "as configured" : clip(bootstrapServers, 200),
          jmxHosts.length === 0 ? "none" : clip(jmxHosts.join(", "), 200),
          connectors.length === 0 ? "" : clip(connectors.map(([one]) => one).join(", "), 200),
        ],
      }),
      "all",
    ),
  };
  return {
    heading: { title: `Contexts of ${clip(path, 600)}`, outcome: undefined },
    lead: [],
    sections: section(
      RANK.subject,
      first === undefined
        ? [notice("no contexts")]
        : [whole ? { is: "fields", rows: fieldsOf(first), aligned: true } : table],
    ),
    next: first === undefined ? ["cdcctl contexts init"] : [],
  };
}

function fieldsOf(context: ContextShown): readonly Field[] {
  const { name, url, auth, bootstrapServers, commandConfig, jmxHosts, connectorClass, sparkSubmit, connectors } =
    context;
  return [
    field("Context", clip(name, 200)),
    field("Connect", `${clip(url, 600)}, login ${auth}`),
    field(
      "Brokers",
      bootstrapServers === undefined ? "as the connector's configuration has it" : clip(bootstrapServers, 600),
    ),
    ...(commandConfig === undefined ? [] : [field("Properties", clip(commandConfig, 600))]),
    field("JMX hosts", jmxHosts.length === 0 ? "none" : clip(jmxHosts.join(", "), 600)),
    ...(connectorClass === undefined ? [] : [field("Class", clip(connectorClass, 600))]),
    ...(sparkSubmit === undefined ? [] : [field("Spark", `submitted by ${clip(sparkSubmit, 600)}`)]),
    ...connectors.map(([connector, file]) =>
      field("Connector", `${clip(connector, 200)}, configuration ${clip(file, 600)}`),
    ),
  ];
}

/** `contexts list --format json` (`schemas/context-list.schema.json`). */
export function contextsDocument({ path, contexts }: ContextsShown) {
  return {
    apiVersion: "cdcctl/v1",
    kind: "ContextList",
    formatVersion: 1n,
    file: path,
    contexts: contexts.map(
      ({ name, url, auth, bootstrapServers, commandConfig, jmxHosts, connectorClass, sparkSubmit, connectors }) => ({
        name,
        url,
        auth,
        bootstrap_servers: bootstrapServers ?? null,
        command_config: commandConfig ?? null,
        jmx_hosts: jmxHosts,
        connector_class: connectorClass ?? null,
        spark_submit: sparkSubmit ?? null,
        connectors: connectors.map(([connector, config]) => ({ connector, config })),
      }),
    ),
  };
}

/** One thing that was tried. `warning`: not as it should be, and not required. `skipped`: not tried. */
export interface Tried {
  readonly system: "Connect" | "brokers" | "Oracle" | "JMX";
  readonly what: string;
  readonly result: "ok" | "warning" | "failed" | "skipped";
  readonly seen: string;
  /** How long it took; undefined where it was not tried. */
  readonly millis: number | undefined;
  readonly remedies: readonly Advice[];
}

export interface ContextTested {
  readonly name: string;
  readonly tries: readonly Tried[];
}

const TONES: { readonly [R in Tried["result"]]: Tone } = {
  ok: "good",
  warning: "caution",
  failed: "bad",
  skipped: "quiet",
};

/** `contexts test`: one table a context, and below it what to do. */
export function testReport(path: string, tested: readonly ContextTested[]): Report {
  const all = tested.flatMap(({ tries }) => tries);
  const mark = all.some(({ result }) => result === "failed") ? "bad" : "good";
  return {
    heading: { title: `Contexts of ${clip(path, 600)}`, outcome: { word: summaryOf(all), mark } },
    lead: [],
    sections: tested.flatMap(({ name, tries }) => {
      const remedies = tries.flatMap((one) => (one.result === "ok" ? [] : one.remedies));
      return section(RANK.outcome, [tableOf(tries), ...(remedies.length === 0 ? [] : [remediesOf(remedies)])], {
        title: `${clip(name, 200)}: ${summaryOf(tries)}`,
        tone: tries.some(({ result }) => result === "failed") ? "bad" : "good",
      });
    }),
    next: [],
  };
}

function remediesOf(remedies: readonly Advice[]) {
  const seen = new Map(remedies.map((one) => [lineOf(one), one]));
  return { is: "remedies", items: [...seen.values()] } as const;
}

function summaryOf(tries: readonly Tried[]): string {
  const failed = tries.filter(({ result }) => result === "failed").length;
  return failed === 0 ? "everything that is required works" : `${showCount(failed)} failed`;
}

function tableOf(tries: readonly Tried[]): Table {
  return {
    is: "table",
    caption: "One login attempt each",
    columns: [
      { title: "System" },
      { title: "Tried", wraps: true },
      { title: "Result" },
      { title: "Latency", end: true },
      { title: "Seen", below: true },
    ],
    rows: items(
      tries,
      "try",
      ({ system, what, result, millis, seen }) => ({
        cells: [
          system,
          clip(what, 200),
          { text: result, tone: TONES[result] },
          millis === undefined ? "" : `${showCount(millis)} ms`,
          clip(seen, 1000),
        ],
      }),
      "all",
    ),
  };
}

/** `contexts test --format json` (`schemas/context-test.schema.json`). */
export function testDocument(path: string, tested: readonly ContextTested[]) {
  return {
    apiVersion: "cdcctl/v1",
    kind: "ContextTest",
    formatVersion: 1n,
    file: path,
    ok: !tested.some(({ tries }) => tries.some(({ result }) => result === "failed")),
    contexts: tested.map(({ name, tries }) => ({
      name,
      tries: tries.map(({ system, what, result, millis, seen, remedies }) => ({
        system,
        what,
        result,
        millis: millis === undefined ? null : BigInt(millis),
        seen,
        remedies: remedies.map(lineOf),
      })),
    })),
  };
}
