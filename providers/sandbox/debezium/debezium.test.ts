import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ConnectPort } from "../../../core/ports/connect.ts";
import { isObject, type JsonObject, parseJson } from "../../../core/values/json.ts";
import { openConnect } from "../../connect/connect.ts";
import { until } from "../../connect/contract.ts";
import { quickClock } from "../../connect/testing/test-clock.ts";
import { MEANWHILE, OPEN_SCN } from "../migration/orders-script.ts";
import { type Sandbox, startSandbox } from "../sandbox.ts";
import { txIdOf } from "./change-records.ts";
import { DEBEZIUM_CONNECTOR, DEBEZIUM_TOPIC, type DebeziumPast, debezium } from "./legacy-task.ts";

const sandboxed = suite("the sandbox of a migration from Debezium");

async function atWork(past: DebeziumPast, body: (sandbox: Sandbox, connect: ConnectPort) => Promise<void>) {
  const sandbox = await startSandbox({ migration: debezium(past), connect: { commitInterval: 5, statusLag: 5 } });
  const connect = openConnect({ url: sandbox.connect.url, clock: quickClock() });
  try {
    await until("it is up to date", async () => sandbox.oracle.currentScn() >= (MEANWHILE.at(-1)?.scn ?? 0n));
    await body(sandbox, connect);
  } finally {
    await connect.close();
    await sandbox.close();
  }
}

async function payloads({ broker }: Sandbox): Promise<readonly JsonObject[]> {
  return (await broker.records(DEBEZIUM_TOPIC)).flatMap(({ value }) => {
    const json = value === null ? null : parseJson(Buffer.from(value).toString("utf8"));
    const payload = isObject(json) ? json["payload"] : undefined;
    return isObject(payload) ? [payload] : [];
  });
}

const source = (record: JsonObject): JsonObject => {
  const found = record["source"];
  return isObject(found) ? found : {};
};

const LAST = txIdOf("2.12.641");

for (const [version, more] of [
  ["2.7.3.Final", {}],
  ["3.6.1.Final", { txId: LAST, txSeq: 1n }],
] as const)
  sandboxed(`stores the offset of ${version}: below the oldest open transaction, with the last commit`, () =>
    atWork({ version }, async (_sandbox, connect) => {
      const wanted = { scn: String(OPEN_SCN - 1n), commit_scn: `2044960:1:${LAST}`, snapshot_scn: "2031500", ...more };
      await until("it has committed", async () => {
        const [entry] = await connect.offsets(DEBEZIUM_CONNECTOR);
        return entry?.offset?.["scn"] === wanted.scn;
      });
      assert.equal(await connect.offsets(DEBEZIUM_CONNECTOR), [{ partition: { server: "shop" }, offset: wanted }]);
    }),
  );

sandboxed("writes Debezium's envelopes: a snapshot, changes, and the row of an incremental snapshot", () =>
  atWork({}, async (sandbox) => {
    const records = await payloads(sandbox);
    const told = new Set(records.map((record) => `${source(record)["connector"]} ${source(record)["snapshot"]}`));
    assert.equal([...told], ["oracle true", "oracle false", "oracle incremental"]);
    const at = records.findIndex((record) => source(record)["snapshot"] === "incremental");
    const [streamed, again] = [records[at - 1], records[at]].map((record) => source(record ?? {}));
    assert.equal(
      ["scn", "commit_scn", "txId"].map((name) => again?.[name]),
      ["scn", "commit_scn", "txId"].map((name) => streamed?.[name]),
    );
    assert.is(records[at]?.["op"], "r");
  }),
);

sandboxed("keeps rows of before a truncate that was skipped, where asked to", () =>
  atWork({ skippedTruncate: true }, async (sandbox) => {
    const ids = (await payloads(sandbox)).flatMap(({ after }) => (isObject(after) ? [String(after["ORDER_ID"])] : []));
    assert.equal(ids.slice(0, 2), ["991", "992"]);
    assert.ok((await payloads(sandbox)).every(({ op }) => op !== "t"));
  }),
);

sandboxed.run();
