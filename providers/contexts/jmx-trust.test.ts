// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written like this
import { join } from "node:path";
import { inspect } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UsageError } from "../../core/errors.ts";
import { openContexts } from "./contexts.ts";
import { decideJmx } from "./jmx-trust.ts";
import { inFolder } from "./testing/test-folder.ts";

const trust = suite("logins to a JVM");

const PASSWORD = "${env:JMX_SECRET}";
const CONNECT_WITH_SECRET =
  'connect: { url: "https://prod:8083", auth: { bearer: { token: "${env:CONNECT_SECRET}" } } }';
const FILE = `contexts:
  prod:
    connect: { url: "https://prod:8083" }
    jmx:
      hosts: [worker-1.prod, "worker-2.prod:9998", "[::1]:9999", shared]
      login: { user: monitor, password: "${PASSWORD}" }
      tls:
        trustStore: { path: tls/trust.p12, type: PKCS12, password: changed }
        keyStore: { path: /tls/own.jks, type: JKS, password: store, keyPassword: key }
        registry: true
      domain: com.example.cdc
  test:
    connect: { url: "http://test:8083" }
    jmx:
      hosts: [worker.test, shared]
`;
const ENV = { JMX_SECRET: "s3cret" };
const OWN = { CDCCTL_JMX_USER: "me", CDCCTL_JMX_PASSWORD: "m1ne" };

const urlOf = (address: string) => `service:jmx:rmi:///jndi/rmi://${address}/jmxrmi`;
const STUB = "service:jmx:rmi:///stub/rO0ABXA=";

function decide(url: string, { env = {}, used }: { env?: Record<string, string>; used?: string } = {}) {
  return inFolder({ "contexts.yaml": FILE }, async (folder) => {
    const all = { ...ENV, ...env };
    const contexts = await openContexts({ path: join(folder, "contexts.yaml"), env: all, home: "/nonexistent" });
    return { folder, access: await decideJmx(url, all, contexts, used) };
  });
}

async function refusal(decision: Promise<unknown>): Promise<string> {
  const error = await decision.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  assert.instance(error, UsageError, String(error));
  return (error as UsageError).message;
}

trust("the section whose hosts include the URL's host gives login, certificates and domain", async () => {
  const { folder, access } = await decide(urlOf("Worker-1.prod:7199"));
  assert.is(access.login?.user, "monitor");
  assert.is(access.login?.password.open(), "s3cret");
  assert.is(access.domain, "com.example.cdc");
  assert.equal(
    { ...access.tls, trustStore: access.tls?.trustStore?.path, keyStore: access.tls?.keyStore?.path },
    { trustStore: join(folder, "tls/trust.p12"), keyStore: "/tls/own.jks", registry: true, checkHost: true },
  );
  assert.is(access.tls?.trustStore?.password?.open(), "changed");
  assert.is(access.tls?.keyStore?.keyPassword?.open(), "key");
  assert.not.match(inspect(access, { depth: 9 }) + JSON.stringify(access), /s3cret|changed|store"|"key"/);
});

const bound: readonly (readonly [string, string, boolean])[] = [
  ["the host at any port, if none is named", urlOf("worker-1.prod:1"), true],
  ["the port that is named", urlOf("worker-2.prod:9998"), true],
  ["an address in brackets", urlOf("[::1]:9999"), true],
  ["another port", urlOf("worker-2.prod:9999"), false],
  ["another host", urlOf("worker-3.prod:9999"), false],
  ["a host with the same prefix", urlOf("worker-1.prod.example.com:9999"), false],
  ["the host of connect.url alone", urlOf("prod:9999"), false],
  ["a stub, which does not show its host", STUB, false],
];
for (const [title, url, given] of bound)
  trust(`the login ${given ? "is sent" : "is not sent"} to ${title}`, async () => {
    const { access } = await decide(url, { used: "prod" });
    assert.is(access.login !== undefined, given);
    assert.is(access.tls !== undefined, given);
  });

trust("the environment's login takes precedence over the section's, whose certificates still apply", async () => {
  const { access } = await decide(urlOf("worker-1.prod:9999"), { env: OWN });
  assert.is(access.login?.user, "me");
  assert.is(access.login?.password.open(), "m1ne");
  assert.is(access.tls?.registry, true);
  assert.is((await decide(urlOf("elsewhere:9999"), { env: OWN })).access.login?.user, "me");
});

trust("an incomplete login in the environment is rejected, without showing it", async () => {
  const { CDCCTL_JMX_USER, CDCCTL_JMX_PASSWORD } = OWN;
  assert.match(await refusal(decide(urlOf("a:1"), { env: { CDCCTL_JMX_USER } })), /without CDCCTL_JMX_PASSWORD/);
  const message = await refusal(decide(urlOf("a:1"), { env: { CDCCTL_JMX_PASSWORD } }));
  assert.match(message, /without CDCCTL_JMX_USER/);
  assert.not.match(message, /m1ne/);
});

trust("only what is used has to be set: the login of Connect for Connect, that of JMX for JMX", () => {
  const text = FILE.replace('connect: { url: "https://prod:8083" }', CONNECT_WITH_SECRET);
  return inFolder({ "contexts.yaml": text }, async (folder) => {
    const open = (env: Record<string, string>) =>
      openContexts({ path: join(folder, "contexts.yaml"), env, home: "/nonexistent" });
    assert.is((await (await open({ CONNECT_SECRET: "c" })).resolve("prod")).connect.url, "https://prod:8083");
    assert.is((await (await open(ENV)).resolveJmx("prod")).login?.password.open(), "s3cret");
    assert.match(await refusal((await open({})).resolveJmx("prod")), /JMX_SECRET is not set/);
  });
});

trust("among several sections with the host, the used context's applies; without one, they are listed", async () => {
  assert.is((await decide(urlOf("shared:9999"), { used: "prod" })).access.login?.user, "monitor");
  assert.is((await decide(urlOf("shared:9999"), { used: "test" })).access.login, undefined);
  assert.match(await refusal(decide(urlOf("shared:9999"))), /several contexts .*shared.*: prod, test/);
});

trust("an invalid JMX URL is rejected before anything is contacted", async () => {
  assert.match(await refusal(decide("worker-1.prod:9999")), /not a JMX service URL/);
});

trust("a section without hosts, or with an invalid host, is rejected", async () => {
  const opening = (jmx: string) =>
    refusal(
      inFolder({ "contexts.yaml": `contexts: { a: { connect: { url: "http://a" }, jmx: ${jmx} } }` }, (folder) =>
        openContexts({ path: join(folder, "contexts.yaml"), env: {}, home: "/nonexistent" }),
      ),
    );
  assert.match(await opening("{ domain: a }"), /hosts is missing/);
  assert.match(await opening("{ hosts: [] }"), /hosts is an empty list/);
  assert.match(await opening('{ hosts: ["https://a"] }'), /hosts\[0\] is not a valid host/);
  assert.match(await opening("{ hosts: [a], tls: { trustStore: { path: a, type: p12 } } }"), /type/);
});

trust.run();
