import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isRow, readTaskMetrics, TASK_ATTRIBUTES } from "../../core/facts/connector/task-metrics.ts";
import { instantOf } from "../../core/values/instant.ts";
import { inSequence } from "../../core/values/regexp.ts";
import { secret } from "../../core/values/secret.ts";
import { startStack } from "../real/stack.ts";
import { type JmxOptions, openJmx } from "./open-jmx.ts";
import type { JmxTls } from "./session.ts";
import { fails } from "./testing/failing.ts";
import { LOGINS, STORE_PASSWORD, type TaskJvm, type TaskJvms, taskJvms, type Way } from "./testing/task-jvm.ts";

const real = suite<{ jvms: TaskJvms; jvm: TaskJvm }>("JMX of a real JVM");

real.before(async (context) => {
  context.jvms = await taskJvms();
  context.jvm = await context.jvms.start();
});
real.after(({ jvms }) => jvms?.stop());

const AT = instantOf(1_700_000_000_000);
const BEAN = "sh.oso.cdc:type=task,server=orders";
const LOGIN = { user: LOGINS.reader.user, password: secret(LOGINS.reader.password) };

const url = (jvm: TaskJvm, way: Way) => `service:jmx:rmi:///jndi/rmi://127.0.0.1:${jvm.port(way)}/jmxrmi`;

function tls({ certificates: { authority } }: TaskJvms, change: Partial<JmxTls> = {}): JmxTls {
  const trustStore = { path: authority.pkcs12, type: "PKCS12", password: secret(STORE_PASSWORD) } as const;
  return { trustStore, registry: true, checkHost: true, ...change };
}

async function read(options: JmxOptions, prefix = "orders", names: readonly string[] = TASK_ATTRIBUTES) {
  const jmx = openJmx(options);
  try {
    const attributes = await jmx.taskAttributes(prefix, names);
    return { attributes, remarks: jmx.remarks, metrics: readTaskMetrics(attributes, BEAN, AT) };
  } finally {
    await jmx.close();
  }
}

real("the metrics of a task are read exactly", async ({ jvm }) => {
  const { metrics, remarks } = await read({ url: url(jvm, "plain") });
  assert.equal(remarks, []);
  const { largestTransactions, lag } = metrics;
  assert.ok(largestTransactions.known);
  assert.equal(
    largestTransactions.value.map(({ xid, firstScn }) => [xid, firstScn]),
    [
      ["5.31.8190", 9_007_199_254_740_993n],
      ["5.31.8191", 9_007_199_254_740_994n],
      ["5.31.8192", 9_007_199_254_740_995n],
    ],
  );
  assert.equal(largestTransactions.value[0], {
    xid: "5.31.8190",
    user: undefined,
    clientId: "client-0",
    ageMillis: 60_000n,
    firstScn: 9_007_199_254_740_993n,
    events: 1000n,
    heapBytes: 1n << 30n,
    spilledBytes: 5_000_000_000n,
    journaled: true,
  });
  const values = Object.values(lag).map((one) => (one.known ? one.value : one.why));
  const [most, counts] = [
    [1500n, 9_007_199_254_740_993n, 2n ** 63n - 1n, 2n, -1n, 3n, 2n ** 31n - 1n],
    Array.from({ length: 15 }, (_, at) => BigInt(at + 4)),
  ];
  assert.equal(values, [...most, ...counts]);
});

real("a URL that holds the stub itself needs no registry", async ({ jvm }) => {
  const { metrics } = await read({ url: jvm.stubUrl("plain") });
  assert.ok(metrics.lag.Steps.known);
});

real("a topic prefix with special characters of JMX finds its task", async ({ jvm }) => {
  assert.ok((await read({ url: url(jvm, "plain") }, 'or,ders="*"')).metrics.lag.Steps.known);
});

