import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { InFlight } from "../../core/change/ops-topics.ts";
import type { Observed } from "../../core/facts/observed.ts";
import type { RecordedChange } from "../../core/facts/ops/ops-event.ts";
import { commandsToSettle } from "../../core/run/ways-to-settle.ts";
import { instantOf } from "../../core/values/instant.ts";
import { printJson } from "../../core/values/json.ts";
import type { ConnectorStatus, RecordedEvent } from "../../schemas/generated/facts.ts";
import { type ConnectorView, connectorReport, connectorsDocument, connectorsReport } from "./connectors.ts";

const connectors = suite("next steps after a status of connectors");

const AT = { url: "http://localhost:8083", context: "prod" };
const EPOCH = instantOf(0);
const observed = <T>(value: T): Observed<T> => ({ known: true, value, source: "ops topic", at: EPOCH });
const status = (state: ConnectorStatus["state"], trace?: string): ConnectorStatus => ({
  state,
  worker: "w:8083",
  tasks:
    state === "STOPPED"
      ? []
      : [{ id: 0n, state: "RUNNING", worker: "w:8083", ...(trace !== undefined && { state: "FAILED", trace }) }],
});

const shown = (more: Partial<ConnectorView> = {}): ConnectorView => ({
  name: "orders-cdc",
  kind: "cdc",
  className: "sh.oso.connect.oracle.OracleCdcSourceConnector",
  status: status("RUNNING"),
  failed: false,
  stored: undefined,
  unread: undefined,
  lag: undefined,
  change: observed(undefined),
  elsewhere: [],
  unsettled: [],
  ...more,
});

const stopped = shown({ status: status("STOPPED") });
const failed = (trace: string) => shown({ status: status("RUNNING", trace), failed: true });
const farAway = shown({ lag: { known: false, why: "no answer from the database", source: "database" } });
const behind = shown({
  lag: { known: true, value: { scns: 33_000n, at: EPOCH, millis: 3_300_000 }, source: "V$DATABASE", at: EPOCH },
});
const details = {
  operator: "ben",
  direction: "backward",
  previous_resume_scn: "9",
  new_resume_scn: "7",
  reason: "",
  run: "run-7",
};
const event = { at: EPOCH, record: { time: EPOCH }, details: { ...details, command: "offsets set" } };
const inFlight = observed({ outcome: "applying", event } as unknown as RecordedChange<RecordedEvent>);

const SHOW = "cdcctl connectors show orders-cdc --context prod";
const RESTART = "cdcctl connectors restart orders-cdc --context prod     # after fixing the cause";

for (const [name, one, next] of [
  ["a running connector needs nothing", shown(), []],
  ["a stopped connector is shown first: whether it may be started is not known here", stopped, [SHOW]],
  ["a failed connector is shown first", failed("CDC-2001 sequence 119"), [SHOW]],
  ["a connector with an unknown lag is shown", farAway, [SHOW]],
  ["a running connector that is far behind is shown", behind, [SHOW]],
  ["an unsettled run comes before all", { ...stopped, unsettled: ["run-1"] }, commandsToSettle("run-1")],
] as const)
  connectors(`a list: ${name}`, () => {
    assert.equal(connectorsReport({ ...AT, shown: [one], others: 0 }).next, next);
  });

for (const [name, one, next] of [
  ["a running connector needs nothing", shown(), []],
  [
    "a running connector that is far behind: why",
    behind,
    [
      "cdcctl doctor explain-lag --context prod --name orders-cdc     # --jmx-url or --metrics-url adds what the " +
        "task reports",
    ],
  ],
  ["a stopped connector is started", stopped, ["cdcctl connectors resume orders-cdc --context prod     # to start it"]],
  [
    "a code of the connector is explained",
    failed("org.x.ConnectException: CDC-7001 3:4.9.771\n\tat CDC-2001"),
    ["cdcctl explain CDC-7001", RESTART],
  ],
  ["a trace without a known code is not", failed("CDC-9999 of a later connector"), [RESTART]],
  [
    "an unknown lag requires the database",
    farAway,
    ["cdcctl admin offsets show --context prod --name orders-cdc --check-redo"],
  ],
  ["an unsettled run comes before all", { ...stopped, unsettled: ["run-1"] }, commandsToSettle("run-1")],
] as const)
  connectors(`one connector: ${name}`, () => {
    assert.equal(connectorReport(one, AT).next, next);
  });

