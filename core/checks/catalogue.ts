import { otherConnectorClass } from "./CON301-other-connector-class.ts";
import { workerTooOld } from "./CON302-worker-too-old.ts";
import { connectorNotHealthy } from "./CON303-connector-not-healthy.ts";
import { lateCommitPossible } from "./CON304-late-commit-possible.ts";
import type { Check, Subject } from "./check.ts";
import { noArchivelog } from "./DBA401-no-archivelog.ts";
import { notPrimary } from "./DBA402-not-primary.ts";
import { insideAPdb } from "./DBA403-inside-a-pdb.ts";
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
import { opsTopicMissing } from "./OPS601-ops-topic-missing.ts";
import { noRightToWrite } from "./OPS602-no-right-to-write.ts";
import { changeInFlight } from "./OPS603-change-in-flight.ts";
import { historyCut } from "./OPS604-history-cut.ts";
import { opsFormatNeeded } from "./OPS605-ops-format-needed.ts";
import { otherKafkaCluster } from "./OPS606-other-kafka-cluster.ts";
import { eventTooLarge } from "./OPS607-event-too-large.ts";
import { probeDoesNotApply } from "./RED201-probe-does-not-apply.ts";
import { restoredElsewhere } from "./RED202-restored-elsewhere.ts";
import { severalThreads } from "./RED203-several-threads.ts";
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
import { tornTransactions } from "./TRX501-torn-transactions.ts";
import { endedTransactionsUnseen } from "./TRX502-ended-transactions-unseen.ts";
import { journalUnread } from "./TRX503-journal-unread.ts";
import { tornElsewhere } from "./TRX504-torn-elsewhere.ts";

/** The checks of each kind, and of each phase of a migration, in the order in which they are shown: the specification's rules first. */
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
    changeInFlight,
    noArchivelog,
    notPrimary,
    insideAPdb,
    noStoredOffset,
    snapshotIncomplete,
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
    workerTooOld,
    opsTopicMissing,
    noRightToWrite,
    opsFormatNeeded,
    eventTooLarge,
    changeInFlight,
    noArchivelog,
    notPrimary,
    insideAPdb,
    snapshotIncomplete,
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
  Cutover: [],
  Verification: [],
  Return: [],
  Retirement: [],
};
