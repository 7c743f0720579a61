// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written like this

import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";
import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UsageError } from "../../core/errors.ts";
import { lineOf } from "../../core/values/remedy.ts";
import { permissions } from "../bounded-file.ts";
import { type Contexts, openContexts } from "./contexts.ts";
import { inFolder } from "./testing/test-folder.ts";
import { exposure } from "./text-file.ts";

const contexts = suite("contexts file");

const FULL = `apiVersion: cdcctl/v1
kind: Contexts
contexts:
  prod:
    connect:
      url: https://connect.prod:8083/gateway
      auth:
        basic: { user: cdcctl, password: "\${env:CONNECT_PASSWORD}" }
      ca: tls/ca.pem
      clientCertificate: tls/client.pem
      clientKey: tls/client.key
      clientKeyPassword: \${file:secrets.properties:key.password}
      proxy: { url: http://proxy:3128, user: me, password: "\${directory:secrets:proxy}" }
    brokers:
      bootstrapServers: kafka:9093
      commandConfig: client.properties
    connectors:
      orders-cdc: { config: configs/orders.json }
  test:
    connect:
      url: http://localhost:8083
      auth: { bearer: { token: "\${env:NOT_SET}" } }
`;
const FILES = {
  "contexts.yaml": FULL,
  "tls/ca.pem": "CA",
  "tls/client.pem": "CERT",
  "tls/client.key": "KEY",
  "secrets.properties": "key.password=s3cret\n",
  "secrets/proxy": "pr0xy",
};
const ENV = { CONNECT_PASSWORD: "c0nnect" };

const openIn = (folder: string, env: Record<string, string> = ENV): Promise<Contexts> =>
  openContexts({ path: join(folder, "contexts.yaml"), env, home: "/nonexistent" });

async function problemsOf(call: () => Promise<unknown>) {
  try {
    await call();
  } catch (error) {
    assert.instance(error, UsageError, String(error));
    return (error as UsageError).problems;
  }
  throw new Error("no problem was found");
}
const opening = (text: string | Uint8Array) =>
  problemsOf(() => inFolder({ "contexts.yaml": text }, (folder) => openIn(folder)));

contexts("a context has resolved references, absolute paths and sealed secrets", () =>
  inFolder(FILES, async (folder) => {
    const file = await openIn(folder);
    assert.equal(file.names, ["prod", "test"]);
    assert.equal(file.warnings, []);
    const prod = await file.resolve("prod");
    const { auth, proxy, key, passphrase, ...plain } = prod.connect;
    assert.equal(plain, { url: "https://connect.prod:8083/gateway", ca: "CA", cert: "CERT" });
    assert.is(auth?.kind === "basic" && auth.user === "cdcctl" && auth.password.open(), "c0nnect");
    assert.is(typeof proxy === "object" && proxy.password?.open(), "pr0xy");
    assert.is(key?.open(), "KEY");
    assert.is(passphrase?.open(), "s3cret");
    assert.is(prod.bootstrapServers, "kafka:9093");
    assert.is(prod.commandConfig, join(folder, "client.properties"));
    assert.equal([...prod.configurations], [["orders-cdc", join(folder, "configs/orders.json")]]);
    assert.not.match(inspect(prod, { depth: 9 }) + JSON.stringify(prod), /c0nnect|pr0xy|s3cret|hunter2/);
  }),
);

contexts("only the references of the requested context must resolve", () =>
  inFolder(FILES, async (folder) => {
    const file = await openIn(folder);
    await file.resolve("prod");
    const [problem] = await problemsOf(() => file.resolve("test"));
    assert.match(problem?.message ?? "", /context "test": \$\{env:NOT_SET\}: environment variable NOT_SET is not set/);
    assert.is(problem?.file, join(folder, "contexts.yaml"));
    assert.is(problem?.line, 22);
  }),
);

