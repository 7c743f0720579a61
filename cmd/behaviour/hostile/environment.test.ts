/**
 * Variables that would let a login be read are refused by every command that opens a connection; certificates are
 * checked whatever the environment says; and files with secrets that others can read are warned of. By the built
 * program, because Node.js reads its variables before anything of the program runs.
 */
import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:tls";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connectorSettings } from "../../../core/document/connector-settings.ts";
import { secret } from "../../../core/values/secret.ts";
import { openConnect } from "../../../providers/connect/connect.ts";
import { openJmx } from "../../../providers/jmx/open-jmx.ts";
import { openKafka } from "../../../providers/kafka/open-kafka.ts";
import { openOracle } from "../../../providers/oracle/oracle-port.ts";
import { type SandboxConnect, startConnect } from "../../../providers/sandbox/connect/start-connect.ts";
import { plainJaas, plainProperties } from "../../../providers/sandbox/plain-login.ts";
import { bundle } from "../../dev/bundle.ts";
import { systemClock } from "../../session/clock.ts";
import { type Finished, runHere } from "../run-command.ts";
import { leaks } from "./trap.ts";

const environment = suite("the environment and the files around a login");

const CONNECT = "c4nary-connect-0c7e";
const DATABASE = "c4nary-database-b1d9";
const BROKERS = "c4nary-brokers-5f20";
const KEY = "c4nary-key-77aa";
const ALL = [CONNECT, DATABASE, BROKERS, KEY];
const BASIC = Buffer.from(`ops:${CONNECT}`).toString("base64");

let dir = "";
let worker: SandboxConnect;
/** Requests that the worker has seen since the last look. */
let before = 0;
const calls = (): number => {
  const now = worker.requests.length;
  const more = now - before;
  before = now;
  return more;
};

environment.before(async () => {
  dir = await mkdtemp(join(tmpdir(), "cdcctl-environment-"));
  await bundle(join(dir, "dist"));
  await mkdir(join(dir, "files"));
  worker = await startConnect({
    auth: { user: "ops", password: CONNECT },
  });
  await file("contexts.yaml", contexts());
  await file("own.json", own());
  await file("p.yaml", PLAN);
});
environment.after(async () => {
  await worker.close();
  await rm(dir, { recursive: true, force: true });
});

const PLAN =
  "apiVersion: cdcctl/v1\nkind: OffsetChange\nmetadata: { name: replay, reason: again }\ntarget: { context: " +
  "prod, connector: orders-cdc }\nspec: { scn: 2010000 }\n";

function contexts(more = ""): string {
  return (
    `contexts:\n  prod:\n    connect:\n      url: ${worker.url}\n      auth: { basic: { user: ops, password: ` +
    `${CONNECT} } }\n${more}`
  );
}

function own(): string {
  return JSON.stringify({
    "cdc.topic.prefix": "orders",
    "cdc.database.host": "127.0.0.1",
    "cdc.database.port": "1",
    "cdc.database.service": "S",
    "cdc.database.user": "C##CDC",
    "cdc.database.password": DATABASE,
    "cdc.database.pdbs": "P",
    "cdc.tables.include": "P[.]A[.]B",
  });
}

