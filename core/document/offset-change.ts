import type { OffsetChange } from "../../schemas/generated/offset-change.ts";
import schema from "../../schemas/offset-change.schema.json" with { type: "json" };
import { UsageError } from "../errors.ts";
import { decodeOffset } from "../facts/offset/stored-offset.ts";
import { parseInstant } from "../values/instant.ts";
import type { OffsetChangeIntent, Position } from "./intent.ts";
import type { DocumentKind } from "./kinds.ts";

export const offsetChange: DocumentKind<"OffsetChange"> = {
  schema,
  template: `# Moves the stored offset of a connector. Look at it with: cdcctl plan FILE
apiVersion: cdcctl/v1
kind: OffsetChange
metadata:
  name: orders-replay
  # Why the offset is moved; recorded in the ops topic.
  reason: replay after the bad deploy of 20 November
  # ticket: CHG-4711
target:
  # A name of the contexts file, which holds the URL of Kafka Connect and the credentials for it ...
  context: prod
  # ... or the URL itself, to which no credentials are sent:
  # connectUrl: http://localhost:8083
  connector: orders-cdc
spec:
  # Where to resume mining. Exactly one of these four:
  scn: 2169287
  # timestamp: 2026-11-20T18:30:00Z
  # earliestAvailable: true
  # In place of an offset that the task does not take (OFF105): the last one that a run has stored.
  # lastRecorded: true

  # A forward move skips every commit in between, for every captured table. true: that is what is wanted.
  allowSkip: false
  # A move back recognises what was delivered. true: deliver it again; needs metadata.ticket.
  # deliverAgain: true
  # Remove the layouts of tables that had a DDL in what is skipped (TAB112); each of them needs a snapshot.
  # removeTableSchemas: true
  # Transactions to take out of the orphan release ledger, so that they are delivered when they are mined again.
  # true: all of them; or a list: [1:4.9.771, 1:5.2.802]
  forgetReleased: false
  # Only for a forward move: the task restores transactions of its journal, and they pull the offset back until they
  # end. true: remove what the journal holds of them; nothing of them before the new position is delivered.
  # removeJournaledTransactions: true
  # true: resume the connector afterwards. Otherwise it stays stopped.
  resume: false
  # Needed where the connector's value converter is not a JSON converter: json or json_schemas.
  # opsFormat: json
  # Codes of acceptable findings that are knowingly accepted; cdcctl explain CODE tells about each.
  accept: []
`,

  intent(document, origin): OffsetChangeIntent {
    // Its schema accepts it, and its type is generated from the schema.
    const { metadata, target, spec } = document as OffsetChange;
    const { forgetReleased = false } = spec;
    return {
      kind: "OffsetChange",
      metadata: { name: metadata.name, reason: metadata.reason, ticket: metadata.ticket },
      target: { context: target.context, connectUrl: target.connectUrl, connector: target.connector },
      origin,
      position: position(spec),
      allowSkip: spec.allowSkip ?? false,
      ...(spec.deliverAgain === true ? { deliverAgain: true } : {}),
      ...(spec.removeTableSchemas === true ? { removeTableSchemas: true } : {}),
      forgetReleased: forgetReleased === true ? "all" : forgetReleased === false ? "none" : forgetReleased,
      ...(spec.removeJournaledTransactions === true ? { removeJournaledTransactions: true } : {}),
      resume: spec.resume ?? false,
      opsFormat: spec.opsFormat,
      ...(spec.capturedTables && { capturedTables: spec.capturedTables }),
      accept: spec.accept ?? [],
    };
  },

  document({ kind, metadata, target, origin: _, signalSent: _sent, position, ...spec }) {
    const { forgetReleased: those } = spec;
    const forgetReleased = those === "all" ? true : those === "none" ? false : those;
    return {
      apiVersion: "cdcctl/v1",
      kind,
      metadata,
      target,
      spec: { ...placeOf(position), ...spec, forgetReleased },
    };
  },
};

function placeOf(position: Position): { readonly [key: string]: unknown } {
  switch (position.to) {
    case "scn":
      return { scn: position.scn };
    case "timestamp":
      return { timestamp: position.timestamp };
    case "earliestAvailable":
      return { earliestAvailable: true };
    case "lastRecorded":
      return { lastRecorded: true };
    case "restore": {
      const decoded = decodeOffset(position.offset);
      return decoded.ok ? { scn: decoded.offset.resumeScn } : {};
    }
  }
}

function position({ scn, timestamp, lastRecorded }: OffsetChange["spec"]): Position {
  if (scn !== undefined) return { to: "scn", scn };
  if (lastRecorded === true) return { to: "lastRecorded" };
  if (timestamp === undefined) return { to: "earliestAvailable" };
  const instant = parseInstant(timestamp);
  if (instant === undefined) throw new UsageError(`"${timestamp}" is not a valid timestamp`);
  return { to: "timestamp", timestamp: instant };
}
