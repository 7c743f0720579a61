import { createServer, type Socket } from "node:net";
import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed } from "../../core/errors.ts";
import { inSequence } from "../../core/values/regexp.ts";
import { linesOf } from "../../core/values/remedy.ts";
import { secret } from "../../core/values/secret.ts";
import {
  arrayOf,
  attributeList,
  boxedLong,
  classOf,
  composite,
  exception,
  hashSet,
  objectName,
  objectOf,
  stub,
} from "../sandbox/jmx/build-graph.ts";
import { encodeGraph } from "../sandbox/jmx/encode-graph.ts";
import { answer, type Called, type LoopbackJvm, type Reply, startLoopbackJvm } from "../sandbox/jmx/loopback-jvm.ts";
import { STREAM_HEADER, TC } from "./java-graph.ts";
import { type JmxOptions, openJmx } from "./open-jmx.ts";
import { fails } from "./testing/failing.ts";

const jmx = suite("JMX over RMI");

const LOGIN = { user: "ops", password: secret("hush-hush") };

/** Reads once from a JVM that answers like this. */
async function readFrom(
  replies: (call: Called, nth: number) => Reply | undefined,
  options: Partial<JmxOptions> = {},
  of: { readonly greets?: Buffer; readonly host?: string; readonly names?: readonly string[] } = {},
) {
  const jvm = await startLoopbackJvm(replies, of);
  const port = openJmx({ url: jvm.url, connectMillis: 1_000, callMillis: 1_000, ...options });
  try {
    const attributes = await port.taskAttributes("orders", of.names ?? ["Steps"]);
    return { attributes, calls: [...jvm.calls], remarks: port.remarks };
  } finally {
    await port.close();
    await jvm.stop();
  }
}

const steps = (call: Called): Reply | undefined =>
  call === "getAttributes" ? { value: attributeList({ Steps: boxedLong(7n) }) } : undefined;
const bytesTo =
  (of: Called, bytes: Buffer, end = true) =>
  (call: Called): Reply | undefined =>
    call === of ? { bytes, end } : undefined;
const throwsTo =
  (of: Called, thrown: ReturnType<typeof exception>) =>
  (call: Called): Reply | undefined =>
    call === of ? { throws: thrown } : undefined;

jmx("an attribute is read in three calls, and then the session is closed", async () => {
  const { attributes, calls } = await readFrom(steps);
  assert.equal([...attributes], [["Steps", { read: true, value: 7n }]]);
  assert.equal(calls, ["lookup", "newClient", "getAttributes"]);
});

jmx("nothing connects before the first call", async () => {
  const port = openJmx({ url: "service:jmx:rmi:///jndi/rmi://127.0.0.1:1/jmxrmi" });
  assert.is(port.address, "127.0.0.1:1");
  assert.equal(port.remarks, []);
  await port.close();
});

// ---- Addresses ------------------------------------------------------------------------------------------------------

jmx("an unknown host name is replaced by the registry's own host, with a note", async () => {
  const { attributes, remarks } = await readFrom(steps, {}, { host: "worker-1.internal.invalid" });
  assert.is(attributes.size, 1);
  assert.match(remarks[0] ?? "", /advertises worker-1\.internal\.invalid:\d+, which is unreachable from here/);
  assert.match(remarks[0] ?? "", /java\.rmi\.server\.hostname=127\.0\.0\.1/);
});

jmx("if neither address is reachable, both are named, with the remedy", async () => {
  const [closed] = await closedPort();
  await fails(
    readFrom((call) =>
      call === "lookup" ? { value: stub({ host: "worker-1.internal.invalid", port: closed }) } : undefined,
    ),
    "unreachable",
    inSequence([
      /says that the JMX server is at worker-1\.internal\.invalid:\d+, and that can't be reached: /,
      /the host name .* can't be resolved; connection refused by 127\.0\.0\.1/,
    ]),
    /-Djava\.rmi\.server\.hostname=127\.0\.0\.1, fix its second port with -Dcom\.sun\.management\.jmxremote\.rmi\.port/,
  );
});

jmx("a JVM at the advertised address that does not know the object is not the right one", async () => {
  const other = await startLoopbackJvm(
    throwsTo("newClient", exception("java.rmi.NoSuchObjectException", "no such object in table")),
  );
  try {
    const error = fails(
      readFrom((call) => (call === "lookup" ? { value: stub({ host: "localhost", port: other.port }) } : undefined)),
      "unreachable",
      /no such object in table/,
    );
    await error;
    assert.equal(other.calls, ["newClient", "newClient"]);
  } finally {
    await other.stop();
  }
});

async function closedPort(): Promise<readonly [number]> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return [port];
}