contexts("an unknown context gets a suggestion and the names", () =>
  inFolder(FILES, async (folder) => {
    const file = await openIn(folder);
    const [problem] = await problemsOf(() => file.resolve("prd"));
    assert.match(problem?.message ?? "", /no context "prd"/);
    assert.match(lineOf(problem?.remedy ?? ""), /Did you mean prod\? Use one of prod, test, or/);
    for (const name of ["constructor", "__proto__", "toString"]) await problemsOf(() => file.resolve(name));
  }),
);

contexts("is found by --contexts, CDCCTL_CONTEXTS, XDG_CONFIG_HOME, or in the home folder", () =>
  inFolder(
    Object.fromEntries(
      ["a.yaml", "b.yaml", "xdg/cdcctl/contexts.yaml", "home/.config/cdcctl/contexts.yaml"].map((name) => [
        name,
        "contexts: {}\n",
      ]),
    ),
    async (folder) => {
      const home = join(folder, "home");
      const found = async (path: string | undefined, env: Record<string, string>) =>
        (await openContexts({ path, env, home })).path.slice(folder.length + 1);
      const xdg = { XDG_CONFIG_HOME: join(folder, "xdg") };
      const named = { ...xdg, CDCCTL_CONTEXTS: join(folder, "b.yaml") };
      assert.is(await found(join(folder, "a.yaml"), named), "a.yaml");
      assert.is(await found(undefined, named), "b.yaml");
      assert.is(await found(undefined, xdg), "xdg/cdcctl/contexts.yaml");
      assert.is(await found(undefined, { XDG_CONFIG_HOME: "relative" }), "home/.config/cdcctl/contexts.yaml");
    },
  ),
);

contexts("is optional, unless it is named", () =>
  inFolder({}, async (folder) => {
    const none = await openContexts({ env: {}, home: folder });
    assert.equal(none.names, []);
    const [problem] = await problemsOf(() => none.resolve("prod"));
    assert.match(problem?.message ?? "", /no contexts file/);
    assert.match(lineOf(problem?.remedy ?? ""), /\.config\/cdcctl\/contexts\.yaml/);
    const [missing] = await problemsOf(() => openIn(folder));
    assert.match(missing?.message ?? "", /not there/);
  }),
);

contexts("secrets that every user of the host can read cause a warning", () =>
  inFolder({ ...FILES, "contexts.yaml": FULL.replace('"${env:NOT_SET}"', "hunter2") }, async (folder) => {
    await chmod(join(folder, "contexts.yaml"), 0o644);
    const [warning] = (await openIn(folder)).warnings;
    assert.match(warning ?? "", /every user of this host can read it \(mode 0644\): chmod 600/);
    assert.not.match(warning ?? "", /hunter2/);
  }),
);

contexts("the command that closes a file quotes its path", () => {
  assert.match(exposure("/home/o'brien/a; b.yaml", 0o644) ?? "", "chmod 600 '/home/o'\\''brien/a; b.yaml'");
});

contexts("root's file may be readable by its group alone, since this process reads it by that", () => {
  for (const [uid, mode, own, seen] of [
    [0, 0o440, 185, 0o400],
    [0, 0o444, 185, 0o444],
    [0, 0o440, 0, 0o440],
    [501, 0o440, 185, 0o440],
  ] as const)
    assert.is(permissions({ mode: 0o100000 | mode, uid }, own), seen, `${uid} ${mode}`);
});

contexts("a file without literal secrets may be world-readable", () =>
  inFolder({ "contexts.yaml": FULL.replace("hunter2", '"${env:JMX}"') }, async (folder) => {
    await chmod(join(folder, "contexts.yaml"), 0o644);
    assert.equal((await openIn(folder)).warnings, []);
  }),
);

