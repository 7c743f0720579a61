import type { ConnectorKind, IntentOf, MigrationIntent } from "../document/intent.ts";
import type { PreflightReading } from "../facts/preflight-reading.ts";
import type { CutoverReading } from "../kinds/cutover/reading.ts";
import type { ReturnReading } from "../kinds/cutover-rollback/reading.ts";
import type { OffsetChangeReading } from "../kinds/offset-change/reading.ts";
import type { ResnapshotReading } from "../kinds/resnapshot/reading.ts";
import type { RetirementReading } from "../kinds/retirement/reading.ts";
import type { VerificationReading } from "../kinds/verification/reading.ts";
import { notACommonUser, pdbNotOpen, pdbNotSeen } from "./capture-user.ts";
import type { Check } from "./check.ts";
import { lateCommitPossible, otherConnectorClass } from "./connector.ts";
import {
  connectorNotHealthy,
  legacyFailed,
  legacyNotStopped,
  legacyStillWorks,
  newConnectorNotDelivering,
  newConnectorNotRunning,
} from "./connector-status.ts";
import { acceptedInVain, configurationInvalid, manualPropertiesOpen, secretsLacking } from "./cutover-configuration.ts";
import { newNameTaken, offsetsOfEarlierConnector, prefixHasTopics, prefixShared } from "./cutover-names.ts";
import {
  legacyOffsetsChanged,
  legacyStartsAtCurrent,
  newTopicsUnclear,
  noWayBackWithoutAGap,
} from "./cutover-rollback.ts";
import {
  databaseTooOld,
  insideAPdb,
  noArchiveDestination,
  noArchivelog,
  noMinimalSupplementalLogging,
  notOneRedoThread,
  notPrimary,
} from "./database.ts";
import { changeInFlight, historyCut, lastChangeUndone, offsetMovedOn } from "./earlier-changes.ts";
import { grantsMissing, tablesPerhapsUnreadable } from "./grants.ts";
import { managedByOperator } from "./managed-connector.ts";
import { forwardSkipsCommits, noSuchTarget, scnAboveCurrent } from "./offset-target.ts";
import { opsFormatNeeded, otherKafkaCluster } from "./ops-topic.ts";
import { notInLedger, releasedMinedAgain } from "./orphan-ledger.ts";
import { eventTooLarge, signalTooLarge } from "./record-size.ts";
import { probeDoesNotApply, redoIncomplete, redoUnseen, restoredElsewhere, severalThreads } from "./redo.ts";
import {
  changedSinceVerification,
  columnsNotCompared,
  evidenceOfOthers,
  noEvidence,
  tablesNotCovered,
  verificationNotPassed,
} from "./retirement-evidence.ts";
import {
  consumersActive,
  legacyTopicNotFound,
  licenceTopicInUse,
  lobTopicsStay,
  topicNotVerified,
  topicOfOtherLegacy,
  topicSpared,
} from "./retirement-topics.ts";
import { noReason, noScnAfterGap } from "./snapshot-gap.ts";
import { answerUnreadable, noAnswerYet, signalMayBeLost, signalStays } from "./snapshot-signal.ts";
import {
  assertionDoesNotFit,
  capturedSetUnknown,
  evidenceUnseen,
  tableNotCaptured,
  unlistedTablesLoseChanges,
} from "./snapshot-tables.ts";
import {
  laterOffsetVersion,
  noPosition,
  noStoredOffset,
  otherDatabase,
  severalPartitions,
  snapshotIncomplete,
  unreadableOffset,
} from "./stored-offset.ts";
import { keylessBySetting, noKey } from "./table-keys.ts";
import { keyColumnsLoggedOnly, noSupplementalLogging } from "./table-logging.ts";
import { namesTooLong, noCapturedTables, unsupportedColumns } from "./tables.ts";
import {
  legacyOtherIncarnation,
  legacyPositionUnreadable,
  noDatabasePartition,
  otherIncarnation,
  positionUnreadable,
  redoNotAllThere,
  redoOfLegacyGone,
  startAboveOpenTransactions,
  takeoverWarnings,
} from "./takeover.ts";
import { endedTransactionsUnseen, journalUnread, tornElsewhere, tornTransactions } from "./torn-transactions.ts";
import { newConnectorMissing, nothingToVerify, strayTables, tableNotFound } from "./verification-tables.ts";
import {
  legacyTopicMissing,
  legacyTopicRetired,
  newTopicMissing,
  recordsNotKept,
  topicOfBoth,
} from "./verification-topics.ts";
import { classNotInstalled, noWayBackByRest, workerTooOld } from "./worker.ts";
import {
  clockTooFarOff,
  clockTooFarOffForSignal,
  noRightToSignal,
  noRightToWrite,
  opsTopicMissing,
  signalsTopicMissing,
  tooFewReplicas,
  tooFewReplicasForSignal,
} from "./written-topics.ts";

/**
 * What is decided, a kind or a phase of one, or a preflight, and what its checks look at: the facts, and what they
 * mean.
 */
interface Readings {
  OffsetChange: OffsetChangeReading;
  Resnapshot: ResnapshotReading;
  Cutover: CutoverReading;
  Verification: VerificationReading;
  Return: ReturnReading;
  Retirement: RetirementReading;
  Preflight: PreflightReading;
}