// ---- What is no JMX port --------------------------------------------------------------------------------------------

jmx("a port without a listener is rejected by name", async () => {
  const [port] = await closedPort();
  await fails(
    openJmx({ url: `service:jmx:rmi:///jndi/rmi://127.0.0.1:${port}/jmxrmi` }).taskAttributes("orders", ["Steps"]),
    "unreachable",
    /RMI registry: connection refused by 127\.0\.0\.1:\d+/,
    /worker runs with JMX enabled/,
  );
});

const OTHERS: readonly (readonly [string, Buffer | undefined, RegExp])[] = [
  ["an HTTP server", Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"), /is an HTTP server, not a JMX port/],
  ["an SSH server", Buffer.from("SSH-2.0-OpenSSH_9.2\r\n"), /answered "SSH-2\.0-OpenSSH_9\.2", not a JMX port/],
  ["noise that moves the cursor", Buffer.from("\x1b[2Jgone"), /answered "\\x1b\[2Jgone", not a JMX port/],
  ["one that closes", undefined, /closed the connection without an answer/],
];
for (const [what, says, message] of OTHERS)
  jmx(`${what} is distinguished from a JVM`, async () => {
    const server = createServer((socket: Socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => (says === undefined ? socket.destroy() : socket.end(says)));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    try {
      const open = openJmx({ url: `service:jmx:rmi:///jndi/rmi://127.0.0.1:${port}/jmxrmi`, connectMillis: 2_000 });
      const error = await open.taskAttributes("orders", ["Steps"]).catch((thrown: unknown) => thrown);
      assert.instance(error, CallFailed);
      assert.match((error as CallFailed).message, message);
      assert.match(linesOf((error as CallFailed).remedies), /com\.sun\.management\.jmxremote\.port/);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

jmx("one that accepts the connection and stays silent times out", async () => {
  await fails(
    readFrom(() => "nothing", { connectMillis: 100 }, { greets: Buffer.alloc(0) }),
    "unreachable",
    /did not answer in time; a firewall drops the connection, or it is not a JMX port/,
  );
  await fails(
    readFrom(bytesTo("getAttributes", Buffer.alloc(0), false), { callMillis: 100 }),
    "timeout",
    /no answer in time/,
  );
});

jmx("a registry of another program is described by its names", async () => {
  await fails(
    readFrom((call) => {
      if (call === "lookup") return { throws: exception("java.rmi.NotBoundException", "jmxrmi") };
      return call === "list" ? { value: arrayOf("[Ljava.lang.String;", ["karaf-root", "x"]) } : undefined;
    }),
    "missing",
    /has no jmxrmi; it has karaf-root, x/,
    /name at the end of the JMX URL/,
  );
});

// ---- Hostile answers ------------------------------------------------------------------------------------------------

const graph = (...bytes: readonly (number | Buffer)[]) =>
  Buffer.concat([
    answer({ value: null }).subarray(0, -1),
    ...bytes.map((one) => (Buffer.isBuffer(one) ? one : Buffer.from([one]))),
  ]);
const enormous = graph(TC.ARRAY, encodeGraph([classOf("[J")]).subarray(STREAM_HEADER.length), 0x7f, 0xff, 0xff, 0xff);
const whole = answer({ value: attributeList({ Steps: boxedLong(7n) }) });

const HOSTILE: readonly (readonly [string, (call: Called) => Reply | undefined, CallFailed["kind"], RegExp])[] = [
  ["a cut answer", bytesTo("getAttributes", whole.subarray(0, -20)), "lost", /the connection broke during the answer/],
  ["an enormous array", bytesTo("getAttributes", enormous, false), "protocol", /more than 200000 values/],
  ["an answer that is not RMI", bytesTo("getAttributes", Buffer.from("hello")), "protocol", /begins with 0x68/],
  [
    "an answer that is not a list",
    (call) => (call === "getAttributes" ? { value: "x" } : undefined),
    "unsupported",
    /not a list of attributes/,
  ],
  ["an invalid stub", (call) => (call === "lookup" ? { value: "x" } : undefined), "unsupported", /not a stub/],
  [
    "a stub of an unknown class",
    (call) => (call === "lookup" ? { value: objectOf("com.evil.Stub") } : undefined),
    "unsupported",
    /com\.evil\.Stub, not a stub/,
  ],
  [
    "sockets of an unknown class",
    (call) => (call === "lookup" ? { value: stub({ factory: objectOf("com.evil.Sockets") }) } : undefined),
    "unsupported",
    /sockets of the class com\.evil\.Sockets/,
  ],
  [
    "an invalid address",
    (call) => (call === "lookup" ? { value: stub({ host: "a b\x1b[1m", port: 7 }) } : undefined),
    "protocol",
    /gives the address/,
  ],
  [
    "an invalid port",
    (call) => (call === "newClient" ? { value: stub({ port: 70_000 }) } : undefined),
    "protocol",
    /127\.0\.0\.1:70000/,
  ],
  [
    "an endless exception",
    throwsTo("getAttributes", exception("a.B", "x".repeat(60_000))),
    "rejected",
    /the JVM threw a\.B: x{300}…$/,
  ],
];
for (const [what, replies, kind, message] of HOSTILE)
  jmx(`${what} fails with a message`, () => fails(readFrom(replies), kind, message).then(() => undefined));

jmx("a flood is stopped at the limit", async () => {
  const before = process.memoryUsage().arrayBuffers;
  const flood = graph(
    TC.ARRAY,
    encodeGraph([classOf("[La;")]).subarray(STREAM_HEADER.length),
    0,
    1,
    0,
    0,
    Buffer.alloc(60_000_000, TC.NULL),
  );
  const fat = graph(
    TC.ARRAY,
    encodeGraph([classOf("[Ljava.lang.String;")]).subarray(STREAM_HEADER.length),
    0,
    1,
    0,
    0,
    ...Array.from({ length: 900 }, () =>
      Buffer.concat([Buffer.from([TC.STRING, 0xff, 0xff]), Buffer.alloc(0xffff, 0x61)]),
    ),
  );
  await fails(readFrom(bytesTo("getAttributes", fat), { callMillis: 10_000 }), "protocol", /more than 4194304 bytes/);
  await fails(
    readFrom(bytesTo("getAttributes", flood), { callMillis: 10_000 }),
    "unsupported",
    /not a list of attributes/,
  );
  assert.ok(process.memoryUsage().arrayBuffers - before < 200_000_000);
});

jmx("an endless answer is read only up to the limit, whichever call it answers", async () => {
  const texts = graph(
    TC.ARRAY,
    encodeGraph([classOf("[Ljava.lang.String;")]).subarray(STREAM_HEADER.length),
    ...[0, 2, 0, 0],
  );
  const text = Buffer.concat([Buffer.from([TC.STRING, 0xff, 0xff]), Buffer.alloc(0xffff, 0x61)]);
  for (const of of ["lookup", "newClient", "getAttributes"] as const) {
    const jvm = await startLoopbackJvm((call) => (call === of ? { bytes: texts, forever: text } : steps(call)));
    const port = openJmx({ url: jvm.url, connectMillis: 5_000, callMillis: 20_000 });
    try {
      await fails(port.taskAttributes("orders", ["Steps"]), "protocol", /more than 4194304 bytes/);
      // Anything beyond the limit stays in the buffers of the two sockets.
      assert.ok(jvm.sentBytes() < 24 * 1024 * 1024, `${of}: ${jvm.sentBytes()} bytes`);
    } finally {
      await port.close();
      await jvm.stop();
    }
  }
});

jmx("a small graph that expands to an enormous tree is rejected", async () => {
  let tree = arrayOf("[Lx;", ["leaf"]);
  for (let at = 0; at < 40; at++) tree = arrayOf("[Lx;", [tree, tree]);
  const { attributes } = await readFrom(
    (call) => (call === "getAttributes" ? { value: attributeList({ Steps: tree, Rows: boxedLong(1n) }) } : undefined),
    {},
    { names: ["Steps", "Rows"] },
  );
  const seen = attributes.get("Steps");
  assert.match(seen?.read === false ? seen.why : "", /expands to more than 200000 values/);
  assert.ok(attributes.get("Rows")?.read);
});

jmx("any bytes lead to an answer or to a readable failure", async () => {
  const calls = ["lookup", "newClient", "getAttributes"] as const;
  const good = (call: Called, port: number): Buffer =>
    call === "getAttributes" ? whole : answer({ value: stub({ port }) });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...calls),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }),
      fc.option(fc.nat(), { nil: undefined }),
      async (of, mutations, cut) => {
        const jvm: LoopbackJvm = await startLoopbackJvm((call) => {
          if (call !== of) return steps(call);
          const bytes = Buffer.from(good(call, jvm.port));
          for (const [at, byte] of mutations) bytes[at % bytes.length] = byte;
          return { bytes: cut === undefined ? bytes : bytes.subarray(0, cut % bytes.length) };
        });
        const port = openJmx({ url: jvm.url, login: LOGIN, connectMillis: 300, callMillis: 300 });
        try {
          await port.taskAttributes("orders", ["Steps"]);
        } catch (error) {
          if (!(error instanceof CallFailed)) throw error;
          assert.ok(error.message.length < 2_000 && !error.message.includes("hush"));
        } finally {
          await port.close();
          await jvm.stop();
        }
      },
    ),
    { numRuns: 150 },
  );
});

