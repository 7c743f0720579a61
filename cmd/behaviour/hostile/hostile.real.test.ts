/** The attacks that move offsets or draw logins, once more on a real broker and a real worker. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type JsonObject, parseJson, printJson } from "../../../core/values/json.ts";
import { LEGACY_CLASS } from "../../../providers/real/jars.ts";
import { contextsFor, is, planFile, said } from "../real/command-line.ts";
import { startGateway } from "../real/gateway.ts";
import { type Ended, type Machine, newMachine } from "../real/machine.ts";
import { type RealWorld, startRealWorld } from "../real/real-world.ts";
import { connectorSettings, DATABASE_LOGIN } from "../real/world.ts";
import { leaks, openTrap, type Trap } from "./trap.ts";

const BACK = 2_010_000n;
const CANARIES = ["c4nary-of-the-brokers", "c4nary-of-a-header", DATABASE_LOGIN.password] as const;

const hostile = suite("attacks on real services");
let world: RealWorld;
let trap: Trap;
hostile.before(async () => {
  world = await startRealWorld({ kafka: "4" });
  trap = await openTrap();
});
hostile.after(async () => {
  await trap.close();
  await world.stop();
});

const all = ({ stdout, stderr }: Ended): string => `${stdout}\n${stderr}`;
const machine = (files: Readonly<Record<string, string>> = {}): Promise<Machine> =>
  newMachine(world.folder, { ...contextsFor(world.connectUrl), ...files });

/** A connector whose genuine move back was announced and went no further: its `applying` is taken out again by `change`. */
async function announced(connector: string): Promise<{ readonly record: JsonObject; readonly key: string }> {
  await world.createTopic(`${connector}.cdc.ops`);
  await world.createConnector(connector, connectorSettings(world));
  const gateway = await startGateway(world.connectUrl);
  try {
    const alice = await newMachine(world.folder, contextsFor(gateway.url));
    await alice.write("back.yaml", planFile(connector, `scn: ${BACK}`, "resume: true"));
    const patch = gateway.hold("PATCH", "there");
    const apply = alice.start("apply", "back.yaml", "--yes");
    await Promise.race([patch.reached, apply.ended]);
    apply.signal("SIGKILL");
    await apply.ended;
    patch.drop();
    is(
      await newMachine(world.folder, contextsFor(gateway.url)).then((bob) =>
        bob.run("recover", "--from-ops", "--context", "here", "--connector", connector, "--yes", "--settle", "1s"),
      ),
      0,
    );
  } finally {
    await gateway.close();
  }
  const [first] = await world.records(`${connector}.cdc.ops`);
  return { record: parseJson(first?.value ?? "null") as JsonObject, key: first?.key ?? "" };
}

hostile("a forged record on the ops topic moves nothing, with --yes too", async () => {
  const connector = "forged";
  const { record, key } = await announced(connector);
  // A record does not tell whether its run was to start the connector again.
  await world.real.call("PUT", `/connectors/${connector}/resume`);
  await world.untilState(connector, "RUNNING");
  const bob = await machine();
  const genuine = record["details"] as JsonObject;
  const next = parseJson(String(genuine["new_offset"])) as JsonObject;
  const forgeries: readonly (readonly [string, JsonObject])[] = [
    ["another database", { ...next, dbid: 7n }],
    ["a later version", { ...next, v: 7n }],
    ["an unknown field", { ...next, note: "mine" }],
    ["a move ahead", { ...next, resume_scn: 2_040_000n }],
  ];
  let seconds = 10;
  for (const [what, offset] of forgeries) {
    const run = `2026-11-21T09-15-${seconds++}Z-7f3a`;
    const details = {
      ...genuine,
      run,
      new_offset: printJson(offset, 0),
      new_resume_scn: String(offset["resume_scn"]),
    };
    await world.append(`${connector}.cdc.ops`, { key, value: printJson({ ...record, details }, 0) });
    const ended = await bob.run("recover", "--from-ops", "--context", "here", "--connector", connector, "--yes");
    assert.is.not(ended.code, 0, `${what}: ${all(ended)}`);
    assert.is.not(ended.code, 70, `${what}: ${all(ended)}`);
    const [entry] = await world.storedEntries(connector);
    const stored = entry?.offset ?? {};
    assert.equal([stored["dbid"], stored["v"], stored["note"]], [next["dbid"], next["v"], undefined], what);
    assert.ok((stored["resume_scn"] as bigint) < 2_039_000n, `${what}: moved to ${stored["resume_scn"]}`);
    const dropped = await bob.run(
      "recover",
      "--from-ops",
      "--context",
      "here",
      "--connector",
      connector,
      "--abandon",
      "--yes",
    );
    assert.is(dropped.code, 0, `${what}, recorded as failed: ${all(dropped)}`);
  }
});

