import { auditNotPassed } from "../../checks/audit/audit-evidence.ts";
import type { Check } from "../../checks/check.ts";
import { lateCommitPossible } from "../../checks/connector.ts";
import { legacyFailed } from "../../checks/connector-status.ts";
import {
  acceptedInVain,
  configurationInvalid,
  manualPropertiesOpen,
  missingSecrets,
  tablesNotCaptured,
  transformsColumns,
} from "../../checks/cutover-configuration.ts";
import {
  newNameTaken,
  offsetsOfEarlierConnector,
  prefixHasTopics,
  prefixShared,
  recordsOfEarlierConnector,
} from "../../checks/cutover-names.ts";
import { noRollbackWithoutAGap } from "../../checks/cutover-rollback.ts";
import { legacyRecordsFlat, topicsUndecided, versionAssumed } from "../../checks/debezium/legacy-topics.ts";
import { cutoverUndone } from "../../checks/managed-connector.ts";
import { otherKafkaCluster } from "../../checks/ops-topic.ts";
import type { CutoverReading } from "../../checks/readings.ts";
import { restoredElsewhere } from "../../checks/redo.ts";
import {
  namesAnotherDatabase,
  noDatabasePartition,
  otherIncarnation,
  positionAboveCurrent,
  positionUnreadable,
  redoNotAllThere,
  redoOfOpenTransactionGone,
  startAboveOpenTransactions,
  takeoverWarnings,
} from "../../checks/takeover.ts";
import { classNotInstalled, noRollbackByRest, workerTooOld } from "../../checks/worker.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import { databaseMinable } from "../connector/checks.ts";

/** The checks of a cutover, in display order: the specification's rules first. */
export const cutoverChecks: readonly Check<MigrationIntent, CutoverReading>[] = [
  positionUnreadable,
  otherIncarnation,
  positionAboveCurrent,
  namesAnotherDatabase,
  redoNotAllThere,
  noDatabasePartition,
  startAboveOpenTransactions,
  redoOfOpenTransactionGone,
  manualPropertiesOpen,
  tablesNotCaptured,
  transformsColumns,
  missingSecrets,
  classNotInstalled,
  configurationInvalid,
  legacyRecordsFlat,
  auditNotPassed,
  newNameTaken,
  offsetsOfEarlierConnector,
  prefixHasTopics,
  recordsOfEarlierConnector,
  prefixShared,
  topicsUndecided,
  workerTooOld,
  ...databaseMinable,
  cutoverUndone,
  legacyFailed,
  noRollbackByRest,
  noRollbackWithoutAGap,
  acceptedInVain,
  takeoverWarnings,
  versionAssumed,
  lateCommitPossible,
  restoredElsewhere,
  otherKafkaCluster,
];
