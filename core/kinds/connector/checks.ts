import { otherConnectorClass } from "../../checks/connector.ts";
import { insideAPdb, noArchivelog, notPrimary } from "../../checks/database.ts";
import { changeInFlight, historyCut } from "../../checks/earlier-changes.ts";
import { opsFormatNeeded, otherKafkaCluster } from "../../checks/ops-topic.ts";
import { eventTooLarge } from "../../checks/record-size.ts";
import { probeDoesNotApply, restoredElsewhere, severalThreads } from "../../checks/redo.ts";
import { laterOffsetVersion, otherDatabase, severalPartitions, unreadableOffset } from "../../checks/stored-offset.ts";
import { endedTransactionsUnseen, journalUnread } from "../../checks/torn-transactions.ts";
import { workerTooOld } from "../../checks/worker.ts";
import { clockTooFarOff, noRightToWrite, opsTopicMissing, tooFewReplicas } from "../../checks/written-topics.ts";

/** Checks that several kinds of change have in common, in the order in which they are shown. */

/** Of a stored offset: whether it is one of ours, and can be read. */
export const positionReadable = [
  otherConnectorClass,
  laterOffsetVersion,
  unreadableOffset,
  severalPartitions,
  otherDatabase,
] as const;

/** Of a change that the ops topic tells of: whether it can be made and recorded, and none is in flight. */
export const changeRecorded = [
  workerTooOld,
  opsTopicMissing,
  noRightToWrite,
  opsFormatNeeded,
  eventTooLarge,
  tooFewReplicas,
  clockTooFarOff,
  changeInFlight,
] as const;

/** Of whatever mines the database. */
export const databaseMinable = [noArchivelog, notPrimary, insideAPdb] as const;

/** What is only worth knowing of the redo. */
export const redoShown = [probeDoesNotApply, restoredElsewhere, severalThreads] as const;

/** What could not be seen, and what it could have told. */
export const partlySeen = [endedTransactionsUnseen, journalUnread, historyCut, otherKafkaCluster] as const;