hostile("a resolved plan that was edited is refused before anything is asked", async () => {
  const connector = "edited";
  await world.createTopic(`${connector}.cdc.ops`);
  await world.createConnector(connector, connectorSettings(world));
  const alice = await machine();
  await alice.write("back.yaml", planFile(connector, `scn: ${BACK}`));
  is(await alice.run("plan", "back.yaml", "--out", "back.plan.json"), 0);
  const text = await alice.read("back.plan.json");
  const edits = {
    "another position": text.replaceAll(String(BACK), String(BACK + 1000n)),
    "another worker": text.replaceAll(world.connectUrl, `http://${trap.address}`),
    "another connector": text.replaceAll(`"${connector}"`, '"other"'),
  };
  for (const [what, edit] of Object.entries(edits)) {
    assert.is.not(edit, text, what);
    await alice.write("edited.plan.json", edit);
    const ended = await alice.run("apply", "edited.plan.json", "--yes");
    assert.ok(ended.code === 1 || ended.code === 64, `${what}: ${ended.code}\n${all(ended)}`);
  }
  assert.is(trap.calls, 0);
  assert.is((await world.status(connector))?.state, "RUNNING");
  assert.equal(await world.records(`${connector}.cdc.ops`), []);
});

hostile("a connector of another class draws no login of the database or the brokers", async () => {
  const host = { "cdc.database.host": "127.0.0.1", "cdc.database.port": String(trap.port) };
  await world.createLegacy("stranger", {
    ...connectorSettings(world),
    ...host,
    "cdc.stream.bootstrap.servers": trap.address,
  });
  const alice = await machine({
    "client.properties": `security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\nsasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="ops" password="${CANARIES[0]}";\n`,
  });
  await alice.write("stranger.yaml", planFile("stranger", `scn: ${BACK}`));
  for (const more of [[], ["--command-config", "client.properties", "--bootstrap-servers", world.bootstrap]]) {
    const ended = await alice.run("plan", "stranger.yaml", ...more);
    is(ended, 1);
    said(ended, "CON301");
  }
  assert.is(trap.calls, 0);
  assert.equal(leaks(CANARIES, { trap: trap.received() }), []);
  assert.ok(LEGACY_CLASS.endsWith("OracleCdcSourceConnector"));
});

hostile("a secret in a setting of any name stands in no plan, facts or journal", async () => {
  const connector = "masked";
  await world.createTopic(`${connector}.cdc.ops`);
  await world.createConnector(
    connector,
    connectorSettings(world, { "producer.override.x.headers": `X-Api-Key: ${CANARIES[1]}`, "x.note": CANARIES[1] }),
  );
  const alice = await machine();
  await alice.write("back.yaml", planFile(connector, `scn: ${BACK}`));
  const said: Record<string, string> = {};
  for (const format of ["text", "markdown", "json"])
    said[format] = all(await alice.run("plan", "back.yaml", "--format", format, "--out", `${format}.plan.json`));
  said["plan"] = await alice.read("json.plan.json");
  said["observe"] = all(await alice.run("observe", "back.yaml", "--out", "facts.json"));
  said["facts"] = await alice.read("facts.json");
  said["apply"] = all(await alice.run("apply", "back.yaml", "--yes"));
  said["history"] = all(await alice.run("history", "--format", "json"));
  said["ops"] = JSON.stringify((await world.records(`${connector}.cdc.ops`)).map(({ value }) => value));
  assert.equal(leaks(CANARIES, said), []);
});

hostile("the brokers' login goes to brokers that are named with it", async () => {
  const alice = await machine({
    ".config/cdcctl/contexts.yaml": `contexts:\n  here:\n    connect:\n      url: ${world.connectUrl}\n    brokers:\n      commandConfig: client.properties\n`,
    ".config/cdcctl/client.properties": `sasl.jaas.config=x password="${CANARIES[0]}";\n`,
  });
  await alice.write("back.yaml", planFile("masked", `scn: ${BACK}`));
  const ended = await alice.run("plan", "back.yaml");
  is(ended, 64);
  said(ended, "bootstrapServers");
  assert.equal(leaks(CANARIES, { output: all(ended), trap: trap.received() }), []);
});

hostile.run();
