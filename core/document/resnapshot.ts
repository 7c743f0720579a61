import type { Resnapshot } from "../../schemas/generated/resnapshot.ts";
import schema from "../../schemas/resnapshot.schema.json" with { type: "json" };
import { durationText, millisOf } from "../values/duration.ts";
import type { ResnapshotIntent } from "./intent.ts";
import type { DocumentKind } from "./kinds.ts";

export const resnapshot: DocumentKind<"Resnapshot"> = {
  schema,
  template: `# Snapshots captured tables again; where redo is gone the offset moves past the gap. \
Look at it with: cdcctl plan FILE
apiVersion: cdcctl/v1
kind: Resnapshot
metadata:
  name: orders-after-purge
  # Why; recorded in the ops topic where the offset moves.
  reason: archived logs purged during the outage
  # ticket: CHG-4712
target:
  # A name of the contexts file, which holds the URL of Kafka Connect and the credentials for it ...
  context: prod
  # ... or the URL itself, to which no credentials are sent:
  # connectUrl: http://localhost:8083
  connector: orders-cdc
spec:
  # PDB.OWNER.TABLE in a container database, OWNER.TABLE otherwise. A name in double quotes is meant to the letter.
  tables: [ORCLPDB1.SALES.ORDERS, ORCLPDB1.SALES.LINES]

  # Only where redo is gone: your assertion that the captured tables which are not listed had no changes in the gap.
  # true: all of them; or their list, which must name them all. It is recorded.
  skipGapForUnlistedTables: false
  # Remove the layouts of tables that had a DDL in the gap (TAB112); each of them needs a snapshot.
  # removeTableSchemas: true
  # Show MAX(ORA_ROWSCN) of the unlisted tables as well; it may scan them whole.
  # readRowScns: true
  # Wait so long for open transactions that would be torn, before anything is done.
  # waitForTransactions: 10m
  # Only where redo is gone: remove what the journal holds of transactions that would pull the offset back.
  # removeJournaledTransactions: true
  # Wait so long for the connector's own answer to the signal.
  # waitForAck: 5m
  # Wait so long until the snapshot is complete; it fails where a table was skipped.
  # waitForCompletion: 2h
  # Wait so long for a snapshot that is running: until its end, the task rejects the signal.
  # waitForSnapshot: 2h
  # ... or stop it by a signal first. Its tables that are not read to the end have to be in tables.
  # stopRunningSnapshot: true
  # true: resume the connector afterwards. Otherwise it stays as it is, or stopped where the offset moved.
  resume: false
  # Needed where the offset moves and the connector's value converter is not a JSON converter: json or json_schemas.
  # opsFormat: json
  # Codes of acceptable findings that are knowingly accepted; cdcctl explain CODE tells about each.
  accept: []
`,

  intent(document, origin): ResnapshotIntent {
    // Its schema accepts it, and its type is generated from the schema.
    const { metadata, target, spec } = document as Resnapshot;
    const { skipGapForUnlistedTables: skip = false } = spec;
    return {
      kind: "Resnapshot",
      metadata: { name: metadata.name, reason: metadata.reason, ticket: metadata.ticket },
      target: { context: target.context, connectUrl: target.connectUrl, connector: target.connector },
      origin,
      tables: spec.tables,
      skipGapForUnlistedTables: skip === true ? "all" : skip === false ? "none" : skip,
      ...(spec.removeTableSchemas === true ? { removeTableSchemas: true } : {}),
      readRowScns: spec.readRowScns ?? false,
      waitForTransactions: millisOf(spec.waitForTransactions),
      waitForAck: millisOf(spec.waitForAck),
      ...(spec.removeJournaledTransactions === true ? { removeJournaledTransactions: true } : {}),
      ...(spec.waitForSnapshot === undefined ? {} : { waitForSnapshot: millisOf(spec.waitForSnapshot) }),
      ...(spec.stopRunningSnapshot === true ? { stopRunningSnapshot: true } : {}),
      ...(spec.waitForCompletion === undefined ? {} : { waitForCompletion: millisOf(spec.waitForCompletion) }),
      resume: spec.resume ?? false,
      opsFormat: spec.opsFormat,
      ...(spec.capturedTables && { capturedTables: spec.capturedTables }),
      accept: spec.accept ?? [],
    };
  },

  document({ kind, metadata, target, origin: _, ...spec }) {
    const { skipGapForUnlistedTables: skip } = spec;
    return {
      apiVersion: "cdcctl/v1",
      kind,
      metadata,
      target,
      spec: {
        ...spec,
        skipGapForUnlistedTables: skip === "all" ? true : skip === "none" ? false : skip,
        waitForTransactions: written(spec.waitForTransactions),
        waitForAck: written(spec.waitForAck),
        waitForSnapshot: written(spec.waitForSnapshot),
        waitForCompletion: written(spec.waitForCompletion),
      },
    };
  },
};

function written(duration: bigint | undefined): string | undefined {
  return duration === undefined ? undefined : durationText(duration);
}
