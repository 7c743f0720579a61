import type { InferredOptionTypes, Options } from "yargs";
import { MIGRATION_PHASES } from "../../core/document/intent.ts";
import { CONNECTOR_CLASS } from "../../core/legacy/connector-class.ts";

/** The values of options or positionals, as the parser gives them. */
export type Flags<O extends Readonly<Record<string, Options>>> = Readonly<InferredOptionTypes<O>>;

// Options shared by many commands, named as in the specification.

/** For every command that connects to a system. */
export const contextOptions = {
  context: {
    type: "string",
    requiresArg: true,
    describe: "Context of the contexts file: addresses and credentials of Connect, brokers and database",
  },
  contexts: {
    type: "string",
    requiresArg: true,
    describe: "Contexts file (default: $CDCCTL_CONTEXTS, then $XDG_CONFIG_HOME/cdcctl/contexts.yaml)",
  },
  verbose: {
    type: "boolean",
    describe: "Log each call to Connect, Kafka, Oracle and JMX on standard error: call, duration, outcome",
  },
} as const;

/** Connector name. The specification's commands spell the option in two ways; both are accepted. */
export const connectorOption = {
  connector: { type: "string", requiresArg: true, alias: "name", describe: "Connector name" },
} as const;

export const worldOptions = {
  ...contextOptions,
  "connect-url": {
    type: "string",
    requiresArg: true,
    describe: "Connect REST URL of a worker, if no context or plan file names it",
  },
  config: {
    type: "string",
    requiresArg: true,
    describe: "Connector configuration file used instead of the worker's copy",
  },
  "bootstrap-servers": {
    type: "string",
    requiresArg: true,
    describe: "Brokers of the ops, signals and journal topics (default: cdc.stream.bootstrap.servers)",
  },
  "command-config": {
    type: "string",
    requiresArg: true,
    describe: "Client properties file with security settings for the brokers",
  },
  timeout: {
    type: "string",
    requiresArg: true,
    default: "60s",
    describe: "Timeout for database calls; also lowers the timeouts of Connect, Kafka and JMX",
  },
} as const;

/** For commands that create, translate or check a connector: some builds have another class name. */
export const connectorClassOption = {
  "connector-class": {
    type: "string",
    requiresArg: true,
    describe:
      "Class of the new connector, if the workers have another build (default: connectorClass of the context, " +
      `then ${CONNECTOR_CLASS})`,
  },
} as const;

/** The login comes from CDCCTL_JMX_USER and CDCCTL_JMX_PASSWORD, or from `jmx` of the contexts file. */
export const jmxOption = {
  "jmx-url": {
    type: "string",
    requiresArg: true,
    describe:
      "JMX URL of the worker that runs the task, service:jmx:rmi:///jndi/rmi://HOST:PORT/jmxrmi; log in with " +
      "CDCCTL_JMX_USER and CDCCTL_JMX_PASSWORD, or the contexts file",
  },
} as const;

/** Like `jmxOption`; the login comes from CDCCTL_METRICS_USER and CDCCTL_METRICS_PASSWORD. */
export const metricsOption = {
  "metrics-url": {
    type: "string",
    requiresArg: true,
    describe:
      "Instead of --jmx-url: URL of Prometheus' JMX exporter in that worker, http://HOST:PORT/metrics; log in with " +
      "CDCCTL_METRICS_USER and CDCCTL_METRICS_PASSWORD",
  },
} as const;

/** For every command that reads plan files. */
export const phaseOption = {
  phase: {
    choices: MIGRATION_PHASES,
    describe: "Migration phase, overriding the plan file",
  },
} as const;

export const stateOption = {
  state: {
    type: "string",
    requiresArg: true,
    describe: "State directory (default: $CDCCTL_STATE, then $XDG_STATE_HOME/cdcctl)",
  },
} as const;

/** For every command that prints a report. */
export const formatOption = {
  format: {
    alias: "o",
    choices: ["text", "json", "markdown", "html"],
    default: "text",
    describe: "Format of the report on standard output; html is a self-contained page",
  },
} as const;

export const fullOption = {
  full: { type: "boolean", default: false, describe: "Show the whole plan of a refused change, not only the reasons" },
} as const;

/** For every command that applies a change. */
export const runOutputOptions = {
  format: {
    alias: "o",
    choices: ["text", "json"],
    default: "text",
    describe: "json: the finished run as one document on standard output, everything else on standard error",
  },
  events: {
    type: "boolean",
    default: false,
    describe: "Events as JSON lines (schema RunEvent) on standard output, everything else on standard error",
  },
} as const;

/** For commands that observe several documents. */
export const parallelOption = {
  parallel: {
    type: "string",
    requiresArg: true,
    default: "8",
    describe: "Number of documents observed at a time; sessions are shared, with one login per database",
  },
} as const;

/** For commands that show a current status. */
export const watchOptions = {
  watch: {
    type: "boolean",
    default: false,
    describe: "Refresh repeatedly and print changes; stop with Ctrl-C",
  },
  interval: { type: "string", requiresArg: true, default: "2s", describe: "With --watch: time between refreshes" },
} as const;

export const filesPositional = {
  files: {
    type: "string",
    array: true,
    demandOption: true,
    describe: "Plan files (YAML), as arguments or after -f; - reads standard input",
  },
} as const;

/** For `recover` and `rollback`; each describes its own default. */
export const runPositional = { run: { type: "string" } } as const;

export const waitOptions = {
  settle: {
    type: "string",
    requiresArg: true,
    default: "30s",
    describe: "How long the offset must stay unchanged after a slow stop",
  },
  "stop-timeout": { type: "string", requiresArg: true, default: "10m", describe: "How long to wait for STOPPED" },
  "resume-timeout": {
    type: "string",
    requiresArg: true,
    default: "5m",
    describe: "How long to wait for the first commit after a resume",
  },
} as const;

export const consentOptions = {
  yes: { type: "boolean", alias: "y", default: false, describe: "Apply without confirmation" },
  expect: { type: "string", requiresArg: true, describe: "Apply only this decision, sha256:…, unprompted" },
} as const;

/** Database login; each command describes the configuration it uses by default. */
export const loginOptions = {
  "db-dsn": { type: "string", requiresArg: true },
  "db-user": { type: "string", requiresArg: true },
  "db-password-env": {
    type: "string",
    requiresArg: true,
    describe: "Environment variable with the password (default: cdc.database.password)",
  },
} as const;

/** The options of every `admin` command (specification, "Common options of every `admin` command"). */
export const adminOptions = {
  ...contextOptions,
  "connect-url": {
    ...worldOptions["connect-url"],
    describe: "Connect REST URL of a worker in the connector's cluster; this or --context is required",
  },
  name: { type: "string", requiresArg: true, demandOption: true, alias: "connector", describe: "Connector name" },
  config: worldOptions.config,
  "bootstrap-servers": worldOptions["bootstrap-servers"],
  "command-config": worldOptions["command-config"],
  timeout: worldOptions.timeout,
} as const;

/** Additional options of the `admin` commands that change something. */
export const adminResume = {
  type: "boolean",
  default: false,
  describe: "Start the connector afterwards; otherwise it stays stopped",
} as const;

export const opsFormat = {
  choices: ["json", "json_schemas"] as const,
  describe: "Format of the ops event; required with a converter other than JSON",
} as const;
