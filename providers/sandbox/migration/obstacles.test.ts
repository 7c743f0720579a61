import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openConnect } from "../../connect/connect.ts";
import { quickClock } from "../../connect/testing/test-clock.ts";
import { openKafka } from "../../kafka/open-kafka.ts";
import { startSandbox } from "../sandbox.ts";
import { type OBSTACLES, OLD_TABLE } from "./obstacles.ts";
import { MIGRATION_SCENARIO, NEW_CONNECTOR, NEW_TOPIC } from "./scenario.ts";
import { LEGACY_CONNECTOR, LICENCE_TOPIC } from "./stage.ts";

const obstacles = suite("obstacles to a migration");

obstacles("can each be created in the scenario, once its file exists", async () => {
  const sandbox = await startSandbox({ ...MIGRATION_SCENARIO.options, connect: { commitInterval: 5, statusLag: 0 } });
  const connect = openConnect({ url: sandbox.connect.url, clock: quickClock() });
  const kafka = openKafka({ bootstrapServers: sandbox.broker.address, properties: {} });
  const happen = (name: keyof typeof OBSTACLES) => MIGRATION_SCENARIO.events?.[name]?.(sandbox);
  try {
    assert.equal(await connect.offsets(NEW_CONNECTOR).catch(({ kind }) => kind), "missing");
    happen("offsets-left");
    assert.is(sandbox.stored()?.["resume_scn"], 2_041_000n);

    happen("old-table");
    const tables = (await connect.offsets(LEGACY_CONNECTOR)).flatMap(({ partition }) => partition["table"] ?? []);
    assert.equal(tables.toSorted(), ["ORDERS", OLD_TABLE]);
    assert.ok(sandbox.oracle.archivedLogs.some(({ sequence, deleted }) => sequence === 118n && deleted));

    happen("old-transaction");
    assert.equal(
      sandbox.oracle.transactions.filter(({ user }) => user === "REPORTS").map(({ startScn }) => startScn),
      [2_003_000n],
    );

    assert.equal(
      (await kafka.topics()).filter((name) => name.startsWith("orders.")),
      [],
    );
    happen("topics-left");
    assert.ok((await kafka.topics()).includes(NEW_TOPIC));

    happen("prefix-taken");
    assert.is((await connect.connector("shipping-cdc"))?.config["cdc.topic.prefix"], "orders");
    happen("another-legacy");
    assert.is((await connect.connector("returns-legacy"))?.config["confluent.topic"], LICENCE_TOPIC);

    happen("strimzi");
    assert.match((await connect.status(LEGACY_CONNECTOR))?.worker ?? "", ".kafka.svc:8083");

    const current = sandbox.oracle.onlineLogs.find(({ status }) => status === "CURRENT")?.sequence;
    happen("redo-purged");
    assert.not.ok(sandbox.oracle.onlineLogs.some(({ sequence }) => sequence === current));
    assert.ok(sandbox.oracle.archivedLogs.some(({ sequence, deleted }) => sequence === current && deleted));
  } finally {
    await kafka.close();
    await connect.close();
    await sandbox.close();
  }
});

obstacles.run();
