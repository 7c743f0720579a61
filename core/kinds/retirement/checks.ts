import type { Check } from "../../checks/check.ts";
import { legacyStillWorks, newConnectorNotDelivering } from "../../checks/connector-status.ts";
import { retirementUndone } from "../../checks/managed-connector.ts";
import { otherKafkaCluster } from "../../checks/ops-topic.ts";
import type { RetirementReading } from "../../checks/readings.ts";
import {
  changedSinceVerification,
  columnsNotCompared,
  evidenceOfOthers,
  noEvidence,
  tablesNotCovered,
  verificationNotPassed,
} from "../../checks/retirement-evidence.ts";
import {
  consumersActive,
  legacyTopicNotFound,
  licenceTopicInUse,
  lobTopicsStay,
  topicNotVerified,
  topicOfOtherLegacy,
  topicSpared,
} from "../../checks/retirement-topics.ts";
import type { MigrationIntent } from "../../document/intent.ts";

/** The checks of a retirement, in display order: the specification's rules first. */
export const retirementChecks: readonly Check<MigrationIntent, RetirementReading>[] = [
  noEvidence,
  evidenceOfOthers,
  changedSinceVerification,
  verificationNotPassed,
  tablesNotCovered,
  consumersActive,
  retirementUndone,
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
];
