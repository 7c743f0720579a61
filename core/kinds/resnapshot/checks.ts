import type { Check } from "../../checks/check.ts";
import { lateCommitPossible } from "../../checks/connector.ts";
import { connectorNotHealthy } from "../../checks/connector-status.ts";
import { ddlSkipped } from "../../checks/ddl.ts";
import { lastChangeUndone } from "../../checks/earlier-changes.ts";
import { earlierSnapshot, stoppedTablesUnlisted } from "../../checks/earlier-snapshots.ts";
import { managedByOperator } from "../../checks/managed-connector.ts";
import { storedAboveCurrent } from "../../checks/offset-target.ts";
import type { ResnapshotReading } from "../../checks/readings.ts";
import { signalTooLarge } from "../../checks/record-size.ts";
import { redoUnseen } from "../../checks/redo.ts";
import { noReason, noScnAfterGap } from "../../checks/snapshot-gap.ts";
import {
  answerUnreadable,
  noAnswerYet,
  readsNoSignals,
  signalMayBeLost,
  signalNeverRead,
} from "../../checks/snapshot-signal.ts";
import {
  assertionDoesNotFit,
  capturedSetUnknown,
  evidenceUnseen,
  tableNotCaptured,
  unlistedTablesLoseChanges,
} from "../../checks/snapshot-tables.ts";
import { noPosition } from "../../checks/stored-offset.ts";
import { heldByJournal, tornElsewhere, tornTransactions } from "../../checks/torn-transactions.ts";
import {
  clockTooFarOffForSignal,
  noRightToSignal,
  signalsTopicMissing,
  tooFewReplicasForSignal,
} from "../../checks/written-topics.ts";
import type { ResnapshotIntent } from "../../document/intent.ts";
import { changeRecorded, databaseMinable, partlySeen, positionReadable, redoShown } from "../connector/checks.ts";

/** The checks of a resnapshot, in display order: the specification's rules first. */
export const resnapshotChecks: readonly Check<ResnapshotIntent, ResnapshotReading>[] = [
  ...positionReadable,
  storedAboveCurrent,
  noPosition,
  capturedSetUnknown,
  tableNotCaptured,
  redoUnseen,
  noScnAfterGap,
  unlistedTablesLoseChanges,
  assertionDoesNotFit,
  ddlSkipped,
  noReason,
  tornTransactions,
  heldByJournal,
  readsNoSignals,
  earlierSnapshot,
  stoppedTablesUnlisted,
  signalNeverRead,
  signalsTopicMissing,
  noRightToSignal,
  signalTooLarge,
  tooFewReplicasForSignal,
  clockTooFarOffForSignal,
  ...changeRecorded,
  ...databaseMinable,
  lastChangeUndone,
  managedByOperator,
  connectorNotHealthy,
  noAnswerYet,
  answerUnreadable,
  evidenceUnseen,
  signalMayBeLost,
  lateCommitPossible,
  ...redoShown,
  tornElsewhere,
  ...partlySeen,
];
