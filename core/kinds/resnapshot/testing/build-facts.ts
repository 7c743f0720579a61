import type {
  ConnectorStatus,
  RedoCatalogue,
  ResnapshotFacts,
  TopicSeen,
} from "../../../../schemas/generated/facts.ts";
import type { TableSeen } from "../../../../schemas/generated/shared.ts";
import type { Check } from "../../../checks/check.ts";
import { findings } from "../../../checks/finding.ts";
import type { ResnapshotReading } from "../../../checks/readings.ts";
import { worded } from "../../../checks/testing/wording.ts";
import type { ResnapshotIntent } from "../../../document/intent.ts";
import { lineOf } from "../../../values/remedy.ts";
import {
  archived,
  CATALOGUE,
  type FactsParts as ConnectorParts,
  facts as connectorFacts,
  known,
  RUNNING,
  topicNamed,
} from "../../offset-change/testing/build-facts.ts";
import { readResnapshot } from "../reading.ts";

/**
 * Whole, valid facts, intents and readings of resnapshots for tests: `orders-cdc` captures three tables, two of them
 * are named, and all redo is there.
 */

/** The log that holds the stored position, sequence 121, is purged: redo exists again from 2220000 on. */
export const PURGED: RedoCatalogue = {
  ...CATALOGUE,
  archived: CATALOGUE.archived.map((log) =>
    log.sequence === 121n ? archived(121n, 2204000n, 2220000n, { deleted: true, status: "D" }) : log,
  ),
};

/** Where redo exists again in `PURGED`. */
export const AFTER_GAP = 2220000n;

/** The state before a gap: the connector goes on RUNNING over its failed task. */
export const FAILED: ConnectorStatus = {
  ...RUNNING,
  tasks: [{ id: 0n, state: "FAILED", worker: "worker-2:8083", trace: "CDC-2002 log purged\n\tat Task.poll" }],
};

export function table(name: string, owner = "SALES", container = "ORCLPDB1"): TableSeen {
  return { container, owner, name };
}

/** `T1`, `T2` … of SALES. */
export function tables(count: number): readonly TableSeen[] {
  return Array.from({ length: count }, (_, i) => table(`T${i + 1}`));
}

export const ORDERS = "ORCLPDB1.SALES.ORDERS";
export const LINES = "ORCLPDB1.SALES.LINES";
export const ITEMS = "ORCLPDB1.SALES.ITEMS";

export const topic = (parts: Partial<TopicSeen> = {}): TopicSeen => topicNamed("orders.cdc.signals", parts);

export interface FactsParts extends Omit<ConnectorParts, "kind" | "target"> {
  /** Tables in the dictionary; all of SALES are captured. */
  readonly tables?: readonly TableSeen[];
  readonly signalsTopic?: ResnapshotFacts["signalsTopic"];
  readonly signals?: NonNullable<ResnapshotFacts["signals"]>;
  readonly dictionary?: ResnapshotFacts["dictionary"];
  readonly activity?: ResnapshotFacts["activity"];
  readonly rowScns?: ResnapshotFacts["rowScns"];
}

export function facts(parts: FactsParts = {}): ResnapshotFacts {
  const { tables: seen, signalsTopic, signals, dictionary, activity, rowScns, ...rest } = parts;
  const { kind: _kind, target: _target, ...common } = connectorFacts(rest);
  return {
    ...common,
    kind: "Resnapshot",
    signalsTopic: signalsTopic ?? known(topic()),
    signals: signals ?? known({ end: 0n, unread: [] }),
    dictionary:
      dictionary ??
      known({
        containers: [{ name: "ORCLPDB1", openMode: "READ WRITE" }],
        answering: ["ORCLPDB1"],
        tables: seen ?? [table("ORDERS"), table("LINES"), table("ITEMS"), table("EMPLOYEES", "HR")],
      }),
    activity: activity ?? known([]),
    rowScns: rowScns ?? known([]),
  };
}

export interface IntentParts extends Partial<Omit<ResnapshotIntent, "origin">> {
  readonly by?: ResnapshotIntent["origin"]["by"];
}

/** ORDERS and LINES again, by a plan file, unless the parts say otherwise. */
export function intent({ by = "plan file", ...parts }: IntentParts = {}): ResnapshotIntent {
  return {
    kind: "Resnapshot",
    metadata: { name: "orders-after-purge", reason: "archived logs purged during the outage", ticket: undefined },
    target: { context: "prod", connectUrl: undefined, connector: "orders-cdc" },
    origin: {
      by,
      file: by === "plan file" ? "orders-after-purge.yaml" : undefined,
      lines: by === "plan file" ? { spec: 10n, "spec.tables": 11n, "spec.skipGapForUnlistedTables": 12n } : {},
    },
    tables: [ORDERS, LINES],
    skipGapForUnlistedTables: "none",
    readRowScns: false,
    waitForTransactions: undefined,
    waitForAck: undefined,
    resume: false,
    opsFormat: undefined,
    accept: [],
    ...parts,
  };
}

/** All redo is there, so that a signal is enough, unless the parts say otherwise. */
export function reading(parts: FactsParts = {}, wanted: ResnapshotIntent = intent()): ResnapshotReading {
  return readResnapshot(wanted, facts(parts));
}

/** Redo is gone, and there again after a gap. */
export function pastTheGap(
  parts: Omit<FactsParts, "catalogue"> = {},
  wanted: ResnapshotIntent = intent(),
): ResnapshotReading {
  return reading({ ...parts, catalogue: PURGED }, wanted);
}

/** What follows from a check: `none` when it passes. */
export function effectOf(
  check: Check<ResnapshotIntent, ResnapshotReading>,
  on: ResnapshotReading,
  wanted: ResnapshotIntent = intent(),
): string {
  return findings([worded(check)], wanted, on)[0]?.effect ?? "no finding";
}

/** What a check saw, and the ways out that it offers, one a line; empty when it passes. */
export function resultOf(
  check: Check<ResnapshotIntent, ResnapshotReading>,
  on: ResnapshotReading,
  wanted: ResnapshotIntent = intent(),
): string {
  return findings([worded(check)], wanted, on)
    .flatMap(({ seen, remedies }) => [seen ?? "", ...remedies.map(lineOf)])
    .join("\n");
}