// ---- Exceptions -----------------------------------------------------------------------------------------------------

jmx("a password that the JVM repeats is not shown", async () => {
  const denial = exception("java.lang.SecurityException", "no user ops with password hush-hush");
  const error = await fails(readFrom(throwsTo("newClient", denial), { login: LOGIN }), "unauthorized", /\*{8}/);
  assert.not.match(JSON.stringify([error, String(error.cause)]), /hush/);
  const other = exception("com.example.Odd", "hush-hush?");
  await fails(readFrom(throwsTo("newClient", other), { login: LOGIN }), "rejected", /com\.example\.Odd: \*{8}\?/);
});

jmx("the innermost exception is reported", async () => {
  const root = exception("java.io.InvalidClassException", "filter status: REJECTED");
  const wrapped = exception(
    "java.rmi.ServerException",
    "RemoteException occurred",
    exception("java.rmi.UnmarshalException", "error", root, "detail"),
    "detail",
  );
  await fails(
    readFrom(throwsTo("newClient", wrapped)),
    "rejected",
    /rejected the call \(java\.io\.InvalidClassException: filter status: REJECTED\)/,
    /serial filter/,
  );
});

jmx("a missing task, in a JVM that has others", async () => {
  await fails(
    readFrom((call) => {
      if (call === "getAttributes") return { throws: exception("javax.management.InstanceNotFoundException", "x") };
      if (call !== "queryNames") return undefined;
      return {
        value: hashSet([
          objectName('sh.oso.cdc:server="a,b",type=task'),
          objectName("sh.oso.cdc:type=task,server=billing"),
          "no name",
        ]),
      };
    }),
    "missing",
    /runs no task for the topic prefix orders; it runs tasks for a,b, billing/,
  );
});

