// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written like this
/**
 * Who names a host, whose login would go there, and by which command: where the two are not of one source, nothing is
 * sent, and the refusal names host or setting and what to do. Traps stand in the place of the wrong hosts.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CONNECTOR_CLASS, LEGACY_CLASS } from "../../../core/legacy/connector-class.ts";
import { secret } from "../../../core/values/secret.ts";
import { openJmx } from "../../../providers/jmx/open-jmx.ts";
import { type SandboxConnect, startConnect } from "../../../providers/sandbox/connect/start-connect.ts";
import { objectOf, stub } from "../../../providers/sandbox/jmx/build-graph.ts";
import { startLoopbackJvm } from "../../../providers/sandbox/jmx/loopback-jvm.ts";
import { plainJaas, plainProperties } from "../../../providers/sandbox/plain-login.ts";
import { runHere } from "../run-command.ts";
import { leaks, openTrap, type Trap } from "./trap.ts";

const logins = suite("logins are sent to no host that another source names");

type Config = Readonly<Record<string, string>>;

/** The operator's own: in no trap and in no output. */
const CANARIES = {
  database: "c4nary-database-71f0",
  brokers: "c4nary-brokers-a93e",
  connect: "c4nary-connect-05bd",
  jmx: "c4nary-jmx-e1c8",
  registry: "c4nary-registry-3d52",
} as const;
const PROPERTIES = plainProperties("own", CANARIES.brokers);
const ALL = Object.values(CANARIES);
const PATIENCE = {
  connect: { callMillis: 5_000, firstContactMillis: 5_000 },
  kafka: { connectMillis: 4_000, requestMillis: 4_000 },
  jmx: { connectMillis: 1_000, callMillis: 1_000 },
};

/** A worker with connectors whose settings lead to traps, and the files of an operator and of a pull request. */
interface Scene {
  readonly dir: string;
  readonly worker: SandboxConnect;
  readonly database: Trap;
  readonly brokers: Trap;
  write(name: string, text: string): Promise<string>;
  /** Nothing was connected to but the worker, nothing secret was printed, and what was printed tells it. */
  refused(argv: readonly string[], says: RegExp, env?: Config): Promise<void>;
}

type Connectors = (traps: Pick<Scene, "database" | "brokers">) => Readonly<Record<string, Config>>;

async function inScene(connectors: Connectors, act: (scene: Scene) => Promise<void>): Promise<void> {
  const [database, brokers] = await Promise.all([openTrap(), openTrap()]);
  const worker = await startConnect({
    connectors: Object.entries(connectors({ database, brokers })).map(([name, config]) => ({
      name,
      config,
      state: "STOPPED" as const,
      offsets: [],
    })),
  });
  const dir = await mkdtemp(join(tmpdir(), "cdcctl-logins-"));
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(dir, name), text, { mode: 0o600 });
    return join(dir, name);
  };
  const run = async (argv: readonly string[], env: Config = {}) =>
    runHere(argv, {
      env: {
        HOME: dir,
        CDCCTL_CONTEXTS: join(dir, "contexts.yaml"),
        CDCCTL_STATE: join(dir, "state"),
        NO_PROXY: "*",
        ...env,
      },
      patience: PATIENCE,
    });
  await write("contexts.yaml", contextsFile("http://127.0.0.1:1"));
  try {
    await act({
      dir,
      worker,
      database,
      brokers,
      write,
      async refused(argv, says, env) {
        const { exit, output } = await run(argv, env);
        const command = `cdcctl ${argv.join(" ")}\n${output}`;
        const places = { database: database.received(), brokers: brokers.received(), output };
        assert.equal(leaks(ALL, places), [], command);
        assert.equal([database.calls, brokers.calls], [0, 0], `a trap was connected to: ${command}`);
        assert.match(output.replace(/\s+/g, " "), says, command);
        assert.ok(exit === 1 || exit === 64, `exit ${exit}: ${command}`);
      },
    });
  } finally {
    await Promise.all([worker.close(), database.close(), brokers.close(), rm(dir, { recursive: true, force: true })]);
  }
}

