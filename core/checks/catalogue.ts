import type { ChangeKind } from "../document/intent.ts";
import type { PreflightReading } from "../facts/preflight.ts";
import { cutoverChecks } from "../kinds/cutover/checks.ts";
import { returnChecks } from "../kinds/cutover-rollback/checks.ts";
import { offsetChangeChecks } from "../kinds/offset-change/checks.ts";
import { resnapshotChecks } from "../kinds/resnapshot/checks.ts";
import { retirementChecks } from "../kinds/retirement/checks.ts";
import { verificationChecks } from "../kinds/verification/checks.ts";
import { columnsNotOfAvro, tablesNotOfAvro } from "./avro-names.ts";
import { noSavedState, notACommonUser, pdbNotOpen, pdbNotSeen } from "./capture-user.ts";
import type { Check } from "./check.ts";
import { transactionsTimeOut, transactionsTooLong, workerWithoutExactlyOnce } from "./connector.ts";
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
} from "./database.ts";
import { grantsMissing, tablesPerhapsUnreadable } from "./grants.ts";
import { eventsCompacted, internalTopicMissing, journalNotKept } from "./internal-topics.ts";
import {
  dictionaryOfStandby,
  frequentSwitches,
  noDictionary,
  rdsRetentionTooShort,
  rdsRetentionZero,
  retentionTooShort,
  undoTooShort,
} from "./redo-kept.ts";
import { keylessBySetting, keylessRowsMove, noKey } from "./table-keys.ts";
import { keyColumnsLoggedOnly, noSupplementalLogging } from "./table-logging.ts";
import { addedTables, lobsUndecided, namesTooLong, noCapturedTables, unsupportedColumns } from "./tables.ts";

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
    tablesPerhapsUnreadable,
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

/** Every code with its meaning: the checks that plans have, and those that only a preflight has. */
export function checksByCode() {
  const { Preflight, ...planned } = CHECKS;
  // Several kinds share checks, or a code that means the same for each of them.
  const byCode = new Map(
    Object.values(planned).flatMap((checks) => checks.map((check) => [check.code, check] as const)),
  );
  return { planned: [...byCode.values()], preflight: Preflight.filter(({ code }) => !byCode.has(code)) };
}
