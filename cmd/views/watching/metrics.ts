import { mapObserved, type Observed } from "../../../core/facts/observed.ts";
import type { RecordedChange } from "../../../core/facts/ops/ops-event.ts";
import { epochMillis } from "../../../core/values/instant.ts";
import type { Watched, Watching } from "../../../core/watching/conditions.ts";

type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly value: number | bigint;
  readonly labels?: Labels;
}

/** A gauge of each connector: a new one is a row of `GAUGES`. */
interface Gauge {
  readonly name: string;
  readonly help: string;
  /** What `cdcctl_read_failed` calls it. */
  readonly fact: string;
  /** Undefined where there is nothing to say, such as the last change of a connector without one. */
  readonly of: (one: Watched) => Observed<Sample | undefined>;
}

const GAUGES: readonly Gauge[] = [
  {
    name: "cdcctl_change_undone",
    help: "Whether a late commit has undone the latest change of the stored offset.",
    fact: "undone",
    of: ({ undone }) => mapObserved(undone, (how) => ({ value: how === undefined ? 0 : 1 })),
  },
  {
    name: "cdcctl_change_in_flight",
    help: "Whether the ops topic records a change of another machine that has no outcome yet.",
    fact: "in-flight",
    of: ({ inFlight }) => mapObserved(inFlight, (change) => ({ value: change === undefined ? 0 : 1 })),
  },
  {
    name: "cdcctl_last_change_timestamp_seconds",
    help: "When the latest change that the ops topic records ended, or began while it has no outcome; by outcome.",
    fact: "last-change",
    of: ({ change }) => mapObserved(change, lastChange),
  },
  {
    name: "cdcctl_resume_scn",
    help: "The stored resume SCN.",
    fact: "resume-scn",
    of: ({ resumeScn }) => mapObserved(resumeScn, (value) => ({ value })),
  },
  {
    name: "cdcctl_lag_seconds",
    help: "How far the stored resume SCN is behind the database.",
    fact: "lag",
    of: ({ lag }) => mapObserved(lag, (millis) => ({ value: millis / 1000 })),
  },
  {
    name: "cdcctl_redo_retention_left_seconds",
    help: "How much redo is kept before the resume SCN: how long the connector can stand still and still resume.",
    fact: "redo-retention",
    of: ({ redo }) => mapObserved(redo, ({ millis }) => ({ value: millis / 1000 })),
  },
];

function lastChange(change: RecordedChange | undefined): Sample | undefined {
  if (change === undefined) return undefined;
  const { latest, outcome } = change;
  return { value: epochMillis(latest.at) / 1000, labels: { outcome } };
}

/**
 * What is watched, for the textfile collector of Prometheus' node_exporter. A fact that could not be read has no sample
 * but that of `cdcctl_read_failed`.
 *
 * Rule: Prometheus, "Exposition formats", text format 0.0.4; node_exporter accepts no timestamps.
 */
export function metricsText({ unsettled, connectors }: Watching): string {
  const places = new Map([...connectors, ...unsettled].map((one) => [JSON.stringify(labelsOf(one)), labelsOf(one)]));
  const gauges = GAUGES.map(({ name, help, fact, of }) => ({ name, help, fact, read: connectors.map(of) }));
  return [
    ...family(
      "cdcctl_unsettled_runs",
      "Runs of this machine that are not settled, or cannot be read.",
      [...places].map(([place, labels]) => ({
        value: unsettled.filter((one) => JSON.stringify(labelsOf(one)) === place).length,
        labels,
      })),
    ),
    ...gauges.flatMap(({ name, help, read }) =>
      family(
        name,
        help,
        read.flatMap((one, at) => {
          const sample = one.known ? one.value : undefined;
          return sample === undefined ? [] : [{ ...sample, labels: { ...labelsOf(connectors[at]), ...sample.labels } }];
        }),
      ),
    ),
    ...family(
      "cdcctl_read_failed",
      "Whether a fact could not be read; it then has no other sample.",
      gauges.flatMap(({ fact, read }) =>
        read.map((one, at) => ({ value: one.known ? 0 : 1, labels: { ...labelsOf(connectors[at]), fact } })),
      ),
    ),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function labelsOf(of: Watching["unsettled"][number] | Watched | undefined): Labels {
  return { connector: of?.connector ?? "", context: of?.context ?? "" };
}

function family(name: string, help: string, samples: readonly Sample[]): readonly string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...samples.map(({ value, labels = {} }) => {
      const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
      return `${name}{${pairs.join(",")}} ${value}`;
    }),
  ];
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
