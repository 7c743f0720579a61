import { showCount } from "../../core/values/amounts.ts";
import { type Advice, lineOf } from "../../core/values/remedy.ts";
import type { ContextOutline } from "../../providers/contexts/contexts.ts";
import type { Tone } from "./colour.ts";
import { documentOf, published } from "./json-text.ts";
import { trunc } from "./layout.ts";
import { END, type Field, field, notice, RANK, type Report, section, type Table, tableOf } from "./report/model.ts";

interface ContextsView {
  readonly path: string;
  readonly contexts: readonly ContextOutline[];
}

/** The report of `contexts list` and `contexts show`. */
export function contextsReport({ path, contexts }: ContextsView, whole: boolean): Report {
  const [first] = contexts;
  const wraps = { wraps: true } as const;
  const table = tableOf("References are not resolved", contexts, { what: "context" }, [
    ["Context", ({ name }) => trunc(name, 60), wraps],
    ["Connect", ({ urls }) => trunc(urls.join(", "), 200), wraps],
    ["Login", ({ auth }) => auth, wraps],
    ["Brokers", ({ bootstrapServers }) => trunc(bootstrapServers ?? "as configured", 200), wraps],
    ["JMX", ({ jmxHosts }) => trunc(jmxHosts.join(", ") || "none", 200), wraps],
    ["Connectors", ({ connectors }) => trunc(connectors.map(([one]) => one).join(", "), 200), wraps],
  ]);
  return {
    heading: { title: `Contexts of ${trunc(path, 600)}`, outcome: undefined },
    sections: section(
      RANK.subject,
      first === undefined
        ? [notice("no contexts")]
        : [whole ? { is: "fields", rows: fieldsOf(first), aligned: true } : table],
    ),
    next: first === undefined ? ["cdcctl contexts init"] : [],
  };
}

function fieldsOf(context: ContextOutline): readonly Field[] {
  const { name, urls, auth, bootstrapServers, commandConfig, jmxHosts, connectorClass, sparkSubmit } = context;
  return [
    field("Context", trunc(name, 200)),
    field("Connect", `${trunc(urls.join(", "), 600)}, login ${auth}`),
    field(
      "Brokers",
      bootstrapServers === undefined ? "from the connector's configuration" : trunc(bootstrapServers, 600),
    ),
    ...(commandConfig === undefined ? [] : [field("Properties", trunc(commandConfig, 600))]),
    field("JMX hosts", jmxHosts.length === 0 ? "none" : trunc(jmxHosts.join(", "), 600)),
    ...(connectorClass === undefined ? [] : [field("Class", trunc(connectorClass, 600))]),
    ...(sparkSubmit === undefined ? [] : [field("Spark", `submitted by ${trunc(sparkSubmit, 600)}`)]),
    ...(context.approvals === undefined ? [] : [field("Approvals", trunc(context.approvals, 600))]),
    ...context.connectors.map(([connector, file]) =>
      field("Connector", `${trunc(connector, 200)}, configuration ${trunc(file, 600)}`),
    ),
  ];
}

/** `contexts list --format json` (`schemas/context-list.schema.json`). */
export function contextsDocument({ path, contexts }: ContextsView) {
  return {
    ...documentOf("ContextList"),
    file: path,
    contexts: contexts.map(({ name, urls, auth, connectors, ...context }) => {
      const { bootstrapServers, commandConfig, jmxHosts, connectorClass, sparkSubmit, approvals } = context;
      return {
        ...published({ name, url: urls[0] ?? "", urls, auth, bootstrapServers, commandConfig, jmxHosts }),
        ...published({ connectorClass, sparkSubmit, approvals }),
        connectors: connectors.map(([connector, config]) => ({ connector, config })),
      };
    }),
  };
}

/** One test. `warning`: failed but not required. `skipped`: not tried. */
export interface Tried {
  readonly system: "Connect" | "brokers" | "Oracle" | "JMX";
  readonly what: string;
  readonly result: "ok" | "warning" | "failed" | "skipped";
  readonly seen: string;
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

/** The report of `contexts test`: one table per context, and below it what to do. */
export function testReport(path: string, tested: readonly ContextTested[]): Report {
  const all = tested.flatMap(({ tries }) => tries);
  const mark = all.some(({ result }) => result === "failed") ? "bad" : "good";
  return {
    heading: { title: `Contexts of ${trunc(path, 600)}`, outcome: { word: summaryOf(all), mark } },
    sections: tested.flatMap(({ name, tries }) => {
      const remedies = tries.flatMap((one) => (one.result === "ok" ? [] : one.remedies));
      return section(RANK.outcome, [triesTable(tries), ...(remedies.length === 0 ? [] : [remediesOf(remedies)])], {
        title: `${trunc(name, 200)}: ${summaryOf(tries)}`,
        tone: tries.some(({ result }) => result === "failed") ? "bad" : "good",
      });
    }),
  };
}

function remediesOf(remedies: readonly Advice[]) {
  const seen = new Map(remedies.map((one) => [lineOf(one), one]));
  return { is: "remedies", items: [...seen.values()] } as const;
}

function summaryOf(tries: readonly Tried[]): string {
  const failed = tries.filter(({ result }) => result === "failed").length;
  return failed === 0 ? "all required systems work" : `${showCount(failed)} failed`;
}

function triesTable(tries: readonly Tried[]): Table {
  return tableOf("One login attempt each", tries, { what: "try" }, [
    ["System", ({ system }) => system],
    ["Tried", ({ what }) => trunc(what, 200), { wraps: true }],
    ["Result", ({ result }) => ({ text: result, tone: TONES[result] })],
    ["Latency", ({ millis }) => (millis === undefined ? "" : `${showCount(millis)} ms`), END],
    ["Seen", ({ seen }) => trunc(seen, 1000), { below: true }],
  ]);
}

/** `contexts test --format json` (`schemas/context-test.schema.json`). */
export function testDocument(path: string, tested: readonly ContextTested[]) {
  return {
    ...documentOf("ContextTest"),
    file: path,
    ok: !tested.some(({ tries }) => tries.some(({ result }) => result === "failed")),
    contexts: tested.map(({ name, tries }) => ({
      name,
      tries: tries.map(({ system, what, result, millis, seen, remedies }) => {
        const took = millis === undefined ? undefined : BigInt(millis);
        return published({ system, what, result, millis: took, seen, remedies: remedies.map(lineOf) });
      }),
    })),
  };
}
