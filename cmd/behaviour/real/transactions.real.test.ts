import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parseJson } from "../../../core/values/json.ts";
import {
  LOGINS,
  STORE_PASSWORD,
  type TaskJvm,
  type TaskJvms,
  taskJvms,
  type Way,
} from "../../../providers/jmx/testing/task-jvm.ts";
import { CONNECTOR, type Sandbox, startSandbox } from "../../../providers/sandbox/sandbox.ts";
import { type Finished, startProcess } from "../run-command.ts";

/** The built cdcctl against a real JVM; Connect, Kafka and Oracle are the sandbox's. */
const real = suite<{ jvms: TaskJvms; jvm: TaskJvm; sandbox: Sandbox; folder: string }>(
  "admin transactions of a real JVM",
);

real.before(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), "cdcctl-jmx-"));
  context.sandbox = await startSandbox();
  context.jvms = await taskJvms();
  context.jvm = await context.jvms.start();
});
real.after(async ({ jvms, sandbox, folder }) => {
  await Promise.all([jvms?.stop(), sandbox?.close()]);
  await rm(folder, { recursive: true, force: true });
});

interface Asked {
  readonly jvms: TaskJvms;
  readonly jvm: TaskJvm;
  readonly sandbox: Sandbox;
  readonly folder: string;
}

const PASSWORD = { JMX_SECRET: LOGINS.reader.password };

/** @param section lines of `jmx` in the contexts file besides its hosts */
async function observe(
  { jvm, jvms, sandbox, folder }: Asked,
  way: Way,
  section: readonly string[],
  env: Readonly<Record<string, string>> = PASSWORD,
): Promise<Finished> {
  const file = join(folder, "contexts.yaml");
  const lines = [
    "hosts: [127.0.0.1]",
    ...section.map((line) => line.replace("CA", jvms.certificates.authority.pkcs12)),
  ];
  const text = `contexts:
  sandbox:
    connect: { url: "${sandbox.connect.url}" }
    jmx:
      ${lines.join("\n      ")}
`;
  await writeFile(file, text, { mode: 0o600 });
  const url = `service:jmx:rmi:///jndi/rmi://127.0.0.1:${jvm.port(way)}/jmxrmi`;
  const asked = ["--connect-url", sandbox.connect.url, "--name", CONNECTOR, "--jmx-url", url, "--format", "json"];
  return startProcess(["admin", "transactions", ...asked], { env: { CDCCTL_CONTEXTS: file, ...env } }).finished;
}

const LOGIN = `login: { user: ${LOGINS.reader.user}, password: "\${env:JMX_SECRET}" }`;
const TLS = `tls: { trustStore: { path: "CA", type: PKCS12, password: ${STORE_PASSWORD} }, registry: true }`;

interface Listed {
  readonly transactions: readonly Readonly<Record<string, unknown>>[];
}

function assertListed({ exit, output, stdout }: Finished): void {
  assert.is(exit, 0, output);
  assert.not.match(output, LOGINS.reader.password);
  const { transactions } = parseJson(stdout) as unknown as Listed;
  assert.equal(
    transactions.map((one) => [one["transaction"], one["first_scn"], one["bytes"], one["user"]]),
    [
      ["5.31.8190", 9_007_199_254_740_993n, (1n << 30n) + 5_000_000_000n, null],
      ["5.31.8191", 9_007_199_254_740_994n, 1n << 29n, "HR"],
      ["5.31.8192", 9_007_199_254_740_995n, 1n << 28n, "HR"],
    ],
  );
}

real("the contexts file's login and trust store are accepted over TLS", async (all) => {
  assertListed(await observe(all, "tls-registry", [LOGIN, TLS]));
});

real("the environment's login is accepted too, without a section in the contexts file", async (all) => {
  const env = { CDCCTL_JMX_USER: LOGINS.reader.user, CDCCTL_JMX_PASSWORD: LOGINS.reader.password };
  assertListed(await observe(all, "login", [], env));
});

const REFUSED: readonly (readonly [string, Way, readonly string[], RegExp])[] = [
  ["an authority that is not trusted", "tls", [LOGIN], /certificate of 127\.0\.0\.1:\d+ is not accepted/],
  [
    "a server without TLS, where TLS is set",
    "login",
    [LOGIN, TLS.replace("registry: true", "registry: false")],
    /the login was not sent/,
  ],
  ["no login", "login", [], /requires a user and a password/],
  [
    "another domain",
    "plain",
    ["domain: com.example"],
    /runs no task for the topic prefix orders; it runs tasks for other/,
  ],
];
for (const [what, way, section, says] of REFUSED)
  real(`${what}: a clear reason, and exit 1`, async (all) => {
    const { exit, output } = await observe(all, way, section);
    assert.is(exit, 1);
    assert.match(output, says);
    assert.not.match(output, LOGINS.reader.password);
  });

real.run();