const bad: readonly (readonly [string, string | Uint8Array, RegExp, RegExp])[] = [
  ["an empty file", "", /empty/, /cdcctl schema/],
  ["a binary file", new Uint8Array([0x7f, 0x45, 0, 0xff]), /not UTF-8 text/, /right file/],
  ["2 MB", "#".repeat(2_000_000), /larger than/, /right file/],
  ["broken YAML", "contexts: [", /not valid YAML/, /./],
  ["two documents", "contexts: {}\n---\ncontexts: {}\n", /second document/, /one/],
  [
    "a duplicate context",
    "contexts:\n  a: {connect: {url: http://h}}\n  a: {connect: {url: http://h}}\n",
    /a is given twice/,
    /keep/i,
  ],
  ["an unknown key", "contexts:\n  a: {connect: {ulr: http://h}}\n", /a key that is not known/, /Did you mean url/],
  ["no URL", "contexts:\n  a: {connect: {}}\n", /contexts\.a\.connect has none of url and urls/, /url: /],
  ["credentials in the URL", "contexts:\n  a: {connect: {url: http://u:hunter2@h}}\n", /user or a password/, /auth/],
  [
    "a password that is a number",
    "contexts:\n  a: {connect: {url: http://h, auth: {basic: {user: u, password: 4711}}}}\n",
    /password is not text, where text/,
    /password|text/,
  ],
  [
    "two ways to log in",
    "contexts:\n  a: {connect: {url: http://h, auth: {basic: {user: u, password: hunter2}, bearer: {token: " +
      "hunter2}}}}\n",
    /basic and bearer together/,
    /exactly one/,
  ],
  [
    "a token in the place of a map",
    "contexts:\n  a: {connect: {url: http://h, auth: {bearer: hunter2}}}\n",
    /bearer is text, where a map/,
    /token/,
  ],
  [
    "a password taken for a tag",
    "contexts:\n  a: {connect: {url: http://h, auth: {basic: {user: u, password: !hunter2 }}}}\n",
    /a tag/,
    /quotes/,
  ],
  [
    "a password taken for an alias",
    "contexts:\n  a: {connect: {url: http://h, auth: {basic: {user: u, password: *hunter2 }}}}\n",
    /an alias/,
    /quotes/,
  ],
  [
    "a password taken for syntax",
    'contexts:\n  a:\n    connect: {url: http://h, auth: {basic: {user: u, password: "x" hunter2}}}\n',
    /not valid YAML/,
    /./,
  ],
  ["a password of two lines", "contexts:\n  a: {b: }hunter2\nhunter2: [\n'hunter2\n", /not valid YAML/, /./],
];
for (const [title, text, message, remedy] of bad)
  contexts(`${title} is rejected, and no secret is shown`, async () => {
    const problems = await opening(text);
    const found = problems.find((problem) => message.test(problem.message));
    assert.ok(found, problems.map((problem) => problem.message).join(" | "));
    assert.match(lineOf(found?.remedy ?? ""), remedy);
    assert.match(found?.file ?? "", /contexts\.yaml$/);
    assert.not.match(JSON.stringify(problems), /hunter2|4711/);
  });

