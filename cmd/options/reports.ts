import { signersOption } from "./approvals/approvals.ts";
import {
  connectorOption,
  flag,
  formatOption,
  phaseOption,
  stateOption,
  text,
  watchOptions,
  worldOptions,
} from "./common.ts";

export const reportOptions = {
  out: text("Write the report to this file as an HTML page; replaces an earlier report, never another file"),
  ...formatOption,
  ...phaseOption,
  ...worldOptions,
  ...stateOption,
} as const;

export const showOptions = { ...formatOption, ...stateOption, ...signersOption } as const;

export const statusOptions = {
  ...stateOption,
  ...formatOption,
  connector: { ...connectorOption.connector, describe: "Only runs of this connector" },
  position: flag("Read and draw each connector's current position: offset, redo, open transactions"),
  check: {
    type: "boolean",
    default: true,
    describe:
      "Ask the workers whether each connector's latest change still stands, and the ops topics for changes of other " +
      "machines; --no-check stays offline",
  },
  "fail-on": text(
    "Fail (exit 1, or 3) unless these hold: unsettled, undone, in-flight, lag=DURATION, redo-retention=DURATION",
  ),
  "metrics-file": text("Also write metrics to this file, for the textfile collector of Prometheus' node_exporter"),
  ...watchOptions,
  ...worldOptions,
} as const;

export const historyOptions = {
  ...stateOption,
  ...formatOption,
  connector: { ...connectorOption.connector, describe: "Only runs of this connector" },
  ticket: text("Only runs whose plan names this ticket"),
  ops: flag("The changes that the ops topics record, of every machine: who, when, ticket, from, to, outcome"),
  ...worldOptions,
  since: text("Only runs since a time (2026-11-21T09:00:00Z or 2026-11-21, UTC) or a duration ago (7d)"),
} as const;
