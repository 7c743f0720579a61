import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, resultOf, unseen } from "../doctor/testing/build-preflight.ts";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { effectOf, intent, reading } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import {
  lateCommitPossible,
  otherConnectorClass,
  transactionsTimeOut,
  transactionsTooLong,
  workerWithoutExactlyOnce,
} from "./connector.ts";
import { worded } from "./testing/wording.ts";

const CON301 = suite("CON301 another connector class");

CON301("passes for a connector with settings of the CDC source", () => {
  assert.is(effectOf(otherConnectorClass, reading()), "none");
});

CON301("refuses the legacy connector, and names the migration", () => {
  const connectorClass = "io.confluent.connect.oracle.cdc.OracleCdcSourceConnector";
  const verdict = worded(otherConnectorClass).run(intent(), reading({ connector: { connectorClass } }));
  assert.is(verdict.verdict, "fail");
  assert.match(JSON.stringify(verdict), "took over from it");
});

CON301("refuses any connector without cdc.database settings, whatever the plan file accepts", () => {
  const wanted = intent({ accept: ["CON301"] });
  const other = reading({ connector: { connectorClass: "org.example.Sink", config: { topics: "orders" } } });
  assert.is(effectOf(otherConnectorClass, other, wanted), "blocks");
  assert.is(effectOf(otherConnectorClass, other, intent({ by: "admin" })), "blocks");
  const without = reading({ connector: { connectorClass: undefined, config: { topics: "orders" } } });
  assert.is(effectOf(otherConnectorClass, without), "blocks");
});

CON301("refuses a resnapshot of it too, even by a signal alone", () => {
  const parts = { connector: { connectorClass: "org.example.Sink", config: { topics: "orders" } } };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)])
    assert.is(resnapshot.effectOf(otherConnectorClass, on), "blocks");
});

const CON304 = suite("CON304 a late commit is possible");

CON304("always warns, because exactly-once support cannot be observed, and never blocks", () => {
  for (const by of ["plan file", "admin", "rollback"] as const)
    assert.is(effectOf(lateCommitPossible, reading(), intent({ by })), "warns");
});

CON304("does not apply to a signal alone: no offset is changed", () => {
  const parts = {};
  assert.is(resnapshot.effectOf(lateCommitPossible, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.effectOf(lateCommitPossible, resnapshot.pastTheGap(parts)), "warns");
});

CON304("calls it overlap for a cutover; warns for a rollback with an offset to delete that it undoes it", () => {
  assert.match(migration.resultOf(lateCommitPossible, migration.cutover()), "overlap, never a gap");
  assert.match(migration.resultOf(lateCommitPossible, migration.goingBack()), "could undo the change");
  assert.is(migration.effectOf(lateCommitPossible, migration.goingBack({ next: null })), "none");
});

const CON309 = suite("CON309 exactly-once transactions");

CON309("passes where they are not requested, or end before their timeout; fails otherwise", () => {
  const on = (batchMillis: number) => ({
    settings: { exactlyOnce: { by: "exactly.once.support=required", batchMillis, timeoutMillis: 60_000 } },
  });
  assert.match(resultOf(transactionsTimeOut), "pass: exactly-once delivery is not required");
  assert.match(
    resultOf(transactionsTimeOut, on(59_999)),
    "pass: exactly.once.support=required; cdc.eos.batch.max.ms is",
  );
  assert.is(
    resultOf(transactionsTimeOut, on(60_000)),
    "fail: exactly.once.support=required; cdc.eos.batch.max.ms is 60000, transaction.timeout.ms 60000",
  );
});

const CON310 = suite("CON310 the brokers' limit of transactions");

CON310("passes up to the brokers' limit, fails beyond it, and is unknown where they do not report it", () => {
  const on = (timeoutMillis: number) => ({
    settings: { exactlyOnce: { by: "exactly.once.support=required", batchMillis: 500, timeoutMillis } },
  });
  assert.match(resultOf(transactionsTooLong), "pass: exactly-once delivery is not required");
  assert.match(resultOf(transactionsTooLong, on(900_000)), /^pass: transaction\.timeout\.ms is 900000/);
  assert.is(
    resultOf(transactionsTooLong, on(900_001)),
    "fail: transaction.timeout.ms is 900001, transaction.max.timeout.ms of the brokers 900000",
  );
  const untold = { ...on(1), maxTransactionMillis: unseen("no right to describe the brokers") };
  assert.is(resultOf(transactionsTooLong, untold), "unknown: no right to describe the brokers");
});

const CON311 = suite("CON311 exactly-once source support of the worker");

CON311(
  "passes where it is not required or the worker has it; fails where the worker does not; unknown does not pass",
  () => {
    const settings = { exactlyOnce: { by: "exactly.once.support=required", batchMillis: 500, timeoutMillis: 60_000 } };
    const off = known(false);
    assert.match(resultOf(workerWithoutExactlyOnce, { exactlyOnceSource: off }), "pass: exactly-once delivery is not");
    assert.is(
      resultOf(workerWithoutExactlyOnce, { settings }),
      "pass: exactly.once.support=required; exactly-once source support is enabled on the worker",
    );
    assert.is(
      resultOf(workerWithoutExactlyOnce, { settings, exactlyOnceSource: off }),
      "fail: exactly.once.support=required; exactly-once source support is not enabled on the worker",
    );
    const untold = { settings, exactlyOnceSource: unseen("no worker is named") };
    assert.is(resultOf(workerWithoutExactlyOnce, untold), "unknown: no worker is named");
  },
);

CON311.run();
CON310.run();
CON309.run();
CON301.run();
CON304.run();
