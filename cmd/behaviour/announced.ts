import { type CallDoes, callName } from "../../core/plan/steps.ts";
import type { JournalEntry } from "../../core/run/journal.ts";
import type { Arrival } from "./changed-world.ts";

/** The PATCH among the calls that the journal names. */
export const PATCH = "PATCH";
/** A signal, which the journal announces by its id. */
export const SIGNAL = "signal";

/**
 * Checks each attempt of a call against the journal: the last entry announces exactly this call, and no attempt before
 * has used that entry. A client that repeats a call by itself is found by the second.
 *
 * @returns for a call by its name (`PUT stop orders-cdc`, or `PATCH`) and the journal when it arrives: what is wrong
 */
export function oneAttemptEach(): (call: string, entries: readonly JournalEntry[]) => string | undefined {
  const used = new Set<string>();
  return (call, entries) => {
    // A call may arrive after its client has given it up, on a busy machine.
    const [first, last] = [entries[0], entries.findLast(({ type }) => !type.endsWith("-unanswered"))];
    const announced = last?.type === "patch-sent" ? PATCH : last?.type === "call-sent" ? last.call : undefined;
    if (announced !== call) return `${call} came after the journal's ${last?.type ?? "nothing"}`;
    const entry = `${first?.type === "run-started" ? first.run : ""} ${last?.seq}`;
    if (used.has(entry)) return `${call} came twice for one entry of the journal`;
    used.add(entry);
    return undefined;
  };
}

/** Calls by their methods and paths below a connector. */
const OF_A_CONNECTOR: Readonly<Record<string, CallDoes>> = {
  "PUT stop": "stop",
  "PUT resume": "start",
  "DELETE offsets": "delete offsets",
  "DELETE ": "delete connector",
};

/**
 * A call that changes something, by the journal's name; `record` of the ops topic and a signal have none, nor has any
 * `other`.
 */
export function nameOfChange(
  arrival: Arrival,
  { ops, signals, created = "" }: { readonly ops: string; readonly signals?: string; readonly created?: string },
): string | undefined {
  switch (arrival.system) {
    case "oracle":
      return undefined;
    case "kafka": {
      const topic = arrival.topic ?? "";
      if (arrival.api === "Produce")
        return topic === ops ? "record" : topic === signals ? SIGNAL : callName("remove records", topic);
      if (arrival.api === "DeleteTopics") return callName("delete topic", topic);
      return arrival.api === "CreateTopics" ? callName("create topic", topic) : undefined;
    }
    case "connect": {
      const { method, path } = arrival;
      if (method === "GET" || path.endsWith("/validate")) return undefined;
      if (method === "PATCH") return PATCH;
      if (method === "POST" && path === "/connectors") return callName("create", created);
      const [, of = "", below = ""] = /^\/connectors\/([^/]+)\/?(.*)$/.exec(path) ?? [];
      const does = OF_A_CONNECTOR[`${method} ${below}`];
      return does === undefined ? `other ${method} ${path}` : callName(does, of);
    }
  }
}
