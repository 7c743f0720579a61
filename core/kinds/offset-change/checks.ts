import type { Check } from "../../checks/check.ts";
import { lateCommitPossible } from "../../checks/connector.ts";
import { connectorNotHealthy } from "../../checks/connector-status.ts";
import { ddlMinedInRange, ddlSkipped } from "../../checks/ddl.ts";
import { deliverAgainRefused, recordedPosition } from "../../checks/delivered-again.ts";
import { lastChangeUndone, offsetMovedOn } from "../../checks/earlier-changes.ts";
import { managedByOperator } from "../../checks/managed-connector.ts";
import { forwardSkipsCommits, noSuchTarget, scnAboveCurrent, storedAboveCurrent } from "../../checks/offset-target.ts";
import { notInLedger, releasedMinedAgain } from "../../checks/orphan-ledger.ts";
import type { OffsetChangeReading } from "../../checks/readings.ts";
import { redoIncomplete } from "../../checks/redo.ts";
import { signalStays } from "../../checks/snapshot-signal.ts";
import { noStoredOffset, snapshotIncomplete } from "../../checks/stored-offset.ts";
import { heldByJournal, tornTransactions } from "../../checks/torn-transactions.ts";
import type { OffsetChangeIntent } from "../../document/intent.ts";
import { changeRecorded, databaseMinable, partlySeen, positionReadable, redoShown } from "../connector/checks.ts";

/** The checks of an offset change, in display order: the specification's rules first. */
export const offsetChangeChecks: readonly Check<OffsetChangeIntent, OffsetChangeReading>[] = [
  ...positionReadable,
  noSuchTarget,
  scnAboveCurrent,
  storedAboveCurrent,
  redoIncomplete,
  forwardSkipsCommits,
  deliverAgainRefused,
  ddlSkipped,
  ddlMinedInRange,
  offsetMovedOn,
  signalStays,
  notInLedger,
  tornTransactions,
  heldByJournal,
  ...changeRecorded,
  ...databaseMinable,
  noStoredOffset,
  recordedPosition,
  snapshotIncomplete,
  lastChangeUndone,
  releasedMinedAgain,
  managedByOperator,
  connectorNotHealthy,
  lateCommitPossible,
  ...redoShown,
  ...partlySeen,
];
