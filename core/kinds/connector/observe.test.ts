import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memoryWorld, worldOf } from "../../apply/testing/memory-world.ts";
import { CONNECTOR, STORED } from "../../apply/testing/story.ts";
import { CallFailed, type FailureKind } from "../../errors.ts";
import type { OffsetEntry } from "../../facts/offset/stored-offset.ts";
import type { ConnectPort } from "../../ports/connect.ts";
import { connectorNamed, inspectConnector } from "./observe.ts";
import { lentSettings } from "./testing/journaled-world.ts";

const observing = suite("observing a connector");

async function seenBy(connect: Partial<ConnectPort> = {}, more: Readonly<Record<string, string>> = {}) {
  const memory = memoryWorld(STORED, "STOPPED");
  const config = { "cdc.topic.prefix": "orders", "cdc.database.password": "c4n4ry", ...more };
  memory.connectors.all.set(CONNECTOR, { config, state: "STOPPED" });
  const world = worldOf({ ...memory, connect: { ...memory.connect, ...connect } });
  return inspectConnector(CONNECTOR, world, async () => lentSettings(config));
}

async function failureOf(connect: Partial<ConnectPort>): Promise<unknown> {
  return seenBy(connect).then(
    () => undefined,
    (failure: unknown) => failure,
  );
}

const offsetsFail = (kind: FailureKind) => ({
  offsets: () => Promise.reject(new CallFailed("connect", kind, { message: `offsets are ${kind}` })),
});

observing("shows its stored offset, and no secret", async () => {
  const { seen, stored } = await seenBy();
  assert.equal([stored?.resumeScn, seen.connector.offsets.length], [STORED["resume_scn"], 1]);
  assert.is(seen.connector.config["cdc.database.password"], "********");
});

observing("shows the connector as its workers do, with the settings that a change depends on", async () => {
  const status = {
    ...{ state: "RUNNING", worker: "w-1:8083" },
    tasks: [{ id: 0n, state: "FAILED", worker: "w-2:8083", trace: "CDC-1001 login c4n4ry refused" }],
  };
  const config = {
    "connector.class": "sh.oso.connect.oracle.OracleCdcSourceConnector",
    "cdc.capture.mode": "archive_only",
    "cdc.mining.mode": "range",
    "cdc.archive.destination": "LOG_ARCHIVE_DEST_2",
    "cdc.tables.include": "ORCLPDB1[.]SALES[.].*",
    "cdc.database.pdbs": "ORCLPDB1",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
  };
  const { seen } = await seenBy({ status: async () => status }, config);
  const { config: shown, offsets, ...connector } = seen.connector;
  assert.equal(connector, {
    name: CONNECTOR,
    connectorClass: config["connector.class"],
    configOrigin: "a test",
    prefix: "orders",
    ...{ opsTopic: "orders.cdc.ops", signalsTopic: "orders.cdc.signals" },
    ...{ captureMode: "archive_only", miningMode: "range", archiveDestination: "LOG_ARCHIVE_DEST_2" },
    tables: { pdbs: ["ORCLPDB1"], include: "ORCLPDB1[.]SALES[.].*", exclude: undefined, caseSensitive: false },
    ...{ valueConverter: config["value.converter"], valueConverterSchemas: "false" },
    status: { ...status, tasks: [{ ...status.tasks[0], trace: connector.status.tasks[0]?.trace }] },
  });
  assert.match(connector.status.tasks[0]?.trace ?? "", /^CDC-1001: this line is redacted, because it repeats a secret/);
  assert.match(seen.at, /^\d{4}-.*Z$/);
  assert.equal([seen.worker.url, seen.worker.version], ["http://w:8083", "3.9.2"]);
});

for (const [what, offsets, resume] of [
  ["under its own partition", [{ partition: { server: "orders" }, offset: STORED }], STORED["resume_scn"]],
  ["not under another one", [{ partition: { server: "billing" }, offset: STORED }], undefined],
  ["not where a null stands", [{ partition: { server: "orders" }, offset: null }], undefined],
  ["not if it is unreadable", [{ partition: { server: "orders" }, offset: { v: 1n, resume_scn: "x" } }], undefined],
] as readonly (readonly [string, readonly OffsetEntry[], unknown])[])
  observing(`finds the stored offset ${what}, and shows all that is stored`, async () => {
    const { seen, stored } = await seenBy({ offsets: async () => offsets });
    assert.is(stored?.resumeScn, resume);
    assert.equal(seen.connector.offsets, offsets);
  });

observing("gives a connector by its name, or says that there is none", async () => {
  const { connect } = memoryWorld(STORED, "STOPPED");
  assert.is((await connectorNamed(CONNECTOR, connect)).name, CONNECTOR);
  const failure = await connectorNamed("order-cdc", { ...connect, connectors: async () => [CONNECTOR] }).catch(String);
  assert.match(String(failure), "no connector order-cdc; did you mean orders-cdc?");
});

observing("copies no value of a setting that the configuration does not show", async () => {
  const strange = (name: string) => `${name} is s3cret`;
  const names = [
    "connector.class",
    "cdc.mining.mode",
    "cdc.archive.destination",
    "value.converter",
    "value.converter.schemas.enable",
  ];
  const { seen } = await seenBy({}, Object.fromEntries(names.map((name) => [name, strange(name)])));
  const { connectorClass, miningMode, archiveDestination, valueConverter, valueConverterSchemas, config } =
    seen.connector;
  assert.equal(
    [connectorClass, miningMode, archiveDestination, valueConverter, valueConverterSchemas],
    names.map((name) => config[name]),
  );
  assert.not.match(JSON.stringify(config), "s3cret");
});

observing("a name that nearly is one's is shown that one, where the workers say what they have", async () => {
  const missing = { url: "http://w:8083", connector: async () => undefined };
  const message = async (connectors: ConnectPort["connectors"]) =>
    String(((await failureOf({ ...missing, connectors })) as CallFailed).message);
  assert.match(
    await message(async () => ["billing", "order-cdc"]),
    /no connector orders-cdc; did you mean order-cdc\?/,
  );
  assert.not.match(await message(async () => ["billing"]), /did you mean/);
  assert.not.match(await message(() => Promise.reject(new Error("gone"))), /did you mean/);
});

observing("finds no offsets where the workers have none", async () => {
  const { seen, stored } = await seenBy(offsetsFail("missing"));
  assert.equal([seen.connector.offsets, stored], [[], undefined]);
});

observing("does not read unreadable offsets as missing", async () => {
  const defect = new TypeError("a defect");
  assert.is(await failureOf({ offsets: () => Promise.reject(defect) }), defect);
  for (const kind of ["forbidden", "timeout"] as const)
    assert.match(String(await failureOf(offsetsFail(kind))), `offsets are ${kind}`);
});

observing("reports a connector that does not exist by name, with the command that lists the others", async () => {
  for (const connect of [{ connector: async () => undefined }, { status: async () => undefined }]) {
    const failure = await failureOf(connect);
    assert.instance(failure, CallFailed);
    const { system, kind, message, remedies } = failure as CallFailed;
    assert.equal(
      [system, kind, message],
      ["connect", "missing", "the workers at http://w:8083 have no connector orders-cdc"],
    );
    assert.equal(remedies, [
      { text: "List the connectors", command: "cdcctl connectors list --connect-url http://w:8083" },
    ]);
  }
});

observing("suggests commands for the context by which the workers are reached", async () => {
  const failure = await failureOf({ connector: async () => undefined, context: "prod" });
  assert.equal((failure as CallFailed).remedies, [
    { text: "List the connectors", command: "cdcctl connectors list --context prod" },
  ]);
});

observing.run();
