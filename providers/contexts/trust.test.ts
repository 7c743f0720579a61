import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connectorSettings } from "../../core/document/connector-settings.ts";
import type { Target } from "../../core/document/intent.ts";
import { UsageError } from "../../core/errors.ts";
import { lineOf } from "../../core/values/remedy.ts";
import { secret } from "../../core/values/secret.ts";
import { type Contexts, isSameUrl } from "./contexts.ts";
import { type Access, type AccessFlags, bindAllCredentials, decideAccess, workerOf } from "./trust.ts";

const trust = suite("sources of credentials");

const CONNECT = { url: "https://prod:8083", auth: { kind: "bearer", token: secret("t0ken") } } as const;

const SPARK = { submit: "spark-submit --master yarn" };
/** One context, `prod`; requesting another is a usage error, as in the product. */
const CONTEXTS: Contexts = {
  path: "/home/me/contexts.yaml",
  names: ["prod"],
  warnings: [],
  outline: () => {
    throw new Error("contexts are not listed in this test");
  },
  namesOfJmxHost: () => [],
  isJmxHostOf: () => false,
  approvalsOf: async () => undefined,
  resolveJmx: async () => ({}),
  namesAt: async () => [],
  policiesOf: () => [],
  nameOfUrl: (url) => (isSameUrl(url, CONNECT.url) ? "prod" : undefined),
  async resolve(name) {
    if (name !== "prod") throw new UsageError(`no context ${name}`);
    return {
      name,
      connect: CONNECT,
      bootstrapServers: "prod-kafka:9093",
      commandConfig: "/home/me/prod.properties",
      configurations: new Map([["orders-cdc", "/home/me/orders.json"]]),
      connectorClass: "com.example.Build",
      spark: SPARK,
    };
  },
};

const target = (of: Partial<Target>): Target => ({
  context: undefined,
  connectUrl: undefined,
  connector: "orders-cdc",
  ...of,
});
const decide = (of: Partial<Target>, flags: AccessFlags = {}): Promise<Access> =>
  decideAccess(target(of), flags, CONTEXTS);

async function refusal(decision: Promise<Access>): Promise<string> {
  try {
    await decision;
  } catch (error) {
    assert.instance(error, UsageError, String(error));
    const [problem] = (error as UsageError).problems;
    assert.ok(lineOf(problem?.remedy ?? "").length > 0);
    return problem?.message ?? "";
  }
  throw new Error("it was allowed");
}

const PROD: Access = {
  context: "prod",
  connect: CONNECT,
  configuration: { from: "file", path: "/home/me/orders.json", completes: true },
  bootstrapServers: { servers: "prod-kafka:9093", namedBy: "the contexts file" },
  commandConfig: { path: "/home/me/prod.properties", givenBy: "the contexts file" },
  connectorClass: "com.example.Build",
  spark: SPARK,
  chosenBy: "operator",
};
const bare = (url: string): Access => ({
  context: undefined,
  connect: { url },
  chosenBy: "plan file",
  configuration: { from: "worker" },
  bootstrapServers: undefined,
  commandConfig: undefined,
  connectorClass: undefined,
  spark: undefined,
});

const typed = (path: string): Access["commandConfig"] => ({ path, givenBy: "the command line" });

const decisions: readonly (readonly [string, Partial<Target>, AccessFlags, Access])[] = [
  ["a context brings everything", { context: "prod" }, {}, PROD],
  [
    "a typed class takes precedence over the context's",
    { context: "prod" },
    { connectorClass: "com.example.Typed" },
    { ...PROD, connectorClass: "com.example.Typed" },
  ],
  [
    "a connector without a file in the context is read from the worker",
    { context: "prod", connector: "other" },
    {},
    { ...PROD, configuration: { from: "worker" } },
  ],
  [
    "--config takes precedence over the context's file",
    { context: "prod" },
    { config: "mine.json" },
    { ...PROD, configuration: { from: "file", path: "mine.json" } },
  ],
  [
    "--command-config takes precedence over the context's",
    { context: "prod" },
    { commandConfig: "mine" },
    { ...PROD, commandConfig: typed("mine") },
  ],
  [
    "a context's client properties are not sent to other brokers",
    { context: "prod" },
    { bootstrapServers: "else:9092" },
    { ...PROD, bootstrapServers: { servers: "else:9092", namedBy: "the command line" }, commandConfig: undefined },
  ],
  ["a plan file's URL gets nothing", { connectUrl: "http://any" }, {}, bare("http://any")],
  [
    "a plan file's URL gets nothing, even if a context has the same",
    { connectUrl: "https://prod:8083" },
    {},
    bare("https://prod:8083"),
  ],
  [
    "--connect-url gets the credentials for Connect of the context with that URL, the connector's class, how " +
      "it submits to Spark, and nothing else of it",
    {},
    { connectUrl: "https://prod:8083" },
    {
      ...bare("https://prod:8083"),
      context: "prod",
      connect: CONNECT,
      connectorClass: "com.example.Build",
      spark: SPARK,
      chosenBy: "operator",
    },
  ],
  [
    "--connect-url may repeat the plan file's",
    { connectUrl: "http://any:80/" },
    { connectUrl: "http://any" },
    { ...bare("http://any"), chosenBy: "operator" },
  ],
  [
    "--command-config goes to brokers that a worker of --connect-url names",
    {},
    { connectUrl: "http://any", commandConfig: "c" },
    { ...bare("http://any"), commandConfig: typed("c"), chosenBy: "operator" },
  ],
  [
    "with a plan file's URL it goes to --bootstrap-servers",
    { connectUrl: "http://any" },
    { bootstrapServers: "k:9092", commandConfig: "c" },
    {
      ...bare("http://any"),
      bootstrapServers: { servers: "k:9092", namedBy: "the command line" },
      commandConfig: typed("c"),
    },
  ],
  [
    "or to the brokers in --config",
    { connectUrl: "http://any" },
    { config: "f", commandConfig: "c" },
    { ...bare("http://any"), configuration: { from: "file", path: "f" }, commandConfig: typed("c") },
  ],
];
for (const [title, of, flags, expected] of decisions)
  trust(title, async () => {
    assert.equal(await decide(of, flags), expected);
  });

