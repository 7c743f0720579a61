/** The attacks that move offsets or draw logins, once more on a real broker and a real worker. */
import { readFile, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { LEGACY_CLASS } from "../../../core/legacy/connector-class.ts";
import { type JsonObject, parseJson, printJson } from "../../../core/values/json.ts";
import { LOGINS, STORE_PASSWORD, type TaskJvms, taskJvms, type Way } from "../../../providers/jmx/testing/task-jvm.ts";
import { GaveUp, waitFor } from "../../../providers/real/wait.ts";
import { plainProperties } from "../../../providers/sandbox/plain-login.ts";
import { contextsFor, expectOutput, is, planFile } from "../real/command-line.ts";
import { startGateway } from "../real/gateway.ts";
import { type Ended, type Machine, newMachine, type Running } from "../real/machine.ts";
import { type RealWorld, startRealWorld } from "../real/real-world.ts";
import { connectorSettings, DATABASE_LOGIN } from "../real/world.ts";
import { leaks, openTrap, type Trap } from "./trap.ts";

const BACK = 2_010_000n;
const CANARIES = [
  "c4nary-of-the-brokers",
  "c4nary-of-a-header",
  DATABASE_LOGIN.password,
  "c4nary-of-a-wallet",
] as const;
const RMI_GREETING = Buffer.from([0x4e, 0, 9, ...Buffer.from("127.0.0.1"), 0, 0, 0x30, 0x39]);

const hostile = suite("attacks on real services");
let world: RealWorld;
let jvms: TaskJvms;
let trap: Trap;
hostile.before(async () => {
  trap = await openTrap();
  jvms = await taskJvms();
  world = await startRealWorld({ kafka: "4" });
});
hostile.after(async () => {
  await Promise.all([trap?.close(), jvms?.stop(), world?.stop()]);
});

const all = ({ stdout, stderr }: Ended): string => `${stdout}\n${stderr}`;
const machine = (files: Readonly<Record<string, string>> = {}): Promise<Machine> =>
  newMachine(world.folder, { ...contextsFor(world.connectUrl), ...files });

/**
 * A connector whose genuine move back was announced and went no further: its `applying` is taken out again by `change`.
 */
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

hostile("a forged record on the ops topic moves nothing, even with --yes", async () => {
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

hostile("an edited resolved plan is refused before anything is read", async () => {
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

hostile("a connector of another class gets no login of the database or the brokers", async () => {
  const host = { "cdc.database.host": "127.0.0.1", "cdc.database.port": String(trap.port) };
  await world.createLegacy("stranger", {
    ...connectorSettings(world),
    ...host,
    "cdc.stream.bootstrap.servers": trap.address,
  });
  const alice = await machine({
    "client.properties": plainProperties("ops", CANARIES[0]),
  });
  await alice.write("stranger.yaml", planFile("stranger", `scn: ${BACK}`));
  for (const more of [[], ["--command-config", "client.properties", "--bootstrap-servers", world.bootstrap]]) {
    const ended = await alice.run("plan", "stranger.yaml", ...more);
    is(ended, 1);
    expectOutput(ended, "CON301");
  }
  assert.is(trap.calls, 0);
  assert.equal(leaks(CANARIES, { trap: trap.received() }), []);
  assert.ok(LEGACY_CLASS.endsWith("OracleCdcSourceConnector"));
});

hostile("a secret in any setting appears in no plan, facts or journal", async () => {
  const connector = "masked";
  await world.createTopic(`${connector}.cdc.ops`);
  await world.createConnector(
    connector,
    connectorSettings(world, { "producer.override.x.headers": `X-Api-Key: ${CANARIES[1]}`, "x.note": CANARIES[1] }),
  );
  const alice = await machine();
  await alice.write("back.yaml", planFile(connector, `scn: ${BACK}`));
  const outputs: Record<string, string> = {};
  for (const format of ["text", "markdown", "json"])
    outputs[format] = all(await alice.run("plan", "back.yaml", "--format", format, "--out", `${format}.plan.json`));
  outputs["plan"] = await alice.read("json.plan.json");
  outputs["observe"] = all(await alice.run("observe", "back.yaml", "--out", "facts.json"));
  outputs["facts"] = await alice.read("facts.json");
  outputs["apply"] = all(await alice.run("apply", "back.yaml", "--yes"));
  outputs["history"] = all(await alice.run("history", "--format", "json"));
  outputs["ops"] = JSON.stringify((await world.records(`${connector}.cdc.ops`)).map(({ value }) => value));
  assert.equal(leaks(CANARIES, outputs), []);
});

hostile("the brokers' login is sent only to brokers that are named with it", async () => {
  const alice = await machine({
    ".config/cdcctl/contexts.yaml":
      `contexts:\n  here:\n    connect:\n      url: ${world.connectUrl}\n    brokers:\n      commandConfig: ` +
      "client.properties\n",
    ".config/cdcctl/client.properties": `sasl.jaas.config=x password="${CANARIES[0]}";\n`,
  });
  await alice.write("back.yaml", planFile("masked", `scn: ${BACK}`));
  const ended = await alice.run("plan", "back.yaml");
  is(ended, 64);
  expectOutput(ended, "bootstrapServers");
  assert.equal(leaks(CANARIES, { output: all(ended), trap: trap.received() }), []);
});

/** Ends a command as soon as a trap has seen of it what is waited for. */
async function killedOnce(running: Running, what: string, seen: () => boolean): Promise<void> {
  let over: Ended | undefined;
  const ended = running.ended.then((one) => {
    over = one;
  });
  try {
    await waitFor(
      what,
      () => {
        if (over !== undefined && !seen()) throw new GaveUp(`no ${what}: it has ended:\n${all(over)}`);
        return seen();
      },
      30_000,
    );
  } finally {
    running.signal("SIGKILL");
    await ended;
  }
}

// Loopback as well, but not the host in the JMX URL.
const OTHER = "127.0.0.2";
const JMX_WAYS: readonly (readonly [Way, tls: (authority: string) => string])[] = [
  ["login", () => ""],
  [
    "tls-registry",
    (path) =>
      `      tls: { trustStore: { path: "${path}", type: PKCS12, password: ${STORE_PASSWORD} }, registry: true, ` +
      "checkHost: false }\n",
  ],
];

hostile("the JMX login stays with the registry's host, whatever java.rmi.server.hostname is", async () => {
  const connector = "orders";
  await world.createConnector(connector, connectorSettings(world));
  const jvm = await jvms.start(OTHER);
  const { user, password } = LOGINS.reader;
  try {
    for (const [way, tls] of JMX_WAYS) {
      const port = jvm.port(way);
      // It greets as an RMI server does: a client that comes sends its login next.
      const other = await openTrap(() => RMI_GREETING, OTHER, port);
      const operator = (hosts: string) =>
        machine({
          ".config/cdcctl/contexts.yaml":
            `contexts:\n  here:\n    connect:\n      url: ${world.connectUrl}\n    jmx:\n      hosts: ` +
            `[${hosts}]\n      login: { user: ${user}, password: ${password} ` +
            `}\n${tls(jvms.certificates.authority.pkcs12)}`,
        });
      const url = `service:jmx:rmi:///jndi/rmi://127.0.0.1:${port}/jmxrmi`;
      const words = ["admin", "transactions", "--connect-url", world.connectUrl, "--name", connector, "--jmx-url", url];
      try {
        const ended = await (await operator("127.0.0.1")).run(...words);
        is(ended, 0);
        expectOutput(ended, `the JVM advertises ${OTHER}:${port}, where the login was not sent`);
        expectOutput(ended, `If ${OTHER} is a worker of yours, add it to jmx.hosts of the context`);
        assert.is(other.calls, 0, way);
        assert.equal(leaks([password], { output: all(ended), other: other.received() }), [], way);

        // The trap is where the JVM says: a host that the operator lists is called there.
        const listed = (await operator(`127.0.0.1, ${OTHER}`)).start(...words);
        await killedOnce(listed, `a login at the listed host, ${way}`, () =>
          way === "login" ? leaks([password], { other: other.received() }).length === 1 : other.calls > 0,
        );
      } finally {
        await other.close();
      }
    }
  } finally {
    await jvm.stop();
  }
});

/**
 * Settings by which the worker's copy has a connection read a file of the machine that cdcctl runs on; `at` is a trap's
 * port.
 */
const LOCAL_FILES: readonly (readonly [
  setting: string,
  file: string,
  value: (at: number, folder: string) => string,
])[] = [
  [
    "cdc.database.url",
    "ewallet.pem",
    (at, folder) => `jdbc:oracle:thin:@tcps://127.0.0.1:${at}/s?wallet_location=${folder}`,
  ],
  ["cdc.database.url", "tnsnames.ora", (_at, folder) => `jdbc:oracle:thin:@TRAP?TNS_ADMIN=${folder}`],
  [
    "cdc.database.url",
    "ewallet.pem",
    (at, folder) =>
      `jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(PROTOCOL=TCPS)(HOST=127.0.0.1)(PORT=${at})` +
      `)(CONNECT_DATA=(SERVICE_NAME=s))(SECURITY=(MY_WALLET_DIRECTORY=${folder})))`,
  ],
  ["cdc.database.connection.properties", "ewallet.pem", (_at, folder) => `oracle.net.wallet_location=${folder}`],
];

hostile("a worker that only the plan file names causes no file of this machine to be read", async () => {
  // Older than the last change: most file systems note only the first read after that.
  const never = new Date("2000-01-01");
  const authority = await readFile(jvms.certificates.authority.pem, "utf8");
  for (const [at, [setting, file, value]] of LOCAL_FILES.entries()) {
    const connector = `files-${at}`;
    const database = await openTrap();
    const alice = await machine();
    const folder = join(alice.home, "wallet");
    const contents: Readonly<Record<string, string>> = {
      "ewallet.pem": `${authority}# ${CANARIES[3]}\n`,
      "tnsnames.ora":
        `TRAP=(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=127.0.0.1)(PORT=${database.port})` +
        ")(CONNECT_DATA=(SERVICE_NAME=s)))\n# " +
        `${CANARIES[3]}\n`,
    };
    await alice.write(`wallet/${file}`, contents[file] ?? "");
    await utimes(join(folder, file), never, new Date());
    const settings = connectorSettings(world, { "cdc.database.port": String(database.port) });
    await world.createConnector(connector, { ...settings, [setting]: value(database.port, folder) });
    const words = planFile(connector, `scn: ${BACK}`).replace("context: here", `connectUrl: ${world.connectUrl}`);
    await alice.write("back.yaml", words);
    try {
      for (const [command, ...more] of [["plan"], ["apply", "--yes"]] as const) {
        const ended = await alice.run(command, "back.yaml", ...more);
        is(ended, 64);
        expectOutput(ended, `${setting} names files or tokens of this machine`);
        expectOutput(ended, "Pass --connect-url with the same URL, or use a context: then the worker is trusted.");
        assert.is(database.calls, 0, all(ended));
        assert.equal(leaks(CANARIES, { output: all(ended) }), []);
      }
      assert.equal((await stat(join(folder, file))).atime, never, `${file} was read`);

      // The operator's own worker has the same settings: what they name leads to the trap.
      const own = alice.start("plan", "back.yaml", "--connect-url", world.connectUrl);
      await killedOnce(own, `${setting} of the operator's worker to be used`, () => database.calls > 0);
    } finally {
      await database.close();
    }
  }
});

hostile.run();
