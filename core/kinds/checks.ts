import { columnsNotOfAvro, tablesNotOfAvro } from "../checks/avro-names.ts";
import { noSavedState, notACommonUser, pdbNotOpen, pdbNotSeen } from "../checks/capture-user.ts";
import type { Check } from "../checks/check.ts";
import { transactionsTimeOut, transactionsTooLong, workerWithoutExactlyOnce } from "../checks/connector.ts";
import {
  databaseTooOld,
  encryptionRequired,
  keepaliveTooLate,
  logsInsideAPdb,
  noArchiveDestination,
  noArchivelog,
  noFixedStatistics,
  noMinimalSupplementalLogging,
  notOneRedoThread,
  notPrimary,
} from "../checks/database.ts";
import { grantsMissing, tablesPossiblyUnreadable } from "../checks/grants.ts";
import { eventsCompacted, internalTopicMissing, journalNotKept } from "../checks/internal-topics.ts";
import {
  dictionaryOfStandby,
  frequentSwitches,
  noDictionary,
  rdsRetentionTooShort,
  rdsRetentionZero,
  retentionTooShort,
  undoTooShort,
} from "../checks/redo-kept.ts";
import { keylessBySetting, keylessRowsMove, noKey } from "../checks/table-keys.ts";
import { keyColumnsLoggedOnly, noSupplementalLogging } from "../checks/table-logging.ts";
import { addedTables, lobsUndecided, namesTooLong, noCapturedTables, unsupportedColumns } from "../checks/tables.ts";
import type { ChangeKind } from "../document/intent.ts";
import type { PreflightReading } from "../facts/preflight.ts";
import { cutoverChecks } from "./cutover/checks.ts";
import { returnChecks } from "./cutover-rollback/checks.ts";
import { offsetChangeChecks } from "./offset-change/checks.ts";
import { resnapshotChecks } from "./resnapshot/checks.ts";
import { retirementChecks } from "./retirement/checks.ts";
import { verificationChecks } from "./verification/checks.ts";

/** The checks of each kind of change, and those of a preflight, which decides nothing and has nothing to accept. */
export const CHECKS = {
  OffsetChange: offsetChangeChecks,
  Resnapshot: resnapshotChecks,
  cutover: cutoverChecks,
  verify: verificationChecks,
  rollback: returnChecks,
  retire: retirementChecks,
  Preflight: [
    encryptionRequired,
    databaseTooOld,
    notPrimary,
    noArchivelog,
    noArchiveDestination,
    notOneRedoThread,
    noMinimalSupplementalLogging,
    logsInsideAPdb,
    notACommonUser,
    pdbNotSeen,
    pdbNotOpen,
    grantsMissing,
    tablesPossiblyUnreadable,
    noCapturedTables,
    noSupplementalLogging,
    keyColumnsLoggedOnly,
    unsupportedColumns,
    namesTooLong,
    noKey,
    keylessBySetting,
    keylessRowsMove,
    lobsUndecided,
    columnsNotOfAvro,
    tablesNotOfAvro,
    addedTables,
    rdsRetentionZero,
    rdsRetentionTooShort,
    retentionTooShort,
    frequentSwitches,
    dictionaryOfStandby,
    noDictionary,
    undoTooShort,
    noFixedStatistics,
    noSavedState,
    keepaliveTooLate,
    journalNotKept,
    internalTopicMissing,
    eventsCompacted,
    transactionsTimeOut,
    transactionsTooLong,
    workerWithoutExactlyOnce,
  ] satisfies readonly Check<undefined, PreflightReading>[],
} satisfies Readonly<Record<ChangeKind | "Preflight", unknown>>;