async function file(name: string, text: string, mode = 0o600): Promise<string> {
  const path = join(dir, "files", name);
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

/** A real child process of the built program. */
function built(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Pick<Finished, "exit" | "output">> {
  const child = spawn(process.execPath, [join(dir, "dist", "cdcctl.js"), ...argv], {
    cwd: join(dir, "files"),
    env: {
      PATH: process.env["PATH"],
      HOME: dir,
      CDCCTL_CONTEXTS: join(dir, "files", "contexts.yaml"),
      NO_PROXY: "*",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const timer = setTimeout(() => child.kill("SIGKILL"), 180_000);
  return new Promise((resolve) => {
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ exit: code ?? signal ?? "SIGKILL", output });
    });
  });
}

const VARIABLES: readonly (readonly [variable: string, value: string, says: RegExp])[] = [
  ["NODE_TLS_REJECT_UNAUTHORIZED", "0", /accept any certificate.*connect\.ca.*unset NODE_TLS_REJECT_UNAUTHORIZED/],
  ["NODE_DEBUG", "http", /Unset NODE_DEBUG[.]/],
  ["NODE_DEBUG", "HTTP,x", /Unset NODE_DEBUG[.]/],
  ["NODE_DEBUG", "https", /Unset NODE_DEBUG[.]/],
  ["NODE_DEBUG", "tls", /Unset NODE_DEBUG[.]/],
  ["NODE_DEBUG", "http,https,tls,net", /Unset NODE_DEBUG[.]/],
  ["NODE_DEBUG", "net", /Unset NODE_DEBUG[.]/],
  ["NODE_DEBUG", "ht*", /Unset NODE_DEBUG[.]/],
  ["NODE_DEBUG", "*", /Unset NODE_DEBUG[.]/],
  ["DEBUG", "https-proxy-agent", /Unset DEBUG/],
  ["DEBUG", "*", /Unset DEBUG/],
  ["NODE_OPTIONS", "--tls-keylog=keys.log", /keys of its TLS connections.*Unset NODE_OPTIONS/],
  ["NODE_OPTIONS", "--no-warnings --tls_keylog keys.log", /Unset NODE_OPTIONS/],
  ["NODE_OPTIONS", "--trace-tls", /Unset NODE_OPTIONS/],
  ["NODE_ORACLEDB_DEBUG_PACKETS", "1", /Unset NODE_ORACLEDB_DEBUG_PACKETS[.]/],
];

for (const [variable, value, says] of VARIABLES)
  environment(`${variable}=${value} is refused by the built program before a login is sent`, async () => {
    calls();
    const { exit, output } = await built(["plan", "p.yaml"], { [variable]: value });
    assert.is(exit, 64, output);
    assert.match(output.replace(/\s+/g, " "), says);
    assert.equal(leaks([...ALL, BASIC], { output }), []);
    assert.is(calls(), 0);
  });

const TYPED = () => ["--connect-url", worker.url, "--name", "orders-cdc"];
const CONNECTING: readonly (readonly [string, () => readonly string[]])[] = [
  ["apply", () => ["apply", "--yes", join(dir, "files", "p.yaml")]],
  ["observe", () => ["observe", join(dir, "files", "p.yaml"), "--out", join(dir, "facts.json")]],
  ["report", () => ["report", "orders-cdc", "--context", "prod", "--out", join(dir, "r.html")]],
  ["admin offsets show", () => ["admin", "offsets", "show", ...TYPED()]],
  ["admin offsets set", () => ["admin", "offsets", "set", ...TYPED(), "--scn", "5", "--reason", "r"]],
  ["admin resnapshot", () => ["admin", "resnapshot", ...TYPED(), "--tables", "P.A.B", "--reason", "r"]],
  ["admin transactions", () => ["admin", "transactions", ...TYPED()]],
  ["admin journal inspect", () => ["admin", "journal", "inspect", ...TYPED()]],
  ["recover --from-ops", () => ["recover", "--from-ops", "--context", "prod", "--connector", "orders-cdc"]],
  ["doctor explain-lag", () => ["doctor", "explain-lag", ...TYPED()]],
  ["doctor check", () => ["doctor", "check", "--config", join(dir, "files", "own.json")]],
  [
    "doctor setup-sql --ask-database",
    () => ["doctor", "setup-sql", "--ask-database", "--config", join(dir, "files", "own.json")],
  ],
  [
    "migrate takeover",
    () => [
      "migrate",
      "takeover",
      "--connect-url",
      worker.url,
      "--connector",
      "l",
      "--target-config",
      join(dir, "files", "own.json"),
    ],
  ],
  [
    "migrate verify",
    () => ["migrate", "verify", "--connect-url", worker.url, "--connector", "orders-cdc", "--table", "A.B"],
  ],
];

for (const [command, argv] of CONNECTING)
  for (const [variable, value] of [
    ["NODE_TLS_REJECT_UNAUTHORIZED", "0"],
    ["NODE_DEBUG", "http,https,tls,net"],
  ] as const)
    environment(`${variable}=${value} is refused by ${command}`, async () => {
      calls();
      const { exit, output } = await here(argv(), { [variable]: value });
      assert.match(output, `the variable ${variable} makes Node.js`);
      assert.is(exit, 64, output);
      assert.is(calls(), 0);
    });

function here(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Finished> {
  return runHere(argv, {
    env: {
      HOME: dir,
      CDCCTL_CONTEXTS: join(dir, "files", "contexts.yaml"),
      CDCCTL_STATE: join(dir, "state"),
      NO_PROXY: "*",
      ...env,
    },
    patience: { connect: { callMillis: 3_000 }, kafka: { connectMillis: 500, requestMillis: 500 } },
  });
}

for (const [variable, value] of [
  ["NODE_TLS_REJECT_UNAUTHORIZED", "1"],
  ["NODE_DEBUG", "module"],
  ["NODE_DEBUG", "fs,timer"],
  ["DEBUG", "express:*"],
  ["DEBUG", ""],
] as const)
  environment(`${variable}=${value} is accepted`, async () => {
    calls();
    const { output } = await here(["admin", "offsets", "show", ...TYPED()], { [variable]: value });
    assert.not.match(output, /the variable/);
    assert.ok(calls() > 0, output);
  });

environment("a command that opens no connection ignores them", async () => {
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_DEBUG: "http" };
  assert.is((await here(["validate", join(dir, "files", "p.yaml")], env)).exit, 0);
});

// ---- Certificates ---------------------------------------------------------------------------------------------------

/** Clients to a server whose certificate nobody here has signed; each gives up with a failure. */
const CLIENTS: readonly (readonly [string, (port: number) => Promise<unknown>])[] = [
  [
    "Connect",
    async (port) => {
      const connect = openConnect({
        url: `https://localhost:${port}`,
        auth: { kind: "basic", user: "ops", password: secret(CONNECT) },
        environment: {},
        clock: systemClock,
        limits: { callMillis: 2_000, retryMillis: 0, firstContactMillis: 0 },
      });
      return connect.worker().finally(() => connect.close());
    },
  ],
  [
    "the brokers",
    async (port) => {
      const properties = {
        "security.protocol": secret("SASL_SSL"),
        "sasl.mechanism": secret("PLAIN"),
        "sasl.jaas.config": secret(plainJaas("own", BROKERS)),
      };
      const kafka = openKafka({ bootstrapServers: `localhost:${port}`, properties }, { connectMillis: 2_000 });
      return kafka.topics().finally(() => kafka.close());
    },
  ],
  [
    "the database",
    async (port) => {
      const { database } = connectorSettings(
        {
          "cdc.topic.prefix": "orders",
          "cdc.database.url": `jdbc:oracle:thin:@tcps://localhost:${port}/S`,
          "cdc.database.user": "C##CDC",
          "cdc.database.password": DATABASE,
        },
        "own.json",
      );
      const oracle = openOracle(database, { connectMillis: 2_000 });
      return oracle.database().finally(() => oracle.close());
    },
  ],
  [
    "a JVM",
    async (port) => {
      const jmx = openJmx({
        url: `service:jmx:rmi:///jndi/rmi://localhost:${port}/jmxrmi`,
        login: { user: "ops", password: secret(KEY) },
        tls: { registry: true, checkHost: true },
        connectMillis: 2_000,
      });
      return jmx.taskAttributes("orders", ["Steps"]).finally(() => jmx.close());
    },
  ],
];

for (const [system, ask] of CLIENTS)
  environment(`${system}: an untrusted certificate is refused, whatever NODE_TLS_REJECT_UNAUTHORIZED is`, async () => {
    const pem = await readFile(new URL("../../../providers/tls/testdata/server.pem", import.meta.url), "utf8");
    let received = "";
    const server = createServer({ key: pem, cert: pem }, (socket) => {
      socket.on("error", () => socket.destroy());
      socket.on("data", (piece) => {
        received += piece.toString("latin1");
      });
    });
    server.on("tlsClientError", () => undefined);
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      const failure = await ask((server.address() as AddressInfo).port).then(
        () => "it was accepted",
        (error: unknown) => String(error),
      );
      assert.match(failure, /certificate|TLS/i);
      assert.is(received, "");
    } finally {
      if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
      else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
      await new Promise<void>((closed) => server.close(() => closed()));
    }
  });