connectors(
  "one connector: a failed task shows its code's title and what happened, and no command of another tool",
  () => {
    const trace =
      "org.x.ConnectException: [CDC-2002] Log 119 is gone. Operator action: Run java. Runbook: https://x/y\n\tat x";
    const text = printJson(connectorReport(failed(trace), AT));
    assert.match(text, "CDC-2002: A log is deleted or can't be opened");
    assert.match(text, '"CDC-2002 Log 119 is gone."');
    assert.not.match(text, "java");
  },
);

connectors("one connector: its last stop is shown unless it stands there now", () => {
  const lastStop = { at: "2026-11-20T18:00:00Z", server: "orders", error: "CDC-4001 The spill is full." };
  assert.match(printJson(connectorReport(shown({ lastStop }), AT)), "2026-11-20 18:00:00Z CDC-4001 The spill is full.");
  const standing = { ...failed("[CDC-4001] The spill is full."), lastStop };
  assert.not.match(printJson(connectorReport(standing, AT)), "Last stop");
  assert.match(printJson(connectorsDocument({ ...AT, shown: [shown({ lastStop })], others: 0 })), '"last_stop"');
});

const others = (inFlight: InFlight, connector = "orders-cdc") => [
  { connector, at: { context: "prod", connectUrl: AT.url }, inFlight },
];
const FROM_OPS = "cdcctl recover --from-ops --context prod --connector orders-cdc";
const BOTH_WAYS = [
  `${FROM_OPS}     # to finish it, if no process is applying it; otherwise wait`,
  `${FROM_OPS} --abandon     # to call it off, and change nothing more`,
];
const SENTENCE = "1970-01-01 00:00:00Z by ben (self-asserted): offsets set backward from 9 to 7, applying, run run-7";

connectors(
  "a run in flight on another machine: who, since when and what, and to wait, to finish it or to call it off",
  () => {
    const one = { ...stopped, change: inFlight, elsewhere: others(inFlight) };
    assert.equal(connectorReport(one, AT).next, BOTH_WAYS);
    assert.match(printJson(connectorReport(one, AT)), `"${SENTENCE}"`);
    const list = connectorsReport({ ...AT, shown: [one, shown({ name: "billing-cdc" })], others: 0 });
    assert.equal(list.next, BOTH_WAYS);
    assert.match(printJson(list), `"orders-cdc: in flight on another machine: ${SENTENCE}"`);
    assert.match(printJson(list), '"1 with a change in flight"');
    assert.equal(
      connectorsDocument({ ...AT, shown: [one], others: 0 }).connectors[0]?.elsewhere.map(({ next }) => next),
      [BOTH_WAYS],
    );
  },
);

connectors("one connector: a change in flight that a later change came after is shown beside it", () => {
  const later = { outcome: "applied", event } as unknown as RecordedChange<RecordedEvent>;
  assert.match(
    printJson(connectorReport({ ...stopped, change: observed(later), elsewhere: others(inFlight) }, AT)),
    "in flight on another machine",
  );
  assert.not.match(
    printJson(connectorReport({ ...stopped, change: inFlight, elsewhere: others(inFlight) }, AT)),
    "in flight on another machine",
  );
});

connectors("a list: a topic that could not be read is not one without changes: one line a reason", () => {
  const unread = { known: false, why: "broker:9092 does not answer", source: "ops topic" } as const;
  const all = [
    shown({ elsewhere: others(unread) }),
    shown({ name: "billing-cdc", elsewhere: others(unread, "billing-cdc") }),
    shown({ name: "sound-cdc", elsewhere: others(observed(undefined), "sound-cdc") }),
  ];
  const text = printJson(connectorsReport({ ...AT, shown: all, others: 0 }));
  assert.match(
    text,
    "runs on other machines were not looked up (orders-cdc, billing-cdc): broker:9092 does not answer",
  );
  const { connectors: documents } = connectorsDocument({ ...AT, shown: all, others: 0 });
  assert.equal(
    documents.map(({ elsewhere }) => elsewhere.map(({ change }) => change)),
    [[{ unknown: "broker:9092 does not answer" }], [{ unknown: "broker:9092 does not answer" }], []],
  );
});

connectors("a list: a legacy connector has no ops topic: nothing is said of it", () => {
  const legacy = shown({ kind: "legacy", change: undefined });
  assert.not.match(printJson(connectorsReport({ ...AT, shown: [legacy], others: 0 })), "not looked up");
});

connectors.run();
