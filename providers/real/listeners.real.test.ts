import { readFileSync } from "node:fs";
import { connect as connectTls } from "node:tls";
import { Kafka, type KafkaConfig, logLevel, type SASLOptions } from "kafkajs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { BROKER_LOGIN, type ListenerName } from "./broker.ts";
import { type Certificates, STORE_PASSWORD } from "./certificates.ts";
import { run } from "./command.ts";
import { loopbackListeners } from "./listening.ts";
import { type RealStack, startStack } from "./stack.ts";

const listeners = suite("the listeners of a real stack");

/** A new object each time: kafkajs keeps the authenticator, password and all, in the one it is given, and a copy takes that along. */
const login = (mechanism: "plain" | "scram-sha-256" | "scram-sha-512", password: string = BROKER_LOGIN.password) => ({
  sasl: { mechanism, username: BROKER_LOGIN.user, password } as SASLOptions,
});

function certificatesOf({ certificates }: RealStack): Certificates {
  if (certificates === undefined) throw new Error("security and https bring certificates");
  return certificates;
}

/** What a client of each kind is told: the cluster id, or why not. */
async function ask(real: RealStack, name: ListenerName, access: Partial<KafkaConfig>): Promise<string> {
  const kafka = new Kafka({
    clientId: "test",
    brokers: [real.listeners[name] ?? ""],
    logLevel: logLevel.NOTHING,
    retry: { retries: 0 },
    ...access,
  });
  const admin = kafka.admin();
  try {
    await admin.connect();
    return (await admin.describeCluster()).clusterId;
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  } finally {
    await admin.disconnect();
  }
}

for (const kafka of ["3", "4"] as const) {
  listeners(`Kafka ${kafka}: brokers let in who has the right login and certificate, nobody else`, async () => {
    const real = await startStack({ kafka, workers: 0, security: true });
    try {
      const { authority, client } = certificatesOf(real);
      const ca = readFileSync(authority.pem, "utf8");
      const mine = { ca, key: readFileSync(client.key, "utf8"), cert: readFileSync(client.certificate, "utf8") };
      const cases: readonly [ListenerName, Partial<KafkaConfig>, boolean][] = [
        ["PLAINTEXT", {}, true],
        ["SASL_PLAINTEXT", login("plain"), true],
        ["SASL_PLAINTEXT", login("scram-sha-256"), true],
        ["SASL_PLAINTEXT", login("scram-sha-512"), true],
        ["SASL_PLAINTEXT", login("plain", "wrong"), false],
        ["SASL_PLAINTEXT", login("scram-sha-512", "wrong"), false],
        ["SSL", { ssl: { ca } }, true],
        ["SSL", { ssl: true }, false],
        ["SSL", { ssl: mine }, true],
        ["MUTUAL_SSL", { ssl: mine }, true],
        ["MUTUAL_SSL", { ssl: { ca } }, false],
        ["SASL_SSL", { ssl: { ca }, ...login("scram-sha-512") }, true],
        ["SASL_SSL", { ssl: { ca }, ...login("plain") }, true],
        ["SASL_SSL", { ssl: { ca }, ...login("plain", "wrong") }, false],
      ];
      for (const [name, access, letIn] of cases) {
        const answer = await ask(real, name, access);
        const what = `${name} ${JSON.stringify({ sasl: access.sasl?.mechanism, letIn })}: ${answer}, not ${real.clusterId}`;
        assert.is(answer === real.clusterId, letIn, what);
      }
    } finally {
      await real.stop();
    }
  });

  listeners(`Kafka ${kafka}: workers ask for basic auth, and followers pass it on over HTTPS`, async () => {
    const real = await startStack({ kafka, workers: 2, basicAuth: "ops:s3c:ret", https: "mutual", jmx: true });
    try {
      assert.match(real.connectUrl, /^https:\/\/127\.0\.0\.1:/);
      await real.createStopped("orders", {}, { v: 1n, resume_scn: 1n });
      for (const worker of [0, 1])
        assert.is((await real.patchOffset("orders", { v: 1n, resume_scn: 2n }, { worker })).status, 200);

      const processes = [real.broker, ...real.workers.map((worker) => worker.process)];
      for (const { pid, name } of processes) {
        const { loopback, elsewhere } = loopbackListeners(pid);
        assert.equal(elsewhere, [], `${name} listens on loopback only`);
        assert.ok(loopback.length > 0);
      }
      for (const {
        jmxPort,
        process: { pid },
      } of real.workers)
        assert.ok(loopbackListeners(pid).loopback.includes(jmxPort ?? 0));
    } finally {
      await real.stop();
    }
  });
}

listeners(
  "a worker with basic auth answers 401 in bare text, one that wants a certificate breaks the hand-shake",
  async () => {
    const real = await startStack({ kafka: "4", basicAuth: "ops:secret", https: "mutual" });
    try {
      const { authority, client } = certificatesOf(real);
      const url = `${real.connectUrl}/connectors`;
      const tls = ["--cacert", authority.pem, "--silent", "--show-error"];
      const mine = ["--cert", client.certificate, "--key", client.key];
      assert.match(
        await run("curl", [...tls, ...mine, "--write-out", " %{http_code}", url]),
        "User cannot access the resource. 401",
      );
      const refused = await handshake(Number(new URL(real.connectUrl).port), readFileSync(authority.pem, "utf8"));
      assert.match(refused, /certificate/i);
    } finally {
      await real.stop();
    }
  },
);

listeners("key stores and trust stores are there in all three forms", async () => {
  const real = await startStack({ kafka: "4", workers: 0, security: true });
  try {
    const { authority, client } = certificatesOf(real);
    for (const [store, type] of [
      [authority.jks, "JKS"],
      [authority.pkcs12, "PKCS12"],
      [client.jks, "JKS"],
      [client.pkcs12, "PKCS12"],
    ] as const) {
      const listing = await run("keytool", [
        "-list",
        "-keystore",
        store,
        "-storetype",
        type,
        "-storepass",
        STORE_PASSWORD,
      ]);
      assert.match(listing, store.includes("/ca.") ? "trustedCertEntry" : "PrivateKeyEntry");
    }
    assert.match(readFileSync(client.jks).subarray(0, 4).toString("hex"), "feedfeed");
    assert.match(readFileSync(client.pem, "utf8"), /PRIVATE KEY[\s\S]+BEGIN CERTIFICATE/);
  } finally {
    await real.stop();
  }
});

/** Reads after a TLS 1.3 hand-shake without a client certificate: the server's refusal comes only then. */
function handshake(port: number, ca: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectTls({ host: "127.0.0.1", port, ca });
    socket.once("error", (error) => resolve(error.message));
    socket.once("end", () => resolve("ended without a word"));
    socket.resume();
  });
}

listeners.run();