const WAYS_IN: readonly (readonly [string, Way, ((jvms: TaskJvms) => JmxTls) | undefined])[] = [
  ["a login", "login", undefined],
  ["TLS, the registry without", "tls", (jvms) => tls(jvms, { registry: false })],
  ["TLS everywhere", "tls-registry", (jvms) => tls(jvms)],
  ["TLS everywhere, when it is not known of the registry", "tls-registry", (jvms) => tls(jvms, { registry: false })],
  [
    "TLS with a client certificate, from JKS",
    "tls-client",
    (jvms) =>
      tls(jvms, { keyStore: { path: jvms.certificates.client.jks, type: "JKS", password: secret(STORE_PASSWORD) } }),
  ],
  [
    "TLS with a client certificate, from PEM",
    "tls-client",
    (jvms) => tls(jvms, { keyStore: { path: jvms.certificates.client.pem, type: "PEM" } }),
  ],
];
for (const [what, way, material] of WAYS_IN)
  real(`${what} grants access`, async ({ jvm, jvms }) => {
    const { metrics } = await read({
      url: url(jvm, way),
      login: LOGIN,
      ...(material === undefined ? {} : { tls: material(jvms) }),
    });
    assert.ok(metrics.largestTransactions.known);
  });

real("a missing login is distinguished from a wrong one, and a wrong one is not shown", async ({ jvm }) => {
  await fails(
    read({ url: url(jvm, "login") }),
    "unauthorized",
    /requires a user and a password \(.*Credentials required\)/,
    /CDCCTL_JMX_USER/,
  );
  const wrong = { ...LOGIN, password: secret("hush-hush") };
  await fails(
    read({ url: url(jvm, "login"), login: wrong }),
    "unauthorized",
    /did not accept the user or the password \(.*Invalid username or password\)/,
    /jmxremote\.password/,
  );
});