jmx("a login is not sent if TLS is configured and the server has none", async () => {
  const jvm = await startLoopbackJvm(steps);
  const url = { url: jvm.url, login: LOGIN };
  try {
    const secured = openJmx({ ...url, tls: { registry: false, checkHost: true } });
    await fails(
      secured.taskAttributes("orders", ["Steps"]),
      "rejected",
      /does not speak TLS, so the login was not sent/,
      /com\.sun\.management\.jmxremote\.ssl=true/,
    );
    assert.not(jvm.received().includes("hush-hush"));
    const plain = openJmx(url);
    await plain.taskAttributes("orders", ["Steps"]);
    await plain.close();
    assert.ok(jvm.received().includes("hush-hush"));
  } finally {
    await jvm.stop();
  }
});

// ---- Time -----------------------------------------------------------------------------------------------------------

jmx("a session that the JVM has dropped, or whose connection broke, is reopened", async () => {
  let forget = false;
  const jvm = await startLoopbackJvm((call) => {
    if (call !== "getAttributes" || !forget) return steps(call);
    forget = false;
    return { throws: exception("java.rmi.NoSuchObjectException", "no such object in table") };
  });
  const port = openJmx({ url: jvm.url });
  try {
    for (const trouble of [() => undefined, () => (forget = true), () => jvm.breakOff()]) {
      trouble();
      const attributes = await port.taskAttributes("orders", ["Steps"]);
      assert.equal(attributes.get("Steps"), { read: true, value: 7n });
    }
    assert.is(jvm.calls.filter((call) => call === "newClient").length, 3);
  } finally {
    await port.close();
    await jvm.stop();
  }
});

jmx("an open session is reused, and concurrent calls wait for each other", async () => {
  const jvm = await startLoopbackJvm(steps);
  const port = openJmx({ url: jvm.url });
  try {
    await Promise.all(Array.from({ length: 5 }, () => port.taskAttributes("orders", ["Steps"])));
    assert.equal(jvm.calls.slice(0, 3), ["lookup", "newClient", "getAttributes"]);
    assert.is(jvm.calls.length, 7);
  } finally {
    await port.close();
    await jvm.stop();
  }
});

jmx("composite rows keep names that are special in JavaScript", async () => {
  const { attributes } = await readFrom((call) =>
    call === "getAttributes"
      ? { value: attributeList({ Steps: composite({ __proto__x: boxedLong(1n), constructor: boxedLong(2n) }) }) }
      : undefined,
  );
  const seen = attributes.get("Steps");
  assert.ok(seen?.read && seen.value instanceof Map);
  assert.equal(
    [...seen.value],
    [
      ["__proto__x", 1n],
      ["constructor", 2n],
    ],
  );
});

jmx.run();
