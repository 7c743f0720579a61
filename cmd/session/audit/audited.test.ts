/** An audit of Debezium's connector as the command carries it out: what it asks of the workers, and flat rows. */
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { DEBEZIUM_CONNECTOR, DEBEZIUM_PREFIX, debezium } from "../../../providers/sandbox/debezium/legacy-task.ts";
import { startSandbox } from "../../../providers/sandbox/sandbox.ts";
import { inFolder } from "../../bad-input/table.ts";
import { runApart } from "../testing/run-apart.ts";

const audits = suite("an audit of Debezium's connector");

const UNWRAP = { transforms: "unwrap", "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState" };

audits("only reads, and says of flat rows that nothing can read them", async () => {
  const sandbox = await startSandbox({ migration: debezium() });
  try {
    const { url, cluster, requests } = sandbox.connect;
    const legacy = sandbox.migration?.legacyConfig ?? {};
    const offset = { scn: "2044799", commit_scn: "2044960:1:" };
    cluster.offsets.write("flat", [{ partition: { server: DEBEZIUM_PREFIX }, offset }]);
    await cluster.create("flat", { ...legacy, ...UNWRAP }, "STOPPED").settled;
    const own = {
      "cdc.database.host": legacy["database.hostname"],
      "cdc.database.port": legacy["database.port"],
      "cdc.database.service": legacy["database.dbname"],
      "cdc.database.user": legacy["database.user"],
      "cdc.database.password": legacy["database.password"],
      "cdc.stream.bootstrap.servers": legacy["schema.history.internal.kafka.bootstrap.servers"],
    };
    await inFolder({ "own.json": JSON.stringify(own) }, async (folder) => {
      const audit = (connector: string, table: string) =>
        runApart([
          ...["migrate", "verify", "--audit", "--connect-url", url, "--connector", connector, "--table", table],
          ...["--input", join(folder, "own.json"), "--work-dir", folder],
        ]);
      const whole = await audit(DEBEZIUM_CONNECTOR, "SALES.ORDERS");
      assert.is(whole.exit, 0, whole.stderr);
      assert.match(whole.stdout, /orders-debezium {2}audit {2}passed/);
      const flat = await audit("flat", "SALES.ORDERS=shop.SALES.ORDERS");
      assert.is.not(flat.exit, 0);
      assert.match(`${flat.stdout}${flat.stderr}`.replaceAll(/\s+/g, " "), /ExtractNewRecordState.*flat rows/);
    });
    assert.equal(
      requests.filter(({ method }) => method !== "GET"),
      [],
    );
  } finally {
    await sandbox.close();
  }
});

audits.run();