real("a login without read permission is reported as such", async ({ jvm }) => {
  const login = { user: LOGINS.nobody.user, password: secret(LOGINS.nobody.password) };
  const error = await fails(
    read({ url: url(jvm, "login"), login }),
    "forbidden",
    inSequence([
      /could not read sh\.oso\.cdc:type=task,server=orders at 127\.0\.0\.1:\d+: /,
      /the login lacks the permission \(.*Access denied/,
    ]),
    /jmxremote\.access/,
  );
  assert.not.match(error.message, LOGINS.nobody.password);
});

real("an authority that is not trusted, and a missing client certificate, are named", async ({ jvm, jvms }) => {
  await fails(
    read({ url: url(jvm, "tls"), login: LOGIN }),
    "unreachable",
    /TLS certificate of 127\.0\.0\.1:\d+ is not accepted: self-signed/,
    /trust store/,
  );
  await fails(
    read({ url: url(jvm, "tls-client"), login: LOGIN, tls: tls(jvms) }),
    "unauthorized",
    /refused the TLS handshake/,
    /key store/,
  );
});

real("with TLS configured, no login is sent to a server without it", async ({ jvm, jvms }) => {
  await fails(
    read({ url: url(jvm, "login"), login: LOGIN, tls: tls(jvms, { registry: false }) }),
    "rejected",
    /does not speak TLS, so the login was not sent/,
    /jmxremote\.ssl=true/,
  );
  await fails(
    read({ url: url(jvm, "tls"), login: LOGIN, tls: tls(jvms) }),
    "unreachable",
    /RMI registry: no TLS session with 127\.0\.0\.1/,
  );
});

real("for a missing task, the existing ones are listed, or the domains that have some", async ({ jvm }) => {
  await fails(
    read({ url: url(jvm, "plain") }, "invoices"),
    "missing",
    /runs no task for the topic prefix invoices; it runs tasks for billing, odd, or,ders="\*", orders/,
    /status names it/,
  );
  await fails(
    read({ url: url(jvm, "plain"), domain: "no.such.domain" }),
    "missing",
    /has no MBean no\.such\.domain:type=task,server=orders/,
    /com\.example, sh\.oso\.cdc/,
  );
});

real("each unreadable attribute has a reason, and does not affect the others", async ({ jvm }) => {
  const names = ["Steps", "Throws", "Unserializable", "Foreign", "Enormous", "Map", "Integer", "Missing"];
  const { attributes } = await read({ url: url(jvm, "plain") }, "odd", names);
  const why = (name: string) => {
    const seen = attributes.get(name);
    return seen?.read === false ? seen.why : "";
  };
  assert.equal(attributes.get("Steps"), { read: true, value: 1n });
  assert.equal(attributes.get("Integer"), { read: true, value: -123456789012345678901234567890n });
  const map = attributes.get("Map");
  assert.ok(map?.read && isRow(map.value));
  assert.equal(map.value.get("a"), [1n, 2n]);
  assert.match(why("Throws"), /the task threw java\.lang\.IllegalStateException: the session is closed/);
  assert.match(why("Unserializable"), /could not write it \(java\.io\.NotSerializableException/);
  assert.match(why("Foreign"), /holds a java\.util\.concurrent\.atomic\.AtomicLong, a class that cdcctl does not read/);
  assert.match(why("Enormous"), /has more than 200000 values/);
  assert.match(why("Missing"), /no attribute Missing/);
  await fails(read({ url: url(jvm, "plain") }, "odd", ["Enormous"]), "protocol", /more than 200000 values/);
});

real(
  "a JVM that advertises an unreachable address is reached at its registry's host, with a note",
  async ({ jvms }) => {
    const jvm = await jvms.start("192.0.2.1");
    const { metrics, remarks } = await read({ url: url(jvm, "plain"), connectMillis: 1_000 });
    assert.ok(metrics.lag.Steps.known);
    assert.is(remarks.length, 1);
    assert.match(remarks[0] ?? "", `192.0.2.1:${jvm.port("plain")}, which is unreachable from here`);
    assert.match(remarks[0] ?? "", "-Djava.rmi.server.hostname=127.0.0.1");
    await jvm.stop();
  },
);

real(
  "a login is not sent to the address that a JVM advertises, but to its registry's host, with a note",
  async ({ jvms }) => {
    const jvm = await jvms.start("192.0.2.1");
    const { metrics, remarks } = await read({ url: url(jvm, "login"), login: LOGIN, connectMillis: 1_000 });
    assert.ok(metrics.lag.Steps.known);
    assert.is(remarks.length, 1);
    assert.match(remarks[0] ?? "", `192.0.2.1:${jvm.port("login")}, where the login was not sent`);
    assert.match(remarks[0] ?? "", "jmx.hosts");
    await jvm.stop();
  },
);

real("calls wait for each other, and a JVM that has ended in the meantime is reported", async ({ jvms }) => {
  const jvm = await jvms.start();
  const jmx = openJmx({ url: url(jvm, "plain") });
  const both = await Promise.all([jmx.taskAttributes("orders", ["Steps"]), jmx.taskAttributes("orders", ["ScnLag"])]);
  assert.equal(
    both.map((one) => [...one.keys()]),
    [["Steps"], ["ScnLag"]],
  );
  await jvm.stop();
  await fails(jmx.taskAttributes("orders", ["Steps"]), "unreachable", /connection refused by 127\.0\.0\.1/);
  await jmx.close();
});

real("the stand-in connector's task is read in a real worker", async () => {
  const stack = await startStack({ kafka: "4", jmx: true });
  try {
    const [worker] = stack.workers;
    await stack.createConnector("orders-cdc", { "cdc.topic.prefix": "orders" });
    const { metrics } = await read({ url: `service:jmx:rmi:///jndi/rmi://127.0.0.1:${worker?.jmxPort}/jmxrmi` });
    assert.ok(metrics.largestTransactions.known);
    assert.is(metrics.largestTransactions.value[0]?.firstScn, 9_007_199_254_740_993n);
    assert.ok(Object.values(metrics.lag).every((one) => one.known));
  } finally {
    await stack.stop();
  }
});

real.run();
