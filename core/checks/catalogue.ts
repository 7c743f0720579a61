import { otherConnectorClass } from "./CON301-other-connector-class.ts";
import { workerTooOld } from "./CON302-worker-too-old.ts";
import { connectorNotHealthy } from "./CON303-connector-not-healthy.ts";
import { lateCommitPossible } from "./CON304-late-commit-possible.ts";
import type { Check, Subject } from "./check.ts";
import { noArchivelog } from "./DBA401-no-archivelog.ts";
import { notPrimary } from "./DBA402-not-primary.ts";
import { insideAPdb } from "./DBA403-inside-a-pdb.ts";
import { noMinimalSupplementalLogging } from "./DBA404-no-minimal-supplemental-logging.ts";
import { databaseTooOld } from "./DBA405-database-too-old.ts";
import { grantsMissing } from "./DBA406-grants-missing.ts";
import { tablesPerhapsUnreadable } from "./DBA407-tables-perhaps-unreadable.ts";
import { notACommonUser } from "./DBA408-not-a-common-user.ts";
import { pdbNotSeen } from "./DBA409-pdb-not-seen.ts";
import { pdbNotOpen } from "./DBA410-pdb-not-open.ts";
import { manualPropertiesOpen } from "./MIG101-manual-properties-open.ts";
import { secretsLacking } from "./MIG102-secrets-lacking.ts";
import { classNotInstalled } from "./MIG103-class-not-installed.ts";
import { configurationInvalid } from "./MIG104-configuration-invalid.ts";
import { newNameTaken } from "./MIG105-new-name-taken.ts";
import { legacyFailed } from "./MIG106-legacy-failed.ts";
import { offsetsOfEarlierConnector } from "./MIG107-offsets-of-earlier-connector.ts";
import { prefixHasTopics } from "./MIG108-prefix-has-topics.ts";
import { prefixShared } from "./MIG109-prefix-shared.ts";
import { positionUnreadable } from "./MIG110-position-unreadable.ts";
import { otherIncarnation } from "./MIG111-other-incarnation.ts";
import { redoNotAllThere } from "./MIG112-redo-not-all-there.ts";
import { acceptedInVain } from "./MIG113-accepted-in-vain.ts";
import { takeoverWarnings } from "./MIG114-takeover-warnings.ts";
import { noWayBackByRest } from "./MIG115-no-way-back-by-rest.ts";
import { noDatabasePartition } from "./MIG116-no-database-partition.ts";
import { startAboveOpenTransactions } from "./MIG117-start-above-open-transactions.ts";
import { noWayBackWithoutAGap } from "./MIG118-no-way-back-without-a-gap.ts";
import { tableNotFound } from "./MIG201-table-not-found.ts";
import { newConnectorMissing } from "./MIG202-new-connector-missing.ts";
import { nothingToVerify } from "./MIG203-nothing-to-verify.ts";
import { newTopicMissing } from "./MIG204-new-topic-missing.ts";
import { recordsNotKept } from "./MIG205-records-not-kept.ts";
import { legacyTopicMissing } from "./MIG206-legacy-topic-missing.ts";
import { strayTables } from "./MIG207-stray-tables.ts";
import { newConnectorNotRunning } from "./MIG208-new-connector-not-running.ts";
import { topicOfBoth } from "./MIG209-topic-of-both.ts";
import { legacyTopicRetired } from "./MIG210-legacy-topic-retired.ts";
import { redoOfLegacyGone } from "./MIG301-redo-of-legacy-gone.ts";
import { legacyPositionUnreadable } from "./MIG302-legacy-position-unreadable.ts";
import { legacyOffsetsChanged } from "./MIG303-legacy-offsets-changed.ts";
import { legacyOtherIncarnation } from "./MIG304-legacy-other-incarnation.ts";
import { legacyNotStopped } from "./MIG305-legacy-not-stopped.ts";
import { newTopicsUnclear } from "./MIG306-new-topics-unclear.ts";
import { legacyStartsAtCurrent } from "./MIG307-legacy-starts-at-current.ts";
import { noEvidence } from "./MIG401-no-evidence.ts";
import { evidenceOfOthers } from "./MIG402-evidence-of-others.ts";
import { verificationNotPassed } from "./MIG403-verification-not-passed.ts";
import { tablesNotCovered } from "./MIG404-tables-not-covered.ts";
import { consumersActive } from "./MIG405-consumers-active.ts";
import { newConnectorNotDelivering } from "./MIG406-new-connector-not-delivering.ts";
import { legacyStillWorks } from "./MIG407-legacy-still-works.ts";
import { licenceTopicInUse } from "./MIG408-licence-topic-in-use.ts";
import { legacyTopicNotFound } from "./MIG409-legacy-topic-not-found.ts";
import { topicSpared } from "./MIG410-topic-spared.ts";
import { topicNotVerified } from "./MIG411-topic-not-verified.ts";
import { columnsNotCompared } from "./MIG412-columns-not-compared.ts";
import { topicOfOtherLegacy } from "./MIG413-topic-of-other-legacy.ts";
import { lobTopicsStay } from "./MIG414-lob-topics-stay.ts";
import { changedSinceVerification } from "./MIG415-changed-since-verification.ts";
import { scnAboveCurrent } from "./OFF101-scn-above-current.ts";
import { redoIncomplete } from "./OFF102-redo-incomplete.ts";
import { forwardSkipsCommits } from "./OFF103-forward-skips-commits.ts";
import { laterOffsetVersion } from "./OFF104-later-offset-version.ts";
import { unreadableOffset } from "./OFF105-unreadable-offset.ts";
import { otherDatabase } from "./OFF106-other-database.ts";
import { severalPartitions } from "./OFF107-several-partitions.ts";
import { noSuchTarget } from "./OFF108-no-such-target.ts";
import { notInLedger } from "./OFF109-not-in-ledger.ts";
import { noStoredOffset } from "./OFF110-no-stored-offset.ts";
import { offsetMovedOn } from "./OFF111-offset-moved-on.ts";
import { snapshotIncomplete } from "./OFF112-snapshot-incomplete.ts";
import { lastChangeUndone } from "./OFF114-last-change-undone.ts";
import { releasedMinedAgain } from "./OFF115-released-mined-again.ts";
import { opsTopicMissing } from "./OPS601-ops-topic-missing.ts";
import { noRightToWrite } from "./OPS602-no-right-to-write.ts";
import { changeInFlight } from "./OPS603-change-in-flight.ts";
import { historyCut } from "./OPS604-history-cut.ts";
import { opsFormatNeeded } from "./OPS605-ops-format-needed.ts";
import { otherKafkaCluster } from "./OPS606-other-kafka-cluster.ts";
import { eventTooLarge } from "./OPS607-event-too-large.ts";
import { tooFewReplicas } from "./OPS608-too-few-replicas.ts";
import { clockTooFarOff } from "./OPS609-clock-too-far-off.ts";
import { probeDoesNotApply } from "./RED201-probe-does-not-apply.ts";
import { restoredElsewhere } from "./RED202-restored-elsewhere.ts";
import { severalThreads } from "./RED203-several-threads.ts";
import { notOneRedoThread } from "./RED204-not-one-redo-thread.ts";
import { noArchiveDestination } from "./RED205-no-archive-destination.ts";
import { tableNotCaptured } from "./SNP901-table-not-captured.ts";
import { capturedSetUnknown } from "./SNP902-captured-set-unknown.ts";
import { unlistedTablesLoseChanges } from "./SNP903-unlisted-tables.ts";
import { redoUnseen } from "./SNP904-redo-unseen.ts";
import { noScnAfterGap } from "./SNP905-no-scn-after-gap.ts";
import { signalsTopicMissing } from "./SNP906-signals-topic-missing.ts";
import { noRightToSignal } from "./SNP907-no-right-to-signal.ts";
import { noReason } from "./SNP908-no-reason.ts";
import { noPosition } from "./SNP909-no-position.ts";
import { noAnswerYet } from "./SNP910-no-answer-yet.ts";
import { assertionDoesNotFit } from "./SNP911-assertion-does-not-fit.ts";
import { signalStays } from "./SNP912-signal-stays.ts";
import { signalTooLarge } from "./SNP913-signal-too-large.ts";
import { answerUnreadable } from "./SNP914-answer-unreadable.ts";
import { evidenceUnseen } from "./SNP915-evidence-unseen.ts";
import { signalMayBeLost } from "./SNP916-signal-may-be-lost.ts";
import { tooFewReplicasForSignal } from "./SNP917-too-few-replicas.ts";
import { clockTooFarOffForSignal } from "./SNP918-clock-too-far-off.ts";
import { noCapturedTables } from "./TAB101-no-captured-tables.ts";
import { noSupplementalLogging } from "./TAB102-no-supplemental-logging.ts";
import { keyColumnsLoggedOnly } from "./TAB103-key-columns-logged-only.ts";
import { unsupportedColumns } from "./TAB104-unsupported-columns.ts";
import { namesTooLong } from "./TAB105-names-too-long.ts";
import { noKey } from "./TAB106-no-key.ts";
import { keylessBySetting } from "./TAB107-keyless-by-setting.ts";
import { tornTransactions } from "./TRX501-torn-transactions.ts";
import { endedTransactionsUnseen } from "./TRX502-ended-transactions-unseen.ts";
import { journalUnread } from "./TRX503-journal-unread.ts";
import { tornElsewhere } from "./TRX504-torn-elsewhere.ts";

/**
 * The checks of each kind, and of each phase of a migration, in the order in which they are shown: the specification's
 * rules first.
 */
export const CHECKS: { readonly [S in Subject]: readonly Check<S>[] } = {
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
