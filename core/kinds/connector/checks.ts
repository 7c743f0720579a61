import { otherConnectorClass } from "../../checks/connector.ts";
import { logsInsideAPdb, noArchivelog, notPrimary } from "../../checks/database.ts";
import { changeInFlight, historyCut } from "../../checks/earlier-changes.ts";
import { opsFormatNeeded, otherKafkaCluster } from "../../checks/ops-topic.ts";
import { eventTooLarge } from "../../checks/record-size.ts";
import { probeDoesNotApply, restoredElsewhere, severalThreads } from "../../checks/redo.ts";
import { laterOffsetVersion, otherDatabase, severalPartitions, unreadableOffset } from "../../checks/stored-offset.ts";
import { endedTransactionsUnseen } from "../../checks/torn-transactions.ts";
import { workerTooOld } from "../../checks/worker.ts";
import { clockTooFarOff, noRightToWrite, opsTopicMissing, tooFewReplicas } from "../../checks/written-topics.ts";

/** Checks shared by several kinds of change, in display order. */

/** Whether the stored offset belongs to this connector and can be read. */
export const positionReadable = [
  otherConnectorClass,
  laterOffsetVersion,
  unreadableOffset,
  severalPartitions,
  otherDatabase,
] as const;

/** Whether a change can be made and recorded in the ops topic, and no other is in flight. */
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

export const databaseMinable = [noArchivelog, notPrimary, logsInsideAPdb, severalThreads] as const;

export const redoShown = [probeDoesNotApply, restoredElsewhere] as const;

/** Facts that could not be observed, and what they would have shown. */
export const partlySeen = [endedTransactionsUnseen, historyCut, otherKafkaCluster] as const;