// ---- Files ----------------------------------------------------------------------------------------------------------

const PROPERTIES = plainProperties("own", BROKERS);
const BROKER_LINES = "    brokers:\n      bootstrapServers: 127.0.0.1:1\n      commandConfig: client.properties\n";

/** A file, what is in it, and a command that uses it. */
const FILES: readonly (readonly [
  title: string,
  name: string,
  text: () => string,
  argv: () => readonly string[],
  holds: string,
])[] = [
  ["the contexts file", "contexts.yaml", () => contexts(), () => ["plan", join(dir, "files", "p.yaml")], "passwords"],
  [
    "the file of --config",
    "config.json",
    own,
    () => ["plan", join(dir, "files", "p.yaml"), "--config", join(dir, "files", "config.json")],
    "passwords",
  ],
  [
    "the file of --command-config",
    "command.properties",
    () => PROPERTIES,
    () => ["plan", join(dir, "files", "p.yaml"), "--command-config", join(dir, "files", "command.properties")],
    "passwords",
  ],
  [
    "commandConfig of a context",
    "client.properties",
    () => PROPERTIES,
    () => ["plan", join(dir, "files", "p.yaml")],
    "passwords",
  ],
  ["a client key", "client.key", () => KEY, () => ["plan", join(dir, "files", "p.yaml")], "a private key"],
  [
    "the key store for JMX",
    "jmx.p12",
    () => KEY,
    () => ["admin", "transactions", ...TYPED(), "--jmx-url", "service:jmx:rmi:///jndi/rmi://127.0.0.1:1/jmxrmi"],
    "a private key",
  ],
  [
    "the file of doctor check",
    "checked.json",
    own,
    () => ["doctor", "check", "--config", join(dir, "files", "checked.json")],
    "passwords",
  ],
  [
    "a key store for the brokers",
    "brokers.p12",
    () => KEY,
    () => ["plan", join(dir, "files", "p.yaml"), "--command-config", join(dir, "files", "ssl.properties")],
    "a private key",
  ],
];

