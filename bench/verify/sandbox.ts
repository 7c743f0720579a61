/**
 * The loopback world of the whole verification, in a separate process: Connect with the new connector's offset, and the
 * database with the generated table. Prints its addresses, and for every line it receives its processor time in
 * milliseconds; ends with its input.
 *
 * sandbox.js TEMPLATE PASSES [BROKERS]
 */
import { createInterface } from "node:readline";
import { healthyWorld } from "../../providers/sandbox/oracle/world.ts";
import { startSandbox, storedOffset } from "../../providers/sandbox/sandbox.ts";
import { CHECK_SCN, LEGACY_TOPIC, NEW_TOPIC, START_SCN, withBigTable } from "./big-table.ts";

const [template = "", passes = "", brokers] = process.argv.slice(2);

const sandbox = await startSandbox({
  oracle: (world) => withBigTable(world, Number(template), Number(passes)),
  offset: { ...storedOffset(healthyWorld()), resume_scn: CHECK_SCN + 1n },
  state: "STOPPED",
  config: {
    "cdc.start.scn": String(START_SCN),
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    ...(brokers === undefined ? {} : { "cdc.stream.bootstrap.servers": brokers }),
  },
  broker: { topics: { [NEW_TOPIC]: { partitions: 2 }, [LEGACY_TOPIC]: { partitions: 1 } } },
});

const print = (what: object): void => void process.stdout.write(`${JSON.stringify(what)}\n`);
print({
  connectUrl: sandbox.connect.url,
  brokers: brokers ?? sandbox.broker.address,
  dsn: `127.0.0.1:${sandbox.databasePort}/ORCLPDB1`,
});
for await (const _ of createInterface({ input: process.stdin })) {
  const { user, system } = process.cpuUsage();
  print({ processorMillis: (user + system) / 1000 });
}
await sandbox.close();
