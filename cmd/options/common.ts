import type { InferredOptionTypes, Options } from "yargs";
import { MIGRATION_PHASES } from "../../core/document/intent.ts";
import { CONNECTOR_CLASS } from "../../core/legacy/connector-class.ts";

/** The values of options or positionals, as the parser gives them. */
export type Flags<O extends Readonly<Record<string, Options>>> = Readonly<InferredOptionTypes<O>>;

// Options that many commands share, spelled as the specification does.

/** Of every command that reaches a system. */
export const contextOptions = {
  context: {
    type: "string",
    requiresArg: true,
    describe: "Context of the contexts file: where Connect and the brokers are, and who logs in",
  },
  contexts: {
    type: "string",
    requiresArg: true,
    describe: "Contexts file (default: $CDCCTL_CONTEXTS, then $XDG_CONFIG_HOME/cdcctl/contexts.yaml)",
  },
  verbose: {
    type: "boolean",
    describe: "Tell each call to Connect, Kafka, Oracle and JMX on standard error: what, how long, how it came out",
  },
} as const;

/** A connector by its name: the specification's commands spell the option in two ways, which are both taken. */
export const connectorOption = {
  connector: { type: "string", requiresArg: true, alias: "name", describe: "Connector name" },
} as const;

export const worldOptions = {
  ...contextOptions,
  "connect-url": {
    type: "string",
    requiresArg: true,
    describe: "Connect REST URL of a worker, where no context and no plan file names it",
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
    describe: "Longest wait for an answer of the database; also shortens the limits of Connect, Kafka and JMX",
  },
} as const;

/** Where a connector is created, translated or checked: builds of it exist under other classes. */
export const connectorClassOption = {
  "connector-class": {
    type: "string",
    requiresArg: true,
    describe:
      "Class of the new connector, where the workers have another build (default: connectorClass of the context, " +
      `then ${CONNECTOR_CLASS})`,
  },
} as const;

/** Who logs in is not said here: CDCCTL_JMX_USER and CDCCTL_JMX_PASSWORD, or `jmx` of the contexts file. */
export const jmxOption = {
  "jmx-url": {
    type: "string",
    requiresArg: true,
    describe:
      "JMX URL of the worker that runs the task, service:jmx:rmi:///jndi/rmi://HOST:PORT/jmxrmi; log in by " +
      "CDCCTL_JMX_USER and CDCCTL_JMX_PASSWORD, or the contexts file",
  },
} as const;

/** As `jmxOption`: CDCCTL_METRICS_USER and CDCCTL_METRICS_PASSWORD log in. */
export const metricsOption = {
  "metrics-url": {
    type: "string",
    requiresArg: true,
    describe:
      "In place of --jmx-url: URL of Prometheus' JMX exporter in that worker, http://HOST:PORT/metrics; log in by " +
      "CDCCTL_METRICS_USER and CDCCTL_METRICS_PASSWORD",
  },
} as const;

/** Of every command that reads plan files. */
export const phaseOption = {
  phase: {
    choices: MIGRATION_PHASES,
    describe: "Phase of a migration, in place of the one that its plan file has",
  },
} as const;

export const stateOption = {
  state: {
    type: "string",
    requiresArg: true,
    describe: "State directory (default: $CDCCTL_STATE, then $XDG_STATE_HOME/cdcctl)",
  },
} as const;

/** Of every command that reports. */
export const formatOption = {
  format: {
    alias: "o",
    choices: ["text", "json", "markdown", "html"],
    default: "text",
    describe: "Form of the report on standard output; html is a page by itself",
  },
} as const;

export const fullOption = {
  full: { type: "boolean", default: false, describe: "Of a change that is refused, show the whole plan, not only why" },
} as const;

/** Of every command that carries a change out. */
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
    describe: "What happens, as one line of JSON each (schema RunEvent) on standard output, the rest on standard error",
  },
} as const;

/** Of what observes several documents. */
export const parallelOption = {
  parallel: {
    type: "string",
    requiresArg: true,
    default: "8",
    describe: "How many documents are observed at a time; sessions are shared, so that a database is logged in to once",
  },
} as const;

/** Of what shows how something stands. */
export const watchOptions = {
  watch: {
    type: "boolean",
    default: false,
    describe: "Look again and again, and print what has changed; Ctrl-C ends it",
  },
  interval: { type: "string", requiresArg: true, default: "2s", describe: "With --watch: time between two looks" },
} as const;

export const filesPositional = {
  files: {
    type: "string",
    array: true,
    demandOption: true,
    describe: "Plan files (YAML), as words or after -f; - reads standard input",
  },
} as const;

/** Of `recover` and `rollback`; each says which run it takes without one. */
export const runPositional = { run: { type: "string" } } as const;

export const waitOptions = {
  settle: {
    type: "string",
    requiresArg: true,
    default: "30s",
    describe: "How long the offset has to stay unchanged after a slow stop",
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
  yes: { type: "boolean", alias: "y", default: false, describe: "Apply without asking" },
  expect: { type: "string", requiresArg: true, describe: "Apply only this decision (sha256:…), without asking" },
} as const;

/** How a database is logged in to; each command says which configuration is used without them. */
export const loginOptions = {
  "db-dsn": { type: "string", requiresArg: true },
  "db-user": { type: "string", requiresArg: true },
  "db-password-env": {
    type: "string",
    requiresArg: true,
    describe: "Environment variable that holds the password (default: cdc.database.password)",
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

/** What the `admin` commands that change something share besides. */
export const adminResume = {
  type: "boolean",
  default: false,
  describe: "Start the connector afterwards; otherwise it stays stopped",
} as const;

export const opsFormat = {
  choices: ["json", "json_schemas"] as const,
  describe: "Form of the ops event, needed with a converter that is not JSON",
} as const;
