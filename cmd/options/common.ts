import type { InferredOptionTypes, Options } from "yargs";
import { MIGRATION_PHASES } from "../../core/document/intent.ts";
import { CONNECTOR_CLASS } from "../../core/legacy/connector-class.ts";

/** The values of options or positionals, as the parser gives them. */
export type Flags<O extends Readonly<Record<string, Options>>> = Readonly<InferredOptionTypes<O>>;

/** An option that takes a value. @param more its default, another name, or that it is required or may be repeated */
export function text<const M extends Options = Readonly<Record<never, never>>>(describe: string, more: M = {} as M) {
  return { type: "string", requiresArg: true, describe, ...more } as const;
}

/** An option that is off unless it is given. */
export function flag<const M extends Options = Readonly<Record<never, never>>>(describe: string, more: M = {} as M) {
  return { type: "boolean", default: false, describe, ...more } as const;
}

// Options shared by many commands, named as in the specification.

/** Options of every command that connects to a system. */
export const contextOptions = {
  context: text("Context of the contexts file: addresses and credentials of Connect, brokers and database"),
  contexts: text("Contexts file (default: $CDCCTL_CONTEXTS, then $XDG_CONFIG_HOME/cdcctl/contexts.yaml)"),
  verbose: {
    type: "boolean",
    describe: "Log each call to Connect, Kafka, Oracle and JMX on standard error: call, duration, outcome",
  },
} as const;

/** Connector name. The specification's commands spell the option in two ways; both are accepted. */
export const connectorOption = {
  connector: text("Connector name", { alias: "name" }),
} as const;

export const worldOptions = {
  ...contextOptions,
  "connect-url": text("Connect REST URL of a worker, if no context or plan file names it"),
  config: text("Connector configuration file used instead of the worker's copy"),
  "bootstrap-servers": text("Brokers of the ops, signals and journal topics (default: cdc.stream.bootstrap.servers)"),
  "command-config": text("Client properties file with security settings for the brokers"),
  timeout: text("Timeout for database calls; also lowers the timeouts of Connect, Kafka and JMX", { default: "60s" }),
} as const;

/** The option of commands that create, translate or check a connector: some builds have another class name. */
export const connectorClassOption = {
  "connector-class": text(
    "Class of the new connector, if the workers have another build (default: connectorClass of the context, " +
      `then ${CONNECTOR_CLASS})`,
  ),
} as const;

/** The login comes from CDCCTL_JMX_USER and CDCCTL_JMX_PASSWORD, or from `jmx` of the contexts file. */
export const jmxOption = {
  "jmx-url": text(
    "JMX URL of the worker that runs the task, service:jmx:rmi:///jndi/rmi://HOST:PORT/jmxrmi; log in with " +
      "CDCCTL_JMX_USER and CDCCTL_JMX_PASSWORD, or the contexts file",
  ),
} as const;

/** The same for metrics; the login comes from CDCCTL_METRICS_USER and CDCCTL_METRICS_PASSWORD. */
export const metricsOption = {
  "metrics-url": text(
    "Instead of --jmx-url: URL of Prometheus' JMX exporter in that worker, http://HOST:PORT/metrics; log in with " +
      "CDCCTL_METRICS_USER and CDCCTL_METRICS_PASSWORD",
  ),
} as const;

/** The option of every command that reads plan files. */
export const phaseOption = {
  phase: {
    choices: MIGRATION_PHASES,
    describe: "Migration phase, overriding the plan file",
  },
} as const;

export const stateOption = {
  state: text("State directory (default: $CDCCTL_STATE, then $XDG_STATE_HOME/cdcctl)"),
} as const;

/** The option of every command that prints a report. */
export const formatOption = {
  format: {
    alias: "o",
    choices: ["text", "json", "markdown", "html"],
    default: "text",
    describe: "Format of the report on standard output; html is a self-contained page",
  },
} as const;

/** Options of commands whose findings are about files: what a forge shows of them. */
export const findingsOptions = {
  format: {
    ...formatOption.format,
    choices: [...formatOption.format.choices, "sarif", "junit"],
    describe: "Format of the report on standard output; sarif and junit hold the findings for a pipeline",
  },
  annotations: {
    choices: ["auto", "off"],
    default: "auto",
    describe: "In a job of GitHub or Azure DevOps: the worst findings as its annotations, on standard error",
  },
} as const;

export const fullOption = {
  full: flag("Show the whole plan: every field, the timeline, each step; of a refused one, not only the reasons"),
} as const;

/** Options of every command that applies a change. */
export const runOutputOptions = {
  format: {
    alias: "o",
    choices: ["text", "json"],
    default: "text",
    describe: "json: the finished run as one document on standard output, everything else on standard error",
  },
  events: flag("Events as JSON lines (schema RunEvent) on standard output, everything else on standard error"),
} as const;

/** The option of commands that observe several documents. */
export const parallelOption = {
  parallel: text("Number of documents observed at a time; sessions are shared, with one login per database", {
    default: "8",
  }),
} as const;

/** Options of commands that show a current status. */
export const watchOptions = {
  watch: flag("Refresh repeatedly and print changes; stop with Ctrl-C"),
  interval: text("With --watch: time between refreshes", { default: "2s" }),
} as const;

export const filesPositional = {
  files: {
    type: "string",
    array: true,
    demandOption: true,
    describe: "Plan files (YAML), as arguments or after -f; - reads standard input",
  },
} as const;

/** The positional of `recover` and `rollback`; each describes its own default. */
export const runPositional = { run: { type: "string" } } as const;

export const waitOptions = {
  settle: text("How long the offset must stay unchanged after a slow stop", { default: "30s" }),
  "stop-timeout": text("How long to wait for STOPPED", { default: "10m" }),
  "resume-timeout": text("How long to wait for the first commit after a resume", { default: "5m" }),
} as const;

export const consentOptions = {
  yes: flag("Apply without confirmation", { alias: "y" }),
  expect: text("Apply only what has this approval, sha256:…, unprompted"),
} as const;

/** Database login; each command describes the configuration it uses by default. */
export const loginOptions = {
  "db-dsn": { type: "string", requiresArg: true },
  "db-user": { type: "string", requiresArg: true },
  "db-password-env": text("Environment variable with the password (default: cdc.database.password)"),
} as const;

/** The options of every `admin` command (specification, "Common options of every `admin` command"). */
export const adminOptions = {
  ...contextOptions,
  "connect-url": text("Connect REST URL of a worker in the connector's cluster; this or --context is required"),
  name: text("Connector name", { demandOption: true, alias: "connector" }),
  config: worldOptions.config,
  "bootstrap-servers": worldOptions["bootstrap-servers"],
  "command-config": worldOptions["command-config"],
  timeout: worldOptions.timeout,
} as const;

/** Additional options of the `admin` commands that change something. */
export const adminResume = flag("Start the connector afterwards; otherwise it stays stopped");

export const opsFormat = {
  choices: ["json", "json_schemas"] as const,
  describe: "Format of the ops event; required with a converter other than JSON",
} as const;
