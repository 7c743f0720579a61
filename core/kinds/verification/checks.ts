import type { Check } from "../../checks/check.ts";
import { newConnectorNotRunning } from "../../checks/connector-status.ts";
import { otherKafkaCluster } from "../../checks/ops-topic.ts";
import type { VerificationReading } from "../../checks/readings.ts";
import { notSubmittable } from "../../checks/verification-engine.ts";
import { newConnectorMissing, nothingToVerify, strayTables, tableNotFound } from "../../checks/verification-tables.ts";
import {
  legacyTopicMissing,
  legacyTopicRetired,
  newTopicMissing,
  recordsNotKept,
  topicOfBoth,
} from "../../checks/verification-topics.ts";
import type { MigrationIntent } from "../../document/intent.ts";

/** The checks of a verification, in the order in which they are shown: the specification's rules first. */
export const verificationChecks: readonly Check<MigrationIntent, VerificationReading>[] = [
  nothingToVerify,
  tableNotFound,
  strayTables,
  newConnectorMissing,
  topicOfBoth,
  legacyTopicMissing,
  legacyTopicRetired,
  newTopicMissing,
  recordsNotKept,
  notSubmittable,
  newConnectorNotRunning,
  otherKafkaCluster,
];