trust(
  "a context on the command line is equivalent to one in the plan file, also beside a connectUrl of the same plan",
  async () => {
    const named = await decide({ context: "prod" });
    assert.equal(await decide({}, { context: "prod" }), named);
    assert.equal(await decide({ context: "prod" }, { context: "prod" }), named);
    assert.equal(await decide({ connectUrl: "https://prod:8083/" }, { context: "prod" }), named);
  },
);

trust("without any address of Connect, the message names key, flag, variable and the known contexts", async () => {
  const failure = await decide({}).catch((error: unknown) => error);
  const remedy = lineOf((failure as UsageError).problems[0]?.remedy ?? "");
  for (const part of [
    "--context",
    "connect.url",
    "CDCCTL_CONTEXTS",
    "/home/me/contexts.yaml has prod",
    "--connect-url",
  ])
    assert.match(remedy, part);
});

const refused: readonly (readonly [string, Partial<Target>, AccessFlags, RegExp])[] = [
  [
    "--command-config is not sent to brokers that a plan file's worker names",
    { connectUrl: "http://any" },
    { commandConfig: "c" },
    /brokers that would receive them are named by the worker at the plan file's connectUrl/,
  ],
  [
    "a context and --connect-url contradict each other",
    { context: "prod" },
    { connectUrl: "http://any" },
    /both the context "prod" and a URL/,
  ],
  ["a context and a URL contradict each other", { context: "prod", connectUrl: "http://any" }, {}, /both the context/],
  [
    "two URLs contradict each other",
    { connectUrl: "http://any" },
    { connectUrl: "http://other" },
    /differ: http:\/\/other and http:\/\/any/,
  ],
  [
    "--context and the context of the plan file contradict each other",
    { context: "prod" },
    { context: "test" },
    /--context "test" and the context "prod" of the target differ/,
  ],
  ["--context and --connect-url contradict each other", {}, { context: "prod", connectUrl: "http://any" }, /both the/],
  [
    "a typed context does not give its credentials to another URL",
    { connectUrl: "http://any" },
    { context: "prod" },
    /the context "prod" is for https:\/\/prod:8083, and the target's connectUrl is http:\/\/any/,
  ],
  ["no address of Kafka Connect is given", {}, {}, /no address of Kafka Connect is given/],
];
for (const [title, of, flags, message] of refused)
  trust(`${title}: refused`, async () => {
    assert.match(await refusal(decide(of, flags)), message);
  });

trust("no context is resolved unless one is named", async () => {
  let asked = 0;
  const counting: Contexts = {
    ...CONTEXTS,
    resolve(name) {
      asked += 1;
      return CONTEXTS.resolve(name);
    },
  };
  await decideAccess(target({ connectUrl: "https://prod:8083" }), {}, counting);
  await decideAccess(target({}), { connectUrl: "https://elsewhere:8083" }, counting);
  assert.is(asked, 0);
});

trust("a password typed into --connect-url is not repeated", async () => {
  const message = await refusal(decide({ connectUrl: "http://any" }, { connectUrl: "http://u:hunter2@any" }));
  assert.not.match(message, /hunter2/);
});

const refuseLocalFiles = (config: Readonly<Record<string, string>>, access: Access) =>
  bindAllCredentials(
    connectorSettings({ "cdc.topic.prefix": "orders", ...config }, "x"),
    access,
    access.configuration.from === "file" ? "the operator's file" : workerOf(access),
  );

trust("a worker named only by the plan file cannot use key stores or wallets of this machine", async () => {
  const config = { "cdc.database.wallet.location": "/home/me/wallet" };
  const own = await decide({ connectUrl: "http://any" });
  assert.throws(() => refuseLocalFiles(config, own), /cdc\.database\.wallet\.location names a file of this machine/);
  assert.throws(() => refuseLocalFiles({ "cdc.stream.ssl.keystore.location": "/k.jks" }, own), /names a file/);
  for (const inside of [
    "oracle.jdbc.tokenAuthentication=OCI_TOKEN",
    "oracle.jdbc.tokenLocation=/home/me/token",
    "javax.net.ssl.keyStore=/k.p12",
  ])
    assert.throws(
      () => refuseLocalFiles({ "cdc.database.connection.properties": inside }, own),
      /connection\.properties names files or tokens/,
    );
  const url = "jdbc:oracle:thin:@tcps://evil:2484/s?token_auth=OCI_TOKEN";
  assert.throws(() => refuseLocalFiles({ "cdc.database.url": url }, own), /cdc\.database\.url names files or tokens/);
  assert.not.throws(() =>
    refuseLocalFiles({ "cdc.database.connection.properties": "oracle.net.connect_timeout=5" }, own),
  );
  assert.not.throws(() => refuseLocalFiles({ "cdc.database.host": "db" }, own));
  const typed = await decide({}, { connectUrl: "http://any" });
  assert.not.throws(() => refuseLocalFiles(config, typed));
  const fromFile = await decide({ connectUrl: "http://any" }, { config: "f" });
  assert.not.throws(() => refuseLocalFiles(config, fromFile));
});

trust.run();
