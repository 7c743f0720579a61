import type { StepName } from "../../core/plan/steps.ts";
import type { JournalEntry } from "../../core/run/journal.ts";
import { type Arrival, type Fault, OPS_TOPIC, SIGNALS_TOPIC } from "./changed-world.ts";

/**
 * `before`: a request of the step before its main call. `during`: that call. `after`: the first request after its
 * answer.
 */
export type Moment = "before" | "during" | "after";
export const MOMENTS: readonly Moment[] = ["before", "during", "after"];

/** One fault at one place of a run. */
export interface Place {
  readonly step: StepName;
  readonly moment: Moment;
  readonly fault: string;
  /** Whether the fault hits every request at this place until the command has ended, or only one. */
  readonly lasts: boolean;
}

export const KILL = "SIGKILL";
export const KILL_APPLIED = "SIGKILL, applied";
/** A task that hangs while it is stopped commits its last offset when the place is reached. */
export const LATE_COMMIT = "late commit";
export const LASTING = ", lasting";

export function faultNamed(name: string): Pick<Place, "fault" | "lasts"> {
  const lasts = name.endsWith(LASTING);
  return { fault: lasts ? name.slice(0, -LASTING.length) : name, lasts };
}

/** The place as it stands in a table, and in the title of a case. */
export const nameOfPlace = ({ step, moment, fault, lasts }: Place): string =>
  `${moment} ${step}: ${fault}${lasts ? LASTING : ""}`;

interface Call {
  readonly system: Arrival["system"];
  is(arrival: Arrival): boolean;
}

/**
 * A call to any connector: a step concerns only one. @param path below the connector; undefined: the path of all
 * connectors
 */
const connect = (method: string, path: string | undefined): Call => ({
  system: "connect",
  is: (arrival) => arrival.system === "connect" && arrival.method === method && belowConnector(arrival.path) === path,
});
const kafka = (api: string, topic?: string): Call => ({
  system: "kafka",
  is: (arrival) =>
    arrival.system === "kafka" && arrival.api === api && (topic === undefined || arrival.topic === topic),
});
const oracle = (view: string): Call => ({
  system: "oracle",
  is: (arrival) => arrival.system === "oracle" && arrival.statement.includes(view),
});

/**
 * The recheck only reads: its call reads the offsets, followed by the ops topic. A wait also only reads: its call is
 * the first read; for the ops topic, that of its end offset.
 */
const CALLS: Readonly<Record<StepName, Call>> = {
  "wait-for-transactions": oracle("GV$TRANSACTION"),
  "record-transactions": oracle("GV$TRANSACTION"),
  "stop-connector": connect("PUT", "/stop"),
  recheck: connect("GET", "/offsets"),
  "write-signal": kafka("Produce", SIGNALS_TOPIC),
  "record-applying": kafka("Produce", OPS_TOPIC),
  "remove-records": kafka("Produce"),
  "patch-offset": connect("PATCH", "/offsets"),
  "record-outcome": kafka("Produce", OPS_TOPIC),
  "resume-connector": connect("PUT", "/resume"),
  "start-connector": connect("PUT", "/resume"),
  "restart-connector": connect("POST", "/restart"),
  "wait-for-ack": kafka("ListOffsets", OPS_TOPIC),
  "wait-for-snapshot": connect("GET", "/offsets"),
  "wait-for-completion": kafka("ListOffsets", OPS_TOPIC),
  "create-connector": connect("POST", undefined),
  "start-new": connect("PUT", "/resume"),
  "verify-tables": oracle("AS OF SCN"),
  "delete-offsets": connect("DELETE", "/offsets"),
  "delete-connector": connect("DELETE", ""),
  "delete-topics": kafka("DeleteTopics"),
  "resume-legacy": connect("PUT", "/resume"),
};

function belowConnector(path: string): string | undefined {
  return /^\/connectors\/[^/]+(.*)$/.exec(path)?.[1];
}

/** Whether a request is at a place, according to the step that the journal on disk has begun. */
export function atPlace(
  step: StepName,
  moment: Moment,
): (arrival: Arrival, journal: readonly JournalEntry[]) => boolean {
  let called = false;
  return (arrival, journal) => {
    const begun = journal.flatMap((entry) => (entry.type === "step-started" ? [entry.step] : [])).at(-1);
    const isCall = begun === step && CALLS[step].is(arrival);
    const before = called;
    called ||= isCall;
    // A database can only be disconnected; outside its own step that is an ordinary failed read.
    if (arrival.system === "oracle" && !isCall) return false;
    switch (moment) {
      case "before":
        return begun === step && !isCall && !before;
      case "during":
        return isCall;
      case "after":
        return before && !isCall;
    }
  };
}

/** A fault, as each system can produce it. Kafka has no 409 and 500: its closest errors stand for them. */
export interface FaultKind {
  readonly name: string;
  /** The fault's name for a request to a broker. */
  readonly kafka: string;
  /** Only for the call itself: for a read it equals another fault. */
  readonly onlyDuring?: boolean;
  fault(later: Promise<void>, arrival: Arrival): Fault;
}

const kafkaNo = (arrival: Arrival) =>
  arrival.system === "kafka" && arrival.api === "Produce" ? "not-enough-replicas" : "disconnect-before";

export const FAULTS: readonly FaultKind[] = [
  {
    name: "time-out",
    kafka: "time-out, applied",
    fault: () => ({ connect: "timeout", kafka: "timeout" }),
  },
  {
    name: "time-out, applied",
    kafka: "time-out, applied",
    onlyDuring: true,
    fault: () => ({ connect: "timeout-applied", kafka: "timeout" }),
  },
  {
    name: "409",
    kafka: "not enough replicas",
    fault: (_later, arrival) => ({ connect: "409", kafka: kafkaNo(arrival) }),
  },
  {
    name: "500, not applied",
    kafka: "not enough replicas",
    fault: (_later, arrival) => ({ connect: "500", kafka: kafkaNo(arrival) }),
  },
  {
    name: "500, applied",
    kafka: "disconnect, applied",
    fault: () => ({ connect: "500-applied", kafka: "disconnect-after" }),
  },
  {
    name: "500, applied later",
    kafka: "answered too late",
    fault: (later) => ({ connect: { "500-applied-later": later }, kafka: { hold: later } }),
  },
  {
    name: "disconnect",
    kafka: "disconnect",
    fault: () => ({ connect: "disconnect-before", kafka: "disconnect-before", oracle: "disconnect" }),
  },
  {
    name: "disconnect, applied",
    kafka: "disconnect, applied",
    onlyDuring: true,
    fault: () => ({ connect: "disconnect-after", kafka: "disconnect-after" }),
  },
];