contexts("the value of a reference is never shown, even if it is unusable", () =>
  inFolder({ "contexts.yaml": 'contexts:\n  a: {connect: {url: "${env:CONNECT_PASSWORD}"}}\n' }, async (folder) => {
    const [problem] = await problemsOf(async () => (await openIn(folder)).resolve("a"));
    assert.match(problem?.message ?? "", /the value of \$\{env:CONNECT_PASSWORD\} can't be used here/);
    assert.not.match(JSON.stringify(problem), /c0nnect/);
  }),
);

contexts("the submit settings of Spark have no reference, and are shown by their program only", () =>
  inFolder(
    {
      "contexts.yaml":
        'contexts:\n  a: {connect: {url: "http://c:8083"}, ' +
        'spark: {submit: "spark-submit --conf x=hunter2", databaseSessions: 3}}\n' +
        '  b: {connect: {url: "http://c:8083"}, spark: {submit: "spark-submit --conf p=${env:CONNECT_PASSWORD}"}}\n',
    },
    async (folder) => {
      const file = await openIn(folder);
      assert.equal((await file.resolve("a")).spark, { submit: "spark-submit --conf x=hunter2", databaseSessions: 3n });
      assert.is(file.outline("a").sparkSubmit, "spark-submit");
      const [problem] = await problemsOf(() => file.resolve("b"));
      assert.match(problem?.message ?? "", /context "b": spark\.submit contains a reference/);
      assert.is(problem?.line, 3);
    },
  ),
);

contexts("the submit settings of Spark have no login; what only locates one is not a login", () =>
  inFolder(
    {
      "contexts.yaml": `contexts:
${[
  "spark.authenticate.secret=hunter2",
  "spark.hadoop.fs.s3a.access.key=hunter2",
  "spark.driver.extraJavaOptions=-Djavax.net.ssl.keyStorePassword=hunter2",
  "x=y --repositories https://u:hunter2@maven.example.com",
  "spark.kubernetes.executor.secrets.cdcctl-contexts=/etc/cdcctl --conf spark.authenticate=true",
  "spark.kubernetes.authenticate.oauthTokenFile=/run/token --conf spark.security.credentials.hive.enabled=false",
]
  .map(
    (setting, at) => `  c${at}: {connect: {url: "http://c:8083"}, spark: {submit: "spark-submit --conf ${setting}"}}`,
  )
  .join("\n")}
  before: {connect: {url: "http://c:8083"}, spark: {submit: "KEY='hunter 2' spark-submit"}}\n`,
    },
    async (folder) => {
      const file = await openIn(folder);
      for (const [at, login] of [
        "the setting spark.authenticate.secret",
        "the setting spark.hadoop.fs.s3a.access.key",
        "the setting javax.net.ssl.keyStorePassword",
        "a URL with a login",
      ].entries()) {
        const [problem] = await problemsOf(() => file.resolve(`c${at}`));
        assert.is(
          problem?.message,
          `context "c${at}": spark.submit contains ${login}, and command lines are visible to other users`,
        );
        assert.is(problem?.line, at + 2);
      }
      assert.is(file.outline("c0").sparkSubmit, "spark-submit");
      assert.is(file.outline("before").sparkSubmit, "a shell command");
      for (const name of ["c4", "c5"]) assert.ok((await file.resolve(name)).spark);
    },
  ),
);

contexts("no mistake in the file makes a message repeat a secret", () =>
  inFolder({}, async (folder) => {
    const path = join(folder, "contexts.yaml");
    const good = `contexts:
  prod:
    connect: {url: https://connect:8083, auth: {basic: {user: u, password: hunter2}}}
  test:
    connect:
      url: http://connect:8083
      auth:
        bearer:
          token: hunter2
`;
    const piece = fc.oneof(
      fc.string({ unit: "grapheme-ascii", maxLength: 3 }),
      fc.constantFrom(..."\t\n:-?[]{}&*!|>'\"%@`#,", ": ", " - ", "!!", "\n  ", "---\n", "${", "*a"),
    );
    const cut = fc.record({ at: fc.nat(400), length: fc.nat(4), piece });
    await fc.assert(
      fc.asyncProperty(fc.array(cut, { minLength: 1, maxLength: 4 }), async (cuts) => {
        const text = cuts.reduce((so, { at, length, piece: put }) => {
          const place = at % (so.length + 1);
          return so.slice(0, place) + put + so.slice(place + length);
        }, good);
        await writeFile(path, text);
        try {
          const file = await openIn(folder);
          for (const name of file.names) await file.resolve(name);
        } catch (error) {
          if (!(error instanceof UsageError)) throw error;
          assert.not.match(JSON.stringify(error.problems), /hunter2/, text);
        }
      }),
      { numRuns: 500 },
    );
  }),
);

contexts("several workers of one cluster are an alternative to one URL, and are found by each of them", async () => {
  const file = (connect: string) => ({
    "contexts.yaml": `apiVersion: cdcctl/v1\nkind: Contexts\ncontexts:\n  prod:\n    connect: { ${connect} }\n`,
  });
  const urls = "urls: [http://w1:8083, http://w2:8083/]";
  await inFolder(file(urls), async (folder) => {
    const opened = await openIn(folder);
    const { connect } = await opened.resolve("prod");
    assert.equal([connect.url, connect.otherUrls], ["http://w1:8083", ["http://w2:8083/"]]);
    assert.equal(opened.outline("prod").urls, ["http://w1:8083", "http://w2:8083/"]);
    assert.equal([opened.nameOfUrl("http://w2:8083"), opened.nameOfUrl("http://w3:8083")], ["prod", undefined]);
  });
  for (const [connect, problem] of [
    [`url: http://w1:8083, ${urls}`, /url and .*urls together/],
    ["ca: ca.pem", /none of url/],
    ["urls: []", /empty list/],
    ["urls: [w1]", /URL/],
  ] as const)
    await inFolder(file(connect), async (folder) => {
      const failure = await openIn(folder).catch((error: unknown) => error);
      assert.ok(failure instanceof UsageError, connect);
      assert.match(failure.message, problem);
    });
});

contexts("policies and approvals hold for the context's name, and for every URL that its workers may have", () =>
  inFolder(
    {
      "contexts.yaml": `contexts:
  prod: {policies: [rules, /etc/rules], connect: {urls: ["http://w1:8083", "http://w2:8083"]}}
  same: {connect: {url: "http://w2:8083/"}}
  test: {connect: {url: "http://t:8083"}}
  hidden: {connect: {url: "http://\${env:HIDDEN}:8083"}}
`,
    },
    async (folder) => {
      const opened = await openIn(folder, { HIDDEN: "w3" });
      assert.equal(opened.policiesOf("prod"), [join(folder, "rules"), "/etc/rules"]);
      assert.equal(opened.policiesOf("same"), []);
      for (const [name, urls, there] of [
        ["prod", [], ["prod"]],
        [undefined, ["http://w1:8083/"], ["prod"]],
        [undefined, ["http://w2:8083"], ["prod", "same"]],
        ["test", ["http://w9:8083", "http://w2:8083"], ["prod", "same", "test"]],
        [undefined, ["http://w3:8083"], ["hidden"]],
        [undefined, [], []],
      ] as const)
        assert.equal(await opened.namesAt(name, urls), there);
      assert.equal(await (await openIn(folder)).namesAt(undefined, ["http://w9:8083"]), ["hidden"]);
    },
  ),
);

contexts("a reference among several workers is resolved like any other value", () =>
  inFolder(
    {
      "contexts.yaml": `contexts:
  a:
    connect: { urls: ["http://w1:8083", "\${env:SECOND}", "http://\${file:w.properties:third}:8083"] }
  b: { connect: { urls: ["\${env:NOT_SET}"] } }
  c: { connect: { urls: ["\${env:CONNECT_PASSWORD}"] } }
`,
      "w.properties": "third=w3\n",
    },
    async (folder) => {
      const opened = await openIn(folder, { SECOND: "http://w2:8083" });
      const { connect } = await opened.resolve("a");
      assert.equal([connect.url, connect.otherUrls], ["http://w1:8083", ["http://w2:8083", "http://w3:8083"]]);
      assert.equal(opened.outline("a").urls[1], "${env:SECOND}");
      const [unset] = await problemsOf(() => opened.resolve("b"));
      assert.match(unset?.message ?? "", /environment variable NOT_SET is not set/);
      const [unusable] = await problemsOf(async () => (await openIn(folder)).resolve("c"));
      assert.match(unusable?.message ?? "", /the value of \$\{env:CONNECT_PASSWORD\} can't be used here/);
    },
  ),
);

contexts.run();