type Subject = keyof Readings;
/** Nothing is decided by a preflight: there is no plan file behind it, and nothing to accept. */
type IntentFor<S extends Subject> = S extends ConnectorKind
  ? IntentOf<S>
  : S extends "Preflight"
    ? undefined
    : MigrationIntent;

/**
 * The checks of each kind, and of each phase of a migration, in the order in which they are shown: the specification's
 * rules first.
 */
export const CHECKS: { readonly [S in Subject]: readonly Check<IntentFor<S>, Readings[S]>[] } = {
  OffsetChange: [
    otherConnectorClass,
    laterOffsetVersion,
    unreadableOffset,
    severalPartitions,
    otherDatabase,
    noSuchTarget,
    scnAboveCurrent,
    redoIncomplete,
    forwardSkipsCommits,
    offsetMovedOn,
    signalStays,
    notInLedger,
    tornTransactions,
    workerTooOld,
    opsTopicMissing,
    noRightToWrite,
    opsFormatNeeded,
    eventTooLarge,
    tooFewReplicas,
    clockTooFarOff,
    changeInFlight,
    noArchivelog,
    notPrimary,
    insideAPdb,
    noStoredOffset,
    snapshotIncomplete,
    lastChangeUndone,
    releasedMinedAgain,
    managedByOperator,
    connectorNotHealthy,
    lateCommitPossible,
    probeDoesNotApply,
    restoredElsewhere,
    severalThreads,
    endedTransactionsUnseen,
    journalUnread,
    historyCut,
    otherKafkaCluster,
  ],
  Resnapshot: [
    otherConnectorClass,
    laterOffsetVersion,
    unreadableOffset,
    severalPartitions,
    otherDatabase,
    scnAboveCurrent,
    noPosition,
    capturedSetUnknown,
    tableNotCaptured,
    redoUnseen,
    noScnAfterGap,
    unlistedTablesLoseChanges,
    assertionDoesNotFit,
    noReason,
    tornTransactions,
    signalsTopicMissing,
    noRightToSignal,
    signalTooLarge,
    tooFewReplicasForSignal,
    clockTooFarOffForSignal,
    workerTooOld,
    opsTopicMissing,
    noRightToWrite,
    opsFormatNeeded,
    eventTooLarge,
    tooFewReplicas,
    clockTooFarOff,
    changeInFlight,
    noArchivelog,
    notPrimary,
    insideAPdb,
    snapshotIncomplete,
    lastChangeUndone,
    managedByOperator,
    connectorNotHealthy,
    noAnswerYet,
    answerUnreadable,
    evidenceUnseen,
    signalMayBeLost,
    lateCommitPossible,
    probeDoesNotApply,
    restoredElsewhere,
    severalThreads,
    tornElsewhere,
    endedTransactionsUnseen,
    journalUnread,
    historyCut,
    otherKafkaCluster,
  ],
  Cutover: [
    positionUnreadable,
    otherIncarnation,
    redoNotAllThere,
    noDatabasePartition,
    startAboveOpenTransactions,
    manualPropertiesOpen,
    secretsLacking,
    classNotInstalled,
    configurationInvalid,
    newNameTaken,
    offsetsOfEarlierConnector,
    prefixHasTopics,
    prefixShared,
    workerTooOld,
    noArchivelog,
    notPrimary,
    insideAPdb,
    managedByOperator,
    legacyFailed,
    noWayBackByRest,
    noWayBackWithoutAGap,
    acceptedInVain,
    takeoverWarnings,
    lateCommitPossible,
    restoredElsewhere,
    severalThreads,
    otherKafkaCluster,
  ],
  Verification: [
    nothingToVerify,
    tableNotFound,
    strayTables,
    newConnectorMissing,
    topicOfBoth,
    legacyTopicMissing,
    legacyTopicRetired,
    newTopicMissing,
    recordsNotKept,
    newConnectorNotRunning,
    otherKafkaCluster,
  ],
  Return: [
    legacyPositionUnreadable,
    legacyOtherIncarnation,
    redoOfLegacyGone,
    legacyOffsetsChanged,
    legacyStartsAtCurrent,
    newTopicsUnclear,
    workerTooOld,
    opsTopicMissing,
    noRightToWrite,
    opsFormatNeeded,
    eventTooLarge,
    tooFewReplicas,
    clockTooFarOff,
    changeInFlight,
    managedByOperator,
    legacyNotStopped,
    lateCommitPossible,
    otherKafkaCluster,
  ],
  Retirement: [
    noEvidence,
    evidenceOfOthers,
    changedSinceVerification,
    verificationNotPassed,
    tablesNotCovered,
    consumersActive,
    managedByOperator,
    newConnectorNotDelivering,
    legacyStillWorks,
    licenceTopicInUse,
    legacyTopicNotFound,
    topicSpared,
    topicOfOtherLegacy,
    lobTopicsStay,
    columnsNotCompared,
    topicNotVerified,
    otherKafkaCluster,
  ],
  Preflight: [
    databaseTooOld,
    notPrimary,
    noArchivelog,
    noArchiveDestination,
    notOneRedoThread,
    noMinimalSupplementalLogging,
    insideAPdb,
    notACommonUser,
    pdbNotSeen,
    pdbNotOpen,
    grantsMissing,
    tablesPerhapsUnreadable,
    noCapturedTables,
    noSupplementalLogging,
    keyColumnsLoggedOnly,
    unsupportedColumns,
    namesTooLong,
    noKey,
    keylessBySetting,
  ],
};
