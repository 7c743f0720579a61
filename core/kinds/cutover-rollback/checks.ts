import type { Check } from "../../checks/check.ts";
import { lateCommitPossible } from "../../checks/connector.ts";
import { legacyNotStopped } from "../../checks/connector-status.ts";
import { legacyOffsetsChanged, legacyStartsAtCurrent, newTopicsUnclear } from "../../checks/cutover-rollback.ts";
import { returnUndone } from "../../checks/managed-connector.ts";
import { otherKafkaCluster } from "../../checks/ops-topic.ts";
import type { ReturnReading } from "../../checks/readings.ts";
import {
  legacyAboveCurrent,
  legacyOtherIncarnation,
  legacyPositionUnreadable,
  redoOfLegacyGone,
} from "../../checks/takeover.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import { changeRecorded } from "../connector/checks.ts";

/** The checks of the rollback of a cutover, in display order: the specification's rules first. */
export const returnChecks: readonly Check<MigrationIntent, ReturnReading>[] = [
  legacyPositionUnreadable,
  legacyOtherIncarnation,
  legacyAboveCurrent,
  redoOfLegacyGone,
  legacyOffsetsChanged,
  legacyStartsAtCurrent,
  newTopicsUnclear,
  ...changeRecorded,
  returnUndone,
  legacyNotStopped,
  lateCommitPossible,
  otherKafkaCluster,
];
