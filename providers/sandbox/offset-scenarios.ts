import { encodeOpsEvent } from "../../core/facts/ops/ops-event.ts";
import { canonicalJson, type JsonObject } from "../../core/values/json.ts";
import { healthyWorld } from "./oracle/world.ts";
import { CONNECTOR, PREFIX, type Sandbox, STORED_SCN, storedOffset } from "./sandbox.ts";
import { contexts, planFile, type Scenario } from "./scenario.ts";

const STORED = storedOffset(healthyWorld());
const SHOW = "cdcctl admin offsets show --connect-url $CONNECT --name orders-cdc";

/**
 * The offset after a first start at 2044000 that mines from the oldest transaction open then; nothing is acknowledged
 * yet.
 */
const FIRST_START: JsonObject = {
  ...STORED,
  resume_scn: 2_043_500n,
  last_commit_scn: 0n,
  last_commit_xid: null,
  last_commit_thread: 0n,
  event_index: 0n,
  start_floor_scn: 2_044_000n,
  start_open_scn: 2_043_990n,
  start_open_xids: "3:9.1.44",
};

/** What a run has stored before, as the ops topic records it. */
export const RECORDED: JsonObject = { ...STORED, resume_scn: 2_030_000n, last_commit_scn: 2_029_990n };
export const OPS_TOPIC = `${PREFIX}.cdc.ops`;
const RECORDED_RUN = "2026-11-20T08-00-00Z-0a1b";

/** Records in the ops topic that a run has stored an offset. */
export function recordStored({ broker }: Pick<Sandbox, "broker">, offset: JsonObject = RECORDED): void {
  for (const outcome of ["applying", "applied"] as const)
    broker.append(OPS_TOPIC, [
      encodeOpsEvent(
        {
          at: "2026-11-20T08:00:10Z",
          server: PREFIX,
          details: {
            connector: CONNECTOR,
            command: "offsets set",
            reason: "replay after the bad deploy",
            operator: "ana",
            direction: "backward",
            previous_resume_scn: String(STORED_SCN),
            new_resume_scn: String(offset["resume_scn"]),
            outcome,
            run: RECORDED_RUN,
            previous_offset: canonicalJson(STORED),
            new_offset: canonicalJson(offset),
          },
        },
        "json",
      ),
    ]);
}

/** Offsets that a move has to treat in another way. */
export const OFFSET_SCENARIOS: readonly Scenario[] = [
  {
    name: "first-start-cut",
    about: "A connector that has acknowledged no commit yet: a move back below its start lifts the first-start cut.",
    options: { state: "STOPPED", offset: FIRST_START },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "orders-replay.yaml": planFile("orders-replay", "replay from before the first start", "scn: 2020000"),
    }),
    tries: [
      `${SHOW}   # names the cut`,
      "cdcctl plan orders-replay.yaml        # lifts it",
      "cdcctl apply orders-replay.yaml",
      "cdcctl rollback                       # restores it",
    ],
  },
  {
    name: "unreadable-offset",
    about: "The stored offset has no version, and the task stops with CDC-3002: the last recorded one is written back.",
    options: { state: "STOPPED", offset: { ...STORED, v: null } },
    files(sandbox) {
      recordStored(sandbox);
      return {
        "contexts.yaml": contexts(sandbox),
        "orders-replay.yaml": planFile("orders-replay", "replay after the bad deploy", "scn: 2010000"),
        "orders-recorded.yaml": planFile(
          "orders-recorded",
          "the stored offset has lost its version",
          "lastRecorded: true",
        ),
      };
    },
    tries: [
      `${SHOW}   # raw, with the reason`,
      "cdcctl plan orders-replay.yaml        # refused: OFF105",
      "cdcctl plan orders-recorded.yaml      # every field before and after",
      "cdcctl apply orders-recorded.yaml",
    ],
  },
];