for (const [what, name, text, argv, holds] of FILES)
  for (const [mode, who] of [
    [0o640, "its group"],
    [0o644, "every user of this host"],
    [0o604, "every user of this host"],
    [0o600, undefined],
  ] as const)
    environment(
      `${what} with mode ${mode.toString(8)} ` +
        `${who === undefined ? "is not warned of" : `is warned of: ${who} can read it`}`,
      async () => {
        const connectors = await startConnect({
          connectors: [
            { name: "orders-cdc", config: JSON.parse(own()) as Record<string, string>, state: "STOPPED", offsets: [] },
          ],
        });
        try {
          const more =
            name === "client.key"
              ? "      clientCertificate: client.pem\n      clientKey: client.key\n"
              : name === "client.properties"
                ? BROKER_LINES
                : name === "jmx.p12"
                  ? "    jmx:\n      hosts: [127.0.0.1]\n      tls: { keyStore: { path: jmx.p12, type: PKCS12 } }\n"
                  : "";
          await file("contexts.yaml", contexts(more).replace(worker.url, connectors.url));
          await file("client.pem", "no certificate");
          await file("client.key", KEY);
          await file(
            "ssl.properties",
            `security.protocol=SSL\nssl.keystore.location=${join(dir, "files", "brokers.p12")}\n`,
          );
          await file(name, name === "contexts.yaml" ? text().replace(worker.url, connectors.url) : text(), mode);
          const { output } = await here(argv().map((word) => (word === worker.url ? connectors.url : word)));
          const warning =
            `warning: ${join(dir, "files", name)} holds ${holds} and ${who} can read it (mode ` +
            `0${mode.toString(8)}): chmod 600`;
          if (who === undefined) assert.not.match(output, /can read it/);
          else assert.is(output.split(warning).length, 2, `wanted once: ${warning}\n${output}`);
          assert.equal(leaks(ALL, { output }), []);
        } finally {
          await connectors.close();
          await file("contexts.yaml", contexts());
        }
      },
    );

environment("a file whose passwords are references causes no warning", async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference is written like this
  const path = await file("referring.json", own().replace(DATABASE, "${env:DB_PASSWORD}"), 0o644);
  const { output } = await here(["doctor", "check", "--config", path], { DB_PASSWORD: DATABASE });
  assert.not.match(output, /can read it/);
});

environment.run();