const portOf = ({ port }: Trap) => String(port);

/** The new connector as a worker has it, its hosts the traps. */
const connectorTo = (
  { database, brokers }: Pick<Scene, "database" | "brokers">,
  change: Readonly<Record<string, string | undefined>> = {},
): Config =>
  Object.fromEntries(
    Object.entries({
      "connector.class": CONNECTOR_CLASS,
      "cdc.topic.prefix": "orders",
      "cdc.database.host": "127.0.0.1",
      "cdc.database.port": portOf(database),
      "cdc.database.service": "ORCLCDB",
      "cdc.database.user": "C##CDC",
      "cdc.database.password": "of-the-worker",
      "cdc.stream.bootstrap.servers": brokers.address,
      ...change,
    }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

const legacyTo = ({ database }: Pick<Scene, "database">, change: Config = {}): Config => ({
  "connector.class": LEGACY_CLASS,
  "oracle.server": "127.0.0.1",
  "oracle.port": portOf(database),
  "oracle.sid": "ORCLCDB",
  "oracle.username": "C##LEGACY",
  "oracle.password": "of-the-worker",
  "table.inclusion.regex": "SALES[.]ORDERS",
  "use.transaction.begin.for.mining.session": "true",
  ...change,
});

const contextsFile = (url: string, more = "") =>
  `contexts:\n  prod:\n    connect:\n      url: ${url}\n      auth: { basic: { user: ops, password: ` +
  `${CANARIES.connect} } }\n${more}`;
const OWN_FILE = "    connectors:\n      orders-cdc: { config: own.json }\n";

const offsetChange = (target: string) =>
  `apiVersion: cdcctl/v1\nkind: OffsetChange\nmetadata: { name: replay, reason: again }\ntarget: { ${target}, ` +
  "connector: orders-cdc }\nspec: { scn: 2010000 }\n";
const resnapshot = (target: string) =>
  `apiVersion: cdcctl/v1\nkind: Resnapshot\nmetadata: { name: again, reason: again }\ntarget: { ${target}, ` +
  "connector: orders-cdc }\nspec: { tables: [ORCLPDB1.SALES.ORDERS] }\n";
const PHASES = ["cutover", "verify", "rollback", "retire"] as const;
const migration = (phase: string, target: string) =>
  `apiVersion: cdcctl/v1\nkind: Migration\nmetadata: { name: move, reason: leave }\ntarget: { ${target} ` +
  `}\nspec:\n  phase: ${phase}\n  from: { connector: orders-legacy }\n  to: { name: orders-cdc, topicPrefix: ` +
  "orders }\n  verify: { tables: [SALES.ORDERS] }\n";

/** What the operator keeps: a login, and where it goes. */
const OWN = (more: Readonly<Record<string, string | undefined>> = {}): string =>
  JSON.stringify({
    "cdc.database.host": "127.0.0.1",
    "cdc.database.port": "1",
    "cdc.database.service": "ORCLCDB",
    "cdc.database.user": "C##OWN",
    "cdc.database.password": CANARIES.database,
    "cdc.stream.bootstrap.servers": "127.0.0.1:1",
    "cdc.stream.security.protocol": "SASL_PLAINTEXT",
    "cdc.stream.sasl.mechanism": "PLAIN",
    "cdc.stream.sasl.jaas.config": plainJaas("own", CANARIES.brokers),
    ...more,
  });

// ---- A connector of another class draws no login --------------------------------------------------------------------

const FOREIGN: readonly (readonly [title: string, className: string])[] = [
  ["a FileStreamSource", "org.apache.kafka.connect.file.FileStreamSourceConnector"],
  ["a connector of Debezium", "io.debezium.connector.oracle.OracleConnector"],
  ["a class that ends alike", "evil.NotOracleCdcSourceConnector"],
  ["a class that begins alike", `${CONNECTOR_CLASS}.Evil`],
  ["the legacy connector with settings of the new one", LEGACY_CLASS],
  ["a connector without a class", ""],
];

type Command = readonly [title: string, (scene: Scene) => Promise<readonly string[]>];

/** Commands by the context, whose file holds the operator's logins, and by what is typed. */
const COMMANDS: readonly Command[] = [
  ["plan of an OffsetChange", async ({ write }) => ["plan", await write("p.yaml", offsetChange("context: prod"))]],
  ["plan of a Resnapshot", async ({ write }) => ["plan", await write("p.yaml", resnapshot("context: prod"))]],
  ["apply --yes", async ({ write }) => ["apply", "--yes", await write("p.yaml", offsetChange("context: prod"))]],
  ["observe", observing],
  ["report", async ({ dir }) => ["report", "orders-cdc", "--context", "prod", "--out", join(dir, "r.html")]],
  ["admin offsets show --check-redo", typed("admin", "offsets", "show", "--check-redo")],
  ["admin offsets set", typed("admin", "offsets", "set", "--scn", "2010000", "--reason", "again")],
  ["admin resnapshot", typed("admin", "resnapshot", "--tables", "ORCLPDB1.SALES.ORDERS", "--reason", "again")],
  ["admin transactions", typed("admin", "transactions")],
  ["admin journal inspect", typed("admin", "journal", "inspect")],
];

function typed(...words: readonly string[]): Command[1] {
  return async ({ worker, dir }) => [
    ...words,
    ...["--connect-url", worker.url, "--name", "orders-cdc", "--config", join(dir, "own.json")],
  ];
}

async function observing({ write, dir }: Scene): Promise<readonly string[]> {
  return ["observe", await write("p.yaml", offsetChange("context: prod")), "--out", join(dir, "facts.json")];
}

const WHOLE = { "cdc.topic.prefix": "orders" };

for (const [what, className] of FOREIGN)
  for (const [command, argv] of COMMANDS)
    logins(`${what} gets no login from ${command}`, () =>
      inScene(
        (traps) => ({ "orders-cdc": connectorTo(traps, { "connector.class": className }) }),
        async (scene) => {
          await scene.write("contexts.yaml", contextsFile(scene.worker.url, OWN_FILE));
          await scene.write("own.json", OWN({ ...WHOLE, "cdc.database.port": portOf(scene.database) }));
          await scene.refused(await argv(scene), /not the CDC source connector.*CON301/);
        },
      ),
    );

for (const [what, className] of FOREIGN.filter(([, one]) => !/^io\.(?:confluent|debezium)\./.test(one)))
  for (const phase of ["cutover", "rollback"] as const)
    logins(`${what}, given as the legacy connector, gets no login in a plan of phase ${phase}`, () =>
      inScene(
        (traps) => ({ "orders-legacy": legacyTo(traps, { "connector.class": className }) }),
        async (scene) => {
          await scene.write("contexts.yaml", contextsFile(scene.worker.url, OWN_FILE));
          await scene.write("own.json", OWN({ "cdc.database.port": portOf(scene.database) }));
          const plan = await scene.write("p.yaml", migration(phase, "context: prod"));
          await scene.refused(["plan", plan], /not the legacy connector.*LEG001/);
        },
      ),
    );

for (const [what, className] of FOREIGN)
  for (const phase of ["verify", "rollback", "retire"] as const)
    logins(`${what}, given as the new connector, gets no login in a plan of phase ${phase}`, () =>
      inScene(
        (traps) => ({
          "orders-legacy": legacyTo(traps),
          "orders-cdc": connectorTo(traps, { "connector.class": className }),
        }),
        async (scene) => {
          await scene.write("contexts.yaml", contextsFile(scene.worker.url, OWN_FILE));
          await scene.write("own.json", OWN({ "cdc.database.port": portOf(scene.database) }));
          const plan = await scene.write("p.yaml", migration(phase, "context: prod"));
          await scene.refused(["plan", plan], /not the CDC source connector.*CON301/);
        },
      ),
    );

// ---- In a migration the file says where to go as well ---------------------------------------------------------------

/** What the file leaves to the worker, and what the refusal says is missing. */
const HALVES: readonly (readonly [title: string, Readonly<Record<string, undefined>>, RegExp])[] = [
  [
    "the host",
    { "cdc.database.host": undefined },
    /cdc\.database\.host is missing.*"cdc\.database\.host": "127\.0\.0\.1"/,
  ],
  ["the port", { "cdc.database.port": undefined }, /cdc\.database\.port is missing/],
  ["the service", { "cdc.database.service": undefined }, /cdc\.database\.(?:sid|service) is missing/],
  [
    "host and port",
    { "cdc.database.host": undefined, "cdc.database.port": undefined },
    /cdc\.database\.host, cdc\.database\.port are missing/,
  ],
];

for (const phase of PHASES)
  for (const [what, without, says] of HALVES)
    for (const by of ["the context's file", "--config"] as const)
      logins(`in phase ${phase}, ${by} with a login and without ${what} is refused`, () =>
        inScene(
          (traps) => ({
            "orders-legacy": legacyTo(traps),
            ...(phase === "cutover" ? {} : { "orders-cdc": connectorTo(traps) }),
          }),
          async (scene) => {
            await scene.write("contexts.yaml", contextsFile(scene.worker.url, by === "--config" ? "" : OWN_FILE));
            const own = await scene.write("own.json", OWN(without));
            const plan = await scene.write("p.yaml", migration(phase, "context: prod"));
            await scene.refused(["plan", plan, ...(by === "--config" ? ["--config", own] : [])], says);
          },
        ),
      );

for (const phase of PHASES)
  for (const [what, own, says] of [
    [
      "of the brokers alone leaves the database unnamed",
      { host: undefined },
      /cdc\.database\.host, \S+ (is|are) not set/,
    ],
    ["of the database alone leaves the brokers unnamed", { brokers: undefined }, /no brokers are given/],
  ] as const)
    logins(`in phase ${phase}, a file ${what}, whatever the worker's configuration is`, () =>
      inScene(
        (traps) => ({
          "orders-legacy": legacyTo(traps),
          ...(phase === "cutover" ? {} : { "orders-cdc": connectorTo(traps) }),
        }),
        async (scene) => {
          await scene.write("contexts.yaml", contextsFile(scene.worker.url, OWN_FILE));
          const settings = Object.entries(JSON.parse(OWN()) as Config).filter(
            ([name]) => name.startsWith("cdc.stream.") === "host" in own,
          );
          await scene.write("own.json", JSON.stringify(Object.fromEntries(settings)));
          await scene.refused(["plan", await scene.write("p.yaml", migration(phase, "context: prod"))], says);
        },
      ),
    );

/** The worker sends these, to the host beside them. */
const SENT_BY_WORKERS: readonly (readonly [secret: string, host: string])[] = [
  ["value.converter.basic.auth.user.info", "value.converter.schema.registry.url"],
  ["key.converter.basic.auth.user.info", "key.converter.schema.registry.url"],
  ["transforms.route.password", "transforms.route.url"],
];
for (const [secret, host] of SENT_BY_WORKERS)
  logins(`${secret} of the operator's file is not sent to the legacy connector's ${host}`, () =>
    inScene(
      (traps) => ({ "orders-legacy": legacyTo(traps, { [host]: `http://${traps.database.address}` }) }),
      async (scene) => {
        await scene.write("contexts.yaml", contextsFile(scene.worker.url, OWN_FILE));
        await scene.write("own.json", OWN({ [secret]: `own:${CANARIES.registry}` }));
        const plan = await scene.write("p.yaml", migration("cutover", "context: prod"));
        await scene.refused(["plan", plan], new RegExp(`${host.replaceAll(".", "\\.")} is missing.*add`));
      },
    ),
  );

// ---- A plan file leads nothing of the operator's file elsewhere -------------------------------------------------

/** What a plan file sets beside a converter's password in the operator's file, and what is said of it. */
const LED_AWAY: readonly (readonly [setting: string, value: string, RegExp])[] = [
  ["value.converter.registryUrl", "evil:8081", /registryUrl is not one of the settings that a plan file may make/],
  ["value.converter.apicurio.registry.target", "evil", /is not one of the settings/],
  ["value.converter", "org.evil.Converter", /value\.converter is not one of the settings/],
  ["transforms.sign.type", "org.evil.Sign", /is not one of the settings/],
  ["cdc.ops.topic", "evil:8081", /cdc\.ops\.topic holds a URL, a host, an address or a path/],
  ["value.converter.schemas.enable", "true", /the operator's file has a secret or an address of value\.converter/],
  ["cdc.lob.mode", "inline", /cdc\.lob\.mode is set by spec\.to\.config, and by the operator's file/],
];
for (const [setting, value, says] of LED_AWAY)
  logins(`${setting}: ${value} in a plan file is refused beside a converter's password in the operator's file`, () =>
    inScene(
      (traps) => ({ "orders-legacy": legacyTo(traps) }),
      async (scene) => {
        await scene.write("contexts.yaml", contextsFile(scene.worker.url, OWN_FILE));
        await scene.write(
          "own.json",
          OWN({ "value.converter.registryAuth.password": CANARIES.registry, "cdc.lob.mode": "skip" }),
        );
        const set = migration("cutover", "context: prod").replace(
          "orders }",
          `orders, config: { ${setting}: "${value}" } }`,
        );
        await scene.refused(["plan", await scene.write("p.yaml", set)], says);
      },
    ),
  );

// ---- A worker that only the plan file names leads to no file of this machine ----------------------------------------

const URL_TO = (at: string, query: string) => `jdbc:oracle:thin:@tcps://${at}/s${query}`;
const DESCRIPTOR = (at: string, security: string) =>
  `jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(PROTOCOL=TCPS)(HOST=127.0.0.1)(PORT=${at.split(":")[1]})` +
  `)(CONNECT_DATA=(SERVICE_NAME=s))(SECURITY=${security}))`;

/**
 * Each names a file of this machine: the setting, and its value where `at` is a trap and `dir` a folder with what would
 * be read.
 */
const LOCAL_FILES: readonly (readonly [title: string, setting: string, (at: string, dir: string) => string])[] = [
  ["a wallet", "cdc.database.wallet.location", (_at, dir) => dir],
  ["a trust store", "cdc.database.tls.truststore.location", (_at, dir) => `${dir}/trust.jks`],
  ["a wallet in the URL", "cdc.database.url", (at, dir) => URL_TO(at, `?wallet_location=${dir}`)],
  ["a wallet in capitals", "cdc.database.url", (at, dir) => URL_TO(at, `?WALLET_LOCATION=${dir}`)],
  ["a wallet by its other name", "cdc.database.url", (at, dir) => URL_TO(at, `?my_wallet_directory=${dir}`)],
  ["a wallet of the working directory", "cdc.database.url", (at) => URL_TO(at, "?wallet_location=")],
  ["a wallet as a file: URL", "cdc.database.url", (at, dir) => URL_TO(at, `?wallet_location=file:${dir}`)],
  [
    "a wallet by its Oracle Net name",
    "cdc.database.url",
    (at, dir) => URL_TO(at, `?oracle.net.wallet_location=${dir}`),
  ],
  ["a wallet behind another parameter", "cdc.database.url", (at, dir) => URL_TO(at, `?a=b&wallet_location=${dir}`)],
  ["a key store in the URL", "cdc.database.url", (at, dir) => URL_TO(at, `?javax.net.ssl.keyStore=${dir}/k.p12`)],
  [
    "a token's folder in the URL",
    "cdc.database.url",
    (at, dir) => URL_TO(at, `?token_auth=OAUTH&token_location=${dir}/token`),
  ],
  ["the token of OCI's command line", "cdc.database.url", (at) => URL_TO(at, "?token_auth=OCI_TOKEN")],
  ["an alias of a tnsnames.ora", "cdc.database.url", (_at, dir) => `jdbc:oracle:thin:@EVIL?TNS_ADMIN=${dir}`],
  [
    "an alias, by the other name",
    "cdc.database.url",
    (_at, dir) => `jdbc:oracle:thin:@EVIL?oracle.net.tns_admin=${dir}`,
  ],
  ["a descriptor with a wallet", "cdc.database.url", (at, dir) => DESCRIPTOR(at, `(MY_WALLET_DIRECTORY=${dir})`)],
  [
    "a descriptor with a wallet in small letters",
    "cdc.database.url",
    (at, dir) => DESCRIPTOR(at, `(wallet_location=${dir})`),
  ],
  ["a descriptor with blanks", "cdc.database.url", (at, dir) => DESCRIPTOR(at, `( WALLET_LOCATION = ${dir} )`)],
  ...(
    [
      ["a wallet", (dir: string) => `oracle.net.wallet_location=${dir}`],
      [
        "a wallet as sqlnet.ora has it",
        (dir: string) => `oracle.net.wallet_location=(SOURCE=(METHOD=FILE)(METHOD_DATA=(DIRECTORY=${dir})))`,
      ],
      [
        "a wallet after a good property",
        (dir: string) => `oracle.net.connect_timeout=5;oracle.net.WALLET_LOCATION=${dir}`,
      ],
      ["a wallet by its short name", (dir: string) => `wallet_location=${dir}`],
      ["a wallet by its other name", (dir: string) => `MY_WALLET_DIRECTORY=${dir}`],
      ["a trust store", (dir: string) => `javax.net.ssl.trustStore=${dir}/trust.jks`],
      ["a key store", (dir: string) => `javax.net.ssl.keyStore=${dir}/k.p12;oracle.net.authentication_services=(TCPS)`],
      ["a key store with blanks", (dir: string) => ` javax.net.ssl.keystore = ${dir}/k.p12 `],
      ["a tnsnames.ora", (dir: string) => `oracle.net.tns_admin=${dir}`],
      ["a token", (dir: string) => `oracle.jdbc.tokenAuthentication=OAUTH;oracle.jdbc.tokenLocation=${dir}/token`],
      ["the token of OCI's command line", () => "oracle.jdbc.tokenAuthentication=OCI_TOKEN"],
    ] as const
  ).map(([title, value]): readonly [string, string, (at: string, dir: string) => string] => [
    `${title}, in the connection properties`,
    "cdc.database.connection.properties",
    (_at, dir) => value(dir),
  ]),
  ["a key store for the brokers", "cdc.stream.ssl.keystore.location", (_at, dir) => `${dir}/k.p12`],
  ["a trust store for the brokers", "cdc.stream.ssl.truststore.location", (_at, dir) => `${dir}/trust.jks`],
  ["a key store for the brokers, by their old name", "cdc.kafka.ssl.keystore.location", (_at, dir) => `${dir}/k.p12`],
];

for (const [what, setting, value] of LOCAL_FILES)
  for (const [command, plan] of [
    ["plan of an OffsetChange", offsetChange],
    ["plan of a Resnapshot", resnapshot],
    ["plan of a verification", (target: string) => migration("verify", target)],
  ] as const)
    logins(`${what}: ${setting} of a worker that the plan file names is refused by ${command}`, async () => {
      const dir = await mkdtemp(join(tmpdir(), "cdcctl-local-"));
      const wallet = `-----BEGIN PRIVATE KEY-----\n${CANARIES.database}\n-----END PRIVATE KEY-----\n`;
      for (const name of ["ewallet.pem", "trust.jks", "k.p12", "token"]) await writeFile(join(dir, name), wallet);
      try {
        await inScene(
          (traps) => {
            const config = connectorTo(traps, { [setting]: value(traps.database.address, dir) });
            return { "orders-cdc": config, "orders-legacy": legacyTo(traps) };
          },
          async (scene) => {
            const { address } = scene.database;
            await writeFile(
              join(dir, "tnsnames.ora"),
              `EVIL=(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=127.0.0.1)(PORT=${address.split(":")[1]})` +
                ")(CONNECT_DATA=(SERVICE_NAME=s)))\n",
            );
            const file = await scene.write("p.yaml", plan(`connectUrl: '${scene.worker.url}'`));
            await scene.refused(
              ["plan", file],
              new RegExp(
                `${setting.replace("kafka", "stream").replaceAll(".", "\\.")} names .*of this machine.*Pass ` +
                  "--connect-url",
              ),
            );
          },
        );
      } finally {
        await rm(dir, { recursive: true, force: true });
      }
    });

// ---- Flags and contexts ---------------------------------------------------------------------------------------------

for (const [title, more] of [
  ["--db-password-env", ["--db-password-env", "DB_PASSWORD"]],
  ["--db-user with --db-password-env", ["--db-user", "C##OWN", "--db-password-env", "DB_PASSWORD"]],
] as const)
  logins(`migrate verify: ${title} is sent to no host of a worker's configuration`, () =>
    inScene(
      (traps) => ({ "orders-cdc": connectorTo(traps) }),
      async (scene) => {
        await scene.refused(
          [
            "migrate",
            "verify",
            "--connect-url",
            scene.worker.url,
            "--connector",
            "orders-cdc",
            "--table",
            "A.B",
            ...more,
          ],
          new RegExp(`not sent to 127\\.0\\.0\\.1:${scene.database.port}.*--db-dsn`),
          { DB_PASSWORD: CANARIES.database },
        );
      },
    ),
  );

const ONE_OF_TWO: readonly (readonly [string, string, string])[] = [
  ["commandConfig", "commandConfig: client.properties", "bootstrapServers"],
  ["bootstrapServers", "bootstrapServers: 127.0.0.1:1", "commandConfig"],
];
for (const [what, line, missing] of ONE_OF_TWO)
  for (const [command, argv] of COMMANDS.slice(0, 5))
    logins(`a context with brokers.${what} alone is refused by ${command}, with file and line`, () =>
      inScene(
        (traps) => ({ "orders-cdc": connectorTo(traps) }),
        async (scene) => {
          await scene.write("contexts.yaml", contextsFile(scene.worker.url, `    brokers:\n      ${line}\n`));
          await scene.write("client.properties", PROPERTIES);
          await scene.refused(
            await argv(scene),
            new RegExp(
              `contexts\\.yaml:\\d+:\\d+: contexts\\.prod\\.brokers\\.${missing} is missing.*Add it: ${missing}`,
            ),
          );
        },
      ),
    );

for (const [command, plan] of [
  ["plan of an OffsetChange", offsetChange],
  ["plan of a Resnapshot", resnapshot],
  ...PHASES.map((phase) => [`plan of phase ${phase}`, (target: string) => migration(phase, target)] as const),
] as const)
  for (const verb of ["plan", "observe"] as const)
    logins(`--command-config is sent to no brokers of a worker that the plan file names: ${verb}, ${command}`, () =>
      inScene(
        (traps) => ({ "orders-cdc": connectorTo(traps), "orders-legacy": legacyTo(traps) }),
        async (scene) => {
          const file = await scene.write("p.yaml", plan(`connectUrl: '${scene.worker.url}'`));
          const properties = await scene.write("client.properties", PROPERTIES);
          await scene.refused(
            [
              verb,
              file,
              "--command-config",
              properties,
              ...(verb === "plan" ? [] : ["--out", join(scene.dir, "f.json")]),
            ],
            /--command-config contains credentials.*--bootstrap-servers/,
          );
        },
      ),
    );

// ---- JMX ------------------------------------------------------------------------------------------------------------

/** JVMs whose registry names another host. */
const REGISTRIES: readonly (readonly [title: string, tls: boolean, factory: boolean])[] = [
  ["without TLS", false, false],
  ["that says the server speaks TLS", false, true],
  ["with jmx.tls in the context", true, true],
];
for (const [what, tls, factory] of REGISTRIES)
  for (const by of ["the environment", "the context"] as const)
    for (const hosts of ["", "127.0.0.1:1", "127.0.0.3"])
      logins(
        `a login of ${by} does not go on to a host that a registry names, ` +
          `${what}${hosts === "" ? "" : `, jmx.hosts with ${hosts}`}`,
        async () => {
          const other = await openTrap(undefined, "127.0.0.2");
          const jvm = await startLoopbackJvm((call) =>
            call === "lookup"
              ? {
                  value: stub({
                    host: "127.0.0.2",
                    port: other.port,
                    ...(factory ? { factory: objectOf("javax.rmi.ssl.SslRMIClientSocketFactory") } : {}),
                  }),
                }
              : undefined,
          );
          try {
            await inScene(
              (traps) => ({
                "orders-cdc": connectorTo(traps, {
                  "cdc.database.port": "1",
                  "cdc.stream.bootstrap.servers": "127.0.0.1:1",
                }),
              }),
              async (scene) => {
                const named = ["127.0.0.1", ...(hosts === "" ? [] : [hosts])].map((one) => `"${one}"`).join(", ");
                const login = `      login: { user: ops, password: ${CANARIES.jmx} }\n`;
                await scene.write(
                  "contexts.yaml",
                  contextsFile(
                    "http://127.0.0.1:1",
                    "    jmx:\n      hosts: " +
                      `[${named}]\n${by === "the context" ? login : ""}${tls ? "      tls: {}\n" : ""}`,
                  ),
                );
                await scene.refused(
                  [
                    "admin",
                    "transactions",
                    "--connect-url",
                    scene.worker.url,
                    "--name",
                    "orders-cdc",
                    "--jmx-url",
                    jvm.url,
                  ],
                  new RegExp(`127\\.0\\.0\\.2:${other.port}.*the login was not sent there.*jmx\\.hosts`),
                  by === "the context" ? {} : { CDCCTL_JMX_USER: "ops", CDCCTL_JMX_PASSWORD: CANARIES.jmx },
                );
                assert.is(other.calls, 0);
                assert.equal(leaks(ALL, { registry: jvm.received() }), []);
              },
            );
          } finally {
            await Promise.all([other.close(), jvm.stop()]);
          }
        },
      );

logins("a host in jmx.hosts gets the login although a registry redirects to it", async () => {
  const greeting = Buffer.from([0x4e, 0, 9, ...Buffer.from("127.0.0.1"), 0, 0, 0x30, 0x39]);
  const other = await openTrap(() => greeting, "127.0.0.2");
  const jvm = await startLoopbackJvm((call) =>
    call === "lookup" ? { value: stub({ host: "127.0.0.2", port: other.port }) } : undefined,
  );
  try {
    const login = {
      user: "ops",
      password: secret(CANARIES.jmx),
      mayGoTo: ({ host }: { readonly host: string }) => host === "127.0.0.2",
    };
    const port = openJmx({ url: jvm.url, login, connectMillis: 1_000, callMillis: 500 });
    await port.taskAttributes("orders", ["Steps"]).catch(() => undefined);
    await port.close();
    assert.equal(leaks([CANARIES.jmx], { other: other.received() }), [`${CANARIES.jmx} in other`]);
  } finally {
    await Promise.all([other.close(), jvm.stop()]);
  }
});

logins.run();
